import { parse } from "csv-parse/sync";
import { BtError, usageError } from "../../../errors.ts";
import { exactText } from "../../../view/column.ts";
import { bugFileItems, withoutApostrophe } from "../../../view/listing.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { isObject, jsonProblem } from "../../../wire/json.ts";
import { decodeUtf8 } from "../../shared/text.ts";

/** A cell of a file: its text, or the items of a JSON list. */
export type FileCell = string | readonly string[];

/** A row of a file with its number and its line, both from 1. */
export type FileRow = {
  readonly number: number;
  readonly line: number;
  readonly cells: ReadonlyMap<string, FileCell>;
};

/** The columns and rows of a file. */
export type BugFile = { readonly names: readonly string[]; readonly rows: readonly FileRow[] };

/**
 * Reads a file of bugs as exported or as spreadsheets save it, in UTF-8 and with any line breaks. JSON lines begin with a
 * brace; a file named .tsv or .tab is TSV, and so is stdin with a tab in its first line; any other file is CSV.
 * @throws BtError of kind usage with the line of what is wrong
 */
export function readBugFile(bytes: Uint8Array, source: string): BugFile {
  const name = source === "-" ? "stdin" : source;
  const text = decodeUtf8(bytes, name).replace(/^\ufeff/, "");
  if (text.includes("\0")) throw usageError(`${name} is not text`, "save it as UTF-8");
  if (/^\s*\[/.test(text)) throw usageError(`${name} is a JSON array`, "expected a JSON object per line");
  const isTsv = /\.(?:tsv|tab)$/i.test(source) || (source === "-" && firstNonBlankLine(text).includes("\t"));
  const file = /^\s*\{/.test(text) ? readJsonLines(text) : readTable(text, isTsv);
  const isEmpty = file.names.length === 0 && file.rows.length === 0; // JSON lines of `{}` are rows without names
  if (isEmpty) throw usageError(`${name} has no header line`);
  return file;
}

function firstNonBlankLine(text: string): string {
  return text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
}

/** Items of a cell with a list, whose text is separated by commas. @throws BtError of kind usage for misplaced quotes */
export function cellItems(cell: FileCell): readonly string[] {
  if (typeof cell !== "string") return cell;
  try {
    const records: string[][] = parse(cell, { trim: true, relax_column_count: true });
    return records.flat().filter((item) => item !== "");
  } catch (error) {
    throw quoteError(error);
  }
}

/** An error of the CSV parser, whose only errors are about quotes. */
function quoteError(cause: unknown): BtError {
  return new BtError("usage", "misplaced or unclosed quote", { cause, hint: 'write "" for a quote inside quotes' });
}

type Line = { line: number; cells: string[] };

function readTable(text: string, isTsv: boolean): BugFile {
  const lines = (isTsv ? tsvLines(text) : csvLines(text)).filter(({ cells }) => !isBlankRow(cells));
  const [head, ...others] = lines;
  const names = (head?.cells ?? []).map((name) => name.trim());
  const decode = isTsv ? unescapeCell : withoutApostrophe;
  const rows = others.map(({ line, cells }, index) =>
    readRow(index + 1, line, () => {
      const hint = isTsv ? "write \\t for a tab in a cell" : "quote cells that contain a separator";
      if (cells.length !== names.length) throw usageError(`${cells.length} cells, but ${names.length} columns`, hint);
      return names.map((name, at) => [name, decode(cells[at] ?? "")]);
    }),
  );
  return { names, rows };
}

/** A row whose errors name its line. */
function readRow(number: number, line: number, readCells: () => (readonly [string, FileCell])[]): FileRow {
  try {
    return { number, line, cells: new Map(readCells()) };
  } catch (error) {
    throw error instanceof BtError ? lineError(line, error) : error;
  }
}

function isBlankRow(cells: string[]): boolean {
  return cells.length === 1 && cells[0]?.trim() === "";
}

function csvLines(text: string): Line[] {
  const options = { delimiter: csvDelimiter(text), relax_column_count: true, record_delimiter: ["\r\n", "\n", "\r"] };
  let line = 1; // where the next record begins; a quoted cell may have several lines
  const on_record = (parsed: unknown) => {
    const { raw, record } = parsed as { raw: string; record: string[] };
    const begin = line;
    line += raw.match(LINE_BREAK)?.length ?? 0;
    return { line: begin, cells: record } as unknown as string[];
  };
  try {
    return parse(text, { ...options, raw: true, on_record }) as unknown as Line[];
  } catch (error) {
    throw lineError(line, quoteError(error));
  }
}

const LINE_BREAK = /\r\n|\n|\r/g;

/** The separator of columns by the first line: some spreadsheets write semicolons or tabs. */
function csvDelimiter(text: string): string {
  return [",", ";", "\t"].find((separator) => firstNonBlankLine(text).includes(separator)) ?? ",";
}

function tsvLines(text: string): Line[] {
  return text.split(LINE_BREAK).map((line, at) => ({ line: at + 1, cells: line.split("\t") }));
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", "\\": "\\" };

/** Replaces the escapes of an exported cell: `\t`, `\n`, `\r`, `\\`, `\x1b`, `\u2028` and `\u{1f600}`. */
function unescapeCell(cell: string): string {
  return cell.replace(
    /\\(?:([tnr\\])|x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|.?)/g,
    (typed, letter?: string, hex2?: string, hex4?: string, hex6?: string) => {
      const code = hex2 ?? hex4 ?? hex6;
      if (letter !== undefined) return ESCAPES[letter] ?? "";
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      throw usageError(`unknown escape ${typed}`, "write \\\\ for a backslash");
    },
  );
}

function readJsonLines(text: string): BugFile {
  const lines = text.split("\n").map((json, at) => ({ json, line: at + 1 }));
  const rows = lines
    .filter(({ json }) => json.trim() !== "")
    .map(({ json, line }, at) =>
      readRow(at + 1, line, () =>
        Object.entries(readObject(json)).map(([name, value]) => [name, jsonCell(name, value)]),
      ),
    );
  return { names: [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))], rows };
}

function readObject(text: string): JsonObject {
  const hint = "each line is one JSON object";
  const problem = jsonProblem(text);
  if (problem !== undefined) throw usageError(problem, hint);
  const value: Json = JSON.parse(text);
  if (isObject(value)) return value;
  throw usageError("not a JSON object", hint);
}

function jsonCell(name: string, value: Json): FileCell {
  return Array.isArray(value) ? bugFileItems(name, value) : exactText(value);
}

/** An error with the line of the file in front of its message. */
export function lineError(line: number, { kind, message, facts }: BtError): BtError {
  return new BtError(kind, `line ${line}: ${message}`, facts);
}
