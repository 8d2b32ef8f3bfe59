import type { MirrorFacts, MirrorProgress, MirrorStore } from "../../wire/mirror.ts";
import type { SendRequest } from "../operations/operation.ts";
import { wireMoment } from "../query/dates.ts";
import { mirrorCriteria } from "./compare-ids.ts";
import { foldingOf } from "./folding.ts";
import { latestPlausible, NEVER, readChanged, syncChanges } from "./incremental.ts";
import { fetchBugs, refreshStale, type SyncContext, type SyncCount } from "./keep.ts";
import { syncMetadata } from "./metadata.ts";
import { proveLogin } from "./proof.ts";
import { changeOf, idOf, searchPage, withRows } from "./search.ts";
import { type OnProgress, startOf, walkBugs } from "./walk.ts";

/** Options of a sync. With `check`, all ids are compared; with `reread`, all bugs are read again. */
export type SyncOptions = {
  readonly ask: SendRequest;
  readonly mirror: MirrorStore;
  readonly now: () => Date;
  readonly ticks: () => number; // monotonic clock (ms)
  readonly check?: "ids" | "all" | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly onMetadata?: () => Promise<unknown>; // of a later sync, once the mirror has the names that the tracker has now
};

/** Result of a sync. */
export type SyncResult = SyncCount & { readonly isFirst: boolean };

/**
 * Updates a mirror to what its login sees on the tracker. It can be interrupted at any point: stored bugs are kept, and
 * the mark only moves when everything up to it is stored.
 * @throws BtError of kind auth if the requests are not answered for the mirror's login
 */
export async function syncMirror(options: SyncOptions): Promise<SyncResult> {
  const { ask, mirror, now, ticks, check, onProgress } = options;
  const begun = wireMoment(now().getTime());
  const count: SyncCount = { read: 0, removed: 0, failed: 0 };
  const before = mirror.facts();
  const { groups } = await proveLogin(before, ask);
  const metadata = await syncMetadata(before, { ask, mirror, begun });
  if (before.mark !== null) await options.onMetadata?.();
  const isFirst = before.mark === null;
  if (isFirst) await beginFirst({ ask, mirror, now });
  else if (areOtherGroups(before, groups)) restart(mirror, startOf("open"));
  else restartVerify({ check, mayLack: mayMeetOthers(before, metadata) }, mirror);
  mirror.setFacts({ ...metadata, groups: groups ?? before.groups }); // what follows from them is begun
  const context = (): SyncContext => ({ ask, mirror, facts: mirror.facts(), now });
  await refreshStale(count, context());
  await retryFailed(before, { begun, count, context: context() });
  const { progress } = mirror.facts();
  if (progress) await walkBugs(progress, { context: context(), ticks, count, onProgress });
  const news = await syncChanges(context(), count);
  await readStubs(context(), count);
  mirror.setFacts({ ...news, ...(await foldingOf(mirror, ask)), lastSync: begun });
  return { ...count, isFirst };
}

type Beginning = {
  readonly ask: SendRequest;
  readonly mirror: MirrorStore;
  readonly now: () => Date;
};

/** The mark of a first sync is the time of the last change before it: changes from then on are read after it. */
async function beginFirst({ ask, mirror, now }: Beginning): Promise<void> {
  const first = async (order: string) => {
    const query = withRows([], [["bug_id", "greaterthan", "0"]]);
    return (await searchPage({ query, order, include: "id,last_change_time", limit: 1 }, ask))[0];
  };
  const [newest, lowest] = [await first("changeddate DESC,bug_id"), await first("bug_id")];
  const time = newest === undefined ? NEVER : changeOf(newest);
  const mark = time <= latestPlausible(now()) ? time : NEVER;
  const lowestId = lowest === undefined ? 0 : idOf(lowest);
  mirror.setFacts({ mark, wide: mark, lowestId, progress: startOf("open") });
}

/** Other groups see other bugs, private comments and fields. */
function areOtherGroups({ groups: before }: MirrorFacts, groups: readonly string[] | null): boolean {
  return groups !== null && before !== null && JSON.stringify(groups) !== JSON.stringify(before);
}

/** Other bugs may meet the criteria, without having changed, once something in the settings has a name from them. */
function mayMeetOthers(before: MirrorFacts, { settling }: Partial<MirrorFacts>): boolean {
  return settling !== undefined && mirrorCriteria(before).length > 0;
}

/** Begins a walk for a check, or if the mirror may lack bugs. */
function restartVerify(
  { check, mayLack }: Pick<SyncOptions, "check"> & { readonly mayLack: boolean },
  mirror: MirrorStore,
): void {
  if (check === "all") restart(mirror, startOf("open", !mayLack));
  else if (check === "ids" || mayLack) restart(mirror, startOf("check", !mayLack));
}

/** Begins a walk; one that reads bugs goes on, and from now on for bugs that may be missing if the new one is. */
function restart(mirror: MirrorStore, start: MirrorProgress): void {
  const { progress, lastSync } = mirror.facts();
  const isGoingOn = progress !== null && progress.phase !== "check";
  const hasAll = lastSync !== null && (progress === null || progress.isReread === true);
  const isReread = start.isReread === true && hasAll;
  mirror.setFacts({ progress: { ...(isGoingOn ? progress : start), isReread } });
}

type Retry = { readonly begun: string; readonly count: SyncCount; readonly context: SyncContext };

/** Bugs that failed are read again once a day; with criteria they may be outside. */
async function retryFailed({ checked }: MirrorFacts, { begun, count, context }: Retry): Promise<void> {
  if (checked === begun.slice(0, 10)) return;
  const ids = context.mirror.bugs({ state: "failed" }).map(({ id }) => id);
  await readChanged(ids, { since: NEVER, share: undefined, longest: context.facts.longestPage, count }, context);
}

/** Reads the bugs outside the criteria that the cards of held ones show. */
async function readStubs(context: SyncContext, count: SyncCount): Promise<void> {
  if (mirrorCriteria(context.facts).length === 0) return;
  const missing = await fetchBugs(context.mirror.missingRelated(), { state: "stub", count }, context);
  context.mirror.markUnreadable(missing, wireMoment(context.now().getTime()));
}
