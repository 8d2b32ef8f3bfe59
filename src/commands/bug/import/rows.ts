import { MAIN_CRITERIA } from "../../shared/criteria/flags.ts";
import type { VerbRow } from "../../verb.ts";
import { exportFlags, IMPORT_FLAGS } from "./flags.ts";

export const EXPORT: VerbRow<ReturnType<typeof exportFlags>> = {
  name: "export",
  about: "Write matching bugs to a file for spreadsheets, scripts or bt bug import.",
  details: `Criteria are those of bt bug search; --all exports every bug. Columns are the editable fields, and id, creator,
creation_time and last_change_time; --fields selects others; without last_change_time, bt bug import overwrites
changes by others. JSON lines also have the tracker's name, comments, history and attachment metadata.

CSV cells that look like formulas are prefixed with an apostrophe (see bt help formats); --raw omits it. The file
is only created when it is complete.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  flags: exportFlags(),
  mainFlags: [...MAIN_CRITERIA, "all", "output", "format", "fields", "raw", "force"],
  mainTopic: "query",
  examples: [
    { line: "bt bug export is:open -p Lantern -o /tmp/lantern.csv --force", about: "open bugs, for a spreadsheet" },
    { line: "bt bug export --all --format ndjson", about: "everything, with comments and history" },
    { line: "bt bug export is:open --fields id,priority,keywords,last_change_time", about: "four columns" },
  ],
  run: async () => (await import("./export.ts")).exportBugs,
};

export const IMPORT: VerbRow<typeof IMPORT_FLAGS> = {
  name: "import",
  about: "File and update bugs from a CSV, TSV or JSON lines file.",
  details: `A row with an id updates that bug, a row without one files a new bug. Columns are named as in JSON or by their labels;
the id and those to change are enough. description is for new bugs, comment for existing ones. Cells that differ from the
bug are sent, of lists the items added and removed. A changed read-only cell is an error.

A row with a last_change_time is refused if its bug has changed since, and its empty cells clear their fields; without
one, empty cells change nothing, and newer changes by others are overwritten.

--new moves bugs to another tracker: every row is filed as a new bug, whatever its id. Its description begins with the
tracker, number, reporter and day, and ends with the comments of JSON lines, each with author and time. Status,
resolution and links between the bugs of the file are kept; private comments, comments beyond 65,535 characters,
attachments, flags, history and links to other bugs are not. Old and new ids are printed.

All rows are checked before the first is sent. After an interruption the same command with the same file continues, and
sends no row twice; another file is a new import.

The apostrophe that bt bug export puts before formulas in CSV is removed. CSV has commas, semicolons or tabs between
cells; JSON lines are recognized by their first brace. Files are UTF-8, or UTF-16 with a byte order mark.`,
  args: [{ name: "file", completes: "file" }],
  flags: IMPORT_FLAGS,
  mainFlags: ["dry-run", "yes", "new"],
  output: "changes",
  missingFile: "create",
  examples: [
    { line: "bt bug import bugs.csv --dry-run", about: "check all rows, and show what would be sent" },
    { line: "bt bug import bugs.csv --yes", about: "file and update them" },
    { line: "bt -P work bug import --new bugs.jsonl --yes", about: "file the bugs of another tracker" },
  ],
  exits: ["collision"],
  run: async () => (await import("./import.ts")).importBugs,
};
