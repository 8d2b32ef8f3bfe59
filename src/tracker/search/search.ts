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
import { readSortOrder } from "./order.ts";
import { changedConditions, deadlineConditions, peopleConditions } from "./parameters/form.ts";
import { plainConditions } from "./parameters/plain.ts";
import { chartRowConditions, oldChartRowConditions } from "./parameters/rows.ts";
import { noCriteriaFault, quicksearchCondition } from "./quicksearch/quicksearch.ts";
import { type Sql, sql } from "./sql.ts";
import { ignoredParameterHandler, reportUnknownParameters } from "./unknown-parameters.ts";

/**
 * Search Bugs. The request is read into one tree of conditions (read.ts), the tree becomes SQL about the row `bug`
 * (compile.ts), and the bugs with the ids that come out are shown as Get Bug shows them.
 */
export const searchRoutes: readonly Route[] = [
  { method: "GET", path: "/bug", mayTakeLong: true, handle: (call) => searchBugs(call) },
];

function searchBugs(call: Call): Json {
  const ids = foundIds(call);
  return {
    bugs: wantsIdsOnly(call) ? ids.map((id) => ({ id })) : presentBugs(call, ids, readFieldSelection(call.input)),
  };
}

// What is asked for in order to page through everything; then there is nothing more to read.
function wantsIdsOnly({ input }: Call): boolean {
  return input["include_fields"] === "id" && !("exclude_fields" in input);
}

function foundIds(call: Call): readonly number[] {
  const values = readParameterValues(call.input);
  const ignore = ignoredParameterHandler(call.runtime.isStrict === true);
  const asking: SearchContext = { ...call, custom: searchableCustomFields(call.store), spend: valueBudget(), ignore };
  reportUnknownParameters(asking, values);
  const { where, order, page } = readSearch(asking, values);
  return idsOf(
    call,
    sql`SELECT bug.id FROM visible_bugs AS bug WHERE ${where} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset}`,
  );
}

function idsOf({ store }: Call, query: Sql): readonly number[] {
  return store.all<{ readonly id: number }>(query.text, query.values).map(({ id }) => id);
}

/** A search as it can be run. */
export type Search = { readonly where: Sql; readonly order: Sql; readonly page: ResultPage };

/** Reads every form of condition that a request may have, all of which count, with the order and the part of the result. */
function readSearch(asking: SearchContext, values: ParameterValues): Search {
  const page = readResultPage(asking, values);
  const condition = joinConditions("AND", conditions(asking, values));
  checkCriteriaCount(condition);
  const where = compileCondition(asking, condition);
  if (!where && !isEnabled(asking.parameters.search_allow_no_criteria)) throw noCriteriaFault();
  checkSqlDepth(where ?? EVERYTHING);
  return { where: where ?? EVERYTHING, order: readSortOrder(asking, values, condition), page };
}

const EVERYTHING = sql`1`;

function conditions(asking: SearchContext, values: ParameterValues): readonly Condition[] {
  return [
    ...quicksearchConditions(asking, values),
    ...plainConditions(asking, values),
    ...peopleConditions(asking, values),
    ...changedConditions(asking, values),
    ...deadlineConditions(values),
    ...oldChartRowConditions(asking, values),
    chartRowConditions(asking, values),
  ];
}

function quicksearchConditions(asking: SearchContext, values: ParameterValues): readonly Condition[] {
  const hasStatus = ["status", "bug_status", "resolution"].some((name) => joinedText(values, name) !== "");
  return values.has("quicksearch") ? [quicksearchCondition(asking, joinedText(values, "quicksearch"), hasStatus)] : [];
}

/** Which part of what was found is answered. */
export type ResultPage = { readonly limit: number; readonly offset: number };

/**
 * Reads `limit` and `offset`. No limit, 0, what is no number, and more than the administrator's maximum all mean that
 * maximum; without a limit that counts there is no offset.
 */
function readResultPage({ ignore, parameters }: SearchContext, values: ParameterValues): ResultPage {
  const maximum = Number(parameters.max_search_results);
  const given = values.get("limit");
  const offset = values.get("offset");
  if (!given && offset) {
    throw new Fault(400, 50, "The function Bug.search() requires a limit argument, and that argument was not set.");
  }
  const [text = "", second] = given ?? [];
  const limit = second === undefined ? Number.parseFloat(text) : Number.POSITIVE_INFINITY;
  if (given && Number.isNaN(limit)) ignore("limit", "it is no number");
  if (!given || Number.isNaN(limit) || limit === 0) return { limit: maximum, offset: 0 };
  if (limit <= maximum && !isNatural(text)) throw faults.notANumber("limit passed to Bugzilla::Search::new");
  return { limit: Math.min(limit, maximum), offset: readOffset(offset) };
}

function readOffset(given: readonly string[] | undefined): number {
  const text = given?.join(",").trim() ?? "";
  if (text !== "" && !isNatural(text)) throw faults.notANumber("offset passed to Bugzilla::Search::new");
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function isNatural(text: string): boolean {
  return /^\d+$/.test(text.trim());
}

const MAX_CRITERIA = 500;
const MAX_SQL_DEPTH = 60; // the engine's parser has a stack of 100
const MAX_COMPARED_VALUES = 3_000_000;

/** Refuses a search of so many conditions that it would keep the tracker busy for itself. */
function checkCriteriaCount(condition: Condition): void {
  const { length } = criteriaOf(condition);
  if (length > MAX_CRITERIA) throw searchTooLarge(`it has ${length} conditions, ${MAX_CRITERIA} are possible`);
}

/** Refuses what is nested deeper than the engine can read. */
function checkSqlDepth({ depth }: Sql): void {
  if (depth > MAX_SQL_DEPTH) throw searchTooLarge("its groups are nested too deeply");
}

/** Counts the values that one search has read to compare them outside of the engine, and refuses one that goes on and on. */
function valueBudget(): (values: number) => void {
  let left = MAX_COMPARED_VALUES;
  return (values) => {
    left -= values;
    if (left < 0) throw searchTooLarge("it has too many patterns, or too many words, for so many bugs");
  };
}

function searchTooLarge(reason: string): Fault {
  return new Fault(400, 32000, `This search is too large: ${reason}.`);
}
