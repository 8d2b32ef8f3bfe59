import { BUG_FIELD_ROWS, DEFAULT_BUG_FIELDS } from "../wire/bug-fields.ts";
import type { Json } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import type { Role } from "./palette.ts";
import { compareTexts } from "./text.ts";
import type { View } from "./view.ts";

/**
 * A column of a list. `name` is the wire name, used to choose columns and as heading of JSON and
 * CSV. `value` is printed by JSON, `text` is its exact form for pipes, `cell` its form for the
 * terminal.
 */
export type Column<Row> = {
  readonly name: string;
  readonly heading: string;
  readonly value: (row: Row) => Json | undefined;
  readonly text?: (row: Row, view: View) => string;
  readonly cell?: (row: Row, view: View) => string;
  readonly paint?: (row: Row, view: View) => Role | undefined;
  unset?: string; // in TSV in place of an empty text, since `read` of a shell skips empty columns
  readonly align?: "right";
  readonly shrink?: "first" | "last" | "never"; // order of shrinking on a narrow terminal
  readonly optional?: number; // place in the order of leaving a narrow terminal; absent: stays
  readonly isRare?: true; // left out of a list in which it is empty
};

/**
 * A list printed in pieces: `head` receives the first rows (which determine the widths of a table),
 * `page` every page including the first, `tail` ends it.
 */
export type Listing<Row> = {
  readonly head: (first: readonly Row[]) => string;
  readonly page: (rows: readonly Row[]) => string;
  readonly tail: () => string;
};

/** Exact text of a value for pipes: "" if unset, items joined by commas, objects as JSON. */
export function exactText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(exactText).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function exactCellText<Row>(column: Column<Row>, row: Row, view: View): string {
  return column.text ? column.text(row, view) : exactText(cellValue(column, row));
}

export function shownCell<Row>(column: Column<Row>, row: Row, view: View): string {
  if (column.cell && view.terminal) return column.cell(row, view);
  if (column.text) return column.text(row, view);
  const value = cellValue(column, row);
  return Array.isArray(value) ? value.map(exactText).join(", ") : exactText(value);
}

/** The columns for these rows: rare ones only if a row shows something in them. */
export function filledColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[], view: View): Column<Row>[] {
  return columns.filter((column) => !column.isRare || rows.some((row) => shownCell(column, row, view) !== ""));
}

/** Value of a cell; unordered lists are sorted. */
function cellValue<Row>({ name, value }: Column<Row>, row: Row): Json | undefined {
  const found = value(row);
  return found === undefined ? undefined : stableJson(found, name);
}

export function columnsNamed<Row>(columns: readonly Column<Row>[], ...names: string[]): Column<Row>[] {
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

/**
 * Canonical form of a wire value, the member `name` of an object: its keys in one order, those of
 * `first` before the others, and sorted lists where servers return them in any order.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html (hashes of Perl have no order)
 */
export function stableJson(value: Json, name = "", first: readonly string[] = FIRST): Json {
  if (Array.isArray(value)) return stableList(value, name);
  if (!isObject(value)) return value;
  const stable: Record<string, Json> = Object.create(null); // a key may be __proto__
  for (const key of keysInOrder(Object.keys(value), first)) stable[key] = stableJson(value[key] ?? null, key);
  return stable;
}

function stableList(list: Json[], name: string): Json[] {
  if (list.length === 0) return list; // as most lists of a bug are
  const items = list.map((item) => stableJson(item, name));
  return UNORDERED.has(name) ? items.sort(compareItems) : items;
}

/** Keys in the order of a list, then the others by name. */
export function keysInOrder(keys: readonly string[], order: readonly string[]): string[] {
  const others = new Set(keys);
  const known = order.filter((key) => others.delete(key));
  return [...known, ...[...others].sort()];
}

const FIRST = ["id", "name", "real_name", "when", "who", "field_name", "removed", "added", ...DEFAULT_BUG_FIELDS];

/** Names of lists that servers return in any order. */
const UNORDERED: ReadonlySet<string> = new Set([
  ...BUG_FIELD_ROWS.flatMap(([name, { json = "text" }]) => (["texts", "ints", "users"].includes(json) ? name : [])),
  ...["flags", "membership", "users", "changes", "visibility_values"],
]);

function compareItems(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [one, other] = [a, b].map((item) => (isObject(item) ? String(item["name"] ?? "") : ""));
  return compareTexts(one, other) || compareTexts(JSON.stringify(a), JSON.stringify(b));
}
