import type { VerbRow } from "../../verb.ts";
import { EDIT_FLAGS } from "./flags.ts";

/** `bt bug edit`. */
export const EDIT: VerbRow<typeof EDIT_FLAGS> = {
  name: "edit",
  about: "Edit bugs in your editor: one as lines, several as a table.",
  details: `The editable fields open in the editor; unchanged text is not sent. An empty value clears its field, a deleted line or
row leaves it unchanged, and text below the last line is added as a comment: to the bug, or to the bugs of changed rows.

The bugs are read again before they are updated. Changes by others to other fields are kept; if both changed the same
field, their value is written above yours (exit code 11 unless you choose one). After an invalid value, too, bt asks
whether to edit again, at its line. Separate list items with commas, and put items that contain one in double quotes. Bug numbers
can be piped: bt bug search is:open --format ids | bt bug edit -`,
  args: [{ name: "bug", many: true }],
  flags: EDIT_FLAGS,
  output: "changes",
  examples: [
    { line: "bt bug edit 44", about: "one bug in the editor" },
    { line: "bt bug edit 44 48 --only priority,summary", about: "two fields of two bugs, as a table" },
  ],
  exits: ["no"],
  run: async () => (await import("./edit.ts")).editBugs,
};
