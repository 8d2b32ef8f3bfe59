import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";

export const PROFILE_FLAGS = [
  {
    name: "profile",
    short: "P",
    value: "<name>",
    about: "the settings of this profile",
    completes: "profiles",
    group: "Profile",
  },
] as const satisfies readonly CommandFlag[];

/** Input of the verbs about a setting. */
export type SettingInput = InputOf<typeof PROFILE_FLAGS>;
