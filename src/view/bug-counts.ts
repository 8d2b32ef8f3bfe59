import type { Bug } from "../wire/bug-fields.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Field } from "../wire/resources.ts";
import { type Column, exactText } from "./column.ts";
import { fieldFacts } from "./field-facts.ts";
import { tableListing } from "./list-table.ts";
import { listText } from "./listing.ts";
import { signsOf, type View } from "./view.ts";

/** A group of bugs: the value of each field, and the `count`. */
export type CountRow = Readonly<Record<string, string | number>>;

/** Counts of bugs by one or two fields; a bug with several values of a field counts for each. */
export type CountTable = {
  readonly add: (bugs: readonly Bug[]) => void;
  readonly total: () => number;
  readonly rows: () => readonly CountRow[]; // descending by count
  readonly columns: readonly Column<CountRow>[];
  /** Table for the terminal: a list for one field, a grid with sums for two, whose columns may have a given order. */
  readonly table: (view: View, order?: readonly string[]) => string;
};

/** An empty count table for these fields, headed by the tracker's metadata, if given. */
export function countTable(fields: readonly string[], metadata: readonly Field[] = []): CountTable {
  const counts = new Map<string, { readonly values: readonly string[]; count: number }>();
  let total = 0;
  const add = (bug: Bug) => {
    total += 1;
    for (const values of combinations(fields.map((field) => valuesOf(bug, field)))) {
      const key = JSON.stringify(values);
      const entry = counts.get(key) ?? { values, count: 0 };
      entry.count += 1;
      counts.set(key, entry);
    }
  };
  const rows = () =>
    [...counts.values()]
      .sort((one, other) => other.count - one.count || compare(one.values, other.values))
      .map(
        ({ values, count }): CountRow => ({
          ...Object.fromEntries(fields.map((field, at) => [field, values[at] ?? ""])),
          count,
        }),
      );
  const columns = [...fields, "count"].map((name) => columnOf(name, metadata));
  return {
    add: (bugs) => bugs.forEach(add),
    total: () => total,
    rows,
    columns,
    table: (view, order = []) => {
      const [across, ...rest] = fields.toReversed();
      const [down] = rest;
      const list = down && across ? grid(rows(), [columnOf(down, metadata), across], order) : { rows: rows(), columns };
      return `${listText(list.rows, tableListing(list.columns, view))}`;
    },
  };
}

function columnOf(name: string, metadata: readonly Field[]): Column<CountRow> {
  const isNumber = name === "count";
  return {
    name,
    heading: isNumber ? "Count" : fieldFacts(name, metadata).label,
    value: (row) => row[name] ?? "",
    ...(isNumber ? { align: "right" as const } : {}),
    gives: "never",
  };
}

/** One row per value of a field, one column per value of the other, with sums. */
function grid(
  rows: readonly CountRow[],
  [first, across]: readonly [down: Column<CountRow>, across: string],
  order: readonly string[],
) {
  const down = first.name;
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const names = sumsBy(rows, across)
    .map(([name]) => name)
    .sort((one, other) => place(one) - place(other));
  const line = (label: string, of: readonly CountRow[]): CountRow => {
    const cells = names.map((name) => [`=${name}`, sum(of.filter((row) => row[across] === name))] as const);
    return { [down]: label, ...Object.fromEntries(cells), total: sum(of) };
  };
  const lines = sumsBy(rows, down).map(([label]) =>
    line(
      label,
      rows.filter((row) => row[down] === label),
    ),
  );
  const number = (name: string, heading: string): Column<CountRow> => ({
    name,
    heading,
    value: (row) => row[name] ?? 0,
    cell: (row, view) => (row[name] ? String(row[name]) : signsOf(view).dot),
    align: "right",
    gives: "never",
  });
  return {
    rows: [...lines, line("total", rows)],
    columns: [first, ...names.map((name) => number(`=${name}`, name || "(none)")), number("total", "total")],
  };
}

function sumsBy(rows: readonly CountRow[], field: string): readonly (readonly [string, number])[] {
  const names = [...new Set(rows.map((row) => String(row[field])))];
  return names
    .map((name) => [name, sum(rows.filter((row) => row[field] === name))] as const)
    .sort(([one, count], [other, more]) => more - count || one.localeCompare(other, "en"));
}

function sum(rows: readonly CountRow[]): number {
  return rows.reduce((before, row) => before + Number(row["count"]), 0);
}

/** Values of a bug's field as text; one empty text if unset. */
function valuesOf(bug: Bug, field: string): readonly string[] {
  const value = bug[field as keyof Bug] as Json | undefined;
  const items = new Set((Array.isArray(value) ? value : [value]).map(nameOf));
  return items.size > 0 ? [...items] : [""];
}

/** Text of a value: a flag by name and status, a user by login. */
function nameOf(value: Json | undefined): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return exactText(value);
  const { name, status } = value as JsonObject;
  return `${exactText(name)}${exactText(status)}`;
}

function combinations(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.reduce<readonly (readonly string[])[]>(
    (all, list) => all.flatMap((one) => list.map((item) => [...one, item])),
    [[]],
  );
}

function compare(one: readonly string[], other: readonly string[]): number {
  return one.join("\0").localeCompare(other.join("\0"), "en");
}
