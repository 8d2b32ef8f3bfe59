import type { BatchPlan } from "../../api/batch.ts";
import { historyPlan } from "../../api/bug-numbers.ts";
import type { SourceBug } from "../../api/migrate/moved-bug.ts";
import { GET_BUG } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { ATTACHMENTS_OF_BUGS } from "../attachment/get.ts";
import { readVisible } from "../bug/thread.ts";
import { commentsPlan } from "../comment/get.ts";
import { reportedBugs } from "../report/reported-bugs.ts";
import type { Context, Input } from "../verb.ts";

/** Numbers of the bugs that match the criteria, all without any; the oldest first. */
export async function sourceIds(input: Input, source: Context): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const page of reportedBugs(input, ["id"], source)) ids.push(...page.flatMap(({ id }) => id ?? []));
  return ids.sort((one, other) => one - other);
}

/** Bugs that are in memory at a time. */
const PORTION = 50;

/** Bugs in full, a portion at a time; those that were deleted or restricted meanwhile are left out. */
export async function* sourceBugs(
  ids: readonly number[],
  source: Context,
  { histories }: { readonly histories: boolean },
): AsyncGenerator<readonly SourceBug[]> {
  for (let at = 0; at < ids.length; at += PORTION) {
    const refs = ids.slice(at, at + PORTION).map(String);
    const bugs = await readVisible(refs, WHOLE_BUGS, source);
    const there = refs.filter((ref) => bugs.has(ref));
    const [comments, attachments, changes] = await Promise.all([
      readVisible(there, commentsPlan(), source),
      readVisible(there, ATTACHMENTS_OF_BUGS, source),
      histories ? readVisible(there, historyPlan(undefined), source) : new Map(),
    ]);
    yield there.map((ref) => ({
      bug: { ...bugs.get(ref), id: Number(ref) },
      comments: (comments.get(ref) ?? []).toSorted((one, other) => one.count - other.count),
      attachments: attachments.get(ref) ?? [],
      history: changes.get(ref)?.history ?? [],
    }));
  }
}

/** Bugs by number with all fields that a tracker returns. */
export const WHOLE_BUGS: BatchPlan<Bug> = {
  request: (ids) => requestFor(GET_BUG, { ids }),
  read: (answer) => readBugs(answer).map((thing) => ({ thing, names: [String(thing.id)] })),
};
