import type { CommandFlag, Noun, Verb } from "../verb.ts";

/** Verbs of `bt config`. */
export const CONFIG: Noun = {
  name: "config",
  about: "Manage settings, global or per profile.",
  get verbs() {
    return [GET, SET, LIST, UNSET, PATH];
  },
};

const PROFILE: CommandFlag = {
  name: "profile",
  short: "P",
  value: "<name>",
  about: "use this profile; set creates it",
  completes: "profiles",
  group: "Profile",
};

const GET: Verb = {
  name: "get",
  about: "Print the value of a setting; exits 1 if it is not set.",
  args: [{ name: "setting", completes: "settings" }],
  flags: [PROFILE],
  offline: true,
  examples: [{ line: "bt config get base_url", about: "the configured tracker" }],
  run: async () => (await import("./verbs.ts")).getConfig,
};

const SET: Verb = {
  name: "set",
  about: "Set a setting, globally or in a profile.",
  args: [{ name: "setting", completes: "settings" }, { name: "value" }],
  flags: [PROFILE],
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
};

const LIST: Verb = {
  name: "list",
  about: "List settings that are set, or all of them with --all.",
  flags: [PROFILE, { name: "all", about: "all settings, with descriptions", group: "Profile" }],
  output: "settings",
  offline: true,
  examples: [{ line: "bt config list", about: "current settings" }],
  run: async () => (await import("./verbs.ts")).listConfig,
};

const UNSET: Verb = {
  name: "unset",
  about: "Unset a setting. Removes the profile if it becomes empty.",
  args: [{ name: "setting", completes: "settings" }],
  flags: [PROFILE],
  offline: true,
  examples: [{ line: "bt config unset product --profile work", about: "remove the default product" }],
  run: async () => (await import("./verbs.ts")).unsetConfig,
};

const PATH: Verb = {
  name: "path",
  about: "Print the path of the settings file.",
  flags: [],
  offline: true,
  examples: [{ line: "bt config path", about: "path of the settings file" }],
  run: async () => (await import("./verbs.ts")).printConfigPath,
};
