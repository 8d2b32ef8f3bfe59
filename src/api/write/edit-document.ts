import type { Cell, Problem, ReadRows, Sheet } from "./edit-cells.ts";
import { fieldLines, readLines } from "./edit-lines.ts";
import { readTable, tableLines } from "./edit-table.ts";

/** Line below which everything is a comment. */
export const COMMENT_MARK = "# ---------- text below this line is added as a comment ----------";

/** Begin of a line about a problem, which the next reading ignores. */
const ERROR = "# error: ";

/** Begin of a line about another user's change, which has to be deleted before the document is used. */
const CONFLICT = "# conflict: ";

/** The document of bugs. */
export function sheetText(sheet: Sheet): string {
  const notes = [...sheet.notes, ...NOTES[isTable(sheet) ? "table" : "lines"]].map((note) => `# ${oneLine(note)}`);
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
  const { above, below } = partsOf(text);
  const comment = below.join("\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  const [bug] = sheet.bugs;
  const read = bug === undefined || isTable(sheet) ? readTable(above, sheet) : readLines(above, bug, sheet);
  const open = above.flatMap((line, at) => (line.startsWith(CONFLICT) ? [{ line: at + 1, message: UNRESOLVED }] : []));
  return { ...read, problems: [...read.problems, ...open], comment: comment === "" ? undefined : comment };
}

const UNRESOLVED = "choose a value, then delete the line about the conflict";

/** The lines above the mark of the comment, and those below it. */
function partsOf(text: string): { above: string[]; below: string[] } {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const mark = lines.findIndex((line) => line.trimEnd() === COMMENT_MARK);
  return mark < 0 ? { above: lines, below: [] } : { above: lines.slice(0, mark), below: lines.slice(mark + 1) };
}

/** The document without the lines about earlier problems. */
export function withoutProblems(text: string): string {
  const { above, below } = partsOf(text);
  const lines = above.filter((line) => !line.startsWith(ERROR));
  return [...lines, ...(text.includes(COMMENT_MARK) ? [COMMENT_MARK, ...below] : [])].join("\n");
}

/** A field that another user changed meanwhile, with its value before and now. */
export type Conflict = { readonly cell: Cell; readonly was: string; readonly now: string };

/** A document that has to be edited again, and the line (from 1) to begin with. */
export type MarkedSheet = { text: string; line: number };

/** The document with a line above each one that has a problem or a conflict. */
export function markedSheet(text: string, problems: readonly Problem[], conflicts: Conflict[] = []): MarkedSheet {
  const marks = [
    ...problems.map(({ line, message }) => ({ line, mark: `${ERROR}${oneLine(message)}` })),
    ...conflicts.map((conflict) => ({
      line: conflict.cell.line,
      mark: `${CONFLICT}${oneLine(conflictText(conflict))}`,
    })),
  ];
  const first = Math.min(...marks.map(({ line }) => line));
  const above = (at: number) => [...new Set(marks.filter(({ line }) => line === at).map(({ mark }) => mark))];
  const lines = text.split("\n").flatMap((line, at) => [...above(at + 1), line]);
  return { text: lines.join("\n"), line: first + above(first).length };
}

/** Both values of a conflict. */
export function conflictText({ cell: { bug, field }, was, now }: Conflict): string {
  return `${field.name} of bug ${bug} was ${JSON.stringify(was)}, another user changed it to ${JSON.stringify(now)}`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ");
}
