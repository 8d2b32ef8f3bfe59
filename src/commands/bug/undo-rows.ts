import type { CommandFlag, Verb } from "../verb.ts";
import { sayingFlags } from "./write-rows.ts";

/** Flags of an update that is always sent with --if-unchanged. */
export function flagsOfUndo(): readonly CommandFlag[] {
  return sayingFlags().filter(({ name }) => name !== "if-unchanged");
}

/** `bt bug undo`. */
export const UNDO: Verb = {
  name: "undo",
  about: "Undo your last change of bugs.",
  details: `Previous values come from the job that made the change on this machine, or from the bug's history where it is exact:
not for values over 250 characters, nor for several changes of a field in one second. A field is only restored if it
still has the value of the change, lists item by item, and the status only by a valid transition.

Later changes by others, comments, hours, mail, product moves, removed groups, attachments and flags set by others are
not undone; they are listed, and the exit code is 10. Exit code 1 means that there is nothing to undo. An undo is a
regular update, and bt bug undo undoes it.`,
  args: [{ name: "bug", many: true }],
  get flags() {
    return [
      {
        name: "change",
        value: "<time>",
        about: "undo an earlier change: its time, or 2 for the second to last",
        group: "Criteria",
      },
      {
        name: "author",
        value: "<login>",
        about: "undo the last change of another user",
        completes: "people",
        group: "Criteria",
      },
      ...flagsOfUndo(),
    ];
  },
  output: "changes",
  examples: [
    { line: "bt bug undo 49 --dry-run", about: "preview the restored values" },
    { line: "bt bug undo 11 -m 'Wrong bug.'", about: "undo your last change, with a comment" },
  ],
  run: async () => (await import("./undo.ts")).undoBugs,
};
