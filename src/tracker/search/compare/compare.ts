import type { Asking } from "../asking.ts";
import type { Row } from "../condition.ts";
import type { Kind, Source } from "../fields/source.ts";
import { listed, type Sql, sql } from "../sql.ts";
import { areDates, momentTest } from "./moment.ts";
import { numberTest } from "./number.ts";
import type { Positive } from "./operators.ts";
import { pronounTest } from "./person.ts";
import { type TextTest, textTest } from "./text.ts";

/** One comparison: of the values of a source, by a row's operator without its "not". */
export type Comparison = {
  readonly asking: Asking;
  readonly source: Source;
  readonly operator: Positive;
  readonly row: Row;
};

/** What a row says about one value, in the way of its kind; what the kind does not know is asked of the value as a text. */
export function valueTest(comparison: Comparison): Sql {
  const { source, operator, row } = comparison;
  return BY_KIND[source.kind](comparison) ?? asText(comparison, textTest(operator, row));
}

const BY_KIND: Readonly<Record<Kind, (comparison: Comparison) => Sql | undefined>> = {
  text: () => undefined,
  number: ({ asking, source, operator, row }) =>
    numberTest(operator, row, { value: source.value, name: () => nameOf(asking, row.field) }),
  moment: (comparison) => timeTest(comparison, "moment"),
  day: (comparison) => timeTest(comparison, "day"),
  person: ({ asking, source, row }) =>
    pronounTest(asking, row.text, source.link ? sql`${source.link.row} = ${source.link.bug}` : sql`1`),
};

function timeTest({ asking, source, operator, row }: Comparison, kind: "moment" | "day"): Sql | undefined {
  const test = momentTest(operator, row, { value: source.value, kind, now: asking.now });
  if (test && !areDates(row, asking.now)) asking.ignore(row.field, `'${row.text}' is not a date`);
  return test;
}

function nameOf({ store }: Asking, field: string): string {
  return field === "bug_id"
    ? "Bug ID"
    : String(store.get("SELECT display_name FROM fields WHERE name = ?", [field])?.["display_name"] ?? field);
}

function asText(comparison: Comparison, test: TextTest): Sql {
  const { source } = comparison;
  const value = TEXT_OF[source.kind](source.value);
  return test.sql && !source.reads ? test.sql(value) : accepted(comparison, test, value);
}

// As the recorded server writes them: 2026-11-20 05:57:24.
const TEXT_OF: Readonly<Record<Kind, (value: Sql) => Sql>> = {
  text: (value) => value,
  person: (value) => value,
  day: (value) => value,
  number: (value) => sql`CAST(${value} AS TEXT)`,
  moment: (value) => sql`replace(rtrim(${value}, 'Z'), 'T', ' ')`,
};

/** Reads the values that there are, and names those that are accepted. */
function accepted({ asking, source }: Comparison, { accepts, narrow }: TextTest, value: Sql): Sql {
  const where = narrow && !source.reads ? narrow(value) : sql`1`;
  const query = sql`SELECT DISTINCT ${source.key} AS key, ${value} AS value FROM ${source.from} WHERE ${where}`;
  const rows = asking.store.all<{ readonly key: string | number; readonly value: string }>(query.text, query.values);
  asking.spend(rows.length);
  const read = source.reads ?? String;
  return sql`${source.key} IN ${listed(rows.filter((row) => accepts(read(row.value))).map(({ key }) => key))}`;
}
