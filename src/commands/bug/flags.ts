import type { CommandFlag } from "../../command-flag.ts";
import { BUG_FILE_FORMATS, type BugFileFormat } from "../../view/view.ts";
import type { InputOf } from "../input.ts";
import { criteriaFlags, SORT, unlimitedCriteriaFlags } from "../shared/criteria/flags.ts";
import { ALLOW_NO_GROUPS, DRY_RUN, OUTPUT_FILE, RAW_FLAG, WEB, YES } from "../shared/flags.ts";

const RESULT_FLAGS = [
  SORT,
  { name: "all", about: "no result limit; also allows a search without criteria", group: "Result" },
  { name: "count", about: "print only the number of bugs", group: "Result" },
  {
    name: "by",
    value: "<fields>",
    many: true,
    about: "count bugs by one or two fields: component,severity",
    group: "Result",
    completes: "field names",
  },
  { name: "explain", about: "print the query and its request, and send nothing", group: "Result" },
  WEB,
  {
    name: "max",
    value: "<number>",
    least: 0,
    about: "list all bugs, and exit with 1 if there are more",
    group: "Result",
  },
  { name: "fail-empty", about: "exit with 1 if no bug matches", group: "Result" },
] as const satisfies readonly CommandFlag[];

export function searchFlags() {
  return [...criteriaFlags(), ...RESULT_FLAGS];
}

/** Input of `bt bug search`. */
export type SearchInput = InputOf<ReturnType<typeof searchFlags>>;

export const WAIT_FLAGS = [
  {
    name: "within",
    value: "<duration>",
    about: "fail after this time: 90s, 30m, 1h, 2d (default never)",
    group: "Result",
  },
] as const satisfies readonly CommandFlag[];

/** Input of `bt bug wait`. */
export type WaitInput = InputOf<typeof WAIT_FLAGS>;

const EVENT_FLAGS = [
  { name: "every", value: "<duration>", about: "polling interval: 30s, 5m (default 2m)", group: "Result" },
  { name: "once", about: "check once, for cron; the next run continues", group: "Result" },
  { name: "json", about: "print JSON even on a terminal", group: "Result" },
] as const satisfies readonly CommandFlag[];

export function watchFlags() {
  return [...unlimitedCriteriaFlags(), ...EVENT_FLAGS];
}

/** Input of `bt bug watch`. */
export type WatchInput = InputOf<ReturnType<typeof watchFlags>>;

const FILE_FORMATS = Object.keys(BUG_FILE_FORMATS) as BugFileFormat[];

const FILE_FLAGS = [
  { name: "all", about: "allow an export without criteria", group: "Criteria" },
  {
    name: "format",
    value: "<format>",
    about: `${FILE_FORMATS.join(", ")} (default by the name of the file, else csv)`,
    choices: FILE_FORMATS,
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

export const TRIAGE_FLAGS = [
  ...unlimitedCriteriaFlags(),
  { ...SORT, about: "sort order: priority or -updated,id (default -id)" },
  { name: "limit", short: "L", value: "<number>", least: 1, about: "maximum number of bugs to show", group: "Result" },
  { name: "restart", about: "start over instead of continuing", group: "Result" },
  DRY_RUN,
] as const satisfies readonly CommandFlag[];

/** Input of `bt bug triage`. */
export type TriageInput = InputOf<typeof TRIAGE_FLAGS>;

/** Keys of `bt bug triage` by their names, "" for Enter; as many as fit are shown below a bug. */
export const TRIAGE_KEYS = {
  send: "",
  skip: "s",
  undo: "u",
  quit: "q",
  comment: "m",
  close: "c",
  assignee: "a",
  "view all": "v",
  web: "w",
  needinfo: "n",
  "saved reply": "r",
  duplicate: "d",
  confirm: "o",
  status: "S",
  priority: "p",
  severity: "e",
  component: "t",
  product: "P",
  keywords: "k",
} as const;

export type KeyName = keyof typeof TRIAGE_KEYS;
