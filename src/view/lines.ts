import { type Column, type Listing, textIn } from "./column.ts";
import { escaped, plain, replaced } from "./text.ts";
import type { View } from "./view.ts";

/** The formats that print a row as one line (CSV: one record) of exact texts. */
export type LineFormat = "tsv" | "csv" | "markdown" | "ids";

/**
 * Prints rows as lines for other programs: nothing is cut, times stay as on the wire, and memory does not grow with the
 * list. Tabs, breaks, backslashes and control characters in a TSV cell are written as escapes; CSV is RFC 4180 and exact, a
 * leading `=` included: a spreadsheet that must not run it is to be told to read text.
 */
export function lines<Row>(format: LineFormat, columns: readonly Column<Row>[], view: View): Listing<Row> {
  const { head, line, pick = (all) => all } = STYLES[format];
  const shown = pick(columns);
  return {
    head: () => head?.(shown, view) ?? "",
    page: (rows) => rows.map((row) => line(textsOf(shown, row), view)).join(""),
    tail: () => "",
  };
}

type Columns = readonly Column<never>[];
type Style = {
  readonly head?: (columns: Columns, view: View) => string;
  readonly line: (texts: readonly string[], view: View) => string;
  readonly pick?: <Row>(columns: readonly Column<Row>[]) => readonly Column<Row>[];
};

function tsvLine(texts: readonly string[]) {
  return `${texts.map(tsvCell).join("\t")}\n`;
}

function csvLine(texts: readonly string[], view: View) {
  return `${texts.map((text) => csvCell(text, view)).join(",")}\r\n`;
}

function markdownLine(texts: readonly string[]) {
  return `| ${texts.map(markdownCell).join(" | ")} |\n`;
}

const STYLES: Readonly<Record<LineFormat, Style>> = {
  tsv: { line: tsvLine },
  csv: {
    line: csvLine,
    head: (columns, view) =>
      csvLine(
        columns.map(({ name }) => name),
        view,
      ),
  },
  markdown: { line: markdownLine, head: markdownHead },
  ids: {
    line: tsvLine,
    pick: (columns) =>
      [columns.find(({ name }) => name === "id") ?? columns[0]].filter((column) => column !== undefined),
  },
};

function textsOf<Row>(columns: readonly Column<Row>[], row: Row): readonly string[] {
  return columns.map((column) => textIn(column, row));
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };
const TSV_SAFE = /^[\x20-\x5b\x5d-\x7e]*$/;
const TSV_UNSAFE = /[\\\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

// A pipe often ends at a terminal after all (`| head`), so here too nothing gets out that could drive one.
function tsvCell(text: string): string {
  return TSV_SAFE.test(text) ? text : replaced(text, TSV_UNSAFE, (char) => TSV_ESCAPES[char] ?? escaped(char));
}

function csvCell(text: string, view: View): string {
  const shown = view.terminal ? plain(text, { lines: true }) : text;
  return /[",\r\n]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

function markdownHead(columns: Columns): string {
  const rule = columns.map(({ align }) => (align === "right" ? "--:" : "---"));
  return `${markdownLine(columns.map(({ heading }) => markdownCell(heading)))}| ${rule.join(" | ")} |\n`;
}

function markdownCell(text: string): string {
  return plain(text.trim().replace(/\r\n?|\n/g, "\n"), { lines: true })
    .replace(/[\\`*<>[\]|~&]|(?<!\w)_|_(?!\w)/g, "\\$&")
    .replaceAll("\n", "<br>");
}
