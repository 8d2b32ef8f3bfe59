import { askEach, type BatchPlan, type Outcome } from "../../api/batch.ts";
import { get as getRequest, segment } from "../../api/operation.ts";
import { isObject, readComment, unexpectedShape } from "../../api/read.ts";
import type { Comment } from "../../wire/comment.ts";
import type { Context } from "../context.ts";
import { showEach } from "../targets.ts";
import type { Input } from "../verb.ts";
import { commentIds, commentName, commentsPlan } from "./named.ts";
import { showComments } from "./show.ts";

/** `bt comment get`: single comments, by their global ids or by bug and number. */
export async function get(input: Input, context: Context): Promise<void> {
  const names = input.args.map((word) => commentName(word, context));
  await showEach(
    commentsNamed(await commentIds(names, context), context),
    (comments) => showComments({ comments, isWhole: false }, context),
    { thing: "comments", identity: ({ id }) => id },
  );
}

async function* commentsNamed(
  named: readonly Outcome<string>[],
  context: Context,
): AsyncGenerator<readonly Outcome<Comment>[]> {
  const lost = named.filter((outcome) => "error" in outcome);
  if (lost.length > 0) yield lost;
  const wordOf = new Map(named.flatMap((one) => ("thing" in one ? [[one.thing, one.ref] as const] : [])));
  for await (const batch of askEach([...wordOf.keys()], PLAN, context.tracker.ask)) {
    const counts = await countsOf(batch, context);
    yield batch.map((outcome) => ({ ...withCount(outcome, counts), ref: wordOf.get(outcome.ref) ?? outcome.ref }));
  }
}

/**
 * The numbers of comments on their bugs, by id, from the lists of the bugs.
 * @see Bugzilla::WebService::Bug::comments: for a comment by its id, `count` counts comments of the same second as one
 */
async function countsOf(batch: readonly Outcome<Comment>[], context: Context): Promise<ReadonlyMap<number, number>> {
  const bugs = new Set(batch.flatMap((one) => ("thing" in one ? [String(one.thing.bug_id)] : [])));
  const counts = new Map<number, number>();
  for await (const lists of askEach([...bugs], commentsPlan([]), context.tracker.ask)) {
    for (const { id, count } of lists.flatMap((one) => ("thing" in one ? one.thing : []))) counts.set(id, count);
  }
  return counts;
}

function withCount(outcome: Outcome<Comment>, counts: ReadonlyMap<number, number>): Outcome<Comment> {
  if ("error" in outcome) return outcome;
  const { count: _, ...comment } = outcome.thing;
  const count = counts.get(comment.id);
  return { ...outcome, thing: (count === undefined ? comment : { ...comment, count }) as Comment };
}

const PLAN: BatchPlan<Comment> = {
  name: "comment",
  codes: new Set([51, 110, 111]), // no such object, private, unknown comment
  request: ([first = "", ...rest]) =>
    getRequest(
      `/rest/bug/comment/${segment(first)}`,
      rest.map((id) => ["comment_ids", id] as const),
    ),
  read: (answer) => {
    const comments = isObject(answer) ? answer["comments"] : undefined;
    if (!isObject(comments)) throw unexpectedShape('an object named "comments"');
    return Object.values(comments).map((one) => {
      const thing = readComment(one);
      return { thing, names: [String(thing.id)] };
    });
  },
};
