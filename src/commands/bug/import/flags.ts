import type { CommandFlag } from "../../../command-flag.ts";
import { BUG_FILE_FORMATS, tableNames } from "../../../view/view.ts";
import type { InputOf } from "../../input.ts";
import { unlimitedCriteriaFlags } from "../../shared/criteria/flags.ts";
import { OUTPUT_FILE, RAW_FLAG } from "../../shared/flags.ts";
import { ALLOW_NO_GROUPS, DRY_RUN, YES } from "../../shared/write-flags.ts";

const FORMATS = tableNames(BUG_FILE_FORMATS);

const FILE_FLAGS = [
  { name: "all", about: "allow an export without criteria", group: "Criteria" },
  {
    name: "format",
    value: "<format>",
    about: `${FORMATS.join(", ")} (default by the name of the file, else csv)`,
    choices: FORMATS,
    group: "File",
  },
  OUTPUT_FILE,
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

/** Input of `bt bug export`. */
export type ExportInput = InputOf<ReturnType<typeof exportFlags>>;

export const IMPORT_FLAGS = [
  { name: "new", about: "file every row as a new bug, with its comments", group: "File" },
  YES,
  ALLOW_NO_GROUPS,
  DRY_RUN,
] as const satisfies readonly CommandFlag[];

/** Input of `bt bug import`. */
export type ImportInput = InputOf<typeof IMPORT_FLAGS>;
