import { BtError, usageError } from "../errors.ts";
import type { Comment } from "../wire/resources.ts";
import { type BugRef, bugRef } from "./bug-ref.ts";
import { commentsPlan, readBugNumber, readPartsOfBugs } from "./bugs.ts";
import type { SendRequest } from "./operations/operation.ts";

/** A comment by its global id, or by its bug and number there; `word` is how it was typed. */
export type CommentRef = { readonly word: string } & (
  | { readonly id: number }
  | { readonly bug: BugRef; readonly count: number }
);

/** A comment of a known bug, by its global id or its number. */
export type CommentPlace = { id: number } | { count: number };

/**
 * Parses the name of a comment: `44.3`, `44#3`, `44#c3`, the URL of a comment, or its id as `c:91` or `91`.
 * @throws BtError of kind usage
 */
export function commentRef(word: string, trackerAddress: string): CommentRef {
  const [, id] = /^(?:c:)?([1-9][0-9]{0,14})$/i.exec(word) ?? [];
  if (id !== undefined) return { word, id: Number(id) };
  const [, before, name = before, count] =
    /^(?:show_bug\.cgi\?id=)?(?:(.+)#c?|([^/?]+)\.)([0-9]{1,9})$/s.exec(word) ?? [];
  if (name !== undefined) return { word, bug: bugRef(name, trackerAddress), count: Number(count) };
  throw usageError(
    `${JSON.stringify(word)} is not a comment`,
    "44.3 is comment 3 on bug 44, c:91 the one with this id; bt comment list BUG shows them",
  );
}

/**
 * Parses the name of a comment where the bug is known by the given names, so that its number is enough: `3`, `#3`.
 * @throws BtError of kind usage, also for a comment of another bug
 */
export function commentOfBug(
  text: string,
  { flag, bug: names, address }: { flag: string; bug: string[]; address: string },
): CommentPlace {
  const word = text.trim();
  if (/^#?[0-9]{1,9}$/.test(word)) return { count: Number(word.replace("#", "")) };
  const ref = commentRef(word, address);
  if ("id" in ref || names.includes(ref.bug)) return ref;
  throw usageError(
    `--${flag} ${JSON.stringify(text)} is not a comment number of bug ${names[0]}`,
    `bt comment list ${names[0]} shows the numbers`,
  );
}

/**
 * The comment that a reference names, among the comments of its bug.
 * @throws BtError of kind missing if the bug does not have it, or the user may not see it
 */
export function commentIn(comments: Comment[], ref: CommentPlace, bug: number | string): Comment {
  const found = comments.find((comment) => ("id" in ref ? comment.id === ref.id : comment.count === ref.count));
  if (found) return found;
  throw new BtError("missing", `bug ${bug} has no visible comment ${"id" in ref ? `c:${ref.id}` : ref.count}`, {
    hint: `bt comment list ${bug} shows the numbers`,
  });
}

/**
 * Global id of a comment.
 * @throws BtError of kind missing if the bug has no visible comment of that number
 */
export async function readCommentId(ref: CommentRef, send: SendRequest): Promise<string> {
  if ("id" in ref) return String(ref.id);
  const bug = String(await readBugNumber(ref.bug, send));
  const comments = (await readPartsOfBugs([bug], commentsPlan(), send)).get(bug) ?? [];
  return String(commentIn(comments, ref, ref.bug).id);
}
