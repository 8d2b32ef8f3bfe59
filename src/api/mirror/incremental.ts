import type { MirrorFacts } from "../../wire/mirror.ts";
import { momentBefore, reachOf } from "../change-reach.ts";
import { type AllOfSearch, type ChangedBugs, firstOfAny, joined, listAll, type PageLength } from "./changes.ts";
import { compareIds, mirrorCriteria, settleUnlisted } from "./compare-ids.ts";
import { dropBugs, fetchBugs, keepRead, type SyncContext, type SyncCount, wantedBugs } from "./keep.ts";
import { BUGS_PER_REQUEST } from "./read-full.ts";
import { bugsById, idOf, type SearchRow } from "./search.ts";
import { readTolerantly } from "./tolerant.ts";

/** Stamps so near to the mark may have been given to several changes of a bug, one of which was not seen. */
const NEAR_MS = 10_000;

/** Number of ids of which a sync checks that they are still there, beside those that changed. */
const SHARE = 500;

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
  const share = shareBelow(facts);
  const changes = await listChanges({ since, share, pages }, context);
  await readChanged(differing(changes, context), { since, count }, context);
  mirror.markFailed([...changes.failed.values()], "");
  if (share) await checkShare(share, changes, { count, context });
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

/** Changed bugs that are not stored as of that time, or so near to the mark that a later change may have the same stamp. */
function differing({ times }: ChangedBugs, { mirror, facts }: SyncContext): readonly number[] {
  const stored = new Map(mirror.bugs({ ids: [...times.keys()] }).map((bug) => [bug.id, bug.lastChangeTime]));
  const isNear = nearMark(facts);
  return [...times].flatMap(([id, time]) => (stored.get(id) !== time || isNear(time) ? [id] : []));
}

/** The new mark: the greatest time received that can be true. */
function newestOf({ times }: ChangedBugs, { facts, now }: SyncContext): string {
  const limit = latestPlausible(now());
  const plausible = [...times.values()].filter((time) => time <= limit);
  return plausible.reduce((one, other) => (other > one ? other : one), facts.mark ?? NEVER);
}

/** True for a stamp so near to the mark that a later change may have the same, unless it was read again since. */
function nearMark({ mark, settled }: MirrorFacts): (time: string) => boolean {
  if (mark === null || mark === settled) return () => false;
  const start = momentBefore(mark, NEAR_MS);
  return (time) => time >= start && time <= mark;
}

/** True if the sync before began so long ago that no stamp of then is given any more. */
function isLater({ facts, now }: SyncContext): boolean {
  return facts.lastSync !== null && facts.lastSync <= momentBefore(now().toISOString(), NEAR_MS);
}

function highestOf(ids: readonly number[]): number {
  return ids.reduce((one, other) => Math.max(one, other), 0);
}

/** The lowest id known; if its bug is not visible any more, the lowest of those just received. */
function lowestOf({ times, failed }: ChangedBugs, { lowestId }: MirrorFacts): number {
  const ids = [...times.keys(), ...failed.keys()];
  return ids.reduce((one, other) => Math.min(one, other), ids[0] ?? lowestId);
}

/** The mark of a mirror of which nothing was received. */
export const NEVER = "1970-01-01T00:00:00Z";

/** A time beyond which a stamp is taken for an error: as a mark it would hide all later changes. */
export function latestPlausible(now: Date): string {
  return momentBefore(now.toISOString(), -26 * 3_600_000);
}

type Range = { readonly from: number; readonly below: number };

/** The next ids to check, from the highest down; none of a mirror with criteria, which other searches list. */
function shareBelow({ checkedAbove, highestId, compiled, longestPage }: MirrorFacts): Range | undefined {
  if (compiled !== "[]" || highestId === 0) return undefined;
  const below = checkedAbove ?? highestId + 1;
  return { from: Math.max(1, below - Math.min(SHARE, Math.ceil(longestPage / 2))), below };
}

type Listing = { readonly since: string; readonly share: Range | undefined; readonly pages: PageLength };

/** Changed bugs, new ids and a share of the others: by one request if they fit in a page. */
async function listChanges({ since, share, pages }: Listing, { ask, facts }: SyncContext): Promise<ChangedBugs> {
  const { highestId, lowestId } = facts;
  const added: readonly SearchRow[] = [["bug_id", "greaterthan", String(highestId)]];
  const inShare: readonly SearchRow[] = share
    ? [
        ["bug_id", "greaterthaneq", String(share.from)],
        ["bug_id", "lessthan", String(share.below)],
      ]
    : [];
  const or = [added, inShare].filter(({ length }) => length > 0);
  const { found, below } = await firstOfAny({ since, or, lowestId }, pages, ask);
  if (below === undefined) return found;
  const searches: readonly AllOfSearch[] = [
    { since, below },
    ...(below > highestId + 1 ? [{ rows: added, below }] : []),
    ...(share && below > share.from ? [{ rows: inShare, below }] : []),
  ];
  const results = [found];
  for (const search of searches) results.push(await listAll(search, pages, ask));
  return joined(results);
}

async function checkShare(
  { from, below }: Range,
  { times, failed }: ChangedBugs,
  { count, context }: Checking,
): Promise<void> {
  const inRange = ([id]: readonly [number, unknown]) => id >= from && id < below;
  const listed = new Map([...times].filter(inRange));
  for (const id of failed.keys()) listed.set(id, "");
  await compareIds({ from, below, times: listed }, count, context);
}

type Checking = { readonly count: SyncCount; readonly context: SyncContext };

type Reading = { readonly since: string; readonly count: SyncCount };

/** Reads changed bugs: those that meet the criteria are held, those that do not any more are outside. */
async function readChanged(ids: readonly number[], { since, count }: Reading, context: SyncContext): Promise<void> {
  const criteria = mirrorCriteria(context.facts);
  if (criteria.length === 0) {
    await dropBugs(await fetchBugs(ids, { state: "held", count }, context), count, context);
    return;
  }
  const within = await readWithin(ids, { since, count }, context);
  const others = context.mirror.bugs({ ids: ids.filter((id) => !within.has(id)) });
  const stubs = others.filter(({ state }) => state === "stub").map(({ id }) => id);
  const left = others.filter(({ state }) => state === "held" || state === "failed").map(({ id }) => id);
  await settleUnlisted(left, count, context);
  await dropBugs(await fetchBugs(stubs, { state: "stub", count }, context), count, context);
}

/** Reads those of the bugs that meet the criteria; returns their ids. */
async function readWithin(ids: readonly number[], { since, count }: Reading, context: SyncContext) {
  const criteria = mirrorCriteria(context.facts);
  const within = new Set<number>();
  const asked = ids.length > MANY ? await changedWithin(since, ids, context) : ids;
  for (let at = 0; at < asked.length; at += BUGS_PER_REQUEST) {
    const some = asked.slice(at, at + BUGS_PER_REQUEST);
    const byIds = { criteria, include: "_all", longest: context.facts.longestPage };
    const page = await readTolerantly(some, (part) => bugsById(part, byIds, context.ask));
    const things = wantedBugs(page.things, context.facts);
    await keepRead(things, { state: "held", count, failed: page.failed }, context);
    for (const id of [...things.map(idOf), ...page.failed.map(({ id }) => id)]) within.add(id);
  }
  return within;
}

/** More changed bugs than this are narrowed to those within the criteria before they are read. */
const MANY = 200;

async function changedWithin(since: string, ids: readonly number[], context: SyncContext): Promise<readonly number[]> {
  const { times, failed } = await listAll(
    { since, criteria: mirrorCriteria(context.facts) },
    { longest: 0 },
    context.ask,
  );
  return ids.filter((id) => times.has(id) || failed.has(id));
}
