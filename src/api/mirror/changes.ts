import { BtError } from "../../errors.ts";
import type { SendRequest } from "../operations/operation.ts";
import type { QueryPair } from "../query/chart.ts";
import { wireMoment } from "../query/dates.ts";
import { receivedMs } from "../response/response-objects.ts";
import { changeOf, idOf, type ReadPage, type SearchRow, searchTolerantly, withRows } from "./search.ts";
import type { FailedBug } from "./tolerant.ts";

/** Ids of bugs with the times of their last changes, and bugs that fail. */
export type ChangedBugs = { readonly times: Map<number, string>; readonly failed: Map<number, FailedBug> };

/** Known length of a tracker's pages: bugs in the longest, 0 if unknown. */
export type PageLength = { longest: number };

/** Number of bugs in a page of ids and times. */
const PAGE = 1000;

const STAMPS = "id,last_change_time";

/** A search for ids and times: the time from which bugs changed, and rows one of which is enough instead. */
export type ChangeSearch = { readonly since: string; readonly or: readonly (readonly SearchRow[])[] };

/**
 * Bugs that changed since a time, or to which one of the groups of rows applies, by one request if they fit in a page;
 * undefined if they may not.
 */
export async function changesInOnePage(
  { since, or }: ChangeSearch,
  pages: PageLength,
  ask: SendRequest,
): Promise<ChangedBugs | undefined> {
  const page = await searchTolerantly({ ...STAMP_PAGE, query: alternatives(since, or) }, ask);
  const isWhole = page.ids.length < PAGE && page.ids.length < pages.longest;
  pages.longest = Math.max(pages.longest, page.ids.length);
  if (!isWhole) return undefined;
  const found = noChanges();
  collect(page, found);
  return found;
}

const STAMP_PAGE = { order: "changeddate,bug_id", include: STAMPS, limit: PAGE };

/** Empty result. */
export function noChanges(): ChangedBugs {
  return { times: new Map(), failed: new Map() };
}

function alternatives(since: string, or: readonly (readonly SearchRow[])[]): readonly QueryPair[] {
  const slots = or.flatMap((rows): readonly (SearchRow | "(" | ")")[] =>
    rows.length === 1 ? rows : ["(", ...rows, ")"],
  );
  const pairs = slots.flatMap((slot, at): readonly QueryPair[] => {
    if (typeof slot === "string") return [[`f${at + 1}`, slot === "(" ? "OP" : "CP"]];
    const [field, operator, value] = slot;
    return [
      [`f${at + 1}`, field],
      [`o${at + 1}`, operator],
      [`v${at + 1}`, value],
    ];
  });
  return [...(or.length > 0 ? [["j_top", "OR"] as const] : []), ...pairs, ["last_change_time", since]];
}

/**
 * All bugs that changed since a time, with these criteria. Pages begin at the last time and id of the page before, so that
 * changes between them neither hide nor repeat a bug; a second with more bugs than a page is read by ids.
 * @throws BtError of kind reply if the tracker does not sort them
 */
export async function changesSince(search: TimeSearch, pages: PageLength, ask: SendRequest): Promise<ChangedBugs> {
  const found = noChanges();
  let place: Place | undefined = { from: search.since, above: 0 };
  while (place !== undefined) {
    const page: ReadPage = await searchTolerantly({ ...STAMP_PAGE, query: queryAt(place, search) }, ask);
    const known = found.times.size + found.failed.size;
    const last = collect(page, found);
    const hasNews = found.times.size + found.failed.size > known;
    if (place.above > 0) place = afterIds(page, place);
    else place = isLast(page, pages) ? undefined : afterTimes(page, { last, from: place.from, hasNews });
  }
  return found;
}

/** A search by time with further criteria. */
type TimeSearch = { readonly since: string; readonly criteria?: readonly QueryPair[] };

/** Beginning of a page: at a time, and above an id of it if that is not 0. */
type Place = { readonly from: string; readonly above: number };

function queryAt({ from, above }: Place, { criteria = [] }: TimeSearch): readonly QueryPair[] {
  const rows: readonly SearchRow[] = above > 0 ? [["bug_id", "greaterthan", String(above)]] : [];
  const others = criteria.filter(([name]) => name !== "last_change_time");
  return [...withRows(others, rows), ["last_change_time", latest(from, criteria)]];
}

/** The place after a page of one second above an id: further ids of that second, or the next second. */
function afterIds({ things }: ReadPage, { from }: Place): Place {
  const inSecond = things.filter((bug) => changeOf(bug) === from).map(idOf);
  const isWhole = inSecond.length === 0 || inSecond.length < things.length;
  return isWhole ? { from: secondAfter(from), above: 0 } : { from, above: Math.max(...inSecond) };
}

type PageEnd = { readonly last: string | undefined; readonly from: string; readonly hasNews: boolean };

/** The place after a page: its last time, or ids of that if the page is of one second; undefined at the end. */
function afterTimes({ ids }: ReadPage, { last, from, hasNews }: PageEnd): Place | undefined {
  if (last === undefined) return undefined;
  if (last === from) return { from, above: Math.max(...ids) };
  return hasNews ? { from: last, above: 0 } : undefined;
}

function latest(from: string, criteria: readonly QueryPair[]): string {
  const own = criteria.find(([name]) => name === "last_change_time")?.[1] ?? "";
  return own > from ? own : from;
}

function secondAfter(time: string): string {
  return wireMoment(receivedMs(time) + 1000);
}

/** True if no page follows: it is shorter than requested, and than what the tracker is known to return. */
function isLast({ ids }: ReadPage, pages: PageLength): boolean {
  const isShort = ids.length < PAGE && ids.length < pages.longest;
  pages.longest = Math.max(pages.longest, ids.length);
  return ids.length === 0 || isShort;
}

/** Adds a page to a result; returns its last time. */
function collect({ things, failed }: ReadPage, found: ChangedBugs): string | undefined {
  const times = things.map(changeOf);
  if (times.some((time, at) => at > 0 && time < (times[at - 1] ?? "")))
    throw new BtError("reply", "the tracker ignored the sort order by the time of the last change", {
      hint: "it seems to ignore search parameters, so its results cannot be trusted",
    });
  for (const bug of things) found.times.set(idOf(bug), changeOf(bug));
  for (const one of failed) found.failed.set(one.id, one);
  return times.at(-1);
}
