import { partition } from "../../../api/lists.ts";
import { isSameLogin } from "../../../api/people.ts";
import type { BugsToChange } from "../../../api/write/change.ts";
import { usageError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { commentsPlan } from "../../comment/get.ts";
import type { Context } from "../../verb.ts";
import { readAll } from "../read/thread.ts";
import { loginOrFail } from "./status-verbs.ts";

/**
 * Checks that a comment ends with its key, by which the next run finds it.
 * @throws BtError of kind usage
 */
export function checkOnceBy(key: string, comment: string | undefined): void {
  if (withoutEnd(key) === "") throw usageError("--once-by is empty", "is the variable set?");
  if (comment === undefined) throw usageError("--once-by requires a comment", "add one with -m");
  if (!endsWithKey(comment, key)) throw usageError(`the comment does not end with ${key}`, `-m '... ${key}'`);
}

/** The bugs with a comment of the user that ends with a key, which are noted, and those without. */
export async function partitionByKey(
  bugs: BugsToChange["bugs"],
  key: string,
  context: Context,
): Promise<[Bug[], Bug[]]> {
  const me = await loginOrFail(context);
  const ids = bugs.map(({ id }) => String(id));
  const comments = await readAll(ids, commentsPlan(), context);
  const own = ({ id }: Bug) =>
    comments.get(String(id))?.find(({ creator, text }) => isSameLogin(creator, me) && endsWithKey(text, key));
  const [done, fresh] = partition(bugs, (bug) => own(bug) !== undefined);
  for (const bug of done) await context.io.err(`bt: bug ${bug.id}: comment ${own(bug)?.count} ends with the key\n`);
  return [done, fresh];
}

/** True if a text ends with a key, as a word of its own; marks after it do not count. */
function endsWithKey(text: string, key: string): boolean {
  const [whole, end] = [withoutEnd(text), withoutEnd(key)];
  return whole.endsWith(end) && !/[\p{L}\p{N}]$/u.test(whole.slice(0, -end.length));
}

function withoutEnd(text: string): string {
  return text.replace(/[\s\p{P}]+$/u, "");
}
