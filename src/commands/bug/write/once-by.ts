import { commentsPlan, readPartsOfBugs } from "../../../api/bugs.ts";
import { isSameLogin } from "../../../api/people.ts";
import { usageError } from "../../../errors.ts";
import { loginOrFail } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Context } from "../../verb.ts";

/** @throws BtError of kind usage if the comment of an update does not end with its key */
export function checkKey(key: string, comment: string | undefined): void {
  if (withoutEnd(key) === "") throw usageError("--once-by is empty", "is the variable set?");
  if (comment === undefined) throw usageError("--once-by requires a comment", "add one with -m");
  if (!endsWithKey(comment, key)) throw usageError(`the comment does not end with ${key}`, `-m '... ${key}'`);
}

/** The numbers of the comments of the user that end with a key, by bug. */
export async function readCommentsByKey(
  bugs: readonly Bug[],
  key: string,
  { session }: Context,
): Promise<ReadonlyMap<number, number>> {
  const me = await loginOrFail(session);
  const comments = await readPartsOfBugs(
    bugs.map(({ id }) => String(id)),
    commentsPlan(),
    session.send,
  );
  return new Map(
    bugs.flatMap(({ id }) => {
      const all = comments.get(String(id)) ?? [];
      const own = all.find(({ creator, text }) => isSameLogin(creator, me) && endsWithKey(text, key));
      return own ? [[id, own.count] as const] : [];
    }),
  );
}

/** True if a text ends with a key, as a word of its own, and marks ("1.2" is none in "2.1.2"). */
function endsWithKey(text: string, key: string): boolean {
  const [whole, end] = [withoutEnd(text), withoutEnd(key)];
  return whole.endsWith(end) && !/[\p{L}\p{N}][._-]?$/u.test(whole.slice(0, -end.length));
}

function withoutEnd(text: string): string {
  return text.replace(/[\s\p{P}]+$/u, "");
}
