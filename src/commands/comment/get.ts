import { askEach, type BatchPlan, type Outcome } from "../../api/batch.ts";
import { get as getRequest, segment } from "../../api/operation.ts";
import { isObject, unexpectedShape } from "../../api/read.ts";
import { BtError } from "../../errors.ts";
import type { Comment } from "../../wire/comment.ts";
import type { Context } from "../context.ts";
import { account } from "../targets.ts";
import type { Input } from "../verb.ts";
import { showComments } from "./show.ts";

/** `bt comment get`: single comments by their global ids. */
export async function get(input: Input, context: Context): Promise<void> {
  const outcomes: Outcome<Comment>[] = [];
  const ids = [...new Set(input.args.map(commentId))];
  for await (const batch of askEach(ids, PLAN, context.tracker.ask)) outcomes.push(...batch);
  const comments = outcomes.flatMap((outcome) => ("thing" in outcome ? [outcome.thing] : []));
  if (comments.length > 0) await showComments({ comments, isWhole: false }, context);
  account(outcomes, { thing: "comments" });
}

/** Reads the global id of a comment, strictly. */
export function commentId(text: string): string {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return text;
  throw new BtError("usage", `${JSON.stringify(text)} is not the id of a comment`, {
    hint: "bt comment list BUG shows the ids; they are not the numbers on the bug",
    changed: "nothing",
  });
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
    return Object.entries(comments).map(([id, thing]) => ({
      thing: thing as unknown as Comment,
      isOf: (ref) => ref === id,
    }));
  },
};
