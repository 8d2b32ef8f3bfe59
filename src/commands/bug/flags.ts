import { BUG_HISTORY } from "../../api/operations/bugs.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../api/operations/write-bugs.ts";
import type { CommandFlag, FlagValues } from "../../command-flag.ts";
import { BUG_FILE_FORMATS } from "../../view/view.ts";
import type { InputOf } from "../input.ts";
import { criteriaFlags, SORT, unlimitedCriteriaFlags } from "../shared/criteria/flags.ts";
import {
  ALLOW_NO_GROUPS,
  BODY_FILE,
  COMMENT_SOURCES,
  COMMENTED_UPDATE_FLAGS,
  DRY_RUN,
  EDITOR,
  FIELDS_FLAG,
  FROM_TEXT,
  LIMIT,
  OUTPUT_FILE,
  PRODUCTS,
  RAW_FLAG,
  UPDATE_FLAGS,
  WEB,
  YES,
} from "../shared/flags.ts";
import { fieldFlags, parameterFlags } from "../shared/parameter-flags.ts";

/** The arguments of verbs that take any bugs. */
export const BUGS = [{ name: "bug", many: true }];

/** The arguments of verbs that search. */
export const TERMS = [{ name: "term", many: true, optional: true, completes: "terms" }];

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
export type SearchInput = InputOf<ReturnType<typeof searchFlags>>;

export const GET_FLAGS = [
  { name: "comments", about: "show all comments", group: "Conversation" },
  { name: "history", about: "show all changes", group: "Conversation" },
  { name: "timeline", about: "show comments and changes in order of time", group: "Conversation" },
  FROM_TEXT,
  WEB,
] as const satisfies readonly CommandFlag[];
export type GetInput = InputOf<typeof GET_FLAGS>;

const CHANGE_FLAGS = [
  {
    name: "field",
    value: "<names>",
    many: true,
    about: "only changes of these fields",
    group: "Criteria",
    completes: "field names",
  },
  {
    name: "author",
    value: "<logins>",
    many: true,
    about: "only changes by these users",
    group: "Criteria",
    completes: "people",
  },
] as const satisfies readonly CommandFlag[];

export function historyFlags() {
  return [...parameterFlags(BUG_HISTORY.parameters, "Criteria"), ...CHANGE_FLAGS, FROM_TEXT];
}
export type HistoryInput = InputOf<ReturnType<typeof historyFlags>>;

export const TREE_FLAGS = [
  { name: "depth", value: "<levels>", least: 1, about: "levels to show (default all)", group: "Criteria" },
  { name: "open", about: "omit closed bugs, and bugs reached only through them", group: "Criteria" },
  FROM_TEXT,
] as const satisfies readonly CommandFlag[];
export type TreeInput = InputOf<typeof TREE_FLAGS>;

export const SIMILAR_FLAGS = [
  { name: "summary", short: "t", value: "<text>", about: "find bugs like this summary", group: "Criteria" },
  { ...PRODUCTS, about: "search this product (default the product of the bug; for --summary, all)" },
  LIMIT,
] as const satisfies readonly CommandFlag[];
export type SimilarInput = InputOf<typeof SIMILAR_FLAGS>;

export const WAIT_FLAGS = [
  {
    name: "within",
    value: "<duration>",
    about: "fail after this time: 90s, 30m, 1h, 2d (default never)",
    group: "Result",
  },
] as const satisfies readonly CommandFlag[];
export type WaitInput = InputOf<typeof WAIT_FLAGS>;

const EVENT_FLAGS = [
  { name: "every", value: "<duration>", about: "polling interval: 30s, 5m (default 2m)", group: "Result" },
  { name: "once", about: "check once, for cron; the next run continues", group: "Result" },
  { name: "json", about: "print JSON even on a terminal", group: "Result" },
] as const satisfies readonly CommandFlag[];

export function watchFlags() {
  return [...unlimitedCriteriaFlags(), ...EVENT_FLAGS];
}
export type WatchInput = InputOf<ReturnType<typeof watchFlags>>;

const FILE_FLAGS = [
  { name: "all", about: "allow an export without criteria", group: "Criteria" },
  {
    name: "format",
    value: "<format>",
    about: `${BUG_FILE_FORMATS.join(", ")} (default by the name of the file, else csv)`,
    choices: BUG_FILE_FORMATS,
    group: "File",
  },
  OUTPUT_FILE,
  { name: "force", about: "overwrite an existing file", group: "File" },
  { ...RAW_FLAG, group: "File" },
  { ...FIELDS_FLAG, about: "columns to write, separated by commas", group: "File" },
] as const satisfies readonly CommandFlag[];

export function exportFlags() {
  return [...unlimitedCriteriaFlags(), ...FILE_FLAGS];
}
export type ExportInput = InputOf<ReturnType<typeof exportFlags>>;

const CUSTOM = {
  name: "field",
  value: "<field=value>",
  many: true,
  about: "set a field of bt field list --custom, by either name; a multi-select takes a,b or +a,-b",
  completes: "custom fields",
  group: "Fields",
  parameter: "field",
} as const satisfies CommandFlag;

export function newBugFlags() {
  return [
    ...fieldFlags(CREATE_BUG.parameters),
    { name: "private", about: "make the description private (insiders only)", group: "Fields" },
    { name: "no-groups", about: "omit all groups, even the default ones of the product", group: "Fields" },
    CUSTOM,
    { ...BODY_FILE, about: 'read the description from a file ("-" for stdin)', group: "Fields" },
    { ...EDITOR, about: "write the description in your editor", group: "Fields" },
    DRY_RUN,
    { ...WEB, about: "open the new bug in the browser" },
  ] as const;
}
export type NewBugInput = InputOf<ReturnType<typeof newBugFlags>>;

/** Values of a new bug by flag, as typed. Those of a template are texts, with commas in lists. */
export type NewBugValues = FlagValues & {
  readonly [Flag in keyof NewBugInput["parameters"]]?: FlagValues[string];
};

export function createFlags() {
  return [
    ...newBugFlags(),
    {
      name: "template",
      value: "<file>",
      about: "start from a file with fields and a description",
      completes: "file",
      group: "Fields",
    },
    {
      name: "or-comment",
      value: "<alias>",
      about: "comment on the open bug with this alias, or file it",
      group: "Safety",
    },
    { name: "no-similar", about: "skip the search for similar bugs", group: "Safety" },
  ] as const;
}
export type CreateInput = InputOf<ReturnType<typeof createFlags>>;

const PRIVATE_COMMENT = {
  name: "private",
  about: "make the comment private (insiders only)",
  group: "Comment",
} as const satisfies CommandFlag;

export function updateBugFlags() {
  return [
    ...fieldFlags(UPDATE_BUG.parameters),
    CUSTOM,
    PRIVATE_COMMENT,
    {
      name: "once-by",
      value: "<key>",
      about: "skip bugs where a comment of yours ends with this key, as this comment must",
      group: "Comment",
    } as const,
    FROM_TEXT,
    ...COMMENT_SOURCES,
    ALLOW_NO_GROUPS,
    DRY_RUN,
    ...UPDATE_FLAGS,
  ];
}
/** Input of `bt bug update`, in which switches may be absent. */
export type UpdateInput = Partial<InputOf<ReturnType<typeof updateBugFlags>>> &
  Pick<InputOf<ReturnType<typeof updateBugFlags>>, "args" | "parameters">;

export const EDIT_FLAGS = [ALLOW_NO_GROUPS, DRY_RUN, ...UPDATE_FLAGS] as const satisfies readonly CommandFlag[];
export type EditInput = InputOf<typeof EDIT_FLAGS>;

export const UNDO_FLAGS = [
  ...COMMENTED_UPDATE_FLAGS,
  { name: "job", value: "<job>", about: "undo what this job changed", completes: "jobs", group: "Criteria" } as const,
  ALLOW_NO_GROUPS,
];

/** Input of `bt bug undo`, in which switches may be absent. */
export type UndoInput = Partial<InputOf<typeof UNDO_FLAGS>> & { args: string[] };

export const WORK_TIME = UPDATE_BUG.parameters.filter(({ name }) => name === "work_time");

export function closeFlags() {
  return [
    {
      name: "resolution",
      short: "r",
      aliases: ["as", "reason"],
      value: "<resolution>",
      about: "resolution (default FIXED)",
      completes: "resolution",
      group: "Fields",
    } as const,
    ...parameterFlags(WORK_TIME, "Fields"),
    PRIVATE_COMMENT,
    ...COMMENTED_UPDATE_FLAGS,
  ];
}
export type CloseInput = InputOf<ReturnType<typeof closeFlags>>;

export const REOPEN_FLAGS = [
  {
    name: "status",
    short: "s",
    value: "<status>",
    about: "status of the reopened bugs (default CONFIRMED)",
    completes: "status",
    group: "Fields",
  } as const,
  ...COMMENTED_UPDATE_FLAGS,
];
export type ReopenInput = InputOf<typeof REOPEN_FLAGS>;

export const TAKE_FLAGS = [
  { name: "start", about: "also set the status to IN_PROGRESS", group: "Fields" } as const,
  ...COMMENTED_UPDATE_FLAGS,
];
export type TakeInput = InputOf<typeof TAKE_FLAGS>;

export const NEEDINFO_FLAGS = [
  {
    name: "from",
    value: "<login>",
    many: true,
    about: "users to request it from, separated by commas",
    completes: "people",
    group: "Fields",
  } as const,
  ...COMMENTED_UPDATE_FLAGS,
];
export type NeedinfoInput = InputOf<typeof NEEDINFO_FLAGS>;

export type CommentedUpdateInput = InputOf<typeof COMMENTED_UPDATE_FLAGS>;

export const IMPORT_FLAGS = [
  { name: "new", about: "file every row as a new bug, with its comments", group: "File" },
  YES,
  ALLOW_NO_GROUPS,
  DRY_RUN,
] as const satisfies readonly CommandFlag[];
export type ImportInput = InputOf<typeof IMPORT_FLAGS>;

export function triageFlags() {
  return [
    ...unlimitedCriteriaFlags(),
    { ...SORT, about: "sort order: priority or -updated,id (default -id)" },
    { ...LIMIT, about: "maximum number of bugs to show", group: "Result" },
    { name: "restart", about: "start over instead of continuing", group: "Result" },
    DRY_RUN,
  ] as const satisfies readonly CommandFlag[];
}
export type TriageInput = InputOf<ReturnType<typeof triageFlags>>;
