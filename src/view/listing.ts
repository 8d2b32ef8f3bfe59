import type { Json } from "../wire/exchange.ts";
import { type Column, exactCellText, type Listing } from "./column.ts";
import { tableListing } from "./list-table.ts";
import { palette } from "./palette.ts";
import { stableJson, stableMember } from "./stable.ts";
import { escapeJson, escapeVisibly, plain, replaceCharacters } from "./text.ts";
import { type Format, type View, viewSigns } from "./view.ts";

/** A listing in any format. All but `table` use constant memory. */
export function listing<Row>(format: Format, columns: readonly Column<Row>[], view: View): Listing<Row> {
  if (format === "table") return tableListing(columns, view);
  if (format === "json" || format === "ndjson") return textListing(format, view, (row) => recordJson(columns, row));
  return lineListing(format, columns, view);
}

/** Text of a complete list. */
export function listText<Row>(rows: readonly Row[], { head, page, tail }: Listing<Row>): string {
  return head(rows) + page(rows) + tail();
}

/** Several cards, separated by a rule. */
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
    if (field !== undefined) fields[name] = typeof field === "object" ? stableMember(field, name) : field;
  }
  return fields;
}

/**
 * Wire values in canonical order, so that equal responses are equal byte for byte: `json` as one array (indented on a
 * terminal), `ndjson` as one line each. Of complete objects, the keys of `first` come first, in that order. Characters that
 * could control a terminal are escaped as in JSON, so values stay exact.
 */
export function jsonListing<Row>(format: "json" | "ndjson", view: View, first?: readonly string[]): Listing<Row> {
  return textListing(format, view, (value) => stableJson(value as Json, first));
}

/** Values as JSON, after each was brought into canonical form. */
function textListing<Row>(format: "json" | "ndjson", view: View, stable: (value: Row) => Json): Listing<Row> {
  const text = (value: Row, indent?: number) => JSON.stringify(stable(value), null, indent);
  if (format === "json")
    return view.terminal
      ? arrayListing((value) => indentedInArray(text(value, 2)), INDENTED)
      : arrayListing(text, COMPACT);
  return {
    head: () => "",
    page: (values) => escapeJson(values.map((value) => `${text(value)}\n`).join("")),
    tail: () => "",
  };
}

function indentedInArray(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

type ArrayStyle = { between: string; before: string; after: string };
const COMPACT: ArrayStyle = { between: ",", before: "", after: "" };
const INDENTED: ArrayStyle = { between: ",\n  ", before: "\n  ", after: "\n" };

function arrayListing<Row>(write: (value: Row) => string, { between, before, after }: ArrayStyle): Listing<Row> {
  let empty = true;
  return {
    head: () => "[",
    page: (values) => {
      if (values.length === 0) return "";
      const lead = empty ? before : between;
      empty = false;
      return escapeJson(lead + values.map((value) => write(value)).join(between));
    },
    tail: () => (empty ? "]\n" : `${after}]\n`),
  };
}

/** A format with one line (CSV: one record) of exact texts per row. */
export type LineFormat = "tsv" | "csv" | "ids";

/**
 * Rows as lines for programs: nothing is truncated, times are as on the wire, memory is constant. Tabs, line breaks,
 * backslashes and control characters in TSV are escaped; CSV follows RFC 4180, with an apostrophe before
 * cells that a spreadsheet would take for a formula.
 */
function lineListing<Row>(format: LineFormat, columns: readonly Column<Row>[], view: View): Listing<Row> {
  const { head, line, pick = (all) => all, isOnce = false } = STYLES[format];
  const shown = pick(columns);
  const hasUnset = format === "tsv";
  let last = "";
  return {
    head: () => head?.(shown, view) ?? "",
    page: (rows) => {
      const lines = rows.map((row) => line(cellTexts(shown, row, hasUnset), view));
      if (!isOnce) return lines.join("");
      const others = lines.filter((text, at) => text !== (lines[at - 1] ?? last));
      last = lines.at(-1) ?? last;
      return others.join("");
    },
    tail: () => "",
  };
}

type Columns = readonly Column<never>[];
type LineStyle = {
  head?: (columns: Columns, view: View) => string;
  line: (texts: readonly string[], view: View) => string;
  pick?: <Row>(columns: readonly Column<Row>[]) => readonly Column<Row>[];
  isOnce?: true; // equal lines in a row are one: those of several changes to a bug
};

function tsvLine(texts: readonly string[]) {
  return `${texts.map(tsvCell).join("\t")}\n`;
}

function csvLine(texts: readonly string[], view: View) {
  return `${texts.map((text) => csvCell(text, view)).join(",")}\r\n`;
}

const STYLES: Readonly<Record<LineFormat, LineStyle>> = {
  tsv: { line: tsvLine },
  csv: {
    line: csvLine,
    head: (columns, view) =>
      csvLine(
        columns.map(({ name }) => name),
        view,
      ),
  },
  ids: {
    line: tsvLine,
    pick: (columns) => {
      const id = columns.find(({ name }) => IDS.includes(name));
      return id ? [id] : columns.slice(0, 1);
    },
    isOnce: true,
  },
};

/** Columns that name a row; where none is, its first column does. */
const IDS: readonly string[] = ["id", "job"];

function cellTexts<Row>(columns: readonly Column<Row>[], row: Row, hasUnset: boolean): string[] {
  return columns.map((column) => exactCellText(column, row) || (hasUnset && column.unset) || "");
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };
const TSV_SAFE = /^[\x20-\x5b\x5d-\x7e]*$/;
const TSV_UNSAFE = /[\\\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

// A pipe may end at a terminal (`| head`), so control characters are escaped here, too.
function tsvCell(text: string): string {
  return TSV_SAFE.test(text)
    ? text
    : replaceCharacters(text, TSV_UNSAFE, (char) => TSV_ESCAPES[char] ?? escapeVisibly(char));
}

function csvCell(text: string, view: View): string {
  const safe = view.isRaw || !FORMULA.test(text) ? text : `'${text}`;
  const shown = view.terminal ? plain(safe, { lines: true }) : safe;
  return /[",\r\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** The beginning of a formula, or of a text that looks like an escaped one; dashes alone, as in an unset priority, are text. */
const FORMULA = /^'*(?!-+$)[=+\-@\t\r]/;

/** The text of a CSV cell with the apostrophe before a formula. */
export function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
