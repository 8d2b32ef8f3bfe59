import { BtError } from "../../errors.ts";
import { type Chart, numberRows, type QueryPair } from "../query/chart.ts";
import { allOf } from "../query/tree.ts";
import type { SyncContext } from "./keep.ts";
import { isInPart, type MirrorPart, partFields } from "./part.ts";
import { changeOf, chartRow, idOf, type ReadPage, type SearchRow, searchTolerantly, withChart } from "./search.ts";
import type { FailedBug } from "./tolerant.ts";

/** Times of the last change by bug id, the ids among them that are not for the mirror, and bugs that cannot be read. */
export type ChangedBugs = {
  readonly times: Map<number, string>;
  readonly others: Set<number>;
  readonly failed: Map<number, FailedBug>;
};

/** Tracker and part of a mirror whose changes are listed. */
export type ListContext = Pick<SyncContext, "ask"> & { readonly facts: MirrorPart };

/** Known length of a tracker's pages: bugs in the longest, 0 if unknown. */
export type PageLength = { longest: number };

/** Number of bugs in a page of ids and times. */
const PAGE = 1000;

/**
 * Bugs that changed since a time or meet one of the conditions. The bug `lowestId` (0 if unknown) is requested too: it
 * marks the end of a complete page.
 */
export type AnyOfSearch = {
  readonly since: string;
  readonly or: readonly Chart[];
  readonly lowestId: number;
};

/** First page of a search, ids descending. `below`: its lowest id if more bugs may follow. */
export type FirstPage = { readonly found: ChangedBugs; readonly below?: number };

/** The bugs of a search by one request, all of them if they fit in a page. */
export async function firstOfAny(
  { since, or, lowestId }: AnyOfSearch,
  pages: PageLength,
  context: ListContext,
): Promise<FirstPage> {
  const lowest = chartRow(["bug_id", "equals", String(lowestId)]);
  const groups = [...or, ...(lowestId > 0 ? [lowest] : [])];
  const query: readonly QueryPair[] = [
    ...(groups.length > 0 ? ([["j_top", "OR"], ...numberRows({ kind: "all", of: groups })] as const) : []),
    ["last_change_time", since],
  ];
  const found = noChanges();
  const page = await listPage(query, found, context);
  const last = page.ids.at(-1);
  return isLast(page, pages) || last === undefined || last === lowestId ? { found } : { found, below: last };
}

function noChanges(): ChangedBugs {
  return { times: new Map(), others: new Set(), failed: new Map() };
}

/** Search for `listAll`: a condition and a minimum time of change (ISO 8601), both ANDed; with `below`, only lower ids. */
export type ChangeSearch = {
  readonly since?: string;
  readonly chart?: Chart;
  readonly below?: number;
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
  const changed: readonly QueryPair[] = since === undefined ? [] : [["last_change_time", since]];
  for (let end = below; ; ) {
    const above: readonly SearchRow[] = end === undefined ? [] : [["bug_id", "lessthan", String(end)]];
    const query = withChart(changed, allOf([chart, ...above.map(chartRow)]));
    const page: ReadPage = await listPage(query, found, context);
    if (isLast(page, pages)) return found;
    end = page.ids.at(-1);
  }
}

/** Adds a page of ids and times to a result. */
async function listPage(
  query: readonly QueryPair[],
  found: ChangedBugs,
  { ask, facts }: ListContext,
): Promise<ReadPage> {
  const include = ["id", "last_change_time", ...partFields(facts)].join(",");
  const page = await searchTolerantly({ query, order: "bug_id DESC", include, limit: PAGE }, ask);
  collect(page, found, facts);
  return page;
}

/** True if no page follows: it is shorter than requested, and than what the tracker is known to return. */
function isLast({ ids }: ReadPage, pages: PageLength): boolean {
  const isShort = ids.length < PAGE && ids.length < pages.longest;
  pages.longest = Math.max(pages.longest, ids.length);
  return ids.length === 0 || isShort;
}

/** Adds a page to a result. */
function collect({ ids, things, failed }: ReadPage, found: ChangedBugs, facts: MirrorPart): void {
  if (ids.some((id, at) => at > 0 && id >= (ids[at - 1] ?? 0)))
    throw new BtError("reply", "the tracker ignored the sort order by id", {
      hint: "it seems to ignore search parameters, so its results cannot be trusted",
    });
  for (const bug of things) {
    found.times.set(idOf(bug), changeOf(bug));
    if (!isInPart(bug, facts)) found.others.add(idOf(bug));
  }
  for (const one of failed) found.failed.set(one.id, one);
}

/** Union of several results. */
export function joined(results: readonly ChangedBugs[]): ChangedBugs {
  return {
    times: new Map(results.flatMap(({ times }) => [...times])),
    others: new Set(results.flatMap(({ others }) => [...others])),
    failed: new Map(results.flatMap(({ failed }) => [...failed])),
  };
}
