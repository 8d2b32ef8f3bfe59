import type { MirrorFacts } from "../../wire/mirror.ts";
import { momentBefore, reachOf } from "../change-reach.ts";
import { type ChangedBugs, type ChangeSearch, firstOfAny, joined, listAll, type PageLength } from "./changes.ts";
import { refreshBugs, type SyncContext, type SyncCount } from "./keep.ts";
import { chartRow } from "./search.ts";
import { checkShare, nextShare, type Share, shareChart } from "./share.ts";

/** Stamps so near to the mark, and later ones, may have been given to several changes of a bug, one of which was not seen. */
const NEAR_MS = 10_000;

/**
 * Reads what changed since the last sync: every bug whose time differs, those stamped near the mark, and new ones with old
 * stamps; checks a share of all ids. Returns facts to store when the sync is complete.
 */
export async function syncChanges(context: SyncContext, count: SyncCount): Promise<Partial<MirrorFacts>> {
  const { facts, mirror } = context;
  const mark = facts.mark ?? NEVER;
  const { since, isWide } = reachOf({ mark, wide: facts.wide ?? NEVER });
  const known = isWide ? 0 : facts.longestPage; // a maximum may have been lowered
  const pages: PageLength = { longest: known };
  const share = nextShare(context);
  const changes = await listChanges({ since, share, pages }, context);
  await refreshBugs(differing(changes, context), count, context);
  mirror.markFailed([...changes.failed.values()], "");
  if (share) await checkShare(share, changes, count, context);
  const newest = newestOf(changes, context);
  return {
    mark: newest,
    ...(newest === mark && isLater(context) ? { settled: mark } : {}),
    ...(isWide ? { wide: newest } : {}),
    highestId: highestOf([facts.highestId, ...changes.times.keys()]),
    lowestId: lowestOf(changes, facts),
    longestPage: Math.max(pages.longest, known),
    checkedAbove: share && share.from > 1 ? share.from : null,
  };
}

/**
 * Changed bugs that are not stored as of that time, or so near to the mark that a later change may have the same stamp, and
 * stored ones that are for the mirror no longer.
 */
function differing({ times, others }: ChangedBugs, { mirror, facts, now }: SyncContext): readonly number[] {
  const stored = new Map(mirror.bugs({ ids: [...times.keys()] }).map((bug) => [bug.id, bug.lastChangeTime]));
  const isNear = nearMark(facts, latestPlausible(now()));
  const isDiffering = ([id, time]: readonly [number, string]) =>
    others.has(id) ? stored.has(id) : stored.get(id) !== time || isNear(time);
  return [...times].filter(isDiffering).map(([id]) => id);
}

/** The new mark: the greatest time received that can be true. */
function newestOf({ times }: ChangedBugs, { facts, now }: SyncContext): string {
  const limit = latestPlausible(now());
  const plausible = [...times.values()].filter((time) => time <= limit);
  return plausible.reduce((one, other) => (other > one ? other : one), facts.mark ?? NEVER);
}

/**
 * True for a stamp that a later change may have, too: one near the mark, unless it was read again since, and one after the
 * mark, of a bug that changed while it was read.
 */
function nearMark({ mark, settled }: MirrorFacts, limit: string): (time: string) => boolean {
  if (mark === null) return () => false;
  const start = momentBefore(mark, NEAR_MS);
  return (time) => time <= limit && (mark === settled ? time > mark : time >= start);
}

/** True if the sync before began so long ago that stamps of then are no longer given. */
function isLater({ facts, now }: SyncContext): boolean {
  return facts.lastSync !== null && facts.lastSync <= momentBefore(now().toISOString(), NEAR_MS);
}

function highestOf(ids: readonly number[]): number {
  return ids.reduce((one, other) => Math.max(one, other), 0);
}

/** The lowest id known; if its bug is no longer visible, the lowest of those just received. */
function lowestOf({ times, failed }: ChangedBugs, { lowestId }: MirrorFacts): number {
  const ids = [...times.keys(), ...failed.keys()];
  return ids.reduce((one, other) => Math.min(one, other), ids[0] ?? lowestId);
}

/** Mark of an empty mirror. */
export const NEVER = "1970-01-01T00:00:00Z";

/** Latest valid stamp (ISO 8601, UTC): a later one as the mark would hide all later changes. */
export function latestPlausible(now: Date): string {
  return momentBefore(now.toISOString(), -26 * 3_600_000);
}

type Listing = { readonly since: string; readonly share: Share | undefined; readonly pages: PageLength };

/** Changed bugs, new ids and a share of the others: by one request if they fit in a page. */
async function listChanges({ since, share, pages }: Listing, context: SyncContext): Promise<ChangedBugs> {
  const { highestId, lowestId } = context.facts;
  const added = chartRow(["bug_id", "greaterthan", String(highestId)]);
  const inShare = share && shareChart(share, context);
  const { found, below } = await firstOfAny({ since, or: [added, inShare ?? []].flat(), lowestId }, pages, context);
  if (below === undefined) return found;
  const searches: readonly ChangeSearch[] = [
    { since, below },
    ...(below > highestId + 1 ? [{ chart: added, below }] : []),
    ...(inShare && below > share.from ? [{ chart: inShare, below }] : []),
  ];
  const results = [found];
  for (const search of searches) results.push(await listAll(search, pages, context));
  return joined(results);
}
