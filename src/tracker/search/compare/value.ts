import { Fault } from "../../http/fault.ts";
import type { ComparisonOperator, Criterion } from "../condition.ts";
import type { SearchContext } from "../context.ts";
import { isSearchDate, readSearchDay, readSearchTime } from "../dates.ts";
import type { ValueKind, ValueSource } from "../field-source.ts";
import { or, type Sql, sql, valueList } from "../sql.ts";
import { pronounTest } from "./person.ts";
import { splitItems, splitWords, type TextTest, textTest } from "./text.ts";

/** Comparison of the values of a field by the positive form of an operator. */
export type ValueComparison = {
  readonly context: SearchContext;
  readonly source: ValueSource;
  readonly operator: ComparisonOperator;
  readonly criterion: Criterion;
};

/** SQL test of one value by its kind; operators that the kind does not have compare it as text. */
export function valueTest(comparison: ValueComparison): Sql {
  const { context, source, operator, criterion } = comparison;
  return BY_KIND[source.kind](comparison) ?? comparedAsText(comparison, textTest(operator, criterion, context.folding));
}

const BY_KIND: Readonly<Record<ValueKind, (comparison: ValueComparison) => Sql | undefined>> = {
  text: () => undefined,
  number: ({ context, source, operator, criterion }) =>
    numberTest(operator, criterion, { value: source.value, name: () => nameOf(context, criterion.field) }),
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

function nameOf({ store }: SearchContext, field: string): string {
  return field === "bug_id"
    ? "Bug ID"
    : String(store.get("SELECT display_name FROM fields WHERE name = ?", [field])?.["display_name"] ?? field);
}

function comparedAsText(comparison: ValueComparison, test: TextTest): Sql {
  const { source } = comparison;
  const value = TEXT_OF[source.kind](source.value);
  if (!test.sql || source.decode) return acceptedKeys(comparison, test, value);
  const found = test.sql(value);
  return test.isForAscii ? or([found, acceptedKeys(comparison, { ...test, prefilter: isNotAscii }, value)]) : found;
}

function isNotAscii(value: Sql): Sql {
  return sql`${value} GLOB ${"*[^\u0001-\u007f]*"}`;
}

// Values as text, times like 2026-11-20 05:57:24 as in Bugzilla's database.
const TEXT_OF: Readonly<Record<ValueKind, (value: Sql) => Sql>> = {
  text: (value) => value,
  person: (value) => value,
  day: (value) => value,
  number: (value) => sql`CAST(${value} AS TEXT)`,
  moment: (value) => sql`replace(rtrim(${value}, 'Z'), 'T', ' ')`,
};

/** SQL test for tests without SQL: reads all values and lists the keys of the accepted ones. */
function acceptedKeys({ context, source }: ValueComparison, { accepts, prefilter }: TextTest, value: Sql): Sql {
  const where = prefilter && !source.decode ? prefilter(value) : sql`1`;
  const query = sql`SELECT DISTINCT ${source.key} AS key, ${value} AS value FROM ${source.from} WHERE ${where}`;
  const rows = context.store.all<{ key: string | number; value: string }>(query.text, query.values);
  context.countComparedValues(rows.length);
  const read = source.decode ?? String;
  return sql`${source.key} IN ${valueList(rows.filter((row) => accepts(read(row.value))).map(({ key }) => key))}`;
}

/** SQL test of a number; undefined if the operator compares text. @throws Fault 52 if the criterion is not a number */
function numberTest(operator: ComparisonOperator, criterion: Criterion, field: NumericField): Sql | undefined {
  const compare = NUMBER_COMPARISONS[operator];
  if (compare) return compare(field.value, readNumber(criterion.text, field));
  const items = NUMBER_ITEMS[operator]?.(criterion);
  return items && sql`${field.value} IN ${valueList(items.filter(isNumber).map(Number))}`;
}

/** SQL value of a numeric field, and its display name. */
export type NumericField = { readonly value: Sql; readonly name: () => string };

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
export function isNumber(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(text);
}

function readNumber(text: string, { name }: NumericField): number {
  if (!isNumber(text)) throw new Fault(400, 52, `The value '${text}' in the ${name()} field is not a numeric value.`);
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
export type TimeValue = { readonly value: Sql; readonly kind: "moment" | "day"; readonly now: string };

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
