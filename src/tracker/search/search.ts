import type { WireField } from "../../wire/bug-fields.ts";
import type { Json } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { presentBugs } from "../bugs/read.ts";
import { type BugField, CHOICE_FIELDS, FIELDS, STORED_FIELDS } from "../fields.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { readFieldSelection } from "../http/field-selection.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { compileCondition } from "./compile.ts";
import { allCriteria, type Condition, type Criterion, findOperator, joinConditions } from "./condition.ts";
import {
  joinedText,
  type ParameterValues,
  readParameterValues,
  type SearchCall,
  type SearchContext,
  searchableCustomFields,
} from "./context.ts";
import { relevanceWeights } from "./fulltext.ts";
import {
  changedConditions,
  chartParameterName,
  chartRowConditions,
  DUE_DAY_PARAMETERS,
  dueDayConditions,
  fieldParameters,
  peopleConditions,
  plainConditions,
  ROLE_FIELDS,
} from "./parameters.ts";
import { noCriteriaFault, quicksearchCondition } from "./quicksearch.ts";
import { fieldSource } from "./search-fields.ts";
import { bugColumn, commaList, type Sql, sql } from "./sql.ts";

/**
 * Route of Search Bugs: parameters are parsed into one condition, which is compiled to SQL (compile.ts); the bugs found are
 * presented as by Get Bug.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#search-bugs
 */
export const searchRoutes: readonly Route[] = [{ method: "GET", path: "/bug", handle: (call) => searchBugs(call) }];

function searchBugs(call: Call): Json {
  const ids = findBugIds(call);
  const bugs = wantsIdsOnly(call) ? ids.map((id) => ({ id })) : presentBugs(call, ids, readFieldSelection(call.input));
  return { bugs };
}

// Clients that page through everything read ids first.
function wantsIdsOnly({ input }: Call): boolean {
  return input["include_fields"] === "id" && !("exclude_fields" in input);
}

function findBugIds(call: Call): number[] {
  const values = readParameterValues(call.input);
  const context = searchContext(call);
  reportUnknownParameters(context, values);
  const search = compileSearch(context, values);
  return newestIds(context, search, values) ?? selectIds(context, search);
}

/**
 * The newest bugs of a search for a few of them by comments, words or history, looked for among more and more of the newest
 * of the tracker. Undefined if most would have to be looked at.
 */
function newestIds(context: SearchContext, search: Search, values: ParameterValues): number[] | undefined {
  const { condition, page } = search;
  const isNewestFirst = joinedText(values, "order") === "bug_id DESC" && page.offset === 0;
  if (!isNewestFirst || page.limit > MAX_NEWEST || !allCriteria(condition).some(readsManyRows)) return undefined;
  const { highest = 0, least = 0 } = context.store.get<{ highest: number; least: number }>(ENDS) ?? {};
  for (let count = page.limit * 3; ; count *= 16) {
    const lowest = highest - count;
    if (lowest < least) return undefined;
    const where = compileCondition({ ...context, lowest }, condition) ?? EVERYTHING;
    const ids = selectIds(context, { ...search, where: sql`bug.id >= ${lowest} AND ${where}` });
    if (ids.length === page.limit) return ids;
  }
}

const MAX_NEWEST = 50;
const ENDS = "SELECT (SELECT max(id) FROM bugs) AS highest, (SELECT min(id) FROM bugs) AS least";

/** True for a criterion about rows of which there are many more than bugs. */
function readsManyRows({ field, operator }: Criterion): boolean {
  return field === "content" || field.startsWith("longdesc") || findOperator(operator).about === "change";
}

function searchContext(call: SearchCall): SearchContext {
  return {
    ...call,
    customFields: searchableCustomFields(call.store),
    reportIgnored: ignoredParameterHandler(call.runtime.isStrict === true),
  };
}

function selectIds({ store }: SearchContext, { where, order, page }: Omit<Search, "condition">): number[] {
  const { limit, offset } = page;
  const query = sql`SELECT bug.id FROM visible_bugs AS bug WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  return store.all<{ id: number }>(query.text, query.values).map(({ id }) => id);
}

/** Condition of a search, compiled as WHERE, its ORDER BY, limit and offset. */
export type Search = {
  condition: Condition;
  where: Sql;
  order: Sql;
  page: ResultPage;
};

/** The compiled search of a request; conditions of all forms are ANDed. */
function compileSearch(context: SearchContext, values: ParameterValues): Search {
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
function searchCondition(context: SearchContext, values: ParameterValues): Condition {
  return joinConditions("AND", [
    ...quicksearchConditions(context, values),
    ...plainConditions(context, values),
    ...peopleConditions(context, values),
    ...changedConditions(context, values),
    ...dueDayConditions(values),
    chartRowConditions(context, values),
  ]);
}

function quicksearchConditions(context: SearchContext, values: ParameterValues): Condition[] {
  const hasStatus = ["status", "bug_status", "resolution"].some((name) => joinedText(values, name) !== "");
  return values.has("quicksearch") ? [quicksearchCondition(context, joinedText(values, "quicksearch"), hasStatus)] : [];
}

/** Limit and offset of a result, in bugs. */
export type ResultPage = { limit: number; offset: number };

/**
 * `limit` and `offset`. A missing, zero or non-numeric limit, and one above `max_search_results`, is that maximum; without
 * a valid limit the offset is ignored.
 * @throws Fault param_required for an offset without limit, param_must_be_numeric for a limit or offset that is no integer
 */
function readResultPage({ reportIgnored, parameters }: SearchContext, values: ParameterValues): ResultPage {
  const maximum = Number(parameters.max_search_results);
  const sent = values.get("limit");
  const offset = values.get("offset");
  if (!sent && offset) {
    throw new Fault(
      "param_required",
      "The function Bug.search() requires a limit argument, and that argument was not set.",
    );
  }
  const [text = "", second] = sent ?? [];
  const limit = second === undefined ? Number.parseFloat(text) : Number.POSITIVE_INFINITY;
  if (sent && Number.isNaN(limit)) reportIgnored("limit", "it is no number");
  if (!sent || Number.isNaN(limit) || limit === 0) return { limit: maximum, offset: 0 };
  if (limit <= maximum && !isDigits(text)) throw faults.notANumber("limit passed to Bugzilla::Search::new");
  return { limit: Math.min(limit, maximum), offset: readOffset(offset) };
}

function readOffset(sent: string[] | undefined): number {
  const text = sent?.join(",").trim() ?? "";
  if (text !== "" && !isDigits(text)) throw faults.notANumber("offset passed to Bugzilla::Search::new");
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function isDigits(text: string): boolean {
  return /^\d+$/.test(text.trim());
}

const MAX_CRITERIA = 500;
const MAX_SQL_DEPTH = 60; // SQLite's parser has a stack of 100

/** Checks the number of criteria. @throws Fault other */
function checkCriteriaCount(condition: Condition): void {
  const { length } = allCriteria(condition);
  if (length > MAX_CRITERIA) throw searchTooLargeFault(`it has ${length} conditions, ${MAX_CRITERIA} are possible`);
}

/** Checks the nesting depth of the SQL. @throws Fault other */
function checkSqlDepth({ depth }: Sql): void {
  if (depth > MAX_SQL_DEPTH) throw searchTooLargeFault("its groups are nested too deeply");
}

function searchTooLargeFault(reason: string): Fault {
  return new Fault("other", `This search is too large: ${reason}.`);
}

/**
 * Handler of search parameters without effect. Bugzilla ignores them, which often matches every bug; a strict tracker
 * throws Fault 53.
 */
function ignoredParameterHandler(isStrict: boolean): SearchContext["reportIgnored"] {
  return isStrict ? rejectParameter : () => undefined;
}

function rejectParameter(parameter: string, reason: string): never {
  throw new Fault("param_invalid", `The parameter ${parameter} would have no effect: ${reason}.`);
}

/** Reports all unknown parameters of a search. @throws Fault param_invalid for one that Bugzilla knows */
function reportUnknownParameters(context: SearchContext, values: ParameterValues): void {
  const fields = fieldParameters(context);
  const types = new Set([...fields.values()].map((field) => `${chartParameterName(field)}_type`));
  for (const name of values.keys()) {
    if (OLD_CHART_PARAMETER.test(name))
      rejectParameter(name, "it is of a boolean chart of Bugzilla 3; use f1, o1 and v1");
    if (!fields.has(name) && !types.has(name) && !KNOWN_PARAMETERS.has(name) && !NUMBERED_PARAMETER.test(name)) {
      context.reportIgnored(name, "there is no such parameter of a search");
    }
  }
}

const OLD_CHART_PARAMETER = /^field\d+-\d+-\d+$/; // which Bugzilla still reads

const NUMBERED_PARAMETER = new RegExp(`^(?:[fovnj]\\d+|email(?:type|${ROLE_FIELDS.join("|")})?\\d+)$`);

const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  // the search itself
  "chfield",
  "chfieldfrom",
  "chfieldto",
  "chfieldvalue",
  ...DUE_DAY_PARAMETERS,
  "j_top",
  "limit",
  "offset",
  "order",
  "quicksearch",
  // the response
  "callback",
  "exclude_fields",
  "include_fields",
  "permissive", // of Get Bug; python-bugzilla sends it along
  // beside credentials
  "Bugzilla_restrictlogin",
  "restrict_login",
  // parameters of the web interface's URLs
  "columnlist",
  "ctype",
  "known_name",
  "list_id",
  "query_based_on",
  "query_format",
]);

/**
 * SQL of `order=`: comma-separated columns, each with optional ASC or DESC, then id. Unknown columns and repeated
 * parameters are ignored.
 */
function readSortOrder(context: SearchContext, values: ParameterValues, condition: Condition): Sql {
  const [text = "", second] = values.get("order") ?? [];
  if (second !== undefined) {
    context.reportIgnored("order", "it can be given once; separate columns by commas");
    return sql`bug.id`;
  }
  const keys = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .flatMap((part) => readOrderPart(context, part, condition));
  return commaList([...keys, sql`bug.id`]);
}

function readOrderPart(context: SearchContext, part: string, condition: Condition): readonly Sql[] {
  const [, name = "", direction] = /^(\S+)(?:\s+(ASC|DESC))?$/i.exec(part) ?? [];
  const keys = sortExpressions(context, OLD_NAMES.get(name) ?? name.replace(/^bugs\./, ""), condition);
  if (keys.length === 0) context.reportIgnored("order", `'${part}' is no column to sort by`);
  return direction?.toUpperCase() === "DESC" ? keys.map((key) => sql`${key} DESC`) : keys;
}

const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ["bugs.creation_ts", "opendate"],
  ["bugs.delta_ts", "changeddate"],
]);

function sortExpressions(context: SearchContext, column: string, condition: Condition): readonly Sql[] {
  if (column === "relevance") {
    const texts = allCriteria(condition)
      .filter(({ field }) => field === "content")
      .map(({ text }) => text);
    return texts.length === 0 ? [] : [sql`(SELECT weight FROM ${relevanceWeights(texts)} WHERE bug_id = bug.id)`];
  }
  const customField = context.customFields.get(column);
  if (customField) return customKeys(context, column);
  return COLUMNS.get(column)?.(context) ?? [];
}

type SortKeys = (context: SearchContext) => readonly Sql[];

/** Sorts by the sort key of the legal value, then by name. */
function rankedKeys(field: string, value: Sql): Sql[] {
  return [rankSql(field, value), value];
}

function rankSql(field: string, value: Sql): Sql {
  return sql`(
  SELECT sort_key FROM field_values
  WHERE field_id = (SELECT id FROM fields WHERE name = ${field}) AND field_values.name = ${value})`;
}

/** Sorts by the value that criteria compare; ignored outside the group that may read it. */
function comparedSortKeys({ chart, readers }: BugField): SortKeys {
  return (context) => {
    const isHidden = readers !== undefined && !context.requester.groups.has(context.parameters.timetrackinggroup);
    return isHidden ? [] : [fieldSource(context, chart).value];
  };
}

function customKeys(context: SearchContext, name: string): Sql[] {
  const type = context.customFields.get(name)?.type;
  if (type === FIELD_TYPE.multiSelect) return [];
  const { value } = fieldSource(context, name);
  return type === FIELD_TYPE.select ? [rankSql(name, value), value] : [value];
}

/** Fields whose values are sorted by what their column refers to, or by more than their values. */
const REFERENCES: Readonly<Partial<Record<WireField, readonly Sql[]>>> = {
  product: [sql`(SELECT name FROM products WHERE id = bug.product_id)`],
  component: [sql`(SELECT name FROM components WHERE id = bug.component_id)`],
  classification: [
    sql`(
    SELECT classifications.name FROM products JOIN classifications ON classifications.id = classification_id
    WHERE products.id = bug.product_id)`,
  ],
  target_milestone: [
    sql`(SELECT sort_key FROM milestones WHERE product_id = bug.product_id AND name = bug.target_milestone)`,
    sql`bug.target_milestone`,
  ],
};

function keysOfField(field: BugField): SortKeys {
  const references = REFERENCES[field.name];
  if (references) return () => references;
  const person = STORED_FIELDS.find(({ name }) => name === field.nameOf);
  if (person) return () => [sql`(SELECT real_name FROM users WHERE id = ${bugColumn(person.column)})`];
  if (field.column === undefined || field.readers) return comparedSortKeys(field);
  const value = bugColumn(field.column);
  if (field.family === "person") return () => [sql`(SELECT login FROM users WHERE id = ${value})`];
  return () => (CHOICE_FIELDS.some(({ name }) => name === field.name) ? rankedKeys(field.chart, value) : [value]);
}

/** The columns that bugs can be sorted by, under the names that `order` takes. */
const COLUMNS: ReadonlyMap<string, SortKeys> = new Map(
  FIELDS.flatMap((field) => {
    const { order, chart } = field;
    return order ? [[order === true ? chart : order, keysOfField(field)] as const] : [];
  }),
);

/** The names of all columns that bugs can be sorted by, without those of custom fields. */
export const SORT_COLUMNS: readonly string[] = [...COLUMNS.keys(), "relevance"];
