import type { Json } from "../wire/exchange.ts";
import { type Column, exactCellText, type Listing } from "./column.ts";
import { tableListing } from "./list-table.ts";
import { palette } from "./palette.ts";
import { stableJson, stableMember } from "./stable.ts";
import { escapeJson, escapeVisibly, plain, replaceCharacters } from "./text.ts";
import { type Format, type View, viewSigns } from "./view.ts";

/** A listing in any format; it streams in constant memory. */
export function listing<Row>(format: Format, columns: readonly Column<Row>[], view: View): Listing<Row> {
  switch (format) {
    case "table":
      return tableListing(columns, view);
    case "tsv":
      return linesOf((row) => tsvLine(columns.map((column) => exactCellText(column, row) || (column.unset ?? ""))));
    case "csv": {
      const names = columns.map(({ name }) => name);
      const lines = linesOf((row: Row) =>
        csvLine(
          columns.map((column) => exactCellText(column, row)),
          view,
        ),
      );
      return { ...lines, head: () => csvLine(names, view) };
    }
    case "ids":
      return idListing(columns);
    default:
      return valueListing(format, view, (row) => recordJson(columns, row));
  }
}

export function listText<Row>(rows: readonly Row[], { head, page, tail }: Listing<Row>): string {
  return head(rows) + page(rows) + tail();
}

export function separateCards(cards: readonly string[], view: View): string {
  const rule = viewSigns(view).rule.repeat(Math.min(view.width, LONGEST_RULE));
  return cards.join(`\n${palette(view).quiet(rule)}\n\n`);
}

const LONGEST_RULE = 80;

/** The values of the columns as JSON, each in canonical form. */
export function recordJson<Row>(columns: readonly Column<Row>[], row: Row): Json {
  const fields: Record<string, Json> = {};
  for (const { name, value } of columns) {
    const field = value(row);
    if (field !== undefined) fields[name] = stableMember(field, name);
  }
  return fields;
}

/**
 * Wire values in canonical order, so that equal responses are equal byte for byte: `json` as one
 * array (indented on a terminal), `ndjson` as one line each. Of complete objects, the keys of
 * `first` come first, in that order. Characters that could control a terminal are escaped as in
 * JSON, so values stay exact.
 */
export function jsonListing<Row>(format: "json" | "ndjson", view: View, first?: readonly string[]): Listing<Row> {
  return valueListing(format, view, (value) => stableJson(value as Json, first));
}

function valueListing<Row>(format: "json" | "ndjson", view: View, stable: (row: Row) => Json): Listing<Row> {
  if (format === "ndjson") return linesOf((row) => escapeJson(`${JSON.stringify(stable(row))}\n`));
  const indent = view.terminal ? "\n  " : "";
  const text = (row: Row) => JSON.stringify(stable(row), null, view.terminal ? 2 : 0).replaceAll("\n", indent);
  let lead = "";
  return {
    head: () => "[",
    page: (rows) => {
      const texts = rows.map((row, at) => `${at > 0 ? "," : lead}${indent}${text(row)}`);
      if (rows.length > 0) lead = ",";
      return escapeJson(texts.join(""));
    },
    tail: () => `${lead && indent && "\n"}]\n`,
  };
}

function linesOf<Row>(line: (row: Row) => string): Listing<Row> {
  return { head: () => "", page: (rows) => rows.map(line).join(""), tail: () => "" };
}

/** The ids alone, or what the first column has; several changes of a bug in a row are one line. */
function idListing<Row>(columns: readonly Column<Row>[]): Listing<Row> {
  const id = columns.find(({ name }) => name === "id" || name === "job") ?? columns[0];
  let last = "";
  return linesOf((row) => {
    const text = id ? tsvLine([exactCellText(id, row)]) : "";
    const isRepeated = text === last;
    last = text;
    return isRepeated ? "" : text;
  });
}

/** A record with tabs, breaks and control characters escaped: a pipe may end at a terminal. */
function tsvLine(texts: readonly string[]): string {
  return `${texts.map(tsvCell).join("\t")}\n`;
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };
const TSV_SAFE = /^[\x20-\x5b\x5d-\x7e]*$/;
const TSV_UNSAFE = /[\\\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

function tsvCell(text: string): string {
  return TSV_SAFE.test(text)
    ? text
    : replaceCharacters(text, TSV_UNSAFE, (char) => TSV_ESCAPES[char] ?? escapeVisibly(char));
}

/** A record of RFC 4180, with an apostrophe before what a spreadsheet would take for a formula. */
function csvLine(texts: readonly string[], view: View): string {
  return `${texts.map((text) => csvCell(text, view)).join(",")}\r\n`;
}

function csvCell(text: string, view: View): string {
  const safe = view.isRaw || !FORMULA.test(text) ? text : `'${text}`;
  const shown = view.terminal ? plain(safe, { lines: true }) : safe;
  return /[",\r\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** The beginning of a formula, or of an escaped one; dashes alone (an unset priority) are text. */
const FORMULA = /^'*(?!-+$)[=+\-@\t\r]/;

/** The text of a CSV cell with the apostrophe before a formula. */
export function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
