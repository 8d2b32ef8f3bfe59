import { allOf } from "../api/query/tree.ts";
import { createPairingPace, type Pace } from "../api/search/pace.ts";
import type { MirrorFacts, MirrorProgress } from "../wire/mirror.ts";
import {
  BUGS_PER_REQUEST,
  type FullRead,
  isInPart,
  pacedBy,
  partChart,
  readInFull,
  type SyncContext,
  type SyncCount,
  storeRead,
} from "./read-bugs.ts";
import {
  chartRow,
  lastChangeTime,
  type ReadPage,
  receivedId,
  type SearchRow,
  searchTolerantly,
  withChart,
} from "./search.ts";
import { compareIds } from "./sync-changes.ts";

/** Called after each page of a walk. */
export type OnProgress = (progress: MirrorProgress) => Promise<void>;

/** Progress at the start of a walk. */
export function walkStart(phase: MirrorProgress["phase"]): MirrorProgress {
  return { phase, below: null, top: 0, done: 0, share: 0 };
}

/**
 * Reads all bugs of a mirror in full, open ones first, then compares all ids; continues an interrupted walk, since the
 * progress is stored after each page. The next page is requested while one is stored.
 */
export async function walkBugs(from: MirrorProgress, walk: BugWalk): Promise<void> {
  const reading: Reading = {
    context: walk.context,
    pace: createPairingPace(walk.ticks, 0),
    longest: longestStoredPage(walk.context),
  };
  let ahead: PageRead | undefined;
  for (let progress: MirrorProgress | null = from; progress !== null; ) {
    const read: PageRead | undefined =
      progress.phase === "check" ? undefined : (ahead ?? requestPage(progress, reading));
    if (read) ahead = await requestAhead(read, reading);
    progress = read ? await storePage(read, walk) : await checkPage(progress, walk);
    if (progress !== null) await reportProgress(progress, walk);
  }
}

async function reportProgress(progress: MirrorProgress, { onProgress }: BugWalk): Promise<void> {
  if (onProgress) return onProgress(progress);
}

/** A walk: tracker and mirror, a monotonic clock (ms), its counts, and a progress callback. */
type BugWalk = {
  context: SyncContext;
  ticks: () => number;
  count: SyncCount;
  onProgress?: OnProgress | undefined;
};

type Next = Promise<MirrorProgress | null>;

/** The requests of a walk: their pace, and the number of bugs in the longest page. */
type Reading = { context: SyncContext; pace: Pace; longest: number };

function longestStoredPage({ mirror }: SyncContext): number {
  return mirror.facts().longestPage;
}

/** A page that is requested: its bugs with the progress after it, and what belongs to them. */
type PageRead = { searched: Promise<SearchedPage>; full: Promise<FullRead> };
type SearchedPage = { page: ReadPage; next: MirrorProgress | null };

function requestPage(progress: MirrorProgress, reading: Reading): PageRead {
  const searched = searchAndRead(progress, reading);
  const { context, pace } = reading;
  const full = searched.then(({ page }) => {
    const bugs = page.things.filter((bug) => isInPart(bug, context.facts));
    return readInFull(bugs, { ...context, pace });
  });
  for (const part of [searched, full]) part.catch(() => undefined); // rejected when awaited, after the page before it
  return { searched, full };
}

async function searchAndRead(progress: MirrorProgress, reading: Reading): Promise<SearchedPage> {
  const { context, pace } = reading;
  const { open, closed } = context.mirror.statuses();
  const statuses = progress.phase === "open" ? open : closed;
  const options: PageOptions = {
    rows: [["bug_status", "anyexact", statuses.join(",")]],
    include: "_all",
    limit: BUGS_PER_REQUEST,
  };
  const page = await requestPageBelow(progress, { ...context, send: pacedBy(pace, context.send) }, options);
  const next = progressAfter(page, progress, reading.longest);
  reading.longest = Math.max(reading.longest, page.ids.length);
  return { page, next };
}

/** Requests the next page; none if the walk ends, or continues with comparing ids. */
async function requestAhead({ searched, full }: PageRead, reading: Reading): Promise<PageRead | undefined> {
  const { next } = await searched;
  if (reading.pace.isUndecided()) await full; // it decides
  return next === null || next.phase === "check" ? undefined : requestPage(next, reading);
}

async function storePage(read: PageRead, { context, count }: BugWalk): Next {
  const { page, next } = await read.searched;
  await storeRead(await read.full, { count, failed: page.failed, facts: factsAfter(page, next, context) }, context);
  return next;
}

/** Number of ids that are compared at a time. */
const IDS_PER_PAGE = 2500;

async function checkPage(progress: MirrorProgress, { context, count }: BugWalk): Next {
  const page = await requestPageBelow(progress, context, {
    rows: [],
    include: "id,last_change_time",
    limit: IDS_PER_PAGE,
  });
  const next = progressAfter(page, progress, context.mirror.facts().longestPage);
  const times = new Map(page.things.map((bug) => [receivedId(bug), lastChangeTime(bug)]));
  for (const { id } of page.failed) times.set(id, "");
  const below = progress.below ?? Number.MAX_SAFE_INTEGER;
  await compareIds({ from: next === null ? 0 : Math.min(...page.ids), below, times }, count, context);
  context.mirror.setFacts(factsAfter(page, next, context));
  return next;
}

type PageOptions = { rows: SearchRow[]; include: string; limit: number };

function requestPageBelow(
  { below }: MirrorProgress,
  context: SyncContext,
  { rows, include, limit }: PageOptions,
): Promise<ReadPage> {
  const lower: SearchRow = below === null ? ["bug_id", "greaterthan", "0"] : ["bug_id", "lessthan", String(below)];
  const query = withChart([], allOf([partChart(context.facts), ...[...rows, lower].map(chartRow)]));
  return searchTolerantly({ query, order: "bug_id DESC", include, limit }, context.send);
}

/**
 * Progress after a page; null at the end. A page is the last of its phase if it is shorter than the tracker is known to
 * return.
 */
function progressAfter({ ids }: ReadPage, progress: MirrorProgress, longest: number): MirrorProgress | null {
  const limit = progress.phase === "check" ? IDS_PER_PAGE : BUGS_PER_REQUEST;
  const done = progress.done + (progress.phase === "check" ? 0 : ids.length);
  if (ids.length === 0 || ids.length < Math.min(limit, longest)) {
    const following = FOLLOWING[progress.phase];
    return following === null ? null : { ...walkStart(following), done };
  }
  const top = progress.below === null ? Math.max(...ids) : progress.top;
  const below = Math.min(...ids);
  return { ...progress, below, top, done, share: (top - below) / top };
}

const FOLLOWING = { open: "closed", closed: "check", check: null } as const;

function factsAfter({ ids }: ReadPage, progress: MirrorProgress | null, { mirror }: SyncContext): Partial<MirrorFacts> {
  const { highestId, longestPage } = mirror.facts();
  return {
    progress,
    highestId: Math.max(highestId, ...ids),
    longestPage: Math.max(longestPage, ids.length),
  };
}
