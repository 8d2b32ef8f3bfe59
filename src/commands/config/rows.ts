import type { CommandFlag, Noun, Verb } from "../verb.ts";

/** The verbs of the configuration. */
export const CONFIG: Noun = {
  name: "config",
  about: "Read and change settings, for all trackers or in profiles.",
  get verbs() {
    return [GET, SET, LIST, UNSET, PATH];
  },
};

const PROFILE: CommandFlag = {
  name: "profile",
  short: "P",
  value: "<name>",
  about: "the profile that is meant; set makes it",
  completes: "profiles",
  group: "Profile",
};

const GET: Verb = {
  name: "get",
  about: "Print the value of a setting; exits 1 when it is not set.",
  args: [{ name: "setting", completes: "settings" }],
  flags: [PROFILE],
  offline: true,
  examples: [{ line: "bt config get base_url", about: "which tracker is it?" }],
  run: async () => (await import("./verbs.ts")).getConfig,
};

const SET: Verb = {
  name: "set",
  about: "Set a setting, for all trackers or in a profile.",
  args: [{ name: "setting", completes: "settings" }, { name: "value" }],
  flags: [PROFILE],
  offline: true,
  examples: [
    { line: "bt config set base_url https://bugs.example.org", about: "the tracker of every command" },
    {
      line: "bt config set base_url https://bugs.work.example --profile work",
      about: "a second tracker: bt -P work ...",
    },
    { line: "bt config set product Firefox --profile work", about: "new bugs there are for this product" },
  ],
  run: async () => (await import("./verbs.ts")).setConfig,
};

const LIST: Verb = {
  name: "list",
  about: "List what is set; with --all what could be set, too.",
  flags: [PROFILE, { name: "all", about: "every setting that there is, with what it is for", group: "Profile" }],
  output: "settings",
  offline: true,
  examples: [{ line: "bt config list", about: "everything that is set" }],
  run: async () => (await import("./verbs.ts")).listConfig,
};

const UNSET: Verb = {
  name: "unset",
  about: "Unset a setting; a profile without settings is gone.",
  args: [{ name: "setting", completes: "settings" }],
  flags: [PROFILE],
  offline: true,
  examples: [{ line: "bt config unset product --profile work", about: "no default product there any more" }],
  run: async () => (await import("./verbs.ts")).unsetConfig,
};

const PATH: Verb = {
  name: "path",
  about: "Print where the configuration lies.",
  flags: [],
  offline: true,
  examples: [{ line: "bt config path", about: "to look at it or copy it" }],
  run: async () => (await import("./verbs.ts")).printConfigPath,
};
