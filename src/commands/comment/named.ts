import { askEach, type BatchPlan, type Outcome } from "../../api/batch.ts";
import { bugNumber } from "../../api/bug-plan.ts";
import { bugRef } from "../../api/bug-ref.ts";
import { get, segment } from "../../api/operation.ts";
import { readBugComments } from "../../api/read.ts";
import { BtError, usage } from "../../errors.ts";
import type { Comment } from "../../wire/comment.ts";
import type { Request } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";

/** A comment as a command line names it: by its global id, or by its bug and its number there, as in `44#3`. */
export type CommentName = { readonly word: string } & (
  | { readonly id: string }
  | { readonly bug: string; readonly count: number }
);

/** Reads the name of a comment, strictly. */
export function commentName(word: string, { tracker }: Context): CommentName {
  if (/^[1-9][0-9]{0,14}$/.test(word)) return { word, id: word };
  const [, bug, count] = /^(.+)#c?([0-9]{1,9})$/s.exec(word) ?? [];
  if (bug !== undefined) return { word, bug: bugRef(bug, tracker.address), count: Number(count) };
  throw usage(
    `${JSON.stringify(word)} is not the id of a comment`,
    "bt comment list BUG shows the ids; 44#3 is the comment with the number 3 on bug 44",
  );
}

/** The global id of a comment; missing when the bug has no comment of that number that the requester may see. */
export async function commentId(name: CommentName, context: Context): Promise<string> {
  if ("id" in name) return name.id;
  const bug = await bugNumber(name.bug, context.tracker.ask);
  for await (const [outcome] of askEach([String(bug)], commentsPlan([]), context.tracker.ask)) {
    if (outcome && "error" in outcome) throw outcome.error;
    const comment = outcome?.thing.find(({ count }) => count === name.count);
    if (comment) return String(comment.id);
  }
  throw new BtError("missing", `bug ${name.bug} has no comment ${name.count} that you can see`, {
    hint: `bt comment list ${name.bug} shows their numbers`,
    changed: "nothing",
  });
}

/** What became of each name: the global id, or why there is none. */
export async function commentIds(names: readonly CommentName[], context: Context): Promise<readonly Outcome<string>[]> {
  const outcomes: Outcome<string>[] = [];
  for (const name of names) {
    try {
      outcomes.push({ ref: name.word, thing: await commentId(name, context) });
    } catch (error) {
      if (!(error instanceof BtError) || !["missing", "auth"].includes(error.kind)) throw error;
      outcomes.push({ ref: name.word, error });
    }
  }
  return outcomes;
}

/** How the comments of bugs are read, by the bugs' numbers. */
export function commentsPlan(query: Request["query"]): BatchPlan<readonly Comment[]> {
  return {
    request: ([first = "", ...rest]) =>
      get(`/rest/bug/${segment(first)}/comment`, [...rest.map((ref) => ["ids", ref] as const), ...query]),
    read: (answer) => [...readBugComments(answer)].map(([id, thing]) => ({ thing, names: [id] })),
  };
}
