import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";

export const USER_SEARCH_FLAGS = [
  {
    name: "limit",
    short: "L",
    value: "<number>",
    least: 1,
    about: "maximum number of users (default: the limit of the tracker)",
    group: "Criteria",
  },
  {
    name: "group",
    value: "<group>",
    many: true,
    about: "only members of these groups; you must be a member",
    group: "Criteria",
  },
  { name: "include-disabled", about: "include users that cannot log in", group: "Criteria" },
] as const satisfies readonly CommandFlag[];

/** Input of `bt user search`. */
export type UserSearchInput = InputOf<typeof USER_SEARCH_FLAGS>;
