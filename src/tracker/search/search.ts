import type { Json } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { customFieldRows } from "../bug-fields/values.ts";
import { presentBugs } from "../bugs/read.ts";
import { CHOICE_FIELDS, FIELDS } from "../fields.ts";
import { type Call, isEnabled } from "../http/call.ts";
import { readFieldSelection, readWholeNumbers } from "../http/input.ts";
import { Fault } from "../values.ts";
import { compileCondition, relevanceWeights } from "./compile.ts";
import {
  allCriteria,
  type Condition,
  type Criterion,
  findOperator,
  joinedText,
  type ParameterValues,
  readParameterValues,
  type SearchContext,
} from "./condition.ts";
import { reportUnknownParameters, searchCondition } from "./parameters.ts";
import { noCriteriaFault } from "./quicksearch.ts";
import { fieldSource, isSearchField } from "./search-fields.ts";
import { concat, type Sql, sql } from "./sql.ts";

/** Search Bugs: the parameters become one condition, which is compiled to SQL (compile.ts). */
export function searchBugs(call: Call): Json {
  try {
    return { bugs: presentBugs(call, findBugIds(call), readFieldSelection(call.input)) };
  } catch (error) {
    if (!SQL_TOO_LARGE.test((error as Error).message)) throw error;
    throw new Fault("other", "This search is too large: it has too many conditions or groups, or a text is too long.");
  }
}

/** What SQLite says of expressions and patterns beyond its limits. */
const SQL_TOO_LARGE = /parser stack overflow|Expression tree is too large|pattern too complex|too many terms/;

function findBugIds(call: Call): readonly number[] {
  const { store, requester, parameters, now, runtime, input } = call;
  const values = readParameterValues(input);
  const customFields = new Map(customFieldRows(store, "all").map((field) => [field.name, field]));
  const reportIgnored = runtime.isStrict ? rejectParameter : () => undefined;
  const context: SearchContext = { store, requester, parameters, now, customFields, reportIgnored };
  reportUnknownParameters(context, values);
  const search = compileSearch(context, values);
  const isNewestFirst = joinedText(values, "order") === "bug_id DESC" && search.offset === 0;
  const newestIds = isNewestFirst ? selectAmongNewest(context, search) : undefined;
  return newestIds ?? selectIds(context, search);
}

/** @throws Fault param_invalid */
function rejectParameter(parameter: string, reason: string): never {
  throw new Fault("param_invalid", `The parameter ${parameter} would have no effect: ${reason}.`);
}

/** Condition of a search, its WHERE and ORDER BY, limit and offset in bugs. */
type Search = {
  readonly condition: Condition;
  readonly where: Sql;
  readonly order: Sql;
  readonly limit: number;
  readonly offset: number;
};

/** The compiled search of a request; conditions of all forms are ANDed. */
function compileSearch(context: SearchContext, values: ParameterValues): Search {
  const page = readLimitAndOffset(context, values);
  const condition = searchCondition(context, values);
  const where = compileCondition(context, condition);
  if (!where && !isEnabled(context.parameters.search_allow_no_criteria)) throw noCriteriaFault();
  return { condition, where: where ?? EVERYTHING, order: readSortOrder(context, values, condition), ...page };
}

const EVERYTHING = sql`1`;

function selectIds({ store }: SearchContext, { where, order, limit, offset }: Search): readonly number[] {
  const query = sql`SELECT bug.id FROM visible_bugs AS bug WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  return store.values(query.text, query.values);
}

/**
 * Searches the newest bugs, then more of them, until the limit is reached: faster for a small limit and criteria that read
 * many rows. Undefined for other searches, and if too few are found.
 */
function selectAmongNewest(context: SearchContext, search: Search): readonly number[] | undefined {
  const { condition, limit } = search;
  if (limit > MAX_NEWEST || !allCriteria(condition).some(readsManyRows)) return undefined;
  const [first = 0, last = 0] = context.store.values(ID_RANGE);
  for (let count = limit * 3; count <= last - first; count *= 16) {
    const minBugId = last - count;
    const where = compileCondition({ ...context, minBugId }, condition) ?? EVERYTHING;
    const ids = selectIds(context, { ...search, where: sql`bug.id >= ${minBugId} AND ${where}` });
    if (ids.length === limit) return ids;
  }
  return undefined;
}

const MAX_NEWEST = 50;
const ID_RANGE = "SELECT min(id) FROM bugs UNION ALL SELECT max(id) FROM bugs";

/** True for a criterion about comments or changes, of which there are many more than bugs. */
function readsManyRows({ field, operator }: Criterion): boolean {
  return field === "content" || field.startsWith("longdesc") || findOperator(operator).kind === "change";
}

/**
 * `limit` and `offset`, in bugs. A missing, repeated, zero or non-numeric limit, and one above
 * `max_search_results`, is that maximum; the offset of a zero or non-numeric limit is ignored.
 * @throws Fault param_required for an offset without limit, param_must_be_numeric
 */
function readLimitAndOffset({ reportIgnored, parameters }: SearchContext, values: ParameterValues) {
  const maximum = Number(parameters.max_search_results);
  const limits = values.get("limit") ?? [];
  if (limits.length === 0 && values.has("offset")) {
    throw new Fault(
      "param_required",
      "The function Bug.search() requires a limit argument, and that argument was not set.",
    );
  }
  const [text = ""] = limits;
  const limit = limits.length > 1 ? Number.POSITIVE_INFINITY : Number.parseFloat(text);
  if (limits.length > 0 && Number.isNaN(limit)) reportIgnored("limit", "it is no number");
  if (Number.isNaN(limit) || limit === 0) return { limit: maximum, offset: 0 };
  if (limit <= maximum) readWholeNumber(text, "limit");
  const offset = readWholeNumber(joinedText(values, "offset") || "0", "offset");
  return { limit: Math.min(limit, maximum), offset: Math.min(offset, Number.MAX_SAFE_INTEGER) };
}

/** @throws Fault param_must_be_numeric */
function readWholeNumber(text: string, parameter: string): number {
  const [number = 0] = readWholeNumbers([text.trim()], `${parameter} passed to Bugzilla::Search::new`);
  return number;
}

/** SQL of `order=`: columns, then id. Unknown columns and a repeated parameter are ignored. */
function readSortOrder(context: SearchContext, values: ParameterValues, condition: Condition): Sql {
  const orders = values.get("order") ?? [];
  if (orders.length > 1) context.reportIgnored("order", "it can be given once; separate columns by commas");
  const [order = ""] = orders.length === 1 ? orders : [];
  const columns = order.split(",").map((text) => text.trim());
  const terms = columns.flatMap((text) => (text === "" ? [] : readOrderingTerms(context, text, condition)));
  return concat([...terms, sql`bug.id`], ", ");
}

/** The one or two SQL terms of a column with an optional direction (`bugs.priority DESC`). */
function readOrderingTerms(context: SearchContext, text: string, condition: Condition): readonly Sql[] {
  const [, name = "", direction] = /^(\S+)(?:\s+(ASC|DESC))?$/i.exec(text) ?? [];
  const column = name.replace(/^bugs\./, "");
  const terms = column === "relevance" ? relevanceTerms(condition) : columnTerms(context, column);
  if (terms.length === 0) context.reportIgnored("order", `'${text}' is no column to sort by`);
  return direction?.toUpperCase() === "DESC" ? terms.map((term) => sql`${term} DESC`) : terms;
}

function relevanceTerms(condition: Condition): readonly Sql[] {
  const texts = allCriteria(condition).flatMap(({ field, text }) => (field === "content" ? text : []));
  return texts.length === 0 ? [] : [sql`(SELECT weight FROM ${relevanceWeights(texts)} WHERE bug_id = bug.id)`];
}

/** Bugs are sorted by the value that criteria compare; by legal values, by their sort key first. */
function columnTerms(context: SearchContext, column: string): readonly Sql[] {
  const custom = context.customFields.get(column);
  const field = custom ? column : SORT_FIELDS.get(column);
  if (field === undefined || custom?.type === FIELD_TYPE.multiSelect || !isSearchField(context, field)) return [];
  const { value, from, link } = fieldSource(context, field);
  const term = link ? sql`(SELECT ${value} FROM ${from} WHERE ${link.rowKey} = ${link.bugKey})` : value;
  if (field === "target_milestone") return [MILESTONE_SORT_KEY, term];
  const hasSortKeys = custom?.type === FIELD_TYPE.select || CHOICE_FIELDS.some(({ chart }) => chart === field);
  return hasSortKeys ? [sortKeyOfValue(field, term), term] : [term];
}

function sortKeyOfValue(field: string, value: Sql): Sql {
  return sql`(
  SELECT sort_key FROM field_values
  WHERE field_id = (SELECT id FROM fields WHERE name = ${field}) AND field_values.name = ${value})`;
}

const MILESTONE_SORT_KEY = sql`(
  SELECT sort_key FROM milestones WHERE product_id = bug.product_id AND name = bug.target_milestone)`;

/** The fields that bugs can be sorted by, under the names that `order` takes. */
export const SORT_FIELDS: ReadonlyMap<string, string> = new Map(
  FIELDS.flatMap(({ order, chart }) => (order ? [[order === true ? chart : order, chart] as const] : [])),
);
