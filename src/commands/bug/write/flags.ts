import { CREATE_BUG, UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import type { CommandFlag, FlagValues } from "../../../command-flag.ts";
import type { InputOf } from "../../input.ts";
import {
  ALLOW_NO_GROUPS,
  commentedUpdateFlags,
  DRY_RUN,
  FROM_TEXT,
  proseFlags,
  UPDATE_FLAGS,
  WEB,
} from "../../shared/flags.ts";
import { fieldFlags, parameterFlags } from "../../shared/parameter-flags.ts";

/** The flag of custom fields. */
const CUSTOM = {
  name: "field",
  value: "<field=value>",
  many: true,
  about: "set a field of bt field list --custom, by either name; a multi-select takes a,b or +a,-b",
  completes: "custom fields",
  group: "Fields",
  parameter: "field",
} as const satisfies CommandFlag;

const PRIVATE_DESCRIPTION = {
  name: "private",
  about: "make the description private (insiders only)",
  group: "Fields",
} as const satisfies CommandFlag;

const NO_GROUPS = {
  name: "no-groups",
  about: "omit all groups, even the default ones of the product",
  group: "Fields",
} as const satisfies CommandFlag;

const TEMPLATE = {
  name: "template",
  value: "<file>",
  about: "start from a file with fields and a description",
  completes: "file",
  group: "Fields",
} as const satisfies CommandFlag;

const SIMILAR_FLAGS = [
  { name: "no-similar", about: "skip the search for similar bugs", group: "Safety" },
] as const satisfies readonly CommandFlag[];

const OR_COMMENT = {
  name: "or-comment",
  value: "<alias>",
  about: "comment on the open bug with this alias, or file it",
  group: "Safety",
} as const satisfies CommandFlag;

export function newBugFlags<const More extends CommandFlag[]>(...more: More) {
  return [
    ...fieldFlags(CREATE_BUG.parameters),
    PRIVATE_DESCRIPTION,
    NO_GROUPS,
    CUSTOM,
    ...more,
    ...proseFlags("description", "Fields"),
    DRY_RUN,
    { ...WEB, about: "open the new bug in the browser" },
  ] as const;
}

export function createFlags() {
  return newBugFlags(TEMPLATE, OR_COMMENT, ...SIMILAR_FLAGS);
}

/** Input of verbs that file a bug. */
export type NewBugInput = InputOf<ReturnType<typeof newBugFlags>>;

/** Input of `bt bug create`. */
export type CreateInput = InputOf<ReturnType<typeof createFlags>>;

/** Values of a new bug by flag, as typed. Those of a template are texts, with commas in lists. */
export type NewBugValues = FlagValues & {
  readonly [Flag in keyof NewBugInput["parameters"]]?: FlagValues[string];
};

const PRIVATE_COMMENT = {
  name: "private",
  about: "make the comment private (insiders only)",
  group: "Comment",
} as const satisfies CommandFlag;

const ONCE_BY = {
  name: "once-by",
  value: "<key>",
  about: "skip bugs where a comment of yours ends with this key, as this comment must",
  group: "Comment",
} as const satisfies CommandFlag;

export function updateFlags() {
  return [
    ...fieldFlags(UPDATE_BUG.parameters),
    CUSTOM,
    PRIVATE_COMMENT,
    ONCE_BY,
    FROM_TEXT,
    ...proseFlags("comment", "Comment"),
    ALLOW_NO_GROUPS,
    DRY_RUN,
    ...UPDATE_FLAGS,
  ];
}

export const EDIT_FLAGS = [ALLOW_NO_GROUPS, DRY_RUN, ...UPDATE_FLAGS] as const satisfies readonly CommandFlag[];

/** Input of `bt bug edit`. */
export type EditInput = InputOf<typeof EDIT_FLAGS>;

export function undoFlags() {
  return [
    {
      name: "job",
      value: "<job>",
      about: "undo what this job changed",
      completes: "jobs",
      group: "Criteria",
    } as const,
    ...commentedUpdateFlags(ALLOW_NO_GROUPS),
  ];
}

/** Input of `bt bug undo`. */
export type UndoInput = InputOf<ReturnType<typeof undoFlags>>;

export function closeFlags() {
  const parameters = UPDATE_BUG.parameters.filter(({ name }) => name === "work_time");
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
    ...parameterFlags(parameters, "Fields"),
    PRIVATE_COMMENT,
    ...commentedUpdateFlags(),
  ];
}

export function reopenFlags() {
  return [
    {
      name: "status",
      short: "s",
      value: "<status>",
      about: "status of the reopened bugs (default CONFIRMED)",
      completes: "status",
      group: "Fields",
    } as const,
    ...commentedUpdateFlags(),
  ];
}

export function takeFlags() {
  return [
    { name: "start", about: "also set the status to IN_PROGRESS", group: "Fields" } as const,
    ...commentedUpdateFlags(),
  ];
}

export function needinfoFlags() {
  return [
    {
      name: "from",
      value: "<login>",
      many: true,
      about: "users to request it from, separated by commas",
      completes: "people",
      group: "Fields",
    } as const,
    ...commentedUpdateFlags(),
  ];
}

type UpdateFlagInput = InputOf<ReturnType<typeof updateFlags>>;

/** Input of `bt bug update`, in which switches may be absent. */
export type UpdateInput = Partial<UpdateFlagInput> & Pick<UpdateFlagInput, "args" | "parameters">;

/** Input of verbs that change bugs with a comment. */
export type CommentedUpdateInput = InputOf<ReturnType<typeof commentedUpdateFlags>>;

/** Input of `bt bug close`. */
export type CloseInput = InputOf<ReturnType<typeof closeFlags>>;

/** Input of `bt bug reopen`. */
export type ReopenInput = InputOf<ReturnType<typeof reopenFlags>>;

/** Input of `bt bug take`. */
export type TakeInput = InputOf<ReturnType<typeof takeFlags>>;

/** Input of `bt bug needinfo`. */
export type NeedinfoInput = InputOf<ReturnType<typeof needinfoFlags>>;
