import { PROFILE_FLAG } from "../../session/flags.ts";
import { type Noun, row } from "../verb.ts";

const PROFILE_FLAGS = [PROFILE_FLAG] as const;

export const CONFIG: Noun = {
  name: "config",
  about:
    "Manage settings, global or per profile. A profile is a set of settings for one tracker: bt -P NAME, or BT_PROFILE=NAME, uses it. bt help environment lists the settings.",
  verbs: [
    row({
      name: "get",
      about: "Print the value of a setting; exits 1 if it is not set.",
      args: [{ name: "setting", completes: "settings" }],
      flags: () => PROFILE_FLAGS,
      offline: true,
      examples: [{ line: "bt config get base_url", about: "the configured tracker" }],
      run: async () => (await import("./verbs.ts")).getConfig,
    }),
    row({
      name: "set",
      about: "Set a setting, globally or in a profile, which is created if it does not exist.",
      args: [{ name: "setting", completes: "settings" }, { name: "value" }],
      flags: () => PROFILE_FLAGS,
      offline: true,
      examples: [
        { line: "bt config set base_url https://bugs.example.org", about: "the default tracker" },
        {
          line: "bt config set base_url https://bugs.work.example --profile work",
          about: "a second tracker: bt -P work ...",
        },
        { line: "bt config set product Firefox --profile work", about: "default product of new bugs" },
      ],
      run: async () => (await import("./verbs.ts")).setConfig,
    }),
    row({
      name: "list",
      aliases: ["ls", "show"],
      about: "List the settings that are set; the first line, on stderr, is the path of the settings file.",
      flags: () => PROFILE_FLAGS,
      output: "settings",
      offline: true,
      examples: [{ line: "bt config list", about: "current settings" }],
      run: async () => (await import("./verbs.ts")).listConfig,
    }),
    row({
      name: "unset",
      aliases: ["delete", "rm"],
      about: "Unset settings; an empty profile is removed.",
      args: [{ name: "setting", many: true, completes: "settings" }],
      flags: () => PROFILE_FLAGS,
      offline: true,
      examples: [{ line: "bt config unset product --profile work", about: "remove the default product" }],
      run: async () => (await import("./verbs.ts")).unsetConfig,
    }),
  ],
};
