import type { Bug } from "../wire/bug-fields.ts";
import type { Json } from "../wire/exchange.ts";
import type { Flag } from "../wire/resources.ts";
import { type Column, exactCellText, exactText, filledColumns, type Listing, shownCell, stableJson } from "./column.ts";
import { bugFlagText } from "./field-kinds.ts";
import { palette, type Role } from "./palette.ts";
import { escapeJson, escapeVisibly, plain, replaceCharacters } from "./text.ts";
import { type BugFileFormat, type Format, type View, viewSigns } from "./view.ts";
import { cut, painted, width } from "./wrap.ts";

/** A listing in any format; it streams in constant memory. */
export function listing<Row>(format: Format, columns: readonly Column<Row>[], view: View): Listing<Row> {
  const textsOf = (row: Row) => columns.map((column) => exactCellText(column, row, view));
  switch (format) {
    case "table":
      return tableListing(columns, view);
    case "tsv":
      return lineListing((row) => tsvLine(textsOf(row).map((text, at) => text || (columns[at]?.unset ?? ""))));
    case "csv":
      return { ...lineListing((row) => csvLine(textsOf(row), view)), head: () => csvLine(namesOf(columns), view) };
    case "ids":
      return idListing(columns, view);
    default:
      return valueListing(format, view, (row) => recordJson(columns, row));
  }
}

function namesOf<Row>(columns: readonly Column<Row>[]): string[] {
  return columns.map(({ name }) => name);
}

/** Bugs as a file: exact texts, except on a terminal, which control characters must not reach. */
export function bugFileListing<Row extends Bug>(
  format: BugFileFormat,
  columns: readonly Column<Row>[],
  view: View,
): Listing<Row> {
  if (format === "ndjson") return listing("ndjson", columns, view);
  const cells = columns.map((column) => ({
    ...column,
    unset: "",
    text: (row: Row) => bugFileCell(column, row, view),
  }));
  const lines = listing(format, cells, view);
  return format === "tsv" ? { ...lines, head: () => tsvLine(namesOf(columns)) } : lines;
}

/** Text of a cell: one value, or the items of a list. */
function bugFileCell<Row>(column: Column<Row>, row: Row, view: View): string {
  const value = column.value(row);
  if (!Array.isArray(value)) return exactCellText(column, row, view);
  return bugFileItems(column.name, value).map(quotedCellItem).join(",");
}

/** Items of a list as texts, sorted where trackers return them in any order. */
export function bugFileItems(name: string, value: Json): string[] {
  const items = [stableJson(value, name)].flat() as Json[];
  return items.map((item) => (name === "flags" ? bugFlagText(item as Flag) : exactText(Object(item)["name"] ?? item)));
}

/** An item in the list of a cell, in quotes if it needs them. */
export function quotedCellItem(item: string): string {
  const isPlain = !/^$|^\s|\s$|[",\r\n]/.test(item);
  return isPlain ? item : `"${item.replaceAll('"', '""')}"`;
}

/** A whole list as a table, without rare columns that are empty. */
export function tableText<Row>(rows: readonly Row[], columns: readonly Column<Row>[], view: View): string {
  return listText(rows, tableListing(filledColumns(columns, rows, view), view));
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
    if (field !== undefined) fields[name] = stableJson(field, name);
  }
  return fields;
}

/**
 * Wire values in canonical order, so that equal responses are equal byte for byte: `json` as one
 * array (indented on a terminal), `ndjson` as one line each. Of complete objects, the keys of
 * `first` come first, in that order. Characters that could control a terminal are escaped as in
 * JSON, so values stay exact.
 */
export function jsonListing<Row>(format: "json" | "ndjson", view: View, first: readonly string[]): Listing<Row> {
  return valueListing(format, view, (value) => stableJson(value as Json, "", first));
}

function valueListing<Row>(format: "json" | "ndjson", view: View, stable: (row: Row) => Json): Listing<Row> {
  if (format === "ndjson") {
    const lines = lineListing((row: Row) => `${JSON.stringify(stable(row))}\n`);
    return { ...lines, page: (rows) => escapeJson(lines.page(rows)) };
  }
  const indent = view.terminal ? "\n  " : "";
  const text = (row: Row) => JSON.stringify(stable(row), null, view.terminal ? 2 : 0).replaceAll("\n", indent);
  let isEmpty = true;
  return {
    head: () => "[",
    page: (rows) => {
      const texts = rows.map((row, at) => `${isEmpty && at === 0 ? "" : ","}${indent}${text(row)}`);
      if (rows.length > 0) isEmpty = false;
      return escapeJson(texts.join(""));
    },
    tail: () => (isEmpty || !view.terminal ? "]\n" : "\n]\n"),
  };
}

function lineListing<Row>(line: (row: Row) => string): Listing<Row> {
  return { head: () => "", page: (rows) => rows.map(line).join(""), tail: () => "" };
}

/** The ids alone, or what the first column has; several changes of a bug in a row are one line. */
function idListing<Row>(columns: readonly Column<Row>[], view: View): Listing<Row> {
  const id = columns.find(({ name }) => name === "id" || name === "job") ?? columns[0];
  let last = "";
  return lineListing((row) => {
    const text = id ? tsvLine([exactCellText(id, row, view)]) : "";
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
  const shown = view.terminal ? plain(safe, "lines") : safe;
  return /[",\r\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** The beginning of a formula, or of an escaped one; dashes alone (an unset priority) are text. */
const FORMULA = /^'*(?!-+$)[=+\-@\t\r]/;

/** The text of a CSV cell without the apostrophe that was put before a formula. */
export function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/**
 * Rows as aligned columns for the terminal. The first rows are measured and decide the widths; all
 * rows are cut to them, with an ellipsis, so that a list of any length streams. Nothing is cut in a
 * pipe.
 */
export function tableListing<Row>(columns: readonly Column<Row>[], view: View): Listing<Row> {
  const headings = columns.map(({ heading }) => plain(heading.toUpperCase()));
  const cellsOf = (row: Row) => columns.map((column) => plain(shownCell(column, row, view)));
  let places: Place<Row>[] = [];
  return {
    head: (rows) => {
      if (rows.length === 0) return "";
      places = fittingPlaces(columns, [headings, ...rows.map(cellsOf)], view);
      return tableLine(headings, places, view, () => "quiet");
    },
    page: (rows) =>
      rows.map((row) => tableLine(cellsOf(row), places, view, ({ paint }) => paint?.(row, view))).join(""),
    tail: () => "",
  };
}

/** A shown column, its number among all, and the width to which cells are cut unless `isWhole`. */
type Place<Row> = { column: Column<Row>; at: number; wide: number; isWhole: boolean };

function tableLine<Row>(
  cells: readonly string[],
  places: readonly Place<Row>[],
  view: View,
  roleOf: (column: Column<Row>) => Role | undefined,
): string {
  const paints = palette(view);
  const texts = places.map(({ column, at, wide, isWhole }) => {
    const cell = cut(cells[at] ?? "", isWhole ? Infinity : wide, view);
    const text = painted({ text: cell, role: roleOf(column) }, paints);
    const blanks = " ".repeat(Math.max(0, wide - width(cell)));
    return column.align === "right" ? blanks + text : text + blanks;
  });
  return `${texts.join(GAP).trimEnd()}\n`;
}

const GAP = "  ";
const READABLE = { first: 12, last: 24, never: Infinity }; // to which columns shrink before optional ones leave
const LAST = 40; // to which the last column, such as a summary, shrinks before the others do
const LEAST = 12; // to which each column shrinks before any shrinks more
const SHORTEST = 3;

/** The columns for which there is room, the heading and the cells of a line in each of `lines`. */
function fittingPlaces<Row>(columns: readonly Column<Row>[], lines: readonly string[][], view: View): Place<Row>[] {
  const room = view.width;
  let places = columns.map((column, at): Place<Row> => {
    const isRigid = column.shrink === "never" || column.align === "right"; // half a number is another number
    const [heading = 0, ...cells] = lines.map((line) => width(line[at] ?? ""));
    const start = isRigid ? heading : Math.min(heading, Math.max(LEAST, Math.floor(room / 6)));
    const wide = cells.reduce((widest, cell) => Math.min(room, Math.max(widest, cell)), start);
    return { column, at, wide, isWhole: isRigid || room === Infinity };
  });
  const leaving = places.filter(({ column }) => column.optional !== undefined);
  for (const place of leaving.sort((a, b) => (a.column.optional ?? 0) - (b.column.optional ?? 0))) {
    const least = places.map(({ column, wide }) => Math.min(wide, READABLE[column.shrink ?? "last"]));
    if (lineWidth(least) <= room) break; // the others are readable beside it
    places = places.filter((other) => other !== place);
  }
  fitWidths(places, room);
  return places;
}

/** Shrinks columns until a line fits, the widest first; the last column gets all that is left. */
function fitWidths<Row>(places: readonly Place<Row>[], room: number): void {
  const excess = () => lineWidth(places.map(({ wide }) => wide)) - room;
  const flexible = places.filter(({ isWhole }) => !isWhole);
  const last = flexible.filter((place) => place === places.at(-1));
  const others = flexible.filter((place) => place !== places.at(-1));
  const firsts = others.filter(({ column }) => column.shrink === "first");
  for (const [shrinking, least] of [
    [last, LAST],
    [firsts, LEAST],
    [others, LEAST],
    [flexible, SHORTEST],
  ] as const) {
    for (let over = excess(); over > 0; over -= 1) {
      const widest = shrinking.toSorted((a, b) => b.wide - a.wide)[0];
      if (widest === undefined || widest.wide <= least) break;
      widest.wide -= 1;
    }
  }
  const spare = Math.max(0, -excess());
  for (const place of last) place.wide += spare;
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, size) => sum + size, GAP.length * Math.max(0, widths.length - 1));
}
