import type { Json } from "../../wire/exchange.ts";
import { presentBugs } from "../bugs/read.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { readFieldSelection } from "../http/field-selection.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { compileCondition } from "./compile.ts";
import { type Condition, criteriaOf, joinConditions } from "./condition.ts";
import {
  joinedText,
  type ParameterValues,
  readParameterValues,
  type SearchContext,
  searchableCustomFields,
} from "./context.ts";
import type { FewBugs } from "./fulltext.ts";
import { groupBugs } from "./group.ts";
import { readSortOrder } from "./order.ts";
import { changedConditions, dueDayConditions, peopleConditions } from "./parameters/form.ts";
import { plainConditions } from "./parameters/plain.ts";
import { chartRowConditions, oldChartRowConditions } from "./parameters/rows.ts";
import { noCriteriaFault, quicksearchCondition } from "./quicksearch/quicksearch.ts";
import { type Sql, sql } from "./sql.ts";
import { ignoredParameterHandler, reportUnknownParameters } from "./unknown-parameters.ts";

/**
 * Route of Search Bugs: parameters are parsed into one condition, which is compiled to SQL (compile.ts); the bugs found are
 * presented as by Get Bug.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#search-bugs
 */
export const searchRoutes: readonly Route[] = [
  { method: "GET", path: "/bug", mayTakeLong: true, handle: (call) => runSearch(call, presentBugs) },
];

/** The bugs found, as `present` shows them. */
export function runSearch(call: Call, present: PresentBugs): Json {
  const show = (ids: number[]) => present(call, ids, readFieldSelection(call.input));
  if (call.groupBy) return groupBugs(call, call.groupBy, readFound(call).search.where, show);
  const ids = findBugIds(call);
  return { bugs: wantsIdsOnly(call) ? ids.map((id) => ({ id })) : show(ids) };
}

type PresentBugs = typeof presentBugs;

// Clients that page through everything read ids first.
function wantsIdsOnly({ input }: Call): boolean {
  return input["include_fields"] === "id" && !("exclude_fields" in input);
}

function readFound(call: Call) {
  const values = readParameterValues(call.input);
  const context = searchContext(call);
  reportUnknownParameters(context, values);
  return { context, values, search: readSearch(context, values) };
}

function findBugIds(call: Call): number[] {
  const { context, values, search } = readFound(call);
  return newestIds(context, search, values) ?? selectIds(context, search);
}

/**
 * The newest bugs of a full-text search that asks for a few, if they are all among the newest of the tracker: their words
 * are tested one by one. Undefined if not.
 */
function newestIds(context: SearchContext, search: Search, values: ParameterValues): number[] | undefined {
  const { condition, page } = search;
  const isNewestFirst = joinedText(values, "order") === "bug_id DESC" && page.offset === 0;
  const hasWords = criteriaOf(condition).some(({ field }) => field === "content");
  if (!hasWords || !isNewestFirst || page.limit > MAX_NEWEST) return undefined;
  const few = newestBugs(context, page.limit * 3);
  const where = compileCondition({ ...context, few }, condition) ?? EVERYTHING;
  const ids = selectIds(context, { ...search, where: sql`bug.id >= ${few.lowest} AND ${where}` });
  return ids.length === page.limit ? ids : undefined;
}

const MAX_NEWEST = 50;

function newestBugs({ store }: SearchContext, count: number): FewBugs {
  const lowest = Number(store.get(LOWEST, [count])?.["lowest"] ?? 0);
  const { first, last } = store.get(COMMENT_RANGE, [lowest]) ?? {};
  return { lowest, first: Number(first ?? 0), last: Number(last ?? 0) };
}

const LOWEST = "SELECT min(id) AS lowest FROM (SELECT id FROM bugs ORDER BY id DESC LIMIT ?)";

// Of a plain `id`, SQLite would look for the first in the order of all comments.
const COMMENT_RANGE = "SELECT min(+id) AS first, max(+id) AS last FROM comments WHERE bug_id >= ?";

/** Context of one search. */
export function searchContext(call: SearchCall): SearchContext {
  return {
    ...call,
    customFields: searchableCustomFields(call.store),
    countComparedValues: valueBudget(),
    reportIgnored: ignoredParameterHandler(call.runtime.isStrict === true),
    isMirror: call.runtime.isMirror === true,
    folding: call.runtime.folding,
  };
}

/** Requester, store and time of a search. */
export type SearchCall = Pick<Call, "store" | "requester" | "parameters" | "now" | "runtime">;

function selectIds({ store }: SearchContext, { where, order, page }: Omit<Search, "condition">): number[] {
  const { limit, offset } = page;
  const query = sql`SELECT bug.id FROM visible_bugs AS bug WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  return store.all<{ id: number }>(query.text, query.values).map(({ id }) => id);
}

/** Condition of a search, compiled as WHERE, its ORDER BY, limit and offset. */
export type Search = {
  readonly condition: Condition;
  readonly where: Sql;
  readonly order: Sql;
  readonly page: ResultPage;
};

/** The compiled search of a request; conditions of all forms are ANDed. */
function readSearch(context: SearchContext, values: ParameterValues): Search {
  const page = readResultPage(context, values);
  const condition = searchCondition(context, values);
  checkCriteriaCount(condition);
  const where = compileCondition(context, condition);
  if (!where && !isEnabled(context.parameters.search_allow_no_criteria)) throw noCriteriaFault();
  checkSqlDepth(where ?? EVERYTHING);
  return { condition, where: where ?? EVERYTHING, order: readSortOrder(context, values, condition), page };
}

const EVERYTHING = sql`1`;

/** The condition of a search's parameters of all forms. */
export function searchCondition(context: SearchContext, values: ParameterValues): Condition {
  return joinConditions("AND", [
    ...quicksearchConditions(context, values),
    ...plainConditions(context, values),
    ...peopleConditions(context, values),
    ...changedConditions(context, values),
    ...dueDayConditions(values),
    ...oldChartRowConditions(context, values),
    chartRowConditions(context, values),
  ]);
}

function quicksearchConditions(context: SearchContext, values: ParameterValues): Condition[] {
  const hasStatus = ["status", "bug_status", "resolution"].some((name) => joinedText(values, name) !== "");
  return values.has("quicksearch") ? [quicksearchCondition(context, joinedText(values, "quicksearch"), hasStatus)] : [];
}

/** Limit and offset of a result, in bugs. */
export type ResultPage = { readonly limit: number; readonly offset: number };

/**
 * `limit` and `offset`. A missing, zero or non-numeric limit, and one above `max_search_results`, is that maximum; without
 * a valid limit the offset is ignored.
 * @throws Fault 50 for an offset without limit, 52 for a limit or offset that is no integer
 */
function readResultPage({ reportIgnored, parameters }: SearchContext, values: ParameterValues): ResultPage {
  const maximum = Number(parameters.max_search_results);
  const sent = values.get("limit");
  const offset = values.get("offset");
  if (!sent && offset) {
    throw new Fault(400, 50, "The function Bug.search() requires a limit argument, and that argument was not set.");
  }
  const [text = "", second] = sent ?? [];
  const limit = second === undefined ? Number.parseFloat(text) : Number.POSITIVE_INFINITY;
  if (sent && Number.isNaN(limit)) reportIgnored("limit", "it is no number");
  if (!sent || Number.isNaN(limit) || limit === 0) return { limit: maximum, offset: 0 };
  if (limit <= maximum && !isDigits(text)) throw faults.notANumber("limit passed to Bugzilla::Search::new");
  return { limit: Math.min(limit, maximum), offset: readOffset(offset) };
}

function readOffset(sent: readonly string[] | undefined): number {
  const text = sent?.join(",").trim() ?? "";
  if (text !== "" && !isDigits(text)) throw faults.notANumber("offset passed to Bugzilla::Search::new");
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function isDigits(text: string): boolean {
  return /^\d+$/.test(text.trim());
}

const MAX_CRITERIA = 500;
const MAX_SQL_DEPTH = 60; // SQLite's parser has a stack of 100
const MAX_COMPARED_VALUES = 3_000_000;

/** Checks the number of criteria. @throws Fault 32000 */
function checkCriteriaCount(condition: Condition): void {
  const { length } = criteriaOf(condition);
  if (length > MAX_CRITERIA) throw searchTooLarge(`it has ${length} conditions, ${MAX_CRITERIA} are possible`);
}

/** Checks the nesting depth of the SQL. @throws Fault 32000 */
function checkSqlDepth({ depth }: Sql): void {
  if (depth > MAX_SQL_DEPTH) throw searchTooLarge("its groups are nested too deeply");
}

/** Counter of the values that one search compares outside SQL. @throws Fault 32000 above MAX_COMPARED_VALUES */
function valueBudget(): (values: number) => void {
  let remaining = MAX_COMPARED_VALUES;
  return (values) => {
    remaining -= values;
    if (remaining < 0) throw searchTooLarge("it has too many patterns, or too many words, for so many bugs");
  };
}

function searchTooLarge(reason: string): Fault {
  return new Fault(400, 32000, `This search is too large: ${reason}.`);
}
