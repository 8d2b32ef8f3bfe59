import type { Bug } from "../../wire/bug-fields.ts";
import type { Cell, Problem, ReadRows, Sheet } from "./edit-cells.ts";
import { fieldText } from "./editable-fields.ts";

/** A header with the names of the fields, and a row for each bug. */
export function tableLines({ bugs, fields }: Sheet): string[] {
  const rows = [
    ["id", ...fields.map(({ name }) => name)],
    ...bugs.map((bug) => [String(bug.id), ...fields.map((field) => escapedCell(fieldText(field, bug)))]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => row.map((cell, column) => cell.padEnd(padding(widths, column))).join("\t"));
}

/** Width of a column up to where longer cells begin to hide the others; the last one has none. */
function padding(widths: number[], column: number): number {
  return column === widths.length - 1 ? 0 : Math.min(widths[column] ?? 0, MAX_PADDING);
}

const MAX_PADDING = 32;

function escapedCell(text: string): string {
  return text.replace(/[\\\t\n]/g, (char) => ESCAPES[char] ?? char);
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n" };

/** The cells that the rows of a table change. */
export function readTable(lines: string[], sheet: Sheet): ReadRows {
  const rows: Row[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    rows.push({ cells: line.split("\t").map((cell) => cell.trimEnd()), line: at + 1 });
  }
  const [header, ...others] = rows;
  const names = ["id", ...sheet.fields.map(({ name }) => name)];
  if (header?.cells.join("\t") !== names.join("\t")) {
    return rows.length === 0 ? { cells: [], problems: [] } : { cells: [], problems: [headerProblem(header, names)] };
  }
  const read = others.map((row, at) => readRow(row, { sheet, earlier: others.slice(0, at) }));
  return { cells: read.flatMap(({ cells }) => cells), problems: read.flatMap(({ problems }) => problems) };
}

function headerProblem(header: Row | undefined, names: string[]): Problem {
  return { line: header?.line ?? 1, message: `expected the columns ${names.join(", ")}, separated by tabs` };
}

type Row = { cells: string[]; line: number };

function readRow(
  { cells: [id = "", ...texts], line }: Row,
  { sheet, earlier }: { sheet: Sheet; earlier: Row[] },
): ReadRows {
  const bug = sheet.bugs.find((one) => String(one.id) === id);
  const problem = (message: string): ReadRows => ({ cells: [], problems: [{ line, message }] });
  if (!bug) return problem(`bug ${JSON.stringify(id)} is not among the bugs that were read; rows cannot be added`);
  if (earlier.some(({ cells }) => cells[0] === id)) return problem(`bug ${id} has two rows`);
  const given = [...texts, ...sheet.fields.slice(texts.length).map(() => "")];
  const cut = sheet.fields.slice(texts.length).some((field) => fieldText(field, bug).trim() !== "");
  if (texts.length > sheet.fields.length || cut)
    return problem(`bug ${id} has ${texts.length + 1} cells, not ${sheet.fields.length + 1}`);
  const read = sheet.fields.map((field, at) => readCell(given[at] ?? "", { bug: bug.id, field, line }, bug));
  return { cells: read.flatMap(({ cells }) => cells), problems: read.flatMap(({ problems }) => problems) };
}

function readCell(cell: string, place: Omit<Cell, "text">, bug: Bug): ReadRows {
  if (cell === escapedCell(fieldText(place.field, bug)).trimEnd()) return { cells: [], problems: [] };
  const [odd] = cell.replaceAll(/\\[\\tn]/g, "").match(/\\.?/) ?? [];
  if (odd === undefined) return { cells: [{ ...place, text: unescapedCell(cell) }], problems: [] };
  const message = `${place.field.name}: ${odd} is not \\t, \\n or \\\\; a backslash is written twice`;
  return { cells: [], problems: [{ line: place.line, message }] };
}

function unescapedCell(cell: string): string {
  return cell.replace(/\\[\\tn]/g, (typed) => CHARS.get(typed) ?? typed);
}

const CHARS: ReadonlyMap<string, string> = new Map(Object.entries(ESCAPES).map(([char, typed]) => [typed, char]));
