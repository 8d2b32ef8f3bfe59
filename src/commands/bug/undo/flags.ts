import type { InputOf } from "../../input.ts";
import { commentedUpdateFlags } from "../../shared/changes/write-flags.ts";

export function undoBugFlags() {
  return [
    {
      name: "job",
      value: "<job>",
      about: "undo the whole command that this job belongs to",
      completes: "jobs",
      group: "Criteria",
    } as const,
    ...commentedUpdateFlags().filter((flag) => flag.name !== "if-unchanged"),
  ];
}

/** Input of `bt bug undo`. */
export type UndoInput = InputOf<ReturnType<typeof undoBugFlags>>;
