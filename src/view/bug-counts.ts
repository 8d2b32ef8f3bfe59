import type { Bug } from "../wire/bug-fields.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Field } from "../wire/resources.ts";
import { type Column, exactText } from "./column.ts";
import { fieldFacts } from "./field-facts.ts";
import { tableListing } from "./list-table.ts";
import { listText } from "./listing.ts";
import { compareTexts } from "./text.ts";
import { type View, viewSigns } from "./view.ts";
import { width } from "./wrap.ts";

/** A group of bugs: the value of each field, and the `count`. */
export type CountRow = Readonly<Record<string, string | number>>;

/** Counts of bugs by one or two fields; a bug with several values of a field counts for each. */
export type CountTable = {
  readonly add: (bugs: readonly Bug[], count?: number) => void; // each stands for so many
  readonly total: () => number;
  readonly rows: () => readonly CountRow[]; // descending by count
  readonly columns: readonly Column<CountRow>[];
  /**
   * Table for the terminal: a list for one field, a grid with sums for two, or a list where the grid is too wide. Values
   * have the order that is given for their field, others follow by count.
   */
  readonly table: (view: View, orders?: Orders) => string;
};

/** An empty count table for these fields, headed by the tracker's metadata, if given. */
export function countTable(fields: readonly string[], metadata: readonly Field[] = []): CountTable {
  const counts = new Map<string, { values: string[]; count: number }>();
  let total = 0;
  const add = (bug: Bug, count: number) => {
    total += count;
    for (const values of combinations(fields.map((field) => countedValues(bug, field)))) {
      const key = JSON.stringify(values);
      const entry = counts.get(key) ?? { values, count: 0 };
      entry.count += count;
      counts.set(key, entry);
    }
  };
  const rows = () =>
    [...counts.values()]
      .sort((a, b) => b.count - a.count || compareTexts(groupKey(a.values), groupKey(b.values)))
      .map(
        ({ values, count }): CountRow => ({
          ...Object.fromEntries(fields.map((field, at) => [field, values[at] ?? ""])),
          count,
        }),
      );
  const columns = [...fields, "count"].map((name) => countColumn(name, metadata));
  return {
    add: (bugs, count = 1) => {
      for (const bug of bugs) add(bug, count);
    },
    total: () => total,
    rows,
    columns,
    table: (view, orders = []) => {
      const [first, across] = [columns[0], fields[1]];
      const byCount = rows();
      const full = fields.map((field, at) => (orders[at]?.length ? orders[at] : sumsBy(byCount, field)));
      const all = rowsByValues(byCount, fields, full);
      const list = listText(all, tableListing(columns.map(shrinkingColumn), view));
      if (!first || !across) return list;
      const pivot = countGrid(all, [first, across], full);
      const table = (shown: View) => listText(pivot.rows, tableListing(pivot.columns, shown));
      const lines = table({ ...view, color: false }).split("\n");
      return lines.every((line) => width(line) <= view.width) ? table(view) : list;
    },
  };
}

function countColumn(name: string, metadata: readonly Field[]): Column<CountRow> {
  const isNumber = name === "count";
  return {
    name,
    heading: isNumber ? "Count" : fieldFacts(name, metadata).label,
    value: (row) => row[name] ?? "",
    ...(isNumber ? { align: "right" as const } : {}),
    gives: "never",
  };
}

/** Values of each field in order; empty for a field without one. */
type Orders = string[][];

/** Rows in the order of the values of each field in turn. */
function rowsByValues(rows: CountRow[], fields: readonly string[], orders: Orders): CountRow[] {
  const steps = fields.map((field, at) => compareByOrder(orders[at] ?? [], (row: CountRow) => String(row[field])));
  return rows.toSorted((a, b) => steps.reduce((found, step) => found || step(a, b), 0));
}

function compareByOrder<Thing>(order: string[], nameOf: (thing: Thing) => string) {
  const place = (thing: Thing) => (order.includes(nameOf(thing)) ? order.indexOf(nameOf(thing)) : order.length);
  return (a: Thing, b: Thing) => place(a) - place(b);
}

function shrinkingColumn(column: Column<CountRow>): Column<CountRow> {
  return column.name === "count" ? column : { ...column, gives: "first" };
}

/** One row per value of a field, one column per value of the other, with sums. */
function countGrid(
  rows: CountRow[],
  [first, across]: [down: Column<CountRow>, across: string],
  [downOrder = [], acrossOrder = []]: Orders,
) {
  const down = first.name;
  const ordered = (field: string, order: string[]) =>
    sumsBy(rows, field).sort(compareByOrder(order, (name: string) => name));
  const names = ordered(across, acrossOrder);
  const line = (label: string, of: CountRow[]): CountRow => {
    const cells = names.map((name) => [`=${name}`, sumOfCounts(of.filter((row) => row[across] === name))] as const);
    return { [down]: label, ...Object.fromEntries(cells), total: sumOfCounts(of) };
  };
  const lines = ordered(down, downOrder).map((label) =>
    line(
      label,
      rows.filter((row) => row[down] === label),
    ),
  );
  const number = (name: string, heading: string): Column<CountRow> => ({
    name,
    heading,
    value: (row) => row[name] ?? 0,
    cell: (row, view) => (row[name] ? String(row[name]) : viewSigns(view).none),
    align: "right",
    gives: "never",
  });
  return {
    rows: [...lines, line("total", rows)],
    columns: [first, ...names.map((name) => number(`=${name}`, name || "(none)")), number("total", "total")],
  };
}

/** Values of a field, descending by their sum. */
function sumsBy(rows: CountRow[], field: string): string[] {
  const names = [...new Set(rows.map((row) => String(row[field])))];
  return names
    .map((name) => [name, sumOfCounts(rows.filter((row) => row[field] === name))] as const)
    .sort(([one, count], [other, more]) => more - count || compareTexts(groupKey([one]), groupKey([other])))
    .map(([name]) => name);
}

function sumOfCounts(rows: CountRow[]): number {
  return rows.reduce((before, row) => before + Number(row["count"]), 0);
}

/** Values of a bug's field as text; one empty text if unset. */
function countedValues(bug: Bug, field: string): string[] {
  const value = bug[field as keyof Bug] as Json | undefined;
  const items = new Set((Array.isArray(value) ? value : [value]).map(countedText));
  return items.size > 0 ? [...items] : [""];
}

/** Text of a value: a flag by name and status, a user by login. */
function countedText(value: Json | undefined): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return exactText(value);
  const { name, status } = value as JsonObject;
  return `${exactText(name)}${exactText(status)}`;
}

/** All lists with one item of each list. */
function combinations([first, ...others]: string[][]): string[][] {
  if (first === undefined) return [[]];
  const rest = combinations(others);
  return first.flatMap((item) => rest.map((items) => [item, ...items]));
}

/** What groups of one size are ordered by. */
function groupKey(values: readonly string[]): string {
  return values.join("\0").toLowerCase();
}
