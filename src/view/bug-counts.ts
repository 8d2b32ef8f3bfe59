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

/**
 * An empty table of counts of bugs by one or two fields, headed by the tracker's metadata, if given.
 * A bug with several values of a field counts for each, and once in each total.
 */
export function countTable(fields: readonly string[], metadata: readonly Field[] = []) {
  const groups = new Map<string, Group>();
  const columns = [...fields.map((name) => valueColumn(name, metadata)), COUNT];
  const countOf = (values: Group["values"]) => groups.get(JSON.stringify(values))?.count ?? 0;
  const total = () => countOf(fields.map(() => ANY));
  /** Groups with a value of the wanted fields and any of the others, descending by count. */
  const groupsBy = (isWanted: (at: number) => boolean) =>
    [...groups.values()]
      .filter(({ values }) => values.every((value, at) => (value !== ANY) === isWanted(at)))
      .sort((a, b) => b.count - a.count || compareTexts(groupKey(a), groupKey(b)));
  const rowOf = (values: Group["values"]): CountRow => ({
    ...Object.fromEntries(fields.map((field, at) => [field, values[at] ?? ""])),
    count: countOf(values),
  });
  return {
    /** Adds a bug that stands for so many. */
    add: (bug: Bug, count: number) => {
      for (const values of combinations(fields.map((field) => [...countedValues(bug, field), ANY])))
        groups.set(JSON.stringify(values), { values, count: countOf(values) + count });
    },
    total,
    /** Groups, descending by count. */
    rows: () => groupsBy(() => true).map(({ values }) => rowOf(values)),
    columns,
    /**
     * Table for the terminal, with totals: a list for one field, a grid for two, or a list where the
     * grid is too wide. Values have the order that is given for their field, others follow by count.
     */
    table: (view: View, orders: string[][] = []) => {
      const [first = COUNT] = columns;
      if (total() === 0) return "";
      const values = fields.map((_, field) =>
        groupsBy((at) => at === field)
          .map((group) => group.values[field] ?? "")
          .sort(byPlace(orders[field] ?? [])),
      );
      const grid = fields.length === 2 ? countGrid(first, values, countOf) : undefined;
      if (grid && isFitting(grid, view)) return listText(grid.rows, tableListing(grid.columns, view));
      const rows = combinations(values)
        .map(rowOf)
        .filter(({ count }) => count !== 0);
      return listText([...rows, { [first.name]: "total", count: total() }], tableListing(columns, view));
    },
  };
}

/** A group of bugs: its value of each field, or that it has any. */
type Group = { values: readonly (string | null)[]; count: number };
const ANY = null;

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

/** Comparison by place in a list; other values come last. */
function byPlace(order: string[]) {
  const place = (value: string) => (order.includes(value) ? order.indexOf(value) : order.length);
  return (a: string, b: string) => place(a) - place(b);
}

type Grid = { readonly rows: readonly CountRow[]; readonly columns: readonly Column<CountRow>[] };

/** One row per value of a field, one column per value of the other, with totals. */
function countGrid(
  first: Column<CountRow>,
  [down = [], across = []]: string[][],
  countOf: (values: Group["values"]) => number,
): Grid {
  const line = (label: string, value: string | null): CountRow => ({
    [first.name]: label,
    ...Object.fromEntries(across.map((name) => [`=${name}`, countOf([value, name])])),
    total: countOf([value, ANY]),
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

/** Order of groups of one size. */
function groupKey({ values }: Group): string {
  return values.join("\0").toLowerCase();
}
