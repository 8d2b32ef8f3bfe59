import { BtError } from "../../errors.ts";
import type { SendRequest } from "../operations/operation.ts";
import { numberRows, type QueryPair } from "../query/chart.ts";
import { allOf } from "../query/tree.ts";
import { changeOf, chartRow, idOf, type ReadPage, type SearchRow, searchTolerantly, withRows } from "./search.ts";
import type { FailedBug } from "./tolerant.ts";

/** Times of the last change by bug id, and bugs that cannot be read. */
export type ChangedBugs = { readonly times: Map<number, string>; readonly failed: Map<number, FailedBug> };

/** Known length of a tracker's pages: bugs in the longest, 0 if unknown. */
export type PageLength = { longest: number };

/** Number of bugs in a page of ids and times. */
const PAGE = 1000;

/**
 * Bugs that changed since a time or match one of the groups of rows. The bug `lowestId` (0 if unknown) is requested
 * too: it marks the end of a complete page.
 */
export type AnyOfSearch = {
  readonly since: string;
  readonly or: readonly (readonly SearchRow[])[];
  readonly lowestId: number;
};

/** First page of a search, ids descending. `below`: its lowest id if more bugs may follow. */
export type FirstPage = { readonly found: ChangedBugs; readonly below?: number };

/** The bugs of a search by one request, all of them if they fit in a page. */
export async function firstOfAny(
  { since, or, lowestId }: AnyOfSearch,
  pages: PageLength,
  ask: SendRequest,
): Promise<FirstPage> {
  const lowest: readonly SearchRow[] = [["bug_id", "equals", String(lowestId)]];
  const groups = [...or, ...(lowestId > 0 ? [lowest] : [])].map((rows) => allOf(rows.map(chartRow)));
  const query: readonly QueryPair[] = [
    ...(groups.length > 0 ? ([["j_top", "OR"], ...numberRows({ kind: "all", of: groups })] as const) : []),
    ["last_change_time", since],
  ];
  const page = await searchTolerantly({ ...STAMPS, query }, ask);
  const found = noChanges();
  collect(page, found);
  const last = page.ids.at(-1);
  return isLast(page, pages) || last === undefined || last === lowestId ? { found } : { found, below: last };
}

const STAMPS = { order: "bug_id DESC", include: "id,last_change_time", limit: PAGE };

function noChanges(): ChangedBugs {
  return { times: new Map(), failed: new Map() };
}

/**
 * Search for `listAll`: criteria, rows and a minimum time of change (ISO 8601), all ANDed; with `below`, only lower
 * ids.
 */
export type ChangeSearch = {
  readonly criteria?: readonly QueryPair[];
  readonly since?: string;
  readonly rows?: readonly SearchRow[];
  readonly below?: number;
};

/**
 * All bugs of a search. Pages are disjoint ranges of ids, from the highest down, so that changes between them neither hide
 * nor repeat a bug.
 * @throws BtError of kind reply if the tracker does not sort them
 */
export async function listAll(
  { criteria = [], since, rows = [], below }: ChangeSearch,
  pages: PageLength,
  ask: SendRequest,
): Promise<ChangedBugs> {
  const found = noChanges();
  for (let end = below; ; ) {
    const above: readonly SearchRow[] = end === undefined ? [] : [["bug_id", "lessthan", String(end)]];
    const query = changedSince(withRows(criteria, [...rows, ...above]), since);
    const page: ReadPage = await searchTolerantly({ ...STAMPS, query }, ask);
    collect(page, found);
    if (isLast(page, pages)) return found;
    end = page.ids.at(-1);
  }
}

/** The parameters for bugs that changed since a time; a later one among them stays. */
function changedSince(pairs: readonly QueryPair[], since: string | undefined): readonly QueryPair[] {
  if (since === undefined) return pairs;
  const own = pairs.find(([name]) => name === "last_change_time")?.[1] ?? "";
  const others = pairs.filter(([name]) => name !== "last_change_time");
  return [...others, ["last_change_time", own > since ? own : since]];
}

/** True if no page follows: it is shorter than requested, and than what the tracker is known to return. */
function isLast({ ids }: ReadPage, pages: PageLength): boolean {
  const isShort = ids.length < PAGE && ids.length < pages.longest;
  pages.longest = Math.max(pages.longest, ids.length);
  return ids.length === 0 || isShort;
}

/** Adds a page to a result. */
function collect({ ids, things, failed }: ReadPage, found: ChangedBugs): void {
  if (ids.some((id, at) => at > 0 && id >= (ids[at - 1] ?? 0)))
    throw new BtError("reply", "the tracker ignored the sort order by id", {
      hint: "it seems to ignore search parameters, so its results cannot be trusted",
    });
  for (const bug of things) found.times.set(idOf(bug), changeOf(bug));
  for (const one of failed) found.failed.set(one.id, one);
}

/** Union of several results. */
export function joined(results: readonly ChangedBugs[]): ChangedBugs {
  return {
    times: new Map(results.flatMap(({ times }) => [...times])),
    failed: new Map(results.flatMap(({ failed }) => [...failed])),
  };
}
