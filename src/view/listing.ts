import type { Json } from "../wire/exchange.ts";
import type { Column, Listing } from "./column.ts";
import { documents } from "./documents.ts";
import { lines } from "./lines.ts";
import { sheet } from "./sheet.ts";
import type { View } from "./view.ts";

/** Every way in which a list can be printed, and what it is for; `--format` takes these names. */
export const FORMATS = {
  table: "aligned columns, fitted to the terminal",
  tsv: "tab-separated lines without a heading, nothing cut",
  csv: "comma-separated values with a heading line (RFC 4180)",
  json: "one array, with the names and values of the wire",
  ndjson: "one JSON object a line",
  markdown: "a table to paste into a text",
  ids: "the ids alone, one a line",
} as const;

/** The name of a way to print a list. */
export type Format = keyof typeof FORMATS;

/** What is printed when nobody asks: a table for eyes, tab-separated lines for programs. */
export function usualFormat(view: Pick<View, "terminal">): Format {
  return view.terminal ? "table" : "tsv";
}

/** Prints a list in any format; all but `table` cost the same memory whatever its length. */
export function listing<Row>(format: Format, columns: readonly Column<Row>[], view: View): Listing<Row> {
  if (format === "table") return sheet(columns, view);
  if (format === "json" || format === "ndjson") return records(columns, documents(format, view));
  return lines(format, columns, view);
}

/** The whole text of a list that is all there. */
export function listText<Row>(rows: readonly Row[], { head, page, tail }: Listing<Row>): string {
  return head(rows) + page(rows) + tail();
}

function records<Row>(columns: readonly Column<Row>[], inner: Listing<Json>): Listing<Row> {
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
