import type { JsonObject } from "../../wire/exchange.ts";
import type { MirrorFacts, MirrorStore, ReceivedBug } from "../../wire/mirror.ts";
import { parted } from "../lists.ts";
import type { SendRequest } from "../operations/operation.ts";
import { wireMoment } from "../query/dates.ts";
import { isInPart } from "./part.ts";
import { BUGS_PER_REQUEST, type FullReading, readFull } from "./read-full.ts";
import { bugsById, idOf } from "./search.ts";
import { type FailedBug, readTolerantly } from "./tolerant.ts";

/** Context of the parts of a sync. `now` is the clock of this machine. */
export type SyncContext = {
  readonly ask: SendRequest;
  readonly mirror: MirrorStore;
  readonly facts: MirrorFacts; // as at the start
  readonly now: () => Date;
};

/** Numbers of a sync, for its report. */
export type SyncCount = { read: number; removed: number; failed: number };

/** Fields of bugs that are read: all, also those of the requester alone, such as personal tags. */
const WHOLE_BUG = "_all";

/** Reads bugs in full by id and stores them; removes those that are not visible, or not for the mirror. */
export async function refreshBugs(ids: readonly number[], count: SyncCount, context: SyncContext): Promise<void> {
  await dropBugs(await fetchBugs(ids, count, context), count, context);
}

/** Reads bugs in full by id and stores them; returns the ids of the others. */
async function fetchBugs(ids: readonly number[], count: SyncCount, context: SyncContext): Promise<readonly number[]> {
  const missing: number[] = [];
  const byIds = { include: WHOLE_BUG, longest: context.facts.longestPage };
  for (const some of chunks(ids)) {
    const read = await readTolerantly(some, (part) => bugsById(part, byIds, context.ask));
    const bugs = read.things.filter((bug) => isInPart(bug, context.facts));
    await storeRead(await readInFull(bugs, context), { count, failed: read.failed }, context);
    const seen = new Set([...bugs.map(idOf), ...read.failed.map(({ id }) => id)]);
    missing.push(...some.filter((id) => !seen.has(id)));
  }
  return missing;
}

/** Additions to bugs that were just read: facts that are stored with the last of them, and bugs that failed already. */
export type KeepOptions = {
  readonly count: SyncCount;
  readonly failed?: readonly FailedBug[];
  readonly facts?: Partial<MirrorFacts>;
};

/** Bugs with comments, history and attachments, ready to be stored, and bugs that cannot be read. */
export type FullRead = {
  readonly readTime: string;
  readonly bugs: readonly ReceivedBug[];
  readonly failed: readonly FailedBug[];
};

/** Reads comments, history and attachments of bugs that were just read. */
export async function readInFull(
  bugs: readonly JsonObject[],
  reading: FullReading & Pick<SyncContext, "now">,
): Promise<FullRead> {
  const readTime = wireMoment(reading.now().getTime());
  return { readTime, ...(await readFull(bugs, reading)) };
}

/** Stores bugs, and the facts with them. */
export async function storeRead(
  { readTime, bugs, failed: failing }: FullRead,
  { count, failed = [], facts = {} }: KeepOptions,
  { mirror }: SyncContext,
): Promise<void> {
  const all = [...failed, ...failing];
  if (all.length > 0) mirror.markFailed(all, readTime);
  await mirror.keepBugs(bugs, readTime, facts);
  count.read += bugs.length;
  count.failed += all.length;
}

/** Removes bugs that are no longer visible, and refreshes the bugs that refer to them. */
async function dropBugs(ids: readonly number[], count: SyncCount, context: SyncContext): Promise<void> {
  const kept = context.mirror.bugs({ ids }).map(({ id }) => id);
  if (kept.length === 0) return;
  context.mirror.removeBugs(kept);
  count.removed += kept.length;
  await refreshStale(count, context);
}

/** Reads bugs again that may have changed although their time did not. */
export async function refreshStale(count: SyncCount, context: SyncContext): Promise<void> {
  const ids = context.mirror.staleBugs().map(({ id }) => id);
  await refreshBugs(ids, count, context);
}

/** Ids in chunks of about the size of a request; a remainder is spread over the chunks. */
function chunks(ids: readonly number[]): readonly (readonly number[])[] {
  const count = Math.max(1, Math.round(ids.length / BUGS_PER_REQUEST));
  return parted(ids, Math.ceil(ids.length / count));
}
