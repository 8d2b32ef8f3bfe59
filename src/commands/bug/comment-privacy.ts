import { namesOf } from "../../api/bug-ref.ts";
import { get, segment } from "../../api/operation.ts";
import { readBugComments } from "../../api/read.ts";
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
  const names = bugs.flatMap(namesOf);
  const wishes = [
    ...numbersOf(input, "make-private", names).map((count) => ({ count, isPrivate: true })),
    ...numbersOf(input, "make-public", names).map((count) => ({ count, isPrivate: false })),
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
  return [...readBugComments(answer).values()].flat();
}

function numbersOf(input: Input, flag: string, bug: readonly string[]): readonly number[] {
  return listOf(input.flags[flag])
    .flatMap((text) => text.split(","))
    .map((text) => commentCount(text, { flag, bug }));
}

/** The number of a comment on the bug that a flag is about: `3`, `#3`, or `44#3` with a name of that bug. */
export function commentCount(text: string, { flag, bug }: { flag: string; bug: readonly string[] }): number {
  const [, on = "", digits] = /^(?:(.*)#c?)?([0-9]{1,9})$/s.exec(text.trim()) ?? [];
  if (digits !== undefined && (on === "" || bug.includes(on))) return Number(digits);
  throw usage(
    `--${flag} ${JSON.stringify(text)} is not the number of a comment on bug ${bug[0]}`,
    `bt comment list ${bug[0]} shows their numbers`,
  );
}
