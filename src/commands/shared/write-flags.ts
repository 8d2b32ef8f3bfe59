import { MAX_ATOMIC_BUGS } from "../../api/operations/write-bugs.ts";
import type { CommandFlag, FlagMembers } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";
import { proseFlags } from "./flags.ts";

export const YES = {
  name: "yes",
  short: "y",
  about: "skip the prompt",
  group: "Safety",
} as const satisfies CommandFlag;

export const UPDATE_FLAGS = [
  { ...YES, about: `skip the prompt for over ${MAX_ATOMIC_BUGS} bugs, or some of them` },
  { name: "if-unchanged", about: "fail if a bug is modified while this command runs", group: "Safety" },
  {
    name: "unchanged-since",
    value: "<time>",
    about: "fail if a bug was modified after this time",
    group: "Safety",
  },
] as const satisfies readonly CommandFlag[];

export const DRY_RUN = {
  name: "dry-run",
  short: "n",
  about: "print the request and its effect without sending it",
  group: "Safety",
} as const satisfies CommandFlag;

/** The flag of updates that may remove the last group of a bug, see `mayBecomePublic`. */
export const ALLOW_NO_GROUPS = {
  name: "allow-no-groups",
  about: "allow a change that may leave a bug without groups, and public",
  group: "Safety",
} as const satisfies CommandFlag;

/** Options of an update: preconditions, confirmation, dry run. */
export type UpdateOptions = { args: string[] } & Partial<
  FlagMembers<(typeof UPDATE_FLAGS)[number] | typeof DRY_RUN | typeof ALLOW_NO_GROUPS>
>;

const COMMENT_TEXT = {
  name: "comment",
  short: "m",
  aliases: ["body", "message"],
  value: "<text>",
  about: 'add a comment ("-" for stdin)',
  group: "Comment",
} as const satisfies CommandFlag;

export function commentedUpdateFlags<const More extends CommandFlag[]>(...more: More) {
  return [COMMENT_TEXT, ...proseFlags("comment", "Comment"), ...more, DRY_RUN, ...UPDATE_FLAGS] as const;
}

export type CommentedUpdateInput = InputOf<ReturnType<typeof commentedUpdateFlags>>;

/**
 * Fields that users change most often, by importance: the main flags of `bt bug update`, and the columns of `bt bug
 * edit`.
 */
export const USUALLY_CHANGED = [
  "status",
  "resolution",
  "priority",
  "severity",
  "assigned_to",
  "target_milestone",
  "keywords",
  "whiteboard",
  "summary",
];
