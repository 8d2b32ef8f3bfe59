import type { BatchPlan } from "../../api/batch.ts";
import { historyPlan } from "../../api/bug-numbers.ts";
import { parted } from "../../api/lists.ts";
import type { SourceBug } from "../../api/migrate/moved-bug.ts";
import { GET_BUG_ATTACHMENTS } from "../../api/operations/attachments.ts";
import { GET_BUG } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import { BtError } from "../../errors.ts";
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

/**
 * Bugs in full, a portion at a time; those that were deleted or restricted meanwhile are left out. Attachments of a mirror
 * without their contents have the size 0, as deleted ones.
 */
export async function* sourceBugs(
  ids: readonly number[],
  source: Context,
  { histories }: { readonly histories: boolean },
): AsyncGenerator<readonly SourceBug[]> {
  const hasContents = source.session.mirror === undefined || (await keepsContents(ids, source));
  for (const some of parted(ids, PORTION)) {
    const refs = some.map(String);
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
      attachments: (attachments.get(ref) ?? []).map((one) => (hasContents ? one : { ...one, size: 0 })),
      history: changes.get(ref)?.history ?? [],
    }));
  }
}

/** True if a mirror has the contents of attachments. */
async function keepsContents([id]: readonly number[], { session }: Context): Promise<boolean> {
  if (id === undefined) return true;
  try {
    await session.ask(requestFor(GET_BUG_ATTACHMENTS, { ids: [id], include_fields: "id,data" }));
    return true;
  } catch (error) {
    if (error instanceof BtError && error.kind === "usage") return false;
    throw error;
  }
}

/** Bugs by number with all fields that a tracker returns. */
export const WHOLE_BUGS: BatchPlan<Bug> = {
  request: (ids) => requestFor(GET_BUG, { ids }),
  read: (answer) => readBugs(answer).map((thing) => ({ thing, names: [String(thing.id)] })),
};
