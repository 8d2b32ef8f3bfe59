import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";

export const TODO_FLAGS = [
  {
    name: "days",
    value: "<number>",
    least: 1,
    about: "list changes of the last N days (default 30)",
    group: "Criteria",
  },
] as const satisfies readonly CommandFlag[];

/** Input of `bt todo`. */
export type TodoInput = InputOf<typeof TODO_FLAGS>;
