import type { Bug, Person } from "../rules/bug.ts";
import type { NewComment } from "../rules/comment.ts";
import type { Context } from "./context.ts";

/** The new privacy of a comment that was there. */
export type Privacy = { readonly commentId: number; readonly isPrivate: boolean };

/** A change of one bug as far as it has been thought through; nothing is stored before all bugs have theirs. */
export type Draft = {
  readonly before: Bug;
  readonly after: Bug;
  readonly comment: NewComment | undefined;
  readonly privacy: readonly Privacy[];
  readonly duplicateCc: Person | undefined; // who joins the CC list of the bug that this one duplicates
};

/** One part of a change: reads what was sent for it, refuses what may not be, and goes on with the rest. */
export type Step = (context: Context, draft: Draft) => Draft;

/** A draft that changes nothing yet. */
export function draftOf(bug: Bug): Draft {
  return {
    before: bug,
    after: bug,
    comment: undefined,
    privacy: [],
    duplicateCc: undefined,
  };
}

/** The draft with some fields of the bug changed. */
export function withBug(draft: Draft, changes: Partial<Bug>): Draft {
  return {
    ...draft,
    after: { ...draft.after, ...changes },
  };
}
