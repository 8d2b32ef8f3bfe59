import type { CommandFlag } from "../../../command-flag.ts";
import type { InputOf } from "../../input.ts";
import { ALLOW_NO_GROUPS, DRY_RUN, UPDATE_FLAGS } from "../../shared/changes/write-flags.ts";

export const EDIT_FLAGS = [
  {
    name: "only",
    value: "<names>",
    many: true,
    about: "edit only these fields",
    group: "Fields",
    completes: "field names",
  },
  ALLOW_NO_GROUPS,
  DRY_RUN,
  ...UPDATE_FLAGS,
] as const satisfies readonly CommandFlag[];

/** Input of `bt bug edit`. */
export type EditInput = InputOf<typeof EDIT_FLAGS>;
