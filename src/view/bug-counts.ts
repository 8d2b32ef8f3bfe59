import type { Bug } from "../wire/bug-fields.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Field } from "../wire/resources.ts";
import { type Column, exactText } from "./column.ts";
import { fieldFacts } from "./field-kinds.ts";
import { listText, tableListing } from "./listing.ts";
import { compareTexts } from "./text.ts";
import { dayText } from "./times.ts";
import { type View, viewSigns } from "./view.ts";
import { width } from "./wrap.ts";

/** A group of bugs: the value of each field, and the `count`. */
type CountRow = Readonly<Record<string, string | number>>;

/** Numbers of bugs by the values of one or two fields. A bug with several values counts for each, and once in each total. */
export type BugCounts = { readonly fields: readonly string[]; readonly groups: Map<string, Group> };

/** A group of bugs by its value of each field; with `ANY`, whatever that value is. */
type Group = { readonly values: readonly (string | null)[]; count: number };
const ANY = null;

/** Adds a bug that stands for so many. */
export function addToCounts({ fields, groups }: BugCounts, bug: Bug, count: number): void {
  for (const values of combinations(fields.map((field) => [...countedValues(bug, field), ANY]))) {
    const key = JSON.stringify(values);
    groups.set(key, { values, count: (groups.get(key)?.count ?? 0) + count });
  }
}

/** Number of bugs with these values; without values, of all. */
export function countOf({ fields, groups }: BugCounts, values: Group["values"] = []): number {
  return groups.get(JSON.stringify(fields.map((_, at) => values[at] ?? ANY)))?.count ?? 0;
}

/** Columns of the fields, headed by the tracker's metadata, if given, and of the number. */
export function countColumns(fields: readonly string[], metadata: readonly Field[] = []): Column<CountRow>[] {
  return [...fields.map((name) => valueColumn(name, metadata)), COUNT];
}

/** Groups with a value of each field, descending by count. */
export function countRows(counts: BugCounts): CountRow[] {
  const groups = [...counts.groups.values()].filter(({ values }) => !values.includes(ANY));
  return groups.sort(compareGroups).map(({ values }) => countRow(counts, values));
}

function countRow(counts: BugCounts, values: Group["values"]): CountRow {
  const cells = counts.fields.map((field, at) => [field, values[at] ?? ""] as const);
  return { ...Object.fromEntries(cells), count: countOf(counts, values) };
}

/**
 * Table for the terminal, with totals: a list for one field, a grid for two, or a list where the grid is too wide. Values
 * have the order that is given for their field, others follow by count.
 */
export function countsText(
  counts: BugCounts,
  columns: readonly Column<CountRow>[],
  orders: readonly string[][],
  view: View,
): string {
  const [first = COUNT] = columns;
  const total = countOf(counts);
  if (total === 0) return "";
  const values = counts.fields.map((_, at) => valuesOf(counts, at, orders[at] ?? []));
  const grid = values.length === 2 ? countGrid(first, values, counts) : undefined;
  if (grid && isFitting(grid, view)) return listText(grid.rows, tableListing(grid.columns, view));
  const rows = combinations(values).map((some) => countRow(counts, some));
  const shown = [...rows.filter(({ count }) => count !== 0), { [first.name]: "total", count: total }];
  return listText(shown, tableListing(columns, view));
}

/** Values of a field in the given order, others by count. */
function valuesOf({ groups }: BugCounts, field: number, order: string[]): string[] {
  const totals = [...groups.values()].filter(({ values }) =>
    values.every((value, at) => (at === field ? value !== ANY : value === ANY)),
  );
  const names = totals.sort(compareGroups).map(({ values }) => values[field] ?? "");
  const place = (value: string) => (order.includes(value) ? order.indexOf(value) : order.length);
  return names.sort((a, b) => place(a) - place(b));
}

/** Descending by count, then by the values. */
function compareGroups(a: Group, b: Group): number {
  const [one = "", other = ""] = [a, b].map(({ values }) => values.join("\0").toLowerCase());
  return b.count - a.count || compareTexts(one, other);
}

function valueColumn(name: string, metadata: readonly Field[]): Column<CountRow> {
  const { label, kind } = fieldFacts(name, metadata);
  const text = ({ [name]: value = "" }: CountRow, { serverZone }: View) =>
    kind === "day" ? dayText(`${value}`, serverZone) : `${value}`;
  return {
    name,
    heading: label,
    value: (row) => row[name] ?? "",
    text,
    cell: (row, view) => (row[name] === "" ? NO_VALUE : text(row, view)),
    shrink: "first",
  };
}

function numberColumn(name: string, heading: string): Column<CountRow> {
  return {
    name,
    heading,
    value: (row) => row[name] ?? 0,
    cell: (row, view) => String(row[name] || viewSigns(view).none),
    align: "right",
  };
}

const NO_VALUE = "(none)";
const COUNT = numberColumn("count", "Count");

type Grid = { readonly rows: readonly CountRow[]; readonly columns: readonly Column<CountRow>[] };

/** One row per value of a field, one column per value of the other, with totals. */
function countGrid(first: Column<CountRow>, [down = [], across = []]: string[][], counts: BugCounts): Grid {
  const line = (label: string, value: string | null): CountRow => ({
    [first.name]: label,
    // `=` tells the values from "total"
    ...Object.fromEntries(across.map((name) => [`=${name}`, countOf(counts, [value, name])])),
    total: countOf(counts, [value]),
  });
  const numbers = across.map((name) => numberColumn(`=${name}`, name || NO_VALUE));
  return {
    rows: [...down.map((value) => line(value, value)), line("total", ANY)],
    columns: [{ ...first, shrink: "never" }, ...numbers, numberColumn("total", "total")],
  };
}

function isFitting({ rows, columns }: Grid, view: View): boolean {
  const lines = listText(rows, tableListing(columns, { ...view, color: false })).split("\n");
  return lines.every((line) => width(line) <= view.width);
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
function combinations<Item>([first, ...others]: (readonly Item[])[]): Item[][] {
  if (first === undefined) return [[]];
  const rest = combinations(others);
  return first.flatMap((item) => rest.map((items) => [item, ...items]));
}
