import type { CommandFlag } from "../../../command-flag.ts";
import { BUG_FILE_FORMATS, tableNames } from "../../../view/view.ts";
import type { InputOf } from "../../input.ts";
import { ALLOW_NO_GROUPS, DRY_RUN } from "../../shared/changes/write-flags.ts";
import { unlimitedCriteriaFlags } from "../../shared/criteria/flags.ts";
import { RAW_FLAG } from "../../shared/flags.ts";

const FORMATS = tableNames(BUG_FILE_FORMATS);

const FORMAT = {
  name: "format",
  value: "<format>",
  about: `${FORMATS.join(", ")} (default by the name of the file, else csv)`,
  choices: FORMATS,
  group: "File",
} as const satisfies CommandFlag;

const SEPARATOR = {
  name: "separator",
  value: "<text>",
  about: 'list separator (default ","); items that contain it are quoted',
  group: "File",
} as const satisfies CommandFlag;

const FILE_FLAGS = [
  { name: "all", about: "allow an export without criteria", group: "Criteria" },
  FORMAT,
  {
    name: "output",
    short: "o",
    value: "<file>",
    about: 'file to write ("-" for stdout, the default)',
    completes: "file",
    group: "File",
  },
  { name: "force", about: "overwrite an existing file", group: "File" },
  { ...RAW_FLAG, group: "File" },
  {
    name: "fields",
    short: "f",
    value: "<names>",
    many: true,
    about: "columns to write, separated by commas",
    completes: "printed fields",
    group: "File",
  },
] as const satisfies readonly CommandFlag[];

export function exportFlags() {
  return [...unlimitedCriteriaFlags(), ...FILE_FLAGS];
}

export const IMPORT_FLAGS = [
  { ...FORMAT, name: "input-format" },
  SEPARATOR,
  { name: "new", about: "file every row as a new bug, with its comments", group: "File" },
  { name: "raw", about: "keep the apostrophes of CSV cells and the backslashes of TSV cells", group: "File" },
  {
    name: "empty",
    value: "<what>",
    about: "what an empty cell does with its field: keeps (default) or clears",
    choices: ["keeps", "clears"],
    group: "File",
  },
  {
    name: "skip-columns",
    value: "<names>",
    many: true,
    about: "columns of the file to leave out, separated by commas",
    group: "File",
  },
  {
    name: "results",
    value: "<file>",
    about: "file for ids and results (default FILE.results.jsonl)",
    completes: "file",
    group: "File",
  },
  { name: "yes", short: "y", about: "skip the prompt", group: "Safety" },
  ALLOW_NO_GROUPS,
  DRY_RUN,
] as const satisfies readonly CommandFlag[];

/** Input of `bt bug export`. */
export type ExportInput = InputOf<ReturnType<typeof exportFlags>>;

/** Input of `bt bug import`. */
export type ImportInput = InputOf<typeof IMPORT_FLAGS>;
