import { BUG_FILE_FORMATS } from "../../view/view.ts";
import type { CommandFlag, Verb } from "../verb.ts";
import { unlimitedCriteria } from "./criteria-flags.ts";

/** Flags that say how files of bugs are written. */
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
  about: "Write the bugs that match to a file for spreadsheets or scripts.",
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
