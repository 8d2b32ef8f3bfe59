import { suggestNames } from "../../../api/nearest.ts";
import { type EditableField, fieldText } from "../../../api/write/editable-fields.ts";
import type { Bug } from "../../../wire/bug-fields.ts";

/** Bugs in a document to edit, one as lines, several as a table; `notes` are comment lines at its top. */
export type Sheet = {
  readonly bugs: readonly Bug[];
  readonly fields: readonly EditableField[];
  readonly notes: readonly string[];
};

/** A text that was typed for a field of a bug, and its line (from 1). */
export type Cell = {
  readonly bug: number;
  readonly field: EditableField;
  readonly text: string;
  readonly line: number;
};

/** A line (from 1) that cannot be used, and the reason. */
export type Problem = { readonly line: number; readonly message: string };

/** The changed cells of a document, and the lines that cannot be used. */
type ReadRows = { readonly cells: readonly Cell[]; readonly problems: readonly Problem[] };

/** Line below which everything is a comment. */
export const COMMENT_MARK = "# ---------- text below this line is added as a comment ----------";

/** Begin of a line about a problem, which the next reading ignores. */
const ERROR = "# error: ";

/** Begin of a line about a later change, which has to be deleted before the document is used. */
const CONFLICT = "# conflict: ";

/** The document of bugs. */
export function sheetText(sheet: Sheet): string {
  const notes = [...sheet.notes, ...NOTES[isTable(sheet) ? "table" : "lines"]].map((note) => `# ${singleLine(note)}`);
  const { bugs, fields } = sheet;
  const rows = isTable(sheet)
    ? tableLines(sheet)
    : bugs.flatMap((bug) => fields.flatMap((field) => fieldLines(field, bug)));
  return [...notes, "", ...rows, "", COMMENT_MARK, ""].join("\n");
}

const NOTES = {
  lines: [
    "An empty value clears its field, a deleted line leaves it unchanged. A text",
    'of several lines is "name: |" with each line below it indented by two spaces.',
  ],
  table: [
    "Cells are separated by tabs. An empty cell clears its field, a deleted row",
    "leaves its bug unchanged.",
    "In cells \\t is a tab, \\n a line break and \\\\ a backslash.",
  ],
};

function isTable({ bugs }: Sheet): boolean {
  return bugs.length > 1;
}

/** Content of a document: its changed cells, lines that cannot be used, and the comment. */
export type ReadSheet = ReadRows & { comment: string | undefined };

/** Reads an edited document. Cells with the text of the sheet are unchanged, whatever blanks an editor left out. */
export function readSheet(text: string, sheet: Sheet): ReadSheet {
  const { above, below } = splitAtComment(text);
  const comment = below.join("\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  const [bug] = sheet.bugs;
  const read = bug === undefined || isTable(sheet) ? readTable(above, sheet) : readLines(above, bug, sheet);
  const problems = [...read.problems];
  for (const [at, line] of above.entries())
    if (line.startsWith(CONFLICT)) problems.push({ line: at + 1, message: UNRESOLVED });
  return { ...read, problems, comment: comment === "" ? undefined : comment };
}

const UNRESOLVED = "choose a value, then delete the line about the conflict";

/** The lines above the mark of the comment, and those below it. */
function splitAtComment(text: string): { above: string[]; below: string[] } {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const mark = lines.findIndex((line) => line.trimEnd() === COMMENT_MARK);
  return mark < 0 ? { above: lines, below: [] } : { above: lines.slice(0, mark), below: lines.slice(mark + 1) };
}

/** The document without the lines about earlier problems. */
export function withoutProblems(text: string): string {
  const { above, below } = splitAtComment(text);
  const lines = above.filter((line) => !line.startsWith(ERROR));
  if (text.includes(COMMENT_MARK)) lines.push(COMMENT_MARK, ...below);
  return lines.join("\n");
}

/** A field that was changed meanwhile, with its value before and now. */
export type Conflict = { readonly cell: Cell; readonly was: string; readonly now: string };

/** A document that has to be edited again, and the line (from 1) to begin with. */
type MarkedSheet = { text: string; line: number };

/** The document with a line above each one that has a problem or a conflict. */
export function markedSheet(text: string, problems: readonly Problem[], conflicts: Conflict[] = []): MarkedSheet {
  const marks = [
    ...problems.map(({ line, message }) => ({ line, mark: `${ERROR}${singleLine(message)}` })),
    ...conflicts.map((conflict) => ({
      line: conflict.cell.line,
      mark: `${CONFLICT}${singleLine(conflictText(conflict))}`,
    })),
  ];
  const above = new Map<number, Set<string>>();
  for (const { line, mark } of marks) above.set(line, (above.get(line) ?? new Set()).add(mark));
  const lines = text.split("\n").flatMap((line, at) => [...(above.get(at + 1) ?? []), line]);
  const first = Math.min(...above.keys());
  return { text: lines.join("\n"), line: first + (above.get(first)?.size ?? 0) };
}

/** Both values of a conflict. */
export function conflictText({ cell: { bug, field }, was, now }: Conflict): string {
  return `${field.name} of bug ${bug} was ${JSON.stringify(was)}, and is now ${JSON.stringify(now)}`;
}

function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ");
}

/** A field of a bug as `name: value`; a text of several lines is indented below `name: |`. */
function fieldLines(field: EditableField, bug: Bug): string[] {
  const text = fieldText(field, bug);
  if (text === "") return [`${field.name}:`];
  const isBlock = text.includes("\n") || text.trim() === "|" || field.shape === "lines";
  return isBlock ? [`${field.name}: |`, ...text.split("\n").map((line) => `  ${line}`)] : [`${field.name}: ${text}`];
}

/** The fields of one bug that its lines change. */
function readLines(lines: string[], bug: Bug, { fields }: Sheet): ReadRows {
  const cells: Cell[] = [];
  const problems: Problem[] = [];
  for (const { name, text, line } of statementsIn(lines)) {
    const field = fields.find((one) => one.name === name);
    if (!field) problems.push({ line, message: lineProblem(name, fields) });
    else if (cells.some((cell) => cell.field === field)) problems.push({ line, message: `${name} is given twice` });
    else cells.push({ bug: bug.id, field, text, line });
  }
  return { cells: cells.filter((cell) => !isUntouched(cell, bug)), problems };
}

/** A line with its name and text, and its number; no name where it has none. */
type Statement = { name: string; text: string; line: number };

function* statementsIn(lines: string[]): Generator<Statement> {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, name = "", value = ""] = /^(\w+):(?: ?(.*))?$/s.exec(line) ?? [];
    const block = value.trim() === "|" ? indentedLines(lines.slice(at + 1)) : undefined;
    yield { name, text: block?.map((one) => one.slice(2)).join("\n") ?? value, line: at + 1 };
    at += block?.length ?? 0;
  }
}

/** The indented lines at the start, with the empty ones between them. */
function indentedLines(lines: string[]): string[] {
  const end = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("  "));
  const block = end < 0 ? lines : lines.slice(0, end);
  return block.slice(0, block.findLastIndex((line) => line.trim() !== "") + 1);
}

function lineProblem(name: string, fields: readonly EditableField[]): string {
  if (name === "") return 'expected "name: value"';
  const names = fields.map((field) => field.name);
  const hint = suggestNames(name, names);
  return `no field ${JSON.stringify(name)} can be changed here${hint === undefined ? "" : `; ${hint}`}`;
}

function isUntouched({ field, text }: Cell, bug: Bug): boolean {
  return withoutEnds(text) === withoutEnds(fieldText(field, bug));
}

/** The lines without the blanks at their ends, which editors remove. */
function withoutEnds(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines.join("\n").trimEnd();
}

/** A header with the names of the fields, and a row for each bug. */
function tableLines({ bugs, fields }: Sheet): string[] {
  const head = ["id", ...fields.map(({ name }) => name)];
  const rows = [head];
  for (const bug of bugs) rows.push([String(bug.id), ...fields.map((field) => escapedCell(fieldText(field, bug)))]);
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(columnPadding(widths, column))).join("\t"));
}

/** Width of a column up to where longer cells begin to hide the others; the last one has none. */
function columnPadding(widths: number[], column: number): number {
  return column === widths.length - 1 ? 0 : Math.min(widths[column] ?? 0, MAX_PADDING);
}

const MAX_PADDING = 32;

function escapedCell(text: string): string {
  return text.replace(/[\\\t\n]/g, (char) => ESCAPES[char] ?? char);
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n" };

/** The cells that the rows of a table change. */
function readTable(lines: string[], sheet: Sheet): ReadRows {
  const rows: SheetRow[] = [];
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

function headerProblem(header: SheetRow | undefined, names: string[]): Problem {
  return { line: header?.line ?? 1, message: `expected the columns ${names.join(", ")}, separated by tabs` };
}

type SheetRow = { cells: string[]; line: number };

function readRow(
  { cells: [id = "", ...texts], line }: SheetRow,
  { sheet, earlier }: { sheet: Sheet; earlier: SheetRow[] },
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
