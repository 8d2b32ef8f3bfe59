import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";

export const PROFILE_FLAGS = [
  {
    name: "profile",
    short: "P",
    value: "<name>",
    about: "use this profile; set creates it",
    completes: "profiles",
    group: "Profile",
  },
] as const satisfies readonly CommandFlag[];

export const SETTING_LIST_FLAGS = [
  ...PROFILE_FLAGS,
  { name: "all", about: "all settings, with descriptions", group: "Profile" },
] as const satisfies readonly CommandFlag[];

/** Input of the verbs about a setting. */
export type SettingInput = InputOf<typeof PROFILE_FLAGS>;

/** Input of `bt config list`. */
export type SettingListInput = InputOf<typeof SETTING_LIST_FLAGS>;
