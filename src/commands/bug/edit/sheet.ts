import { suggestNames } from "../../../api/nearest.ts";
import { type EditableField, fieldText } from "../../../api/write/editable-fields.ts";
import { plain } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";

/** A bug in a document to edit. */
export type Sheet = { readonly bug: Bug; readonly fields: readonly EditableField[] };

/** A text that was typed for a field, and its line (from 1). */
export type Cell = { readonly field: EditableField; readonly text: string; readonly line: number };

/** A line (from 1) that cannot be used, and the reason. */
export type Problem = { readonly line: number; readonly message: string };

/** Line below which everything is a comment. */
export const COMMENT_MARK = "# ---------- text below this line is added as a comment ----------";

/** The document of a bug: a field as `name: value`; a text of several lines is indented below `name: |`. */
export function sheetText({ bug, fields }: Sheet): string {
  const rows = fields.flatMap((field) => {
    const text = fieldText(field, bug);
    const isBlock = text.includes("\n") || text.trim() === "|" || (field.shape === "lines" && text !== "");
    if (isBlock) return [`${field.name}: |`, ...text.split("\n").map((line) => `  ${line}`)];
    return [text === "" ? `${field.name}:` : `${field.name}: ${text}`];
  });
  const title = `# Bug ${bug.id}: ${plain(bug.summary ?? "")}`;
  return [title, ...NOTES, "", ...rows, "", COMMENT_MARK, ""].join("\n");
}

const NOTES = [
  "# An empty value clears its field, a deleted line leaves it unchanged. A text",
  '# of several lines is "name: |" with each line below it indented by two spaces.',
];

/** Reads an edited document: the fields whose text is another one, whatever blanks an editor left out, and the comment. */
export function readSheet(written: string, { bug, fields }: Sheet) {
  const { above, below } = splitAtComment(written);
  const comment = below.join("\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  const cells: Cell[] = [];
  const problems: Problem[] = [];
  for (const { name, text, line } of statementsIn(above)) {
    const field = fields.find((one) => one.name === name);
    if (!field) problems.push({ line, message: unknownName(name, fields) });
    else if (cells.some((cell) => cell.field === field)) problems.push({ line, message: `${name} is given twice` });
    else cells.push({ field, text, line });
  }
  const changed = cells.filter(({ field, text }) => withoutEnds(text) !== withoutEnds(fieldText(field, bug)));
  const broken = changed.filter(({ field, text }) => field.shape === "line" && text.trim().includes("\n"));
  problems.push(...broken.map(({ field, line }) => ({ line, message: `${field.name} takes one line` })));
  return { cells: changed, problems, comment: comment === "" ? undefined : comment };
}

/** The lines above the mark of the comment, and those below it. */
function splitAtComment(text: string): { above: string[]; below: string[] } {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const mark = lines.findIndex((line) => line.trimEnd() === COMMENT_MARK);
  return mark < 0 ? { above: lines, below: [] } : { above: lines.slice(0, mark), below: lines.slice(mark + 1) };
}

/** Lines with a name and its text; without a name where a line has none. */
function* statementsIn(lines: string[]): Generator<{ name: string; text: string; line: number }> {
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

function unknownName(name: string, fields: readonly EditableField[]): string {
  if (name === "") return 'expected "name: value"';
  const names = fields.map((field) => field.name);
  const hint = suggestNames(name, names);
  return `no field ${JSON.stringify(name)} can be changed here${hint === undefined ? "" : `; ${hint}`}`;
}

/** The lines without the blanks at their ends, which editors remove. */
function withoutEnds(text: string): string {
  return text.replace(/[^\S\n]+$/gm, "").trimEnd();
}

/** The document with a line above each one that has a problem. */
export function markedSheet(text: string, problems: readonly Problem[]): string {
  const marksAbove = (at: number) =>
    problems.filter(({ line }) => line === at + 1).map(({ message }) => `# error: ${plain(message)}`);
  const lines = text.split("\n");
  return lines.flatMap((line, at) => [...marksAbove(at), line]).join("\n");
}

/** The document without the lines about earlier problems. */
export function withoutProblems(text: string): string {
  const [above = "", ...below] = text.split(COMMENT_MARK);
  return [above.replace(/^# error: .*\n/gm, ""), ...below].join(COMMENT_MARK);
}
