import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Column, Listing } from "./column.ts";
import { documents } from "./documents.ts";
import type { Format } from "./format.ts";
import { lines } from "./lines.ts";
import { isTooNarrow, records } from "./records.ts";
import { sheet } from "./sheet.ts";
import { inOrder } from "./stable.ts";
import type { View } from "./view.ts";

/** Prints a list in any format; all but `table` cost the same memory whatever its length. */
export function listing<Row>(format: Format, columns: readonly Column<Row>[], view: View): Listing<Row> {
  if (format === "table") return isTooNarrow(columns, view) ? records(columns, view) : sheet(columns, view);
  if (format === "json" || format === "ndjson") return objects(columns, documents(format, view));
  return lines(format, columns, view);
}

/** Objects of the wire whole: the keys that are named first, in that order, then the others by name. */
export function wholes<Row extends object>(
  format: "json" | "ndjson",
  first: readonly string[],
  view: View,
): Listing<Row> {
  const inner = documents(format, view);
  const whole = (row: Row): Json => {
    const fields = row as JsonObject;
    const keys = inOrder(Object.keys(fields), first);
    return Object.fromEntries(keys.map((key) => [key, fields[key] ?? null]));
  };
  return { head: () => inner.head([]), page: (rows) => inner.page(rows.map(whole)), tail: inner.tail };
}

/** The whole text of a list that is all there. */
export function listText<Row>(rows: readonly Row[], { head, page, tail }: Listing<Row>): string {
  return head(rows) + page(rows) + tail();
}

function objects<Row>(columns: readonly Column<Row>[], inner: Listing<Json>): Listing<Row> {
  const record = (row: Row): Json => {
    const fields: Record<string, Json> = {};
    for (const { name, value } of columns) {
      const field = value(row);
      if (field !== undefined) fields[name] = field;
    }
    return fields;
  };
  return { head: () => inner.head([]), page: (rows) => inner.page(rows.map(record)), tail: inner.tail };
}
