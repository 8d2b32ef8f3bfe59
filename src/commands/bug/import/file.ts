import { parse } from "csv-parse/sync";
import { BtError, usageError } from "../../../errors.ts";
import { bugFileItems } from "../../../view/bug-file.ts";
import { exactText } from "../../../view/column.ts";
import { withoutApostrophe } from "../../../view/listing.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { isObject, jsonProblem } from "../../../wire/json.ts";
import { decodeUtf8 } from "../../shared/text/files.ts";

/** A cell of a file: its text, or the items of a JSON list. */
export type FileCell = string | readonly string[];

/** A row of a file with its number from 1. */
export type FileRow = FileRecord & { readonly number: number };

/** The columns and rows of a file. */
export type BugFile = { readonly names: readonly string[]; readonly rows: readonly FileRow[] };

/**
 * Reads a file of bugs as exported or as spreadsheets save it: UTF-8, or UTF-16 with a byte order mark, with any line
 * breaks. JSON lines begin with a brace, TSV as exported has tabs, and a name that says so, or none.
 * @throws BtError of kind usage with the line of what is wrong
 */
export function readBugFile(bytes: Uint8Array, source: string): BugFile {
  const name = source === "-" ? "stdin" : source;
  const text = decodeText(bytes, name);
  if (/^\s*\[/.test(text)) throw usageError(`${name} is one JSON list`, "expected a JSON object per line");
  const isTsv = /\.(?:tsv|tab)$/i.test(source) || (source === "-" && headOf(text).includes("\t"));
  const { names, records } = /^\s*\{/.test(text) ? jsonRecords(text) : tableRecords(text, isTsv);
  if (names.length + records.length === 0) throw usageError(`${name} has no header line`);
  return { names, rows: records.map((record, at) => ({ ...record, number: at + 1 })) };
}

function headOf(text: string): string {
  return text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
}

/** Items of a list, or of the text of one. @throws BtError of kind usage for misplaced quotes */
export function cellItems(cell: FileCell): readonly string[] {
  if (typeof cell !== "string") return cell;
  try {
    const records: string[][] = parse(cell, { trim: true, relax_column_count: true });
    return records.flat().filter((item) => item !== "");
  } catch (error) {
    throw quoteError(error);
  }
}

/** An error of the parser of CSV, which has errors about quotes alone. */
function quoteError(cause: unknown): BtError {
  return new BtError("usage", "misplaced or unclosed quote", { cause, hint: 'write "" for a quote inside quotes' });
}

type Records = { names: string[]; records: FileRecord[] };

type FileRecord = {
  readonly line: number;
  readonly cells: ReadonlyMap<string, FileCell>;
  readonly error?: BtError; // of a record that cannot be read
};

/** The record of a line; an error of its cells is kept, so that all lines are checked. */
function fileRecord(line: number, readCells: () => FileRecord["cells"]): FileRecord {
  try {
    return { line, cells: readCells() };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { line, cells: new Map(), error };
  }
}

/** The text of a file: UTF-16 with a byte order mark, else UTF-8. */
function decodeText(bytes: Uint8Array, source: string): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString("hex");
  const utf16 = { fffe: "utf-16le", feff: "utf-16be" }[mark];
  try {
    const text = utf16 ? new TextDecoder(utf16, { fatal: true }).decode(bytes) : decodeUtf8(bytes, source);
    if (!text.includes("\0")) return text;
  } catch (error) {
    if (error instanceof BtError) throw error;
  }
  throw usageError(`${source} is no text`, "save it as UTF-8, or as UTF-16 with a byte order mark");
}

type Line = { line: number; cells: string[] };

function tableRecords(text: string, isTsv: boolean): Records {
  const lines = (isTsv ? tsvLines(text) : csvLines(text)).filter(({ cells }) => !isBlankRow(cells));
  const [head, ...others] = lines;
  const names = (head?.cells ?? []).map((name) => name.trim());
  const literal = isTsv ? unescapeCell : withoutApostrophe;
  const records = others.map(({ line, cells }) =>
    fileRecord(line, () => {
      const hint = isTsv ? "write \\t for a tab in a cell" : "quote cells that contain a separator";
      if (cells.length !== names.length) throw usageError(`${cells.length} cells, but ${names.length} columns`, hint);
      return new Map(names.map((name, at) => [name, literal(cells[at] ?? "")]));
    }),
  );
  return { names, records };
}

function isBlankRow(cells: string[]): boolean {
  return cells.length === 1 && cells[0]?.trim() === "";
}

function csvLines(text: string): Line[] {
  const options = { delimiter: csvDelimiter(text), relax_column_count: true, record_delimiter: ["\r\n", "\n", "\r"] };
  let line = 1; // where the next record begins
  const on_record = (given: unknown) => {
    const { raw, record } = given as { raw: string; record: string[] };
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
  return [",", ";", "\t"].find((one) => headOf(text).includes(one)) ?? ",";
}

function tsvLines(text: string): Line[] {
  return text.split(/\r\n|\n|\r/).map((line, at) => ({ line: at + 1, cells: line.split("\t") }));
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", "\\": "\\" };

function unescapeCell(cell: string): string {
  return cell.replace(
    /\\(?:([tnr\\])|x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|(.?))/g,
    (all, sign: string | undefined, ...codes: (string | undefined)[]) => {
      const code = codes.slice(0, 3).find((one) => one !== undefined);
      if (sign !== undefined) return ESCAPES[sign] ?? "";
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      throw usageError(`unknown escape ${all}`, "write \\\\ for a backslash");
    },
  );
}

function jsonRecords(text: string): Records {
  const lines = text.split("\n").map((one, at) => ({ one, line: at + 1 }));
  const records = lines
    .filter(({ one }) => one.trim() !== "")
    .map(({ one, line }) => {
      const cellsOf = () =>
        Object.entries(jsonObject(one)).map(([name, value]) => [name, jsonCell(name, value)] as const);
      return fileRecord(line, () => new Map(cellsOf()));
    });
  return { names: [...new Set(records.flatMap(({ cells }) => [...cells.keys()]))], records };
}

function jsonObject(text: string): JsonObject {
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

/** An error with the line that it is about. */
export function lineError(line: number, { kind, message, facts }: BtError): BtError {
  return new BtError(kind, `line ${line}: ${message}`, facts);
}
