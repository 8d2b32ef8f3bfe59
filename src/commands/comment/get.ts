import { askEach, type BatchPlan } from "../../api/batch.ts";
import { get as getRequest, segment } from "../../api/operation.ts";
import { isObject, readComment, unexpectedShape } from "../../api/read.ts";
import { usage } from "../../errors.ts";
import type { Comment } from "../../wire/comment.ts";
import type { Context } from "../context.ts";
import { showEach } from "../targets.ts";
import type { Input } from "../verb.ts";
import { showComments } from "./show.ts";

/** `bt comment get`: single comments by their global ids. */
export async function get(input: Input, context: Context): Promise<void> {
  const ids = [...new Set(input.args.map(commentId))];
  await showEach(
    askEach(ids, PLAN, context.tracker.ask),
    (comments) => showComments({ comments, isWhole: false }, context),
    { thing: "comments" },
  );
}

/** Reads the global id of a comment, strictly. */
export function commentId(text: string): string {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return text;
  throw usage(
    `${JSON.stringify(text)} is not the id of a comment`,
    "bt comment list BUG shows the ids; they are not the numbers on the bug",
  );
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
