import type { JsonObject } from "../../wire/exchange.ts";
import type { KeptAs, MirrorFacts, MirrorStore, ReceivedBug } from "../../wire/mirror.ts";
import { parted } from "../lists.ts";
import type { SendRequest } from "../operations/operation.ts";
import { wireMoment } from "../query/dates.ts";
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

/** Reads bugs in full by id and stores them; returns the ids of those that are not visible. */
export async function fetchBugs(
  ids: readonly number[],
  { state, count }: { readonly state: KeptAs["state"]; readonly count: SyncCount },
  context: SyncContext,
): Promise<readonly number[]> {
  const missing: number[] = [];
  const byIds = { include: WHOLE_BUG, longest: context.facts.longestPage };
  for (const some of chunks(ids)) {
    const read = await readTolerantly(some, (part) => bugsById(part, byIds, context.ask));
    const things = wantedBugs(read.things, context.facts);
    await keepRead([{ bugs: things, state }], { count, failed: read.failed }, context);
    const seen = new Set([...things.map(idOf), ...read.failed.map(({ id }) => id)]);
    missing.push(...some.filter((id) => !seen.has(id)));
  }
  return missing;
}

/** Bugs that belong in a mirror: all, or only public ones. */
export function wantedBugs(
  bugs: readonly JsonObject[],
  { publicOnly }: Pick<MirrorFacts, "publicOnly">,
): readonly JsonObject[] {
  return publicOnly ? bugs.filter(({ groups }) => [groups ?? []].flat().length === 0) : bugs;
}

/** Bugs that were just read, and the state in which they are kept. */
export type ReadBugs = { readonly bugs: readonly JsonObject[]; readonly state: KeptAs["state"] };

/** Additions to bugs that were just read: facts that are stored with the last of them, and bugs that failed already. */
export type KeepOptions = {
  readonly count: SyncCount;
  readonly failed?: readonly FailedBug[];
  readonly facts?: Partial<MirrorFacts>;
};

/** Reads comments, history and attachments of bugs, and stores all; of a stub only the bug. */
export async function keepRead(read: readonly ReadBugs[], options: KeepOptions, context: SyncContext): Promise<void> {
  await storeRead(await readInFull(read, context), options, context);
}

/** Bugs with comments, history and attachments, ready to be stored, and bugs that cannot be read. */
export type FullRead = {
  readonly readTime: string;
  readonly groups: readonly { readonly state: KeptAs["state"]; readonly bugs: readonly ReceivedBug[] }[];
  readonly failed: readonly FailedBug[];
};

/** Reads comments, history and attachments of bugs, except stubs. */
export async function readInFull(read: readonly ReadBugs[], reading: FullReading & SyncContext): Promise<FullRead> {
  const readTime = wireMoment(reading.now().getTime());
  const whole = read.flatMap(({ bugs, state }) => (state === "stub" ? [] : bugs));
  const full = await readFull(whole, reading);
  const received = new Map(full.bugs.map((one) => [idOf(one.bug), one]));
  const groups = read.map(({ bugs, state }) => ({
    state,
    bugs: bugs.flatMap((bug) => (state === "stub" ? alone(bug) : (received.get(idOf(bug)) ?? []))),
  }));
  return { readTime, groups, failed: full.failed };
}

/** Stores bugs, and the facts with the last of them. */
export async function storeRead(
  { readTime, groups, failed: failing }: FullRead,
  { count, failed = [], facts = {} }: KeepOptions,
  { mirror }: SyncContext,
): Promise<void> {
  const all = [...failed, ...failing];
  if (all.length > 0) mirror.markFailed(all, readTime);
  for (const [at, { state, bugs }] of groups.entries()) {
    await mirror.keepBugs(bugs, { state, readTime }, at === groups.length - 1 ? facts : {});
    count.read += bugs.length;
  }
  count.failed += all.length;
}

function alone(bug: JsonObject): ReceivedBug {
  return { bug, comments: [], history: [], attachments: [] };
}

/** Removes bugs that are no longer visible, and refreshes the bugs that refer to them. */
export async function dropBugs(ids: readonly number[], count: SyncCount, context: SyncContext): Promise<void> {
  const kept = context.mirror.bugs({ ids }).map(({ id }) => id);
  if (kept.length === 0) return;
  context.mirror.removeBugs(kept);
  count.removed += kept.length;
  await refreshStale(count, context);
}

/** Reads bugs again that may have changed although their time did not, and removes those that are not visible. */
export async function refreshStale(count: SyncCount, context: SyncContext): Promise<void> {
  const stale = context.mirror.staleBugs();
  const missing: number[] = [];
  for (const state of ["held", "outside", "stub"] as const) {
    const ids = stale.filter((bug) => bug.state === state).map(({ id }) => id);
    missing.push(...(await fetchBugs(ids, { state, count }, context)));
  }
  await dropBugs(missing, count, context);
}

/** Ids in chunks of about the size of a request; a remainder is spread over the chunks. */
export function chunks(ids: readonly number[]): readonly (readonly number[])[] {
  const count = Math.max(1, Math.round(ids.length / BUGS_PER_REQUEST));
  return parted(ids, Math.ceil(ids.length / count));
}
