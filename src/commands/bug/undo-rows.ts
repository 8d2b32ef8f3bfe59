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
  details: `Values come from the job that made the change on this machine, else from the bug's history where that is exact: not for
values over 250 characters, nor for several changes of a field in one second. A field is put back only while it has the
value of the change, lists item by item, the status only by a move of the workflow.

Later changes by others, comments, hours, mails, product moves, removed groups, attachments and flags set by others stay;
they are named, and the exit code is 10. Exit code 1 means that there is nothing to undo. The undo is an update like any
other, and bt bug undo undoes it.`,
  args: [{ name: "bug", many: true }],
  get flags() {
    return [
      {
        name: "change",
        value: "<time>",
        about: "an earlier change, by its time; 2 for the last but one",
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
    { line: "bt bug undo 49 --dry-run", about: "preview what would be put back" },
    { line: "bt bug undo 11 -m 'Wrong bug.'", about: "undo your last change, with a comment" },
  ],
  run: async () => (await import("./undo.ts")).undoBugs,
};
