import { Fault } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { pronounTest, type ReadTest, splitItems, splitWords, type TextTest, textTest, userIdNamed } from "./compare.ts";
import {
  type ChangeOperator,
  type ComparisonOperator,
  type Condition,
  type ConditionGroup,
  type Criterion,
  findOperator,
  type OperatorOn,
  type SearchOperator,
} from "./condition.ts";
import type { SearchContext } from "./context.ts";
import { isSearchDate, readChangeTime, readSearchDay, readSearchTime, UNSET_DAY, UNSET_MOMENT } from "./dates.ts";
import { bugTest, type ValueKind, type ValueSource } from "./field-source.ts";
import { fulltextTest } from "./fulltext.ts";
import { checkSearchField, fieldSource, notComparableFault } from "./search-fields.ts";
import { and, not, or, type Sql, sql, valueList } from "./sql.ts";

/**
 * A condition, or its negation, as SQL test of the row `bug` of visible_bugs; undefined for an empty condition. Tests are
 * never NULL, so that NOT can be pushed down to the criteria.
 */
export function compileCondition(context: SearchContext, condition: Condition, isNegated = false): Sql | undefined {
  if (condition.kind === "not") return compileCondition(context, condition.part, !isNegated);
  if (condition.kind === "group" && condition.join !== "AND_G") {
    const parts = condition.parts.flatMap((part) => compileCondition(context, part, isNegated) ?? []);
    return parts.length === 0 ? undefined : JOINS[condition.join][isNegated ? "negated" : "plain"](parts);
  }
  const test = leafTest(context, condition);
  return test && isNegated ? not(test) : test;
}

const JOINS = { AND: { plain: and, negated: or }, OR: { plain: or, negated: and } } as const;

function leafTest(context: SearchContext, condition: Criterion | ConditionGroup): Sql | undefined {
  return condition.kind === "criterion" ? criterionTest(context, condition) : singleMatchTest(context, condition.parts);
}

function criterionTest(context: SearchContext, criterion: Criterion): Sql {
  checkSearchField(context, criterion.field);
  const operator = findOperator(criterion.operator);
  if (comparesNoValues(criterion.field, operator)) return specialTest(context, criterion, operator);
  if (operator.about === "change") return historyTest(context, [{ criterion, change: operator.change }]);
  const source = fieldSource(context, criterion.field);
  return operator.about === "value"
    ? comparisonTest(context, source, [criterion, operator])
    : emptinessTest(source, operator.isNegative);
}

function comparisonTest(
  context: SearchContext,
  source: ValueSource,
  [criterion, operator]: [Criterion, OperatorOn<"value">],
): Sql {
  const { positive, isNegative } = operator;
  const test = (text: string) => valueTest({ context, source, operator: positive, criterion: { ...criterion, text } });
  if (isNegative && NEGATED_PER_VALUE.has(criterion.field)) return bugTest(source, not(test(criterion.text)));
  if (positive.includes("words") && splitWords(criterion.text).length === 0)
    context.reportIgnored(criterion.field, "it has no words");
  const isSpread = source.isList === true && positive.startsWith("allwords");
  const texts = isSpread ? splitWords(criterion.text) : [criterion.text];
  const found = and(texts.map((text) => bugTest(source, test(text))));
  return isNegative ? not(found) : found;
}

/**
 * Fields whose negative operators match a bug with any value that does not match (Bugzilla does not exclude bugs by these
 * fields). Elsewhere, and for negated rows, a bug matches if none of its values does.
 */
const NEGATED_PER_VALUE: ReadonlySet<string> = new Set(["alias", "longdesc"]);

function emptinessTest(source: ValueSource, isNegative: boolean): Sql {
  const isSet = source.link ? bugTest(source, source.isSet ?? sql`1`) : sql`${source.value} <> ${UNSET[source.kind]}`;
  return isNegative ? isSet : not(isSet);
}

const UNSET: Readonly<Record<ValueKind, string | number>> = {
  text: "",
  person: "",
  number: 0,
  day: UNSET_DAY,
  moment: UNSET_MOMENT,
};

/** SQL test of an AND_G group: one change or one value of its field meets all criteria. */
function singleMatchTest(context: SearchContext, parts: Condition[]): Sql | undefined {
  const rows = parts.map(groupedCriterion);
  const [first] = rows;
  if (!first) return undefined;
  checkGroup(context, rows, first.criterion.field);
  const changes = rows.flatMap(changeCriteria);
  const values = rows.flatMap((criterion) => valueTests(context, criterion));
  const tests: Sql[] = [];
  if (changes.length > 0) tests.push(historyTest(context, changes));
  if (values.length > 0) tests.push(bugTest(fieldSource(context, first.criterion.field), and(values)));
  return and(tests);
}

type GroupedCriterion = { criterion: Criterion; isNegated: boolean };

function groupedCriterion(condition: Condition): GroupedCriterion {
  const isNegated = condition.kind === "not";
  const criterion = isNegated ? condition.part : condition;
  if (criterion.kind !== "criterion") throw new Fault("other", "Conditions joined by AND_G cannot contain groups.");
  return { criterion, isNegated };
}

// Fields without single values or changes that a group could be about.
const NOT_GROUPABLE: ReadonlySet<string> = new Set([
  "attach_data.thedata",
  "classification",
  "commenter",
  "component",
  "content",
  "longdescs.count",
  "owner_idle_time",
  "product",
]);

// Of these fields, the changes can be grouped.
const CHANGES_GROUPABLE: ReadonlySet<string> = new Set(["component", "product"]);

function checkGroup(context: SearchContext, rows: GroupedCriterion[], field: string): void {
  checkSearchField(context, field);
  const isOfChanges = rows.every(({ criterion }) => findOperator(criterion.operator).about === "change");
  if (NOT_GROUPABLE.has(field) && !(isOfChanges && CHANGES_GROUPABLE.has(field)))
    throw new Fault("other", `Conditions on the "${field}" field cannot be joined by AND_G.`);
  const other = rows.find(({ criterion }) => criterion.field !== field);
  if (other) {
    throw new Fault(
      "other",
      `Conditions joined by AND_G must all be on one field; here are "${field}" and "${other.criterion.field}".`,
    );
  }
}

function changeCriteria({ criterion, isNegated }: GroupedCriterion): ChangeCriterion[] {
  const operator = findOperator(criterion.operator);
  return operator.about === "change" ? [{ criterion, change: operator.change, isNegated }] : [];
}

function valueTests(context: SearchContext, { criterion, isNegated }: GroupedCriterion): Sql[] {
  const operator = findOperator(criterion.operator);
  if (operator.about === "change") return [];
  if (operator.about !== "value") {
    throw new Fault("other", `The operator "${criterion.operator}" cannot be used in conditions joined by AND_G.`);
  }
  const test = valueTest({
    context,
    source: fieldSource(context, criterion.field),
    operator: operator.positive,
    criterion,
  });
  return [operator.isNegative === isNegated ? test : not(test)];
}

/** True if a criterion compares no field values: full text, or the idle time of the assignee. */
function comparesNoValues(field: string, operator: SearchOperator): boolean {
  return field === "content" || field === "owner_idle_time" || operator.about === "fulltext";
}

function specialTest(context: SearchContext, criterion: Criterion, operator: SearchOperator): Sql {
  return criterion.field === "owner_idle_time"
    ? idleTest(context, criterion, operator)
    : contentTest(context, criterion, operator);
}

function contentTest({ lowest }: SearchContext, criterion: Criterion, operator: SearchOperator): Sql {
  if (criterion.field !== "content" || operator.about !== "fulltext") {
    throw new Fault(
      "other",
      'The "content" field can only be used with "matches" search and the "matches" search can only be used with the "content" field.',
    );
  }
  const found = fulltextTest(criterion.text, lowest);
  return operator.isNegative ? not(found) : found;
}

/** SQL test for the assignee's activity on any visible bug since a time. */
function idleTest({ now }: SearchContext, criterion: Criterion, operator: SearchOperator): Sql {
  const order = operator.about === "value" ? operator.positive : "";
  if (!/^(less|greater)/.test(order)) throw notComparableFault(criterion.field);
  const since = readChangeTime(criterion.text, now);
  const active = sql`bug.assigned_to_id IN (
    SELECT creator_id FROM visible_comments WHERE creation_time > ${since}
    UNION SELECT user_id FROM visible_activity WHERE time > ${since})`;
  return order.startsWith("less") ? active : not(active);
}

/** A criterion with one of the `changed...` operators. */
export type ChangeCriterion = {
  criterion: Criterion;
  change: ChangeOperator;
  isNegated?: boolean;
};

/** SQL test for a change of a field that meets all criteria; they must be on the same field. */
function historyTest(context: SearchContext, criteria: ChangeCriterion[]): Sql {
  const [first] = criteria;
  const field = first?.criterion.field ?? "";
  const events = fieldEvents(field);
  const tests = criteria.map(({ criterion, change, isNegated }) => {
    const test = TESTS[change](context, criterion);
    return isNegated ? sql`NOT ${test}` : test;
  });
  if (context.lowest !== undefined) tests.push(sql`event.bug_id >= ${context.lowest}`);
  return sql`bug.id IN (SELECT event.bug_id FROM ${events} AS event WHERE ${and(tests)})`;
}

// Comments, hours worked and the creation of a bug are changes that are not in the history table.
function fieldEvents(field: string): Sql {
  const special = Object.hasOwn(EVENTS, field) ? EVENTS[field] : undefined;
  return special ?? sql`(SELECT bug_id, user_id, time, removed, added FROM visible_activity WHERE field = ${field})`;
}

const COMMENTS = sql`(SELECT bug_id, creator_id AS user_id, creation_time AS time, '' AS removed, '' AS added FROM visible_comments)`;

const EVENTS: Readonly<Record<string, Sql>> = {
  longdesc: COMMENTS,
  "longdescs.count": COMMENTS,
  work_time: sql`(SELECT bug_id, creator_id AS user_id, creation_time AS time, '' AS removed, work_time AS added
    FROM visible_comments WHERE work_time <> 0)`,
  creation_ts: sql`(SELECT id AS bug_id, creator_id AS user_id, creation_time AS time, '' AS removed, '' AS added
    FROM visible_bugs)`,
};

const TESTS: Readonly<Record<ChangeOperator, (context: SearchContext, criterion: Criterion) => Sql>> = {
  changedbefore: ({ now }, { text }) => sql`(event.time <= ${readChangeTime(text, now)})`,
  changedafter: ({ now }, { text }) => sql`(event.time >= ${readChangeTime(text, now)})`,
  changedfrom: (_context, criterion) => sameValueTest(sql`event.removed`, criterion),
  changedto: (_context, criterion) => sameValueTest(sql`event.added`, criterion),
  changedby: (context, { text }) => sql`(event.user_id = ${userIdNamed(context, text)})`,
};

/** Test for a removed or added value. Hours are compared as numbers: history has them with two decimals or as sent. */
function sameValueTest(value: Sql, { field, text }: Criterion): Sql {
  return HOURS.has(field) && isDecimal(text)
    ? sql`(${value} <> '' AND CAST(${value} AS REAL) = ${Number(text)})`
    : sql`(${value} = ${text} COLLATE NOCASE)`;
}

const HOURS: ReadonlySet<string> = new Set(["estimated_time", "remaining_time", "work_time"]);

/** Comparison of the values of a field by the positive form of an operator. */
export type ValueComparison = {
  context: SearchContext;
  source: ValueSource;
  operator: ComparisonOperator;
  criterion: Criterion;
};

/** SQL test of one value by its kind; operators that the kind does not have compare it as text. */
function valueTest(comparison: ValueComparison): Sql {
  const { source, operator, criterion } = comparison;
  return BY_KIND[source.kind](comparison) ?? comparedAsText(comparison, textTest(operator, criterion));
}

const BY_KIND: Readonly<Record<ValueKind, (comparison: ValueComparison) => Sql | undefined>> = {
  text: () => undefined,
  number: ({ context, source, operator, criterion }) =>
    numberTest(operator, criterion, { value: source.value, name: () => historyFieldName(context, criterion.field) }),
  moment: (comparison) => timeTest(comparison, "moment"),
  day: (comparison) => timeTest(comparison, "day"),
  person: ({ context, source, criterion }) =>
    pronounTest(context, criterion.text, source.link ? sql`${source.link.row} = ${source.link.bug}` : sql`1`),
};

function timeTest({ context, source, operator, criterion }: ValueComparison, kind: "moment" | "day"): Sql | undefined {
  const test = momentTest(operator, criterion, { value: source.value, kind, now: context.now });
  if (test && !areSearchDates(criterion, context.now))
    context.reportIgnored(criterion.field, `'${criterion.text}' is not a date`);
  return test;
}

function historyFieldName({ store }: SearchContext, field: string): string {
  return field === "bug_id"
    ? "Bug ID"
    : String(store.get("SELECT display_name FROM fields WHERE name = ?", [field])?.["display_name"] ?? field);
}

function comparedAsText(comparison: ValueComparison, test: TextTest | ReadTest): Sql {
  const { source } = comparison;
  const value = TEXT_OF[source.kind](source.value);
  return typeof test === "function" && !source.decode ? test(value) : acceptedKeys(comparison, test, value);
}

// Values as text, times like 2026-11-20 05:57:24 as in Bugzilla's database.
const TEXT_OF: Readonly<Record<ValueKind, (value: Sql) => Sql>> = {
  text: (value) => value,
  person: (value) => value,
  day: (value) => value,
  number: (value) => sql`CAST(${value} AS TEXT)`,
  moment: (value) => sql`replace(rtrim(${value}, 'Z'), 'T', ' ')`,
};

/** SQL test by the keys of the rows whose values are read and accepted. */
function acceptedKeys({ context: { store }, source }: ValueComparison, test: TextTest | ReadTest, value: Sql): Sql {
  const { decode, within = sql`1`, key, from } = source;
  const accepts = typeof test === "function" ? bySql(store, test) : test.accepts;
  const candidates = typeof test === "function" || decode ? sql`1` : test.candidates(value);
  const query = sql`SELECT DISTINCT ${key} AS key, ${value} AS value FROM ${from} WHERE ${within} AND ${candidates}`;
  const rows = store.all<{ key: string | number; value: string }>(query.text, query.values);
  const read = decode ?? String;
  return sql`${key} IN ${valueList(rows.filter((row) => accepts(read(row.value))).map((row) => row.key))}`;
}

/** A test in SQL as a function, for values that are stored in another form. */
function bySql(store: Store, test: TextTest): (text: string) => boolean {
  return (text) => {
    const query = sql`SELECT ${test(sql`${text.replaceAll("\0", " ")}`)} AS accepted`;
    return store.get(query.text, query.values)?.["accepted"] === 1;
  };
}

/**
 * SQL test of a number; undefined if the operator compares text.
 * @throws Fault param_must_be_numeric if the criterion is not a number
 */
function numberTest(operator: ComparisonOperator, criterion: Criterion, field: NumericField): Sql | undefined {
  const compare = NUMBER_COMPARISONS[operator];
  if (compare) return compare(field.value, readNumber(criterion.text, field));
  const items = NUMBER_ITEMS[operator]?.(criterion);
  return items && sql`${field.value} IN ${valueList(items.filter(isDecimal).map(Number))}`;
}

/** SQL value of a numeric field, and its display name. */
export type NumericField = { value: Sql; name: () => string };

const NUMBER_COMPARISONS: Partial<Readonly<Record<ComparisonOperator, (value: Sql, number: number) => Sql>>> = {
  equals: (value, number) => sql`${value} = ${number}`,
  lessthan: (value, number) => sql`${value} < ${number}`,
  lessthaneq: (value, number) => sql`${value} <= ${number}`,
  greaterthan: (value, number) => sql`${value} > ${number}`,
  greaterthaneq: (value, number) => sql`${value} >= ${number}`,
};

// A number has one word, itself.
const NUMBER_ITEMS: Partial<Readonly<Record<ComparisonOperator, (criterion: Criterion) => readonly string[]>>> = {
  anyexact: (criterion) => splitItems(criterion).flatMap(splitWords),
  anywords: ({ text }) => splitWords(text),
};

/** True if a text is a decimal number. */
function isDecimal(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(text);
}

function readNumber(text: string, { name }: NumericField): number {
  if (!isDecimal(text))
    throw new Fault("param_must_be_numeric", `The value '${text}' in the ${name()} field is not a numeric value.`);
  return Number(text);
}

/** SQL test of a time or a day; undefined if the operator compares text. */
function momentTest(operator: ComparisonOperator, criterion: Criterion, value: TimeValue): Sql | undefined {
  if (operator === "anyexact")
    return or(splitItems(criterion).map((item) => sql`${value.value} = ${readTimeValue(item, value)}`));
  return TIME_COMPARISONS[operator]?.(
    value.value,
    criterion.text.toLowerCase() === LAST_CHANGE ? CHANGED : readTimeValue(criterion.text, value),
  );
}

/** True if all values of a criterion on a time are dates. */
function areSearchDates(criterion: Criterion, now: string): boolean {
  return splitItems(criterion).every((item) => isSearchDate(item, now) || item.toLowerCase() === LAST_CHANGE);
}

/** SQL value of a time field, its kind, and the time of the search. */
export type TimeValue = { value: Sql; kind: "moment" | "day"; now: string };

const LAST_CHANGE = "%last_changed%";
const CHANGED = sql`bug.last_change_time`;

function readTimeValue(text: string, { kind, now }: TimeValue): string {
  return kind === "day" ? readSearchDay(text, now) : readSearchTime(text, now);
}

const TIME_COMPARISONS: Partial<Readonly<Record<ComparisonOperator, (value: Sql, time: Sql | string) => Sql>>> = {
  equals: (value, time) => sql`${value} = ${time}`,
  lessthan: (value, time) => sql`${value} < ${time}`,
  lessthaneq: (value, time) => sql`${value} <= ${time}`,
  greaterthan: (value, time) => sql`${value} > ${time}`,
  greaterthaneq: (value, time) => sql`${value} >= ${time}`,
};
