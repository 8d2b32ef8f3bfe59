import { BUG_FILE_FORMATS } from "../../view/view.ts";
import { unlimitedCriteria } from "../shared-flags.ts";
import type { CommandFlag, Verb } from "../verb.ts";
import { SAFETY_FLAGS } from "../write-flags.ts";

/** Flags that say how the files of export and import are written. */
const FORM_FLAGS: readonly CommandFlag[] = [
  {
    name: "as",
    value: "<format>",
    about: `${Object.keys(BUG_FILE_FORMATS).join(", ")} (by the name of the file, else csv)`,
    choices: Object.keys(BUG_FILE_FORMATS),
    group: "File",
  },
  {
    name: "separator",
    value: "<text>",
    about: 'text between the items of a list (","); items with it are in double quotes',
    group: "File",
  },
];

/** `bt bug export`. */
export const EXPORT: Verb = {
  name: "export",
  about: "Write the bugs that match to a file for spreadsheets, scripts or bt bug import.",
  details: `Criteria are those of bt bug search; --all exports every bug. Columns are the fields that can be set, and id, creator,
creation_time and last_change_time; --fields chooses others. JSON lines also have comments, history and attachments'
metadata.

CSV cells that begin with = + - @ get an apostrophe, so that no spreadsheet runs them as formulas; --raw leaves it out. A
file appears when it is complete.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  get flags() {
    return [
      ...unlimitedCriteria(),
      { name: "all", about: "allow an export without criteria", group: "Criteria" },
      ...FORM_FLAGS,
      {
        name: "output",
        short: "o",
        value: "<file>",
        about: 'file to write ("-" for stdout, the default)',
        completes: "file",
        group: "File",
      },
      { name: "force", about: "overwrite an existing file", group: "File" },
      { name: "raw", about: "write CSV cells without apostrophes, even formulas", group: "File" },
      { name: "bare", about: "write JSON lines without comments, history and attachments", group: "File" },
      {
        name: "fields",
        short: "f",
        value: "<names>",
        many: true,
        about: "columns to write, separated by commas",
        completes: "field names",
        group: "File",
      },
    ];
  },
  mainFlags: [
    ...["status", "product", "component", "assigned-to", "priority", "severity", "keywords", "where", "all"],
    ...["output", "as", "fields", "separator", "raw", "bare", "force"],
  ],
  mainTopic: "query",
  examples: [
    { line: "bt bug export is:open -p Lantern -o /tmp/lantern.csv --force", about: "open bugs, for a spreadsheet" },
    { line: "bt bug export --all --as jsonl", about: "everything, with comments and history" },
    { line: "bt bug export is:open --fields id,priority,keywords --separator ';'", about: "three columns" },
  ],
  run: async () => (await import("./export.ts")).exportBugs,
};

/** `bt bug import`. */
export const IMPORT: Verb = {
  name: "import",
  about: "File and update bugs from a CSV, TSV or JSON lines file.",
  details: `A row with an id updates that bug, one without files a bug. Columns are named as in JSON or by their labels; description
is for new bugs, comment for existing ones. Only cells that differ from the bug are sent, lists as what to add and
remove. An empty cell leaves its field unchanged. Columns that cannot be set are not imported; a changed cell in them is
an error. Rows whose bug was modified after their last_change_time are collisions.

All rows are checked before the first is sent, each by a request of its own. FILE.results.jsonl has the id and result of
each row; the same command continues an interrupted import by row number and checksum and sends no row twice.

CSV cells lose the apostrophe that bt bug export puts before formulas; --raw keeps it. Files are UTF-8, or UTF-16 with a
byte order mark.`,
  args: [{ name: "file", completes: "file" }],
  flags: [
    ...FORM_FLAGS,
    { name: "raw", about: "keep apostrophes of CSV and backslashes of TSV", group: "File" },
    {
      name: "empty",
      value: "<what>",
      about: "what an empty cell does: keeps the field (default) or clears it",
      choices: ["keeps", "clears"],
      group: "File",
    },
    {
      name: "results",
      value: "<file>",
      about: "file for ids and results (FILE.results.jsonl)",
      completes: "file",
      group: "File",
    },
    { name: "yes", short: "y", about: "skip the prompt", group: "Safety" },
    { name: "public", about: "allow a product change to remove the last group", group: "Safety" },
    ...SAFETY_FLAGS,
  ],
  mainFlags: ["dry-run", "yes", "as", "separator", "empty", "raw", "results"],
  output: "changes",
  examples: [
    { line: "bt bug import bugs.csv --dry-run", about: "check all rows, and show what would be sent" },
    { line: "bt bug import bugs.csv --yes", about: "file and update them" },
  ],
  run: async () => (await import("./import.ts")).importBugs,
};
