import type { Bug } from "../../wire/bug-fields.ts";
import type { Request } from "../../wire/exchange.ts";
import { type Catalog, requireField } from "../catalog.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { type OlderRow, olderRows } from "../query/chart.ts";
import { evaluateQuery } from "../query/evaluate.ts";
import { allOf, type Comparison, leavesOf, type Query } from "../query/tree.ts";
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
import { type BugzillaQuery, compileQuery, MAX_IDS, splitIds } from "./compile.ts";
import { unchangedFilter } from "./hidden-changes.ts";
import { type IdRange, isOutOfPlace } from "./id-range.ts";
import { interfacePages } from "./interface-pages.ts";
import type { PageTools } from "./pace.ts";
import { isRejection } from "./row-support.ts";
import { type SearchPlan, searchPages } from "./search-pages.ts";
import { sortedPages } from "./sorted-pages.ts";
import { sortingOf } from "./sorting.ts";
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
  yield* provenPages(search, wanted, tools, (send) => bugzillaPages(search, wanted, { ...tools, send }, filter));
}

/** Filter for searches that exclude changes, of which servers hide some. */
async function changeFilter(search: BugSearch, tools: SearchTools): Promise<BugFilter | undefined> {
  const { query } = search;
  if (tools.knowsAllChanges || !leavesOf(query).some(({ kind }) => kind === "change")) return undefined;
  const wanted = { include: ["id"], limit: undefined, offset: 0 };
  return unchangedFilter(
    query,
    (other) => matchingBugs({ ...search, query: other, order: undefined }, wanted, tools),
    tools,
  );
}

/**
 * The first bugs of a search in its order. A Bugzilla gets one request, so that there may be fewer than there should be, but
 * never others; more than are wanted, if it has conditions that rows express inexactly.
 */
export async function firstBugs(search: BugSearch, wanted: WantedBugs, tools: SearchTools): Promise<readonly Bug[]> {
  const { include, limit } = wanted;
  async function* response(send: SendRequest): AsyncGenerator<readonly Bug[]> {
    const request = requestFor(SEARCH_BUGS, [
      ...sentPairs(search, compileQuery(search.query, { serverZone: search.zone })),
      ["include_fields", [...new Set(["id", ...include])].join(",")],
      ["order", search.order ?? NEWEST_FIRST],
      ...(limit === undefined ? [] : [["limit", String(limit)] as const]),
    ]);
    yield distinctBugs(readBugs(await send(request)));
  }
  const found: Bug[] = [];
  for await (const page of provenPages(search, wanted, tools, response)) found.push(...page);
  return found;
}

/** Pages for a Bugzilla, with which requests are sent by a function; for any other server, those that its interface gives. */
async function* provenPages(
  search: BugSearch,
  wanted: WantedBugs,
  tools: SearchTools,
  forBugzilla: (send: SendRequest) => AsyncGenerator<readonly Bug[]>,
): AsyncGenerator<readonly Bug[]> {
  const obeysRows = await tools.rows.known();
  if (obeysRows === false) return yield* interfacePages(search, wanted, tools);
  if (obeysRows) return yield* forBugzilla(tools.send);
  const lengths: number[] = [];
  const pages = forBugzilla(measured(tools.send, lengths));
  const held: (readonly Bug[])[] = [];
  try {
    if (!(await obeysRowsIn(pages, held, { search, wanted, lengths, tools })))
      return yield* interfacePages(search, wanted, tools);
  } catch (error) {
    if (!isRejection(error)) throw error;
    return yield* pagesDespite(error, search, wanted, tools);
  }
  yield* held;
  yield* pages;
}

/** Sends requests, and notes the number of bugs in each response. */
function measured(send: SendRequest, lengths: number[]): SendRequest {
  return async (request) => {
    const response = await send(request);
    lengths.push(listUnder(response, "bugs").length);
    return response;
  };
}

type Trial = {
  search: BugSearch;
  wanted: WantedBugs;
  lengths: number[]; // of the responses so far
  tools: SearchTools;
};

/**
 * Takes pages until they can be printed, into `held`; false if the tracker ignores rows and order, so that they must not be.
 * An empty response is right on any server; a second page below the first one shows that rows are obeyed.
 */
async function obeysRowsIn(pages: AsyncIterator<readonly Bug[]>, held: (readonly Bug[])[], trial: Trial) {
  const { search, wanted, lengths, tools } = trial;
  const settle = () => tools.rows.settle(criteriaOf(search));
  const restsOnIt = restsOnRowsOrOrder(search);
  try {
    while (held.length < 2) {
      const { done, value } = await pages.next();
      if (done) break;
      held.push(value);
      if (lengths.some(Boolean) && (restsOnIt || isCut(held.flat().length, wanted))) return await settle();
    }
  } catch (error) {
    if (!isOutOfPlace(error) || (await settle())) throw error;
    return false;
  }
  if (lengths.length > 1 && lengths[0] && partsOf(search).length === 1) await tools.rows.learn(true);
  return true;
}

/** True if a server that ignores rows and `order` may return other bugs for a search, or in another order. */
function restsOnRowsOrOrder(search: BugSearch): boolean {
  const isSorted = ![undefined, NEWEST_FIRST, OLDEST_FIRST].includes(search.order);
  return isSorted || search.passed !== undefined || partsOf(search).some(({ compiled }) => compiled.restsOnRows);
}

/** True if bugs are left out of a result at its ends, so that the order decides which. */
function isCut(count: number, { limit, offset = 0 }: WantedBugs): boolean {
  return offset > 0 || (limit !== undefined && count >= limit);
}

/** The parameters of the interface that the bugs of a search meet; undefined if it has none. */
function criteriaOf({ query, passed, quicksearch, zone }: BugSearch): Request["query"] | undefined {
  if (passed) return undefined;
  const criteria = [...compileQuery(query, { serverZone: zone }).parameters, ...quickPairs(quicksearch)];
  return criteria.length > 0 ? criteria : undefined;
}

/** The pages of a search that a tracker rejected as it was sent, if it answers the same in the interface's words alone. */
async function* pagesDespite(rejection: unknown, search: BugSearch, wanted: WantedBugs, tools: SearchTools) {
  const pages = interfacePages(search, wanted, tools);
  const first = await pages.next().catch(() => undefined);
  if (first === undefined) throw rejection;
  const { rows } = tools;
  const isBugzilla = first.done ? await rows.settleUnlessEmpty() : await rows.settle(criteriaOf(search));
  if (isBugzilla !== false) throw rejection;
  if (!first.done) yield first.value;
  yield* pages;
}

async function* bugzillaPages(search: BugSearch, wanted: WantedBugs, tools: SearchTools, filter?: BugFilter) {
  const plans = await plansOf(search, wanted.include, tools, filter);
  const { order = NEWEST_FIRST, catalog } = search;
  const statuses = plans[0]?.statuses ?? [];
  let pages: AsyncGenerator<readonly Bug[]>;
  if (order === NEWEST_FIRST) pages = byNumber(plans, wanted, tools);
  else if (order === OLDEST_FIRST)
    pages = byNumber(plans.map((plan) => ({ ...plan, isOldestFirst: true })).reverse(), wanted, tools);
  else pages = inOrder(plans, { order, catalog }, wanted, tools);
  for await (const page of pages) {
    if (statuses.length > 0) await tools.checkStatuses(statuses, page);
    yield page;
  }
}

/** One of several disjoint searches, highest ids first, if more ids are given than fit into a request. */
type Plan = Omit<SearchPlan, "limit" | "offset"> & {
  readonly statuses: readonly string[]; // in its criteria; Bugzilla drops a status that it does not know
};

/** The requests of a search. */
export async function plansOf(
  search: BugSearch,
  include: readonly string[],
  { login }: Pick<SearchTools, "login">,
  filter?: BugFilter,
): Promise<Plan[]> {
  const { passed } = search;
  const plans: Plan[] = [];
  for (const { query, compiled } of partsOf(search)) {
    const own = compiled.rest && evaluator(compiled.rest, await login());
    const filters = [own, filter].filter((one) => one !== undefined);
    const { statuses } = passed ?? compiled;
    plans.push({
      criteria: (range) =>
        passed ? passedIn(range, passed) : sentPairs(search, compiledIn(range, { ...search, query }, compiled)),
      keep: filters.length === 0 ? undefined : (bug) => filters.every((keeps) => keeps(bug)),
      needs: [...compiled.fields, ...(statuses.length > 0 ? ["status"] : [])],
      statuses,
      include,
    });
  }
  return plans;
}

function partsOf({ query, zone }: BugSearch) {
  return splitIds(query, MAX_IDS).map((part) => ({ query: part, compiled: compileQuery(part, { serverZone: zone }) }));
}

function evaluator(rest: Query, login: string | undefined): BugFilter {
  return (bug) => evaluateQuery(rest, bug, { login });
}

/** A compiled query, restricted to a range of ids. */
function compiledIn(range: IdRange, { query, catalog, zone }: BugSearch, compiled: BugzillaQuery): BugzillaQuery {
  const ends = idTests(range, catalog);
  return ends.length === 0 ? compiled : compileQuery(allOf([query, ...ends]), { serverZone: zone });
}

function idTests({ from, below }: IdRange, catalog: Catalog): Query[] {
  const tests: Query[] = [];
  if (below !== undefined) tests.push(idTest(catalog, "<", below));
  if (from !== undefined) tests.push(idTest(catalog, ">=", from));
  return tests;
}

function idTest(catalog: Catalog, op: Exclude<Comparison, ":">, ...ids: number[]): Query {
  return { kind: "test", field: requireField(catalog, "id"), op, values: ids.map(String) };
}

/** Passed parameters, restricted to a range of ids by rows beside them, since they may be joined by OR. */
function passedIn({ from, below }: IdRange, { pairs }: WebSearch): Request["query"] {
  const rows: OlderRow[] = [];
  if (below !== undefined) rows.push({ f: "bug_id", o: "lessthan", v: [String(below)] });
  if (from !== undefined) rows.push({ f: "bug_id", o: "greaterthaneq", v: [String(from)] });
  return [...pairs, ...olderRows(pairs, rows)];
}

async function* byNumber(plans: Plan[], wanted: WantedBugs, tools: PageTools) {
  const [only] = plans;
  if (only && plans.length === 1) return yield* searchPages({ ...only, ...wanted }, tools);
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

async function* inOrder(parts: readonly Plan[], { order, catalog }: Order, wanted: WantedBugs, tools: PageTools) {
  const { include, ...size } = wanted;
  const byIds = (ids: readonly number[]): SearchPlan => ({
    criteria: (range) => compileQuery(allOf([idTest(catalog, "=", ...ids), ...idTests(range, catalog)])).query,
    include,
    limit: ids.length,
  });
  yield* sortedPages({ parts, order, sorting: () => sortingOf(order, catalog), byIds, ...size }, tools);
}
