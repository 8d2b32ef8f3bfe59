import type { Bug } from "../wire/bug-fields.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Field } from "../wire/resources.ts";
import { type Column, exactText } from "./column.ts";
import { fieldFacts } from "./field-facts.ts";
import { tableListing } from "./list-table.ts";
import { listText } from "./listing.ts";
import { compareTexts } from "./text.ts";
import { dayText } from "./times.ts";
import { type View, viewSigns } from "./view.ts";
import { width } from "./wrap.ts";

/** A group of bugs: the value of each field, and the `count`. */
export type CountRow = Readonly<Record<string, string | number>>;

/**
 * Counts of bugs by one or two fields; a bug with several values of a field counts for each, and
 * once in each total.
 */
export type CountTable = {
  readonly add: (bugs: readonly Bug[], count?: number) => void; // each stands for so many
  readonly total: () => number;
  readonly rows: () => readonly CountRow[]; // descending by count
  readonly columns: readonly Column<CountRow>[];
  /**
   * Table for the terminal, with totals: a list for one field, a grid for two, or a list where the
   * grid is too wide. Values have the order that is given for their field, others follow by count.
   */
  readonly table: (view: View, orders?: string[][]) => string;
};

/** An empty count table for these fields, headed by the tracker's metadata, if given. */
export function countTable(
  fields: readonly string[],
  metadata: readonly Field[] = [],
  serverZone?: View["serverZone"],
): CountTable {
  const groups = new Map<string, Group>();
  const columns = [...fields, "count"].map((name) => countColumn(name, metadata, serverZone));
  const countOf: CountOf = (...values) => groups.get(JSON.stringify(values))?.count ?? 0;
  const add = (bug: Bug, count: number) => {
    for (const values of combinations(fields.map((field) => [...countedValues(bug, field), ANY])))
      groups.set(JSON.stringify(values), { values, count: countOf(...values) + count });
  };
  /** Groups with a value of the wanted fields and any of the others, descending by count. */
  const groupsBy = (isWanted: (at: number) => boolean) =>
    [...groups.values()]
      .filter(({ values }) => values.every((value, at) => (value !== ANY) === isWanted(at)))
      .sort((a, b) => b.count - a.count || compareTexts(groupKey(a.values), groupKey(b.values)));
  const rowOf = (values: Group["values"]): CountRow => ({
    ...Object.fromEntries(fields.map((field, at) => [field, values[at] ?? ""])),
    count: countOf(...values),
  });
  const total = () => countOf(...fields.map(() => ANY));
  return {
    add: (bugs, count = 1) => {
      for (const bug of bugs) add(bug, count);
    },
    total,
    rows: () => groupsBy(() => true).map(({ values }) => rowOf(values)),
    columns,
    table: (view, orders = []) => {
      const [first] = columns;
      if (!first || total() === 0) return "";
      const values = fields.map((_, field) =>
        groupsBy((at) => at === field)
          .map((group) => group.values[field] ?? "")
          .sort(byPlace(orders[field] ?? [])),
      );
      const grid = fields.length === 2 ? fittingGrid(countGrid(first, values, countOf), view) : undefined;
      const rows = combinations(values)
        .map(rowOf)
        .filter(({ count }) => count !== 0);
      const shrinking = columns.map((column) =>
        column.name === "count" ? column : { ...column, shrink: "first" as const },
      );
      const sum = { [first.name]: "total", count: total() };
      return grid ?? listText([...rows, sum], tableListing(shrinking, view));
    },
  };
}

/** A group of bugs: its value of each field, or that it has any. */
type Group = { values: readonly (string | null)[]; count: number };
type CountOf = (...values: Group["values"]) => number;
const ANY = null;

function countColumn(name: string, metadata: readonly Field[], serverZone?: string): Column<CountRow> {
  const isNumber = name === "count";
  const { label, kind } = fieldFacts(name, metadata);
  const text = ({ [name]: value = "" }: CountRow) => (kind === "day" ? dayText(`${value}`, serverZone) : `${value}`);
  return {
    name,
    heading: isNumber ? "Count" : label,
    value: (row) => row[name] ?? "",
    text,
    cell: (row) => (row[name] === "" ? NO_VALUE : text(row)),
    ...(isNumber ? { align: "right" as const } : {}),
    shrink: "never",
  };
}

const NO_VALUE = "(none)";

/** Comparison by place in a list; other values come last. */
function byPlace(order: string[]) {
  const place = (value: string) => (order.includes(value) ? order.indexOf(value) : order.length);
  return (a: string, b: string) => place(a) - place(b);
}

/** One row per value of a field, one column per value of the other, with totals. */
function countGrid(first: Column<CountRow>, [down = [], across = []]: string[][], countOf: CountOf) {
  const line = (label: string, value: string | null): CountRow => ({
    [first.name]: label,
    ...Object.fromEntries(across.map((name) => [`=${name}`, countOf(value, name)])),
    total: countOf(value, ANY),
  });
  const number = (name: string, heading: string): Column<CountRow> => ({
    name,
    heading,
    value: (row) => row[name] ?? 0,
    cell: (row, view) => (row[name] ? String(row[name]) : viewSigns(view).none),
    align: "right",
    shrink: "never",
  });
  return {
    rows: [...down.map((value) => line(value, value)), line("total", ANY)],
    columns: [first, ...across.map((name) => number(`=${name}`, name || NO_VALUE)), number("total", "total")],
  };
}

/** The text of a grid; undefined if it is too wide. */
function fittingGrid({ rows, columns }: ReturnType<typeof countGrid>, view: View): string | undefined {
  const textIn = (color: boolean) => listText(rows, tableListing(columns, { ...view, color }));
  const isTooWide = textIn(false)
    .split("\n")
    .some((line) => width(line) > view.width);
  return isTooWide ? undefined : textIn(view.color);
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
function groupKey(values: Group["values"]): string {
  return values.join("\0").toLowerCase();
}
