import { BtError } from "../../errors.ts";
import type { MirrorFacts, MirrorStore } from "../../wire/mirror.ts";
import type { SendRequest } from "../operations/operation.ts";
import { wireMoment } from "../query/dates.ts";
import type { RowSupport } from "../search/row-support.ts";
import { foldingOf } from "./folding.ts";
import { latestPlausible, NEVER, syncChanges } from "./incremental.ts";
import { refreshBugs, refreshStale, type SyncContext, type SyncCount } from "./keep.ts";
import { syncMetadata } from "./metadata.ts";
import { proveLogin } from "./proof.ts";
import { changeOf, idOf, searchPage, withRows } from "./search.ts";
import { type OnProgress, startOf, walkBugs } from "./walk.ts";

/** Options of a sync. */
export type SyncOptions = {
  readonly ask: SendRequest;
  readonly mirror: MirrorStore;
  readonly now: () => Date;
  readonly ticks: () => number; // monotonic clock (ms)
  readonly rows: RowSupport;
  readonly onProgress?: OnProgress | undefined;
};

/** Result of a sync. */
export type SyncResult = SyncCount & { readonly isFirst: boolean };

/**
 * Updates a mirror to what its login sees on the tracker. It can be interrupted at any point: stored bugs are kept, and
 * the mark only moves when everything up to it is stored.
 * @throws BtError of kind auth if the requests are not answered for the mirror's login
 */
export async function syncMirror(options: SyncOptions): Promise<SyncResult> {
  const { ask, mirror, now, ticks, onProgress } = options;
  const begun = wireMoment(now().getTime());
  const count: SyncCount = { read: 0, removed: 0, failed: 0 };
  const before = mirror.facts();
  const { groups } = await proveLogin(before, ask, options.rows);
  const metadata = await syncMetadata(before, { ask, mirror, begun });
  checkProducts(mirror);
  const isFirst = before.mark === null;
  if (isFirst) await beginFirst({ ask, mirror, now });
  else if (areOtherGroups(before, groups)) readAll(mirror);
  mirror.setFacts({ ...metadata, groups: groups ?? before.groups }); // what follows from them is begun
  const context = (): SyncContext => ({ ask, mirror, facts: mirror.facts(), now });
  await refreshStale(count, context());
  await retryFailed(before, { begun, count, context: context() });
  const { progress } = mirror.facts();
  if (progress) await walkBugs(progress, { context: context(), ticks, count, onProgress });
  const news = await syncChanges(context(), count);
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

/** Begins a walk, unless one that reads bugs goes on. */
function readAll(mirror: MirrorStore): void {
  const { progress } = mirror.facts();
  if (progress === null || progress.phase === "check") mirror.setFacts({ progress: startOf("open") });
}

/** @throws BtError of kind missing if a product of the mirror was deleted or is hidden from its login: the mirror keeps its bugs */
function checkProducts(mirror: MirrorStore): void {
  const listed = mirror.productNames();
  const gone = mirror.facts().products.filter((name) => !listed.includes(name));
  if (gone.length === 0) return;
  const facts = { hint: "the mirror keeps its bugs; bt mirror drop deletes it", changed: "nothing" } as const;
  throw new BtError("missing", `the tracker does not list the product ${gone.join(", ")} of the mirror`, facts);
}

type Retry = { readonly begun: string; readonly count: SyncCount; readonly context: SyncContext };

/** Bugs that failed are read again once a day. */
async function retryFailed({ checked }: MirrorFacts, { begun, count, context }: Retry): Promise<void> {
  if (checked === begun.slice(0, 10)) return;
  const ids = context.mirror.bugs({ state: "failed" }).map(({ id }) => id);
  await refreshBugs(ids, count, context);
}
