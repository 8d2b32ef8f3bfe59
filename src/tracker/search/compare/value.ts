import { Fault } from "../../http/fault.ts";
import type { ComparisonOperator, Criterion } from "../condition.ts";
import type { SearchContext } from "../context.ts";
import { isSearchDate, readSearchDay, readSearchTime } from "../dates.ts";
import type { ValueKind, ValueSource } from "../field-source.ts";
import { or, type Sql, sql, valueList } from "../sql.ts";
import { pronounTest } from "./person.ts";
import { splitItems, splitWords, type TextTest, textTest } from "./text.ts";

/** One comparison: of the values of a source, by a row's operator without its "not". */
export type ValueComparison = {
  readonly asking: SearchContext;
  readonly source: ValueSource;
  readonly operator: ComparisonOperator;
  readonly row: Criterion;
};

/** What a row says about one value, in the way of its kind; what the kind does not know is asked of the value as a text. */
export function valueTest(comparison: ValueComparison): Sql {
  const { source, operator, row } = comparison;
  return BY_KIND[source.kind](comparison) ?? comparedAsText(comparison, textTest(operator, row));
}

const BY_KIND: Readonly<Record<ValueKind, (comparison: ValueComparison) => Sql | undefined>> = {
  text: () => undefined,
  number: ({ asking, source, operator, row }) =>
    numberTest(operator, row, { value: source.value, name: () => nameOf(asking, row.field) }),
  moment: (comparison) => timeTest(comparison, "moment"),
  day: (comparison) => timeTest(comparison, "day"),
  person: ({ asking, source, row }) =>
    pronounTest(asking, row.text, source.link ? sql`${source.link.row} = ${source.link.bug}` : sql`1`),
};

function timeTest({ asking, source, operator, row }: ValueComparison, kind: "moment" | "day"): Sql | undefined {
  const test = momentTest(operator, row, { value: source.value, kind, now: asking.now });
  if (test && !areSearchDates(row, asking.now)) asking.ignore(row.field, `'${row.text}' is not a date`);
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
  return test.sql && !source.reads ? test.sql(value) : acceptedKeys(comparison, test, value);
}

// As the recorded server writes them: 2026-11-20 05:57:24.
const TEXT_OF: Readonly<Record<ValueKind, (value: Sql) => Sql>> = {
  text: (value) => value,
  person: (value) => value,
  day: (value) => value,
  number: (value) => sql`CAST(${value} AS TEXT)`,
  moment: (value) => sql`replace(rtrim(${value}, 'Z'), 'T', ' ')`,
};

/** Reads the values that there are, and names those that are accepted. */
function acceptedKeys({ asking, source }: ValueComparison, { accepts, narrow }: TextTest, value: Sql): Sql {
  const where = narrow && !source.reads ? narrow(value) : sql`1`;
  const query = sql`SELECT DISTINCT ${source.key} AS key, ${value} AS value FROM ${source.from} WHERE ${where}`;
  const rows = asking.store.all<{ readonly key: string | number; readonly value: string }>(query.text, query.values);
  asking.spend(rows.length);
  const read = source.reads ?? String;
  return sql`${source.key} IN ${valueList(rows.filter((row) => accepts(read(row.value))).map(({ key }) => key))}`;
}

/** What an operator says about a number; undefined when it looks at the number as a text. */
function numberTest(operator: ComparisonOperator, row: Criterion, field: NumericField): Sql | undefined {
  const compare = NUMBER_COMPARISONS[operator];
  if (compare) return compare(field.value, readNumber(row.text, field));
  const items = NUMBER_ITEMS[operator]?.(row);
  return items && sql`${field.value} IN ${valueList(items.filter(isNumber).map(Number))}`;
}

/** The field that is compared: its value, and its name for people. */
export type NumericField = { readonly value: Sql; readonly name: () => string };

const NUMBER_COMPARISONS: Partial<Readonly<Record<ComparisonOperator, (value: Sql, number: number) => Sql>>> = {
  equals: (value, number) => sql`${value} = ${number}`,
  lessthan: (value, number) => sql`${value} < ${number}`,
  lessthaneq: (value, number) => sql`${value} <= ${number}`,
  greaterthan: (value, number) => sql`${value} > ${number}`,
  greaterthaneq: (value, number) => sql`${value} >= ${number}`,
};

// A whole word of a number is the number.
const NUMBER_ITEMS: Partial<Readonly<Record<ComparisonOperator, (row: Criterion) => readonly string[]>>> = {
  anyexact: (row) => splitItems(row).flatMap(splitWords),
  anywords: ({ text }) => splitWords(text),
};

/** Whether a text is a number. */
export function isNumber(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(text);
}

function readNumber(text: string, { name }: NumericField): number {
  if (!isNumber(text)) throw new Fault(400, 52, `The value '${text}' in the ${name()} field is not a numeric value.`);
  return Number(text);
}

/** What an operator says about a moment or a day; undefined when it looks at it as a text. */
function momentTest(operator: ComparisonOperator, row: Criterion, value: TimeValue): Sql | undefined {
  if (operator === "anyexact")
    return or(splitItems(row).map((item) => sql`${value.value} = ${readTimeValue(item, value)}`));
  return TIME_COMPARISONS[operator]?.(
    value.value,
    row.text.toLowerCase() === LAST_CHANGE ? CHANGED : readTimeValue(row.text, value),
  );
}

/** Whether every value of a row on a moment can be read; otherwise the row compares with nothing. */
function areSearchDates(row: Criterion, now: string): boolean {
  return splitItems(row).every((item) => isSearchDate(item, now) || item.toLowerCase() === LAST_CHANGE);
}

/** The value of a field of times, and when and where it is asked for. */
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
