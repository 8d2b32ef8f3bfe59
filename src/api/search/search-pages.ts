import { isTooBig } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Request } from "../../wire/exchange.ts";
import { CONCURRENCY } from "../concurrency.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import type { QueryPair } from "../query/chart.ts";
import { distinctBugs, readBugs } from "../response/response-objects.ts";
import { checkedIds, type IdOrder, type IdRange, rangeAfter } from "./id-range.ts";
import { mayBeMaximum, type Pace, type PageTools } from "./pace.ts";

/** A search that can be requested page by page. */
export type SearchPlan = IdOrder & {
  /** Query pairs of the criteria, restricted to a range of ids. */
  readonly criteria: (range: IdRange) => Request["query"];
  /** Filter for criteria that the server cannot evaluate. */
  readonly keep?: ((bug: Bug) => boolean) | undefined;
  readonly needs?: readonly string[]; // fields that `keep` reads
  readonly include: readonly string[]; // fields to return
  readonly limit?: number | undefined; // absent: all
  readonly offset?: number | undefined; // number of bugs to skip
};

/** Number of bugs in the first request: small, so that the first rows appear quickly. */
export const FIRST_PAGE_SIZE = 1000;

/** Maximum number of bugs in later requests. */
const FULL_PAGE_SIZE = 5000;

/** Maximum length of a response (characters); two are held in memory at once. */
const PAGE_LENGTH = 2_000_000;

/** Share of a page that a range is expected to fill, so that few responses are truncated. */
const FILL = 0.8;

/**
 * Yields every bug of a search exactly once, page by page, sorted by id. A server truncates responses at an unknown
 * maximum, so only a response shorter than an earlier one, or an empty one, is the last. Pages are disjoint ranges of
 * ids, so concurrent changes neither hide nor repeat bugs, and two pages can be requested at once where that is faster: the
 * second and third are as large as the first, and show it.
 */
export async function* searchPages(plan: SearchPlan, tools: PageTools): AsyncGenerator<Bug[]> {
  const { send, memory, ticks } = tools;
  const longestBefore = await memory.longest();
  const start = ticks();
  const sizes: PageSizes = {
    longestBefore,
    longest: 0,
    truncatedAt: FULL_PAGE_SIZE,
    maxRequested: FULL_PAGE_SIZE,
    fitting: FULL_PAGE_SIZE,
    lastRequested: FIRST_PAGE_SIZE,
    perId: 0,
  };
  const walk: Walk = {
    plan,
    send,
    sizes,
    requested: [],
    unrequested: {},
    toReturn: plan.limit ?? Number.POSITIVE_INFINITY,
    toSkip: plan.offset ?? 0,
  };
  while (walk.toReturn > 0) {
    requestAhead(walk);
    const next = walk.requested.shift();
    if (next === undefined) break;
    const response = await next.response;
    const ms = ticks() - start;
    const page = takeWanted(response.bugs, { ...next, size: response.size }, walk);
    if (walk.toReturn > 0 && walk.unrequested !== undefined) walk.pace ??= tools.pace(ms);
    requestAhead(walk);
    if (page.length > 0) yield page;
  }
  if (sizes.longest > longestBefore || sawTruncation(sizes)) await memory.remember(sizes.longest);
}

/** State of a search while it is read. */
type Walk = {
  plan: SearchPlan;
  send: SendRequest;
  sizes: PageSizes;
  pace?: Pace; // from the second request on
  requested: Page[]; // in flight or answered, in order
  unrequested: IdRange | undefined;
  toReturn: number; // bugs
  toSkip: number; // bugs before those
};

/** Numbers of bugs in requests and responses, as learned from responses. */
type PageSizes = {
  longestBefore: number; // response to earlier searches
  longest: number; // response to this one: the server returns at least as many
  truncatedAt: number; // length of a response that the server cut off
  maxRequested: number; // lowered when a response was too large
  fitting: number; // for a response of PAGE_LENGTH
  lastRequested: number;
  perId: number; // in the last page
};

type Page = {
  range: IdRange;
  size: number;
  cutAt: number | undefined; // length of the truncated response that this page continues
  response: Promise<PageResponse>;
};

/** Bugs of a response, and the number requested. */
type PageResponse = { bugs: Bug[]; size: number };

/** Requests the next page, and one more where its bugs are needed and the response can be interpreted independently. */
function requestAhead(walk: Walk): void {
  const { plan, requested } = walk;
  while (walk.unrequested && walk.toReturn > 0) {
    let coming = 0; // bugs that the pages not taken yet may return; 0 if some of them may be unwanted
    if (!plan.keep) for (const { size } of requested) coming += size;
    if (requested.length > 0) {
      const mayPair = requested.length < CONCURRENCY && knowsPages(walk.sizes) && walk.pace?.mayStart() === true;
      if (!mayPair || walk.toReturn + walk.toSkip <= coming) return;
    }
    const [range, rest] = splitRange(walk.unrequested, walk);
    walk.unrequested = rest;
    requestPage(range, walk, { coming });
  }
}

/** True if the server is known to return whole pages: a response as long as the first page was not the end. */
function knowsPages({ longestBefore, longest, truncatedAt, maxRequested }: PageSizes): boolean {
  return Math.max(longestBefore, longest) >= Math.min(truncatedAt, maxRequested, FIRST_PAGE_SIZE);
}

/** True if a response turned out to be truncated. */
function sawTruncation({ truncatedAt }: PageSizes): boolean {
  return truncatedAt < FULL_PAGE_SIZE;
}

/**
 * First part of a range, for one request, and the rest. The upper end of ids is unknown, and where pages are requested one
 * after the other, each begins where the last one ended.
 */
function splitRange(range: IdRange, walk: Walk): [first: IdRange, rest: IdRange | undefined] {
  const { below, from = 1 } = range;
  const isOpen = below === undefined || walk.plan.isOldestFirst || !knowsPages(walk.sizes) || walk.sizes.perId === 0;
  if (isOpen || !walk.pace?.mayPair()) return [range, undefined];
  const start = below - idsPerPage(below - from, walk);
  if (start <= from) return [range, undefined];
  return [
    { from: start, below },
    { ...range, below: start },
  ];
}

/** Ids of the next request of those for so many: equal parts, and an even number of parts, for two at once. */
function idsPerPage(idCount: number, walk: Walk): number {
  const size = Math.min(walk.sizes.truncatedAt, pageSize(walk));
  const most = Math.max(size, Math.floor((size * FILL) / walk.sizes.perId)); // no more bugs than ids
  if (walk.pace?.isUndecided()) return most;
  const pages = Math.ceil(idCount / most);
  const isOdd = pages % CONCURRENCY > 0 && walk.requested.length === 0 && idCount > FIRST_PAGE_SIZE;
  return Math.ceil(idCount / (isOdd ? pages + 1 : pages));
}

/** `coming`: number of bugs that the pages before it may return. */
type PagePlace = { coming: number; cutAt?: number | undefined; isNext?: boolean };

/** Requests a page after those that are requested already, or before them if it is the next one. */
function requestPage(range: IdRange, walk: Walk, { coming, cutAt, isNext = false }: PagePlace): void {
  const { plan, sizes, toSkip, toReturn, pace } = walk;
  const isFirst = range.from === undefined && range.below === undefined;
  const { from = 1, below = Number.POSITIVE_INFINITY } = range;
  sizes.lastRequested = isFirst ? Math.min(sizes.maxRequested, FIRST_PAGE_SIZE) : pageSize(walk);
  const size = Math.min(
    sizes.lastRequested,
    below - from,
    plan.keep ? sizes.lastRequested : Math.max(1, toReturn - coming),
  );
  const offset = isFirst && !plan.keep ? toSkip : 0;
  if (offset > 0) walk.toSkip = 0;
  const response = pace
    ? pace.send(() => requestFitting(range, size, offset, walk))
    : requestFitting(range, size, offset, walk);
  response.catch(() => undefined); // rejected when awaited, after the pages before it
  const page = { range, size, cutAt, response };
  if (isNext) walk.requested.unshift(page);
  else walk.requested.push(page);
}

/** Number of bugs in the next request: as many as in the last one while two at once are to be compared with it. */
function pageSize({ sizes, pace }: Walk): number {
  const isCompared = knowsPages(sizes) && pace?.isUndecided();
  return Math.min(sizes.maxRequested, sizes.fitting, isCompared ? sizes.lastRequested : FULL_PAGE_SIZE);
}

/** Requests fewer and fewer bugs until the response is not too large; later pages start with that size. */
async function requestFitting(range: IdRange, limit: number, offset: number, walk: Walk): Promise<PageResponse> {
  const { plan, sizes } = walk;
  for (let size = limit; ; size = sizes.maxRequested) {
    const request = requestFor(SEARCH_BUGS, [
      ...plan.criteria(range),
      ["include_fields", includedFields(plan)],
      ["order", plan.isOldestFirst ? "bug_id" : "bug_id DESC"],
      ...pageParameters(size, offset),
    ]);
    try {
      return { bugs: readBugs(await walk.send(request)), size };
    } catch (error) {
      if (!isTooBig(error) || size < 2) throw error;
      sizes.maxRequested = Math.min(sizes.maxRequested, Math.ceil(size / 4));
    }
  }
}

/** `limit` and `offset` of a page; the first has no offset. */
export function pageParameters(limit: number, offset: number): QueryPair[] {
  const pairs: QueryPair[] = [["limit", String(limit)]];
  if (offset > 0) pairs.push(["offset", String(offset)]);
  return pairs;
}

/** `include_fields` of a plan; always contains the id. */
export function includedFields({ include, needs = [] }: SearchPlan): string {
  return [...new Set(["id", ...include, ...needs])].join(",");
}

/** Takes the bugs of a response off what is still to skip and to return; returns the latter. */
function takeWanted(received: Bug[], page: Page, walk: Walk): Bug[] {
  const { plan } = walk;
  const { length } = received;
  const bugs = distinctBugs(received);
  const ids = checkedIds(bugs, page.range, plan);
  const rest = isRangeDone(ids, length, page, walk.sizes) ? undefined : rangeAfter(ids, page.range, plan);
  if (bugs.length > 0) learnSizes(bugs, page, rest === undefined, walk.sizes);
  const wanted = plan.keep ? bugs.filter(plan.keep) : bugs;
  const taken = wanted.slice(walk.toSkip, walk.toSkip + walk.toReturn);
  walk.toSkip -= Math.min(walk.toSkip, wanted.length);
  walk.toReturn -= taken.length;
  if (rest !== undefined && walk.toReturn > 0) requeue(rest, page.size > length ? length : undefined, walk);
  return taken;
}

/** True if a response, whose unfiltered length may be that of a truncated one, has all bugs of its range. */
function isRangeDone(ids: number[], length: number, { range, size }: Page, sizes: PageSizes): boolean {
  const { from = 1, below = Number.POSITIVE_INFINITY } = range;
  if (length === 0 || ids.length === below - from) return true; // no bug is left, or each id has one
  if (length >= size) return false;
  if (length < sizes.longest) return true;
  return length < sizes.longestBefore && !sawTruncation(sizes) && !mayBeMaximum(length);
}

/** Learns from the bugs of a response: those of the whole range, else those between the first and the last. */
function learnSizes(bugs: Bug[], { range, cutAt }: Page, isWhole: boolean, sizes: PageSizes): void {
  const some = [bugs[0], bugs[bugs.length >> 1], bugs.at(-1)];
  const ids = bugs.map(({ id }) => id);
  const ends = [ids[0] ?? 0, ids.at(-1) ?? 0];
  const span: IdRange = isWhole ? range : {};
  const { from = Math.min(...ends), below = Math.max(...ends) + 1 } = span;
  sizes.fitting = Math.ceil(PAGE_LENGTH / (JSON.stringify(some).length / some.length));
  sizes.truncatedAt = Math.min(sizes.truncatedAt, cutAt ?? FULL_PAGE_SIZE);
  sizes.longest = Math.max(sizes.longest, bugs.length);
  sizes.perId = bugs.length / (below - from);
}

/** Requests the rest of a truncated range before everything after it, or together with that. */
function requeue(rest: IdRange, cutAt: number | undefined, walk: Walk): void {
  const isNext = cutAt === undefined && walk.requested.length === 0;
  if (isNext) walk.unrequested = walk.unrequested ? { ...walk.unrequested, below: rest.below } : rest;
  else requestPage(rest, walk, { coming: 0, cutAt, isNext: true });
}
