import { BtError, isTooBig } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Request } from "../../wire/exchange.ts";
import { mapConcurrently } from "../concurrency.ts";
import { inChunks } from "../lists.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { distinctBugs, readBugs } from "../response/response-objects.ts";
import { mayBeMaximum, type PageMemory, type PageTools } from "./pace.ts";
import { FIRST_PAGE_SIZE, includedFields, pageParameters, type SearchPlan, searchPages } from "./search-pages.ts";
import type { Sorting, SortValue } from "./sorting.ts";

/** A search in another order than by id. */
export type SortedSearch = {
  readonly parts: readonly Omit<SearchPlan, "limit" | "offset">[]; // disjoint parts of the search; mostly one
  readonly order: string; // `order` parameter
  readonly sorting: () => Sorting; // the same order, evaluated locally; throws for columns missing in bug JSON
  readonly byIds: (ids: readonly number[]) => SearchPlan; // reads the same fields of these bugs
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

/** No known server returns more bugs in one response. */
const MAX_RESULTS_PER_RESPONSE = 10_000;

/** Number of bugs per request by id. */
const BY_NUMBER = 500;

/**
 * Yields every bug of a search exactly once, in an order. One response is consistent and usually complete. If it may be
 * truncated, paging by offset would lose bugs that are modified meanwhile: all sort keys are read by id instead, sorted
 * locally, and the bugs are requested in that order.
 */
export async function* sortedPages(search: SortedSearch, tools: PageTools): AsyncGenerator<readonly Bug[]> {
  const check = checkableSorting(search);
  const response = await requestFirst(search, check?.include ?? [], tools);
  const first = response && check && isUnsorted(response.bugs, check) ? undefined : response;
  if (first?.isEnough) return yield* inChunks(first.bugs, FIRST_PAGE_SIZE);
  const mayBeAll = first !== undefined && first.bugs.length < MAX_RESULTS_PER_RESPONSE;
  const known = check ?? (mayBeAll ? NO_ORDER : search.sorting());
  const { ids, places } = await gatherSortKeys(search, known, (plan) => searchPages(plan, tools));
  if (first && isAllOf(ids, first.bugs)) return yield* inChunks(first.bugs, FIRST_PAGE_SIZE);
  const sorting = check ?? search.sorting();
  const { offset = 0, limit = ids.length } = search;
  const order = Array.from(ids.keys()).sort((one, other) => sorting.compare(places[one] ?? [], places[other] ?? []));
  const wanted = order.slice(offset, offset + limit).map((at) => ids[at] ?? 0);
  yield* mapConcurrently(inChunks(wanted, BY_NUMBER), async (some) => {
    const bugs = await collectById(searchPages(search.byIds(some), tools));
    return some.flatMap((id) => bugs.get(id) ?? []);
  });
}

/** The order of a search that only the tracker knows: its response is used if it turns out to be complete. */
const NO_ORDER: Sorting = { include: [], placeOf: () => [], compare: () => 0 };

/** The order of a search if bug JSON contains its keys, so that the tracker's order can be verified. */
function checkableSorting(search: SortedSearch): Sorting | undefined {
  try {
    return search.sorting();
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}

/**
 * True if the tracker ignored the order: the bugs are sorted by id instead. A tracker with another collation does not
 * leave them sorted by id.
 */
function isUnsorted(bugs: Bug[], { placeOf, compare }: Sorting): boolean {
  const places = bugs.map(placeOf);
  const isOutOfOrder = places.some((place, at) => at > 0 && compare(places[at - 1] ?? [], place) > 0);
  return isOutOfOrder && [1, -1].some((sign) => isByNumber(bugs, sign));
}

function isByNumber(bugs: Bug[], sign: number): boolean {
  return bugs.every(({ id }, at) => at === 0 || sign * (id - (bugs[at - 1]?.id ?? id)) > 0);
}

type FirstResponse = { bugs: Bug[]; isEnough: boolean };

/** Bugs of the first request, and whether they are complete; undefined if the search is too long for one request. */
async function requestFirst(
  search: SortedSearch,
  sortedBy: readonly string[],
  { send, memory }: PageTools,
): Promise<FirstResponse | undefined> {
  const [plan, second] = search.parts;
  if (plan === undefined || second !== undefined) return undefined;
  const { limit = Number.POSITIVE_INFINITY, offset = 0 } = search;
  const window = plan.keep ? { limit: Math.max(FIRST_PAGE_SIZE, limit), offset: 0 } : { limit, offset };
  const size = Math.min(MAX_RESULTS_PER_RESPONSE, window.limit);
  const received = await requestIfFits(
    firstRequest({ ...plan, include: [...plan.include, ...sortedBy] }, search.order, { ...window, limit: size }),
    send,
  );
  if (received === undefined) return undefined;
  const all = distinctBugs(received);
  const bugs = plan.keep ? all.filter(plan.keep).slice(offset, offset + limit) : all;
  const isEnough = bugs.length >= limit || (await isProven(received.length, size, memory));
  return isEnough || offset === 0 ? { bugs, isEnough } : undefined;
}

/** Bugs of a response; undefined if it is too large. */
async function requestIfFits(request: Request, send: SendRequest): Promise<Bug[] | undefined> {
  try {
    return readBugs(await send(request));
  } catch (error) {
    if (isTooBig(error)) return undefined;
    throw error;
  }
}

/** True if a response is known to be complete: empty, or shorter than requested and than the server can return. */
async function isProven(length: number, size: number, memory: PageMemory): Promise<boolean> {
  const longest = await memory.longest();
  if (length > longest) await memory.remember(length);
  return length === 0 || (length < size && length < longest && !mayBeMaximum(length));
}

type Window = { limit: number; offset: number };

function firstRequest(plan: SearchPlan, order: string, { limit, offset }: Window): Request {
  return requestFor(SEARCH_BUGS, [
    ...plan.criteria({}),
    ["include_fields", includedFields(plan)],
    ["order", order],
    ...pageParameters(limit, offset),
  ]);
}

function isAllOf(ids: number[], bugs: Bug[]): boolean {
  const shown = new Set(bugs.map(({ id }) => id));
  return ids.every((id) => shown.has(id));
}

/** Ids of all bugs of the search with their sort keys. */
async function gatherSortKeys({ parts }: SortedSearch, sorting: Sorting, walk: Walk) {
  const ids: number[] = [];
  const places: (readonly SortValue[])[] = [];
  for (const plan of parts) {
    for await (const page of walk({ ...plan, include: sorting.include })) {
      for (const bug of page) {
        ids.push(bug.id);
        places.push(sorting.placeOf(bug));
      }
    }
  }
  return { ids, places };
}

type Walk = (plan: SearchPlan) => AsyncIterable<Bug[]>;

async function collectById(pages: AsyncIterable<Bug[]>): Promise<ReadonlyMap<number, Bug>> {
  const bugs = new Map<number, Bug>();
  for await (const page of pages) for (const bug of page) bugs.set(bug.id, bug);
  return bugs;
}
