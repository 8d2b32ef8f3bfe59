import type { Json } from "../wire/exchange.ts";
import type { Role } from "./palette.ts";
import { stableMember } from "./stable.ts";
import type { View } from "./view.ts";

/**
 * One column of a list. `name` is the word of the wire: users choose columns by it, and JSON and CSV are headed with it.
 * `value` is what JSON prints, `text` its exact form in one string for pipes, `cell` what a person reads at a terminal.
 */
export type Column<Row> = {
  readonly name: string;
  readonly heading: string;
  readonly value: (row: Row) => Json | undefined;
  readonly text?: (row: Row) => string;
  readonly cell?: (row: Row, view: View) => string;
  readonly paint?: (row: Row, view: View) => Role | undefined;
  readonly align?: "right";
  readonly gives?: "first" | "never"; // when the terminal is narrow; the others give way after the first ones
};

/**
 * A list on its way out, so that the first rows are seen before the last are read: `head` is given the first rows (from
 * which a table takes its widths), then every page goes through `page`, the first one too, and `tail` ends it.
 */
export type Listing<Row> = {
  readonly head: (first: readonly Row[]) => string;
  readonly page: (rows: readonly Row[]) => string;
  readonly tail: () => string;
};

/** The exact text of a value for pipes: nothing for what is unset, items joined by commas, objects as JSON. */
export function exactText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(exactText).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The exact text of one cell. */
export function exactCellText<Row>(column: Column<Row>, row: Row): string {
  return column.text ? column.text(row) : exactText(valueIn(column, row));
}

/** One cell as a person reads it. */
export function shownCell<Row>(column: Column<Row>, row: Row, view: View): string {
  if (column.cell && view.terminal) return column.cell(row, view);
  if (column.text) return column.text(row);
  const value = valueIn(column, row);
  return Array.isArray(value) ? value.map(exactText).join(", ") : exactText(value);
}

/** The value of one cell, a list without an order of its own sorted. */
function valueIn<Row>({ name, value }: Column<Row>, row: Row): Json | undefined {
  const told = value(row);
  return told === undefined ? undefined : stableMember(told, name);
}
