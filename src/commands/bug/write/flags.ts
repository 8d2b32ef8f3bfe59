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

const CUSTOM = {
  name: "field",
  value: "<field=value>",
  many: true,
  about: "set a field of bt field list --custom, by either name; a multi-select takes a,b or +a,-b",
  completes: "custom fields",
  group: "Fields",
  parameter: "field",
} as const satisfies CommandFlag;

export function newBugFlags<const More extends CommandFlag[]>(...more: More) {
  return [
    ...fieldFlags(CREATE_BUG.parameters),
    { name: "private", about: "make the description private (insiders only)", group: "Fields" },
    { name: "no-groups", about: "omit all groups, even the default ones of the product", group: "Fields" },
    CUSTOM,
    ...more,
    ...proseFlags("description", "Fields"),
    DRY_RUN,
    { ...WEB, about: "open the new bug in the browser" },
  ] as const;
}

export function createFlags() {
  return newBugFlags(
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
  );
}

const PRIVATE_COMMENT = {
  name: "private",
  about: "make the comment private (insiders only)",
  group: "Comment",
} as const satisfies CommandFlag;

export function updateFlags() {
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
    ...proseFlags("comment", "Comment"),
    ALLOW_NO_GROUPS,
    DRY_RUN,
    ...UPDATE_FLAGS,
  ];
}

export const EDIT_FLAGS = [ALLOW_NO_GROUPS, DRY_RUN, ...UPDATE_FLAGS] as const satisfies readonly CommandFlag[];

export function undoFlags() {
  return commentedUpdateFlags(
    { name: "job", value: "<job>", about: "undo what this job changed", completes: "jobs", group: "Criteria" },
    ALLOW_NO_GROUPS,
  );
}

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

/** Input of verbs that file a bug. */
export type NewBugInput = InputOf<ReturnType<typeof newBugFlags>>;
export type CreateInput = InputOf<ReturnType<typeof createFlags>>;

/** Values of a new bug by flag, as typed. Those of a template are texts, with commas in lists. */
export type NewBugValues = FlagValues & {
  readonly [Flag in keyof NewBugInput["parameters"]]?: FlagValues[string];
};

type UpdateFlagInput = InputOf<ReturnType<typeof updateFlags>>;

/** Input of `bt bug update`, in which switches may be absent. */
export type UpdateInput = Partial<UpdateFlagInput> & Pick<UpdateFlagInput, "args" | "parameters">;
export type EditInput = InputOf<typeof EDIT_FLAGS>;
export type UndoInput = InputOf<ReturnType<typeof undoFlags>>;
export type CommentedUpdateInput = InputOf<ReturnType<typeof commentedUpdateFlags>>;
export type CloseInput = InputOf<ReturnType<typeof closeFlags>>;
export type ReopenInput = InputOf<ReturnType<typeof reopenFlags>>;
export type TakeInput = InputOf<ReturnType<typeof takeFlags>>;
export type NeedinfoInput = InputOf<ReturnType<typeof needinfoFlags>>;
