import { BtError, isKind } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Request } from "../../wire/exchange.ts";
import { type Catalog, requireField } from "../catalog/catalog.ts";
import { isRejection, type RowSupport } from "../facts/row-support.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { type OlderRow, olderRows } from "../query/chart.ts";
import { evaluateQuery } from "../query/evaluate.ts";
import { allOf, leavesOf, type Query } from "../query/tree.ts";
import { distinctBugs, listUnder, readBugs } from "../response/response-objects.ts";
import {
  type BugSearch,
  NEWEST_FIRST,
  OLDEST_FIRST,
  quickPairs,
  type SearchTools,
  sentPairs,
  type WantedBugs,
} from "./bug-search.ts";
import { type BugzillaQuery, compileQuery, MAX_IDS, splitByIds } from "./compile.ts";
import { createUnchangedFilter } from "./hidden-changes.ts";
import { type IdRange, isOutOfPlace } from "./id-range.ts";
import { interfacePages } from "./interface-pages.ts";
import type { PageTools } from "./pace.ts";
import { type SearchPlan, searchPages } from "./search-pages.ts";
import { sortedPages } from "./sorted-pages.ts";
import { parseOrder } from "./sorting.ts";
import type { WebSearch } from "./web-search.ts";

/** Filter of the bugs of which a Bugzilla returns too many. */
type BugFilter = (bug: Bug) => boolean;

/**
 * Yields the bugs that match, page by page, each once, in the order of the search. A Bugzilla is searched by all that it
 * knows, any other server of the interface by that alone; what is not known yet is settled before anything rests on it.
 */
export async function* matchingBugs(
  given: BugSearch,
  wanted: WantedBugs,
  tools: SearchTools,
): AsyncGenerator<readonly Bug[]> {
  let search = given;
  let filter: BugFilter | undefined;
  if (given.passed === undefined && leavesOf(given.query).some(({ kind }) => kind !== "test")) {
    const { readConditions } = await import("./read-conditions.ts");
    search = await readConditions(given, tools, matchingBugs);
    filter = await changeFilter(search, tools);
  }
  yield* provenPages(search, wanted, tools, MAX_IDS, (parts, send) =>
    bugzillaPages(search, parts, wanted, { ...tools, send }, filter),
  );
}

/** Filter for searches that exclude changes, of which servers hide some. */
async function changeFilter(search: BugSearch, tools: SearchTools): Promise<BugFilter | undefined> {
  const { query } = search;
  if (tools.knowsAllChanges || !leavesOf(query).some(({ kind }) => kind === "change")) return undefined;
  const wanted = { include: ["id"], limit: undefined, offset: 0 };
  return createUnchangedFilter(
    query,
    (other) => matchingBugs({ ...search, query: other, order: undefined }, wanted, tools),
    tools,
  );
}

/**
 * The first bugs of a search in its order. A Bugzilla gets one request, so that there may be fewer than there should be, but
 * never others; more than are wanted, if it has conditions that rows express inexactly.
 */
export async function readFirstBugs(
  search: BugSearch,
  wanted: WantedBugs,
  tools: SearchTools,
): Promise<readonly Bug[]> {
  const { include, limit } = wanted;
  async function* response(parts: SearchPart[], send: SendRequest): AsyncGenerator<readonly Bug[]> {
    for (const { compiled } of parts) {
      const pairs = [
        ...sentPairs(search, compiled),
        ["include_fields", [...new Set(["id", ...include])].join(",")] as const,
        ["order", search.order ?? NEWEST_FIRST] as const,
      ];
      if (limit !== undefined) pairs.push(["limit", String(limit)]);
      yield distinctBugs(readBugs(await send(requestFor(SEARCH_BUGS, pairs))));
    }
  }
  const found: Bug[] = [];
  const pages = provenPages(search, wanted, tools, Number.POSITIVE_INFINITY, response);
  for await (const page of pages) found.push(...page);
  return found;
}

/** A search, or one of several disjoint ones with the highest ids first, if it has more ids than fit into a request. */
export type SearchPart = { readonly query: Query; readonly compiled: BugzillaQuery };

/** Compiles a search for a Bugzilla, in parts of at most so many ids. */
export function compileParts({ query, zone }: BugSearch, maxIds = MAX_IDS): SearchPart[] {
  return splitByIds(query, maxIds).map((part) => ({ query: part, compiled: compileQuery(part, { serverZone: zone }) }));
}

/**
 * Pages for a Bugzilla, which a function makes of the parts of a search with a way to send requests; for any other server,
 * those that its interface gives.
 */
async function* provenPages(
  search: BugSearch,
  wanted: WantedBugs,
  tools: SearchTools,
  maxIds: number,
  forBugzilla: (parts: SearchPart[], send: SendRequest) => AsyncGenerator<readonly Bug[]>,
): AsyncGenerator<readonly Bug[]> {
  const { rows } = tools;
  const parts = compileParts(search, maxIds);
  const settle = () => rows.settle(interfaceCriteria(search, parts));
  const obeysRows = await rows.known();
  if (obeysRows === false) {
    try {
      return yield* interfacePages(search, wanted, tools);
    } catch (error) {
      const isUnsent = isKind(error, "refused") && error.facts.httpStatus === undefined;
      if (!isUnsent || !(await settle())) throw error; // the server may be another by now
    }
  }
  if (obeysRows) return yield* forBugzilla(parts, tools.send);
  const { send, counts } = countingBugs(tools.send);
  const pages = forBugzilla(parts, send);
  const restsOnRows = restsOnRowsOrOrder(search, parts);
  let first: (readonly Bug[])[] | undefined;
  try {
    first = await trustedPages(pages, counts, (total) => restsOnRows || isResultCut(total, wanted), settle);
  } catch (error) {
    if (!isRejection(error)) throw error;
    return yield* pagesAfterRejection(error, interfacePages(search, wanted, tools), rows, settle);
  }
  if (first === undefined) return yield* interfacePages(search, wanted, tools);
  const [count, second] = counts();
  if (count && second !== undefined && parts.length === 1) await rows.noteObeyed();
  yield* first;
  yield* pages;
}

/** Sends requests, and counts the bugs in each response. */
function countingBugs(send: SendRequest): { send: SendRequest; counts: () => number[] } {
  const counts: number[] = [];
  return {
    send: async (request) => {
      const response = await send(request);
      counts.push(listUnder(response, "bugs").length);
      return response;
    },
    counts: () => counts,
  };
}

/**
 * The first pages, as many as have to be read before one can be printed; undefined if the tracker ignores rows and order, so
 * that none must be. An empty response is right on any server; a second page below the first one shows that rows are obeyed.
 */
async function trustedPages(
  pages: AsyncIterator<readonly Bug[]>,
  counts: () => number[], // bugs in each response so far
  restsOnSupport: (count: number) => boolean, // for so many bugs
  settle: () => Promise<boolean>,
): Promise<(readonly Bug[])[] | undefined> {
  const first: (readonly Bug[])[] = [];
  try {
    while (first.length < 2) {
      const { done, value } = await pages.next();
      if (done) break;
      first.push(value);
      const hasBugs = counts().some((count) => count > 0);
      if (hasBugs && restsOnSupport(first.flat().length)) return (await settle()) ? first : undefined;
    }
  } catch (error) {
    if (!isOutOfPlace(error) || (await settle())) throw error;
    return undefined;
  }
  return first;
}

/** True if a server that ignores rows and `order` may return other bugs for a search, or in another order. */
function restsOnRowsOrOrder({ order, passed }: BugSearch, parts: SearchPart[]): boolean {
  const isSorted = ![undefined, NEWEST_FIRST, OLDEST_FIRST].includes(order);
  return isSorted || passed !== undefined || parts.some(({ compiled }) => compiled.restsOnRows);
}

/** True if bugs are left out of a result at its ends, so that the order decides which. */
function isResultCut(count: number, { limit, offset = 0 }: WantedBugs): boolean {
  return offset > 0 || (limit !== undefined && count >= limit);
}

/** The parameters of the interface that the bugs of a search meet; undefined if it has none, or several parts. */
function interfaceCriteria(
  { passed, quicksearch }: BugSearch,
  [part, ...others]: SearchPart[],
): Request["query"] | undefined {
  if (passed || part === undefined || others.length > 0) return undefined;
  const criteria = [...part.compiled.parameters, ...quickPairs(quicksearch)];
  return criteria.length > 0 ? criteria : undefined;
}

/** The pages of a search that a tracker rejected as it was sent, if it answers the same in the interface's words alone. */
async function* pagesAfterRejection(
  rejection: BtError,
  pages: AsyncGenerator<readonly Bug[]>,
  rows: RowSupport,
  settle: () => Promise<boolean>,
): AsyncGenerator<readonly Bug[]> {
  const first = await pages.next().catch((error: unknown) => {
    throw error instanceof BtError ? rejection : error;
  });
  const isBugzilla = first.done ? await rows.settleUnlessEmpty() : await settle();
  if (isBugzilla !== false) throw rejection;
  if (!first.done) yield first.value;
  yield* pages;
}

async function* bugzillaPages(
  search: BugSearch,
  parts: SearchPart[],
  wanted: WantedBugs,
  tools: SearchTools,
  filter?: BugFilter,
) {
  const plans = await searchPlans(search, parts, wanted.include, tools, filter);
  const { order = NEWEST_FIRST, catalog } = search;
  const [plan, second] = plans;
  const statuses = plan?.statuses ?? [];
  let pages: AsyncGenerator<readonly Bug[]>;
  if (order !== NEWEST_FIRST && order !== OLDEST_FIRST) pages = pagesInOrder(plans, { order, catalog }, wanted, tools);
  else if (plan && !second) pages = searchPages({ ...plan, ...wanted }, tools);
  else pages = pagesOfParts(order === OLDEST_FIRST ? plans.reverse() : plans, wanted, tools);
  for await (const page of pages) {
    if (statuses.length > 0) await tools.checkStatuses(statuses, page);
    yield page;
  }
}

/** The requests of a part of a search. */
type Plan = Omit<SearchPlan, "limit" | "offset"> & {
  statuses: readonly string[]; // in its criteria; Bugzilla drops a status that it does not know
};

/** The requests of a search, by parts. */
export async function searchPlans(
  search: BugSearch,
  parts: SearchPart[],
  include: readonly string[],
  { login }: SearchTools,
  filter?: BugFilter,
): Promise<Plan[]> {
  const { passed } = search;
  const plans: Plan[] = [];
  for (const { query, compiled } of parts) {
    const own = compiled.rest && evaluator(compiled.rest, await login());
    const filters = [own, filter].filter((one) => one !== undefined);
    const { statuses } = passed ?? compiled;
    plans.push({
      criteria: (range) => {
        if (passed) return passedInRange(range, passed);
        const ends = idTests(range, search.catalog);
        const part = ends.length === 0 ? compiled : compileQuery(allOf([query, ...ends]), { serverZone: search.zone });
        return sentPairs(search, part);
      },
      keep: filters.length === 0 ? undefined : (bug) => filters.every((keeps) => keeps(bug)),
      needs: [...compiled.fields, ...(statuses.length > 0 ? ["status"] : [])],
      statuses,
      include,
      isOldestFirst: search.order === OLDEST_FIRST,
    });
  }
  return plans;
}

function evaluator(rest: Query, login: string | undefined): BugFilter {
  return (bug) => evaluateQuery(rest, bug, { login });
}

/** Conditions on ids in a range. */
function idTests({ from, below }: IdRange, catalog: Catalog): Query[] {
  const field = requireField(catalog, "id");
  const tests: Query[] = [];
  if (below !== undefined) tests.push({ kind: "test", field, op: "<", values: [String(below)] });
  if (from !== undefined) tests.push({ kind: "test", field, op: ">=", values: [String(from)] });
  return tests;
}

/** Passed parameters, restricted to a range of ids by rows beside them, since they may be joined by OR. */
function passedInRange({ from, below }: IdRange, { pairs }: WebSearch): Request["query"] {
  const rows: OlderRow[] = [];
  if (below !== undefined) rows.push({ f: "bug_id", o: "lessthan", v: [String(below)] });
  if (from !== undefined) rows.push({ f: "bug_id", o: "greaterthaneq", v: [String(from)] });
  return [...pairs, ...olderRows(pairs, rows)];
}

async function* pagesOfParts(plans: Plan[], wanted: WantedBugs, tools: PageTools) {
  let { limit = Number.POSITIVE_INFINITY, offset = 0 } = wanted;
  for (const plan of plans) {
    for await (const page of searchPages({ ...plan, limit: offset + limit }, tools)) {
      const shown = page.slice(offset, offset + limit);
      offset = Math.max(0, offset - page.length);
      limit -= shown.length;
      yield shown;
    }
    if (limit <= 0) return;
  }
}

type Order = { order: string; catalog: Catalog };

async function* pagesInOrder(parts: readonly Plan[], { order, catalog }: Order, wanted: WantedBugs, tools: PageTools) {
  const { include, ...size } = wanted;
  const byIds = (ids: readonly number[]): SearchPlan => {
    const isListed: Query = { kind: "test", field: requireField(catalog, "id"), op: "=", values: ids.map(String) };
    return {
      criteria: (range) => compileQuery(allOf([isListed, ...idTests(range, catalog)])).query,
      include,
      limit: ids.length,
    };
  };
  yield* sortedPages({ parts, order, sorting: () => parseOrder(order, catalog), byIds, ...size }, tools);
}
