import { get, segment } from "../../api/operation.ts";
import { isObject, readComments, unexpectedShape } from "../../api/read.ts";
import { BtError, usage } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { Comment } from "../../wire/comment.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";
import { type Input, listOf } from "../verb.ts";

/**
 * The `comment_is_private` of an update from `--make-private 3` and `--make-public 3,5`: the numbers that a person sees on
 * the bug become the global ids that the interface takes. Undefined when neither flag was given.
 */
export async function commentPrivacy(
  input: Input,
  bugs: readonly Bug[],
  context: Context,
): Promise<JsonObject | undefined> {
  const wishes = [
    ...numbersOf(input, "make-private").map((count) => ({ count, isPrivate: true })),
    ...numbersOf(input, "make-public").map((count) => ({ count, isPrivate: false })),
  ];
  if (wishes.length === 0) return undefined;
  const both = wishes.find(
    ({ count, isPrivate }) => !isPrivate && wishes.some((one) => one.isPrivate && one.count === count),
  );
  if (both) throw usage(`comment ${both.count} cannot be made private and public at once`);
  const [bug] = bugs;
  if (bugs.length !== 1 || !bug) throw usage("the privacy of comments is changed on one bug at a time");
  const comments = await commentsOf(bug.id ?? 0, context);
  return Object.fromEntries(
    wishes.map(({ count, isPrivate }) => {
      const comment = comments.find((one) => one.count === count);
      if (comment) return [String(comment.id), isPrivate];
      throw new BtError("missing", `bug ${bug.id} has no comment ${count} that you can see`, {
        hint: `bt comment list ${bug.id} shows their numbers`,
        changed: "nothing",
      });
    }),
  );
}

/** All comments of a bug that the requester may see. */
export async function commentsOf(bug: number | string, context: Context): Promise<readonly Comment[]> {
  const answer = await context.tracker.ask(get(`/rest/bug/${segment(bug)}/comment`));
  const bugs = isObject(answer) ? answer["bugs"] : undefined;
  if (!isObject(bugs)) throw unexpectedShape('an object named "bugs"');
  return Object.values(bugs).flatMap(readComments);
}

function numbersOf(input: Input, flag: string): readonly number[] {
  return listOf(input.flags[flag])
    .flatMap((text) => text.split(","))
    .map((text) => {
      const digits = text.trim().replace(/^#/, "");
      if (/^[0-9]{1,9}$/.test(digits)) return Number(digits);
      throw usage(`--${flag} ${JSON.stringify(text)} is not the number of a comment`);
    });
}
