import { momentBefore, rereadReach } from "../api/bugs/change-reach.ts";
import type { SendRequest } from "../api/operations/operation.ts";
import { type Chart, numberRows, type QueryPair } from "../api/query/chart.ts";
import { allOf } from "../api/query/tree.ts";
import { BtError } from "../errors.ts";
import type { MirrorFacts } from "../wire/mirror.ts";
import {
  isInPart,
  type MirrorPart,
  partChart,
  partFields,
  refreshBugs,
  type SyncContext,
  type SyncCount,
} from "./read-bugs.ts";
import {
  chartRow,
  type FailedBug,
  lastChangeTime,
  type ReadPage,
  receivedId,
  type SearchRow,
  searchTolerantly,
  withChart,
} from "./search.ts";

/** Stamps so near to the mark, and later ones, may have been given to several changes of a bug, one of which was not seen. */
const NEAR_MS = 10_000;

/** Facts to store when a sync is complete; `isBack` if the tracker lost changes that it had, as one restored from a backup. */
type ChangesRead = { facts: Partial<MirrorFacts>; isBack: boolean };

/**
 * Reads what changed since the last sync: every bug whose time differs, those stamped near the mark, and new ones with old
 * stamps; checks a share of all ids, and that the changes are listed that the mirror has.
 */
export async function syncChanges(context: SyncContext, count: SyncCount): Promise<ChangesRead> {
  const { facts, mirror } = context;
  const mark = facts.mark ?? NEVER;
  const { since, isWide } = rereadReach({ mark, wide: facts.wide ?? NEVER });
  const longest = isWide ? 0 : facts.longestPage; // a maximum may have been lowered
  const pages: PageLength = { longest };
  const share = nextShare(context);
  const changes = await listChanges({ since, share, pages }, context);
  const known = new Map(mirror.bugs({ since }).map(({ id, lastChangeTime: time }) => [id, time]));
  const unlisted = [...known.keys()].filter((id) => !(changes.times.has(id) || changes.failed.has(id)));
  await refreshBugs([...differingIds(changes, context), ...unlisted], count, context);
  mirror.markFailed([...changes.failed.values()], "");
  if (share) await checkShare(share, changes, count, context);
  const listed = newestListed(changes, context);
  const newest = listed > mark ? listed : mark;
  const news = {
    mark: newest,
    ...(newest === mark && isLastSyncOld(context) ? { settled: mark } : {}),
    ...(isWide ? { wide: newest } : {}),
    highestId: highestOf([facts.highestId, ...changes.times.keys()]),
    lowestId: lowestKnown(changes, facts),
    longestPage: Math.max(pages.longest, longest),
    checkedAbove: share && share.from > 1 ? share.from : null,
  };
  return { facts: news, isBack: listed < mark || hasOlder(known, context) };
}

/** True if a bug, of these times, was read again with an earlier one. */
function hasOlder(before: Map<number, string>, { mirror }: SyncContext): boolean {
  const read = mirror.bugs({ ids: [...before.keys()] }).filter(({ lastChangeTime: time }) => time !== ""); // else stale
  return read.some(({ id, lastChangeTime: time }) => time < (before.get(id) ?? ""));
}

/**
 * Changed bugs that are not stored as of that time, or so near to the mark that a later change may have the same stamp, and
 * stored ones that are for the mirror no longer.
 */
function differingIds({ times, others }: ChangedBugs, { mirror, facts, now }: SyncContext): number[] {
  const stored = new Map(mirror.bugs({ ids: [...times.keys()] }).map((bug) => [bug.id, bug.lastChangeTime]));
  const isNear = nearMarkTest(facts, latestPlausible(now()));
  const isDiffering = ([id, time]: [number, string]) =>
    others.has(id) ? stored.has(id) : stored.get(id) !== time || isNear(time);
  return [...times].filter(isDiffering).map(([id]) => id);
}

/** The greatest time received that can be true. */
function newestListed({ times }: ChangedBugs, { now }: SyncContext): string {
  const limit = latestPlausible(now());
  return [...times.values()].filter((time) => time <= limit).reduce((a, b) => (b > a ? b : a), NEVER);
}

/**
 * True for a stamp that a later change may have, too: one near the mark, unless it was read again since, and one after the
 * mark, of a bug that changed while it was read.
 */
function nearMarkTest({ mark, settled }: MirrorFacts, limit: string): (time: string) => boolean {
  if (mark === null) return () => false;
  const start = momentBefore(mark, NEAR_MS);
  return (time) => time <= limit && (mark === settled ? time > mark : time >= start);
}

/** True if the sync before began so long ago that stamps of then are no longer given. */
function isLastSyncOld({ facts, now }: SyncContext): boolean {
  return facts.lastSync !== null && facts.lastSync <= momentBefore(now().toISOString(), NEAR_MS);
}

function highestOf(ids: number[]): number {
  return ids.reduce((a, b) => Math.max(a, b), 0);
}

/** The lowest id known; if its bug is no longer visible, the lowest of those just received. */
function lowestKnown({ times, failed }: ChangedBugs, { lowestId }: MirrorFacts): number {
  const ids = [...times.keys(), ...failed.keys()];
  return ids.reduce((a, b) => Math.min(a, b), ids[0] ?? lowestId);
}

/** Mark of an empty mirror. */
export const NEVER = "1970-01-01T00:00:00Z";

/** Latest valid stamp (ISO 8601, UTC): a later one as the mark would hide all later changes. */
export function latestPlausible(now: Date): string {
  return momentBefore(now.toISOString(), -26 * 3_600_000);
}

type Listing = { since: string; share: Share | undefined; pages: PageLength };

/** Changed bugs, new ids and a share of the others: by one request if they fit in a page. */
async function listChanges({ since, share, pages }: Listing, context: SyncContext): Promise<ChangedBugs> {
  const { highestId, lowestId } = context.facts;
  const added = chartRow(["bug_id", "greaterthan", String(highestId)]);
  const inShare = share && shareChart(share, context);
  const { found, below } = await requestFirstPage(
    { since, or: [added, inShare ?? []].flat(), lowestId },
    pages,
    context,
  );
  if (below === undefined) return found;
  const searches: ChangeSearch[] = [{ since, below }];
  if (below > highestId + 1) searches.push({ chart: added, below });
  if (inShare && below > share.from) searches.push({ chart: inShare, below });
  const results = [found];
  for (const search of searches) results.push(await listAll(search, pages, context));
  return joinChanges(results);
}

/** Number of ids of which a sync checks that they are still there, beside those that changed. */
const SHARE = 500;

/** A range of ids that a sync checks, `from` inclusive and `below` exclusive. */
type Share = { from: number; below: number };

/**
 * The next share, from the highest id down; undefined before any id was seen. Of a mirror of products it spans as many of
 * its bugs.
 */
function nextShare({ facts, mirror }: SyncContext): Share | undefined {
  const { checkedAbove, highestId, longestPage, products } = facts;
  if (highestId === 0) return undefined;
  const below = checkedAbove ?? highestId + 1;
  const size = Math.max(1, Math.min(SHARE, Math.ceil(longestPage / 2)));
  if (products.length === 0) return { from: Math.max(1, below - size), below };
  const known = mirror.bugs({ below, highest: size });
  return { from: known.length < size ? 1 : (known[0]?.id ?? 1), below };
}

/** Condition for the bugs of a share. */
function shareChart({ from, below }: Share, { facts }: SyncContext): Chart {
  return allOf([
    chartRow(["bug_id", "greaterthaneq", String(from)]),
    chartRow(["bug_id", "lessthan", String(below)]),
    partChart(facts),
  ]);
}

/** Removes the bugs of a share that are no longer visible, and reads those that became visible. */
async function checkShare(
  { from, below }: Share,
  { times, others, failed }: ChangedBugs,
  count: SyncCount,
  context: SyncContext,
): Promise<void> {
  const listed = [...times].filter(([id]) => id >= from && id < below && !others.has(id));
  const inRange = new Map(listed);
  for (const id of failed.keys()) if (id >= from && id < below) inRange.set(id, "");
  await compareIds({ from, below, times: inRange }, count, context);
}

/** A range of ids, `from` inclusive and `below` exclusive, and the times of the bugs in it that the mirror is to have. */
type ListedRange = {
  from: number;
  below: number;
  times: ReadonlyMap<number, string>;
};

/**
 * Synchronizes a range of ids with the tracker in both directions: new bugs and missed changes are read, and bugs that
 * the tracker does not list are read once more, and removed if they are not visible.
 */
export async function compareIds(
  { from, below, times }: ListedRange,
  count: SyncCount,
  context: SyncContext,
): Promise<void> {
  const known = new Map(context.mirror.bugs({ from, below }).map((bug) => [bug.id, bug]));
  const isSame = ([id, time]: [number, string]) =>
    known.get(id)?.state === "held" && known.get(id)?.lastChangeTime === time;
  const differing = [...times].filter((one) => !isSame(one)).map(([id]) => id);
  const unlisted = [...known.keys()].filter((id) => !times.has(id));
  await refreshBugs([...differing, ...unlisted], count, context);
}

/** Times of the last change by bug id, the ids among them that are not for the mirror, and bugs that cannot be read. */
type ChangedBugs = {
  times: Map<number, string>;
  others: Set<number>;
  failed: Map<number, FailedBug>;
};

/** Tracker and part of a mirror whose changes are listed. */
type ListContext = { send: SendRequest; facts: MirrorPart };

/** Known length of a tracker's pages: bugs in the longest, 0 if unknown. */
type PageLength = { longest: number };

/** Number of bugs in a page of ids and times. */
const PAGE = 1000;

/**
 * Bugs that changed since a time or meet one of the conditions. The bug `lowestId` (0 if unknown) is requested too: it
 * marks the end of a complete page.
 */
type AnyOfSearch = {
  since: string;
  or: Chart[];
  lowestId: number;
};

/** First page of a search, ids descending. `below`: its lowest id if more bugs may follow. */
type FirstPage = { found: ChangedBugs; below?: number };

/** The bugs of a search by one request, all of them if they fit in a page. */
async function requestFirstPage(
  { since, or, lowestId }: AnyOfSearch,
  pages: PageLength,
  context: ListContext,
): Promise<FirstPage> {
  const groups = [...or];
  if (lowestId > 0) groups.push(chartRow(["bug_id", "equals", String(lowestId)]));
  const query: QueryPair[] = [];
  if (groups.length > 0) query.push(["j_top", "OR"], ...numberRows({ kind: "all", of: groups }));
  query.push(["last_change_time", since]);
  const found = noChanges();
  const page = await readAndAddPage(query, found, context);
  const last = page.ids.at(-1);
  return noteIfLast(page, pages) || last === undefined || last === lowestId ? { found } : { found, below: last };
}

function noChanges(): ChangedBugs {
  return { times: new Map(), others: new Set(), failed: new Map() };
}

/** Search for `listAll`: a condition and a minimum time of change (ISO 8601), both ANDed; with `below`, only lower ids. */
type ChangeSearch = {
  since?: string;
  chart?: Chart;
  below?: number;
};

/**
 * All bugs of a search. Pages are disjoint ranges of ids, from the highest down, so that changes between them neither hide
 * nor repeat a bug.
 * @throws BtError of kind reply if the tracker does not sort them
 */
export async function listAll(
  { since, chart = allOf([]), below }: ChangeSearch,
  pages: PageLength,
  context: ListContext,
): Promise<ChangedBugs> {
  const found = noChanges();
  const changed: QueryPair[] = since === undefined ? [] : [["last_change_time", since]];
  for (let end = below; ; ) {
    const above: SearchRow[] = end === undefined ? [] : [["bug_id", "lessthan", String(end)]];
    const query = withChart(changed, allOf([chart, ...above.map(chartRow)]));
    const page: ReadPage = await readAndAddPage(query, found, context);
    if (noteIfLast(page, pages)) return found;
    end = page.ids.at(-1);
  }
}

/** Adds a page of ids and times to a result. */
async function readAndAddPage(query: QueryPair[], found: ChangedBugs, { send, facts }: ListContext): Promise<ReadPage> {
  const include = ["id", "last_change_time", ...partFields(facts)].join(",");
  const page = await searchTolerantly({ query, order: "bug_id DESC", include, limit: PAGE }, send);
  addPage(page, found, facts);
  return page;
}

/**
 * True if no page follows: it is shorter than requested, and than the longest that the tracker has returned. Notes its
 * length.
 */
function noteIfLast({ ids }: ReadPage, pages: PageLength): boolean {
  const isShort = ids.length < PAGE && ids.length < pages.longest;
  pages.longest = Math.max(pages.longest, ids.length);
  return ids.length === 0 || isShort;
}

/** Adds a page to a result. */
function addPage({ ids, things, failed }: ReadPage, found: ChangedBugs, facts: MirrorPart): void {
  if (ids.some((id, at) => at > 0 && id >= (ids[at - 1] ?? 0)))
    throw new BtError("reply", "the tracker ignored the sort order by id", {
      hint: "it seems to ignore search parameters, so its results cannot be trusted",
    });
  for (const bug of things) {
    found.times.set(receivedId(bug), lastChangeTime(bug));
    if (!isInPart(bug, facts)) found.others.add(receivedId(bug));
  }
  for (const one of failed) found.failed.set(one.id, one);
}

/** Union of several results. */
function joinChanges(results: ChangedBugs[]): ChangedBugs {
  return {
    times: new Map(results.flatMap(({ times }) => [...times])),
    others: new Set(results.flatMap(({ others }) => [...others])),
    failed: new Map(results.flatMap(({ failed }) => [...failed])),
  };
}
