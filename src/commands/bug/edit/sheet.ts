import { suggestNames } from "../../../api/nearest.ts";
import { exactText } from "../../../view/column.ts";
import { bugFileItems, quotedCellItem } from "../../../view/listing.ts";
import { plain } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import type { ColumnCell, ImportColumn } from "../import/columns.ts";

/** A bug in a document to edit. */
export type Sheet = { readonly bug: Bug; readonly columns: readonly ImportColumn[] };

/** Line below which everything is a comment. */
export const COMMENT_MARK = "# ---------- text below this line is added as a comment ----------";

/** The document of a bug: a field as `name: value`; a text of several lines is indented below `name: |`. */
export function sheetText({ bug, columns }: Sheet): string {
  const rows = columns.flatMap((column) => {
    const { name } = column;
    const text = columnText(column, bug);
    const isBlock = text.includes("\n") || text.trim() === "|" || (isLong(column) && text !== "");
    if (isBlock) return [`${name}: |`, ...text.split("\n").map((line) => `  ${line}`)];
    return [text === "" ? `${name}:` : `${name}: ${text}`];
  });
  const title = `# Bug ${bug.id}: ${plain(bug.summary ?? "")}`;
  return [title, ...NOTES, "", ...rows, "", COMMENT_MARK, ""].join("\n");
}

function isLong({ custom }: ImportColumn): boolean {
  return custom?.type === FIELD_TYPE.longText;
}

/** Value of a field as a text to edit; the items of a list are separated by commas. */
export function columnText({ name, custom }: ImportColumn, bug: Bug): string {
  const value = (bug as JsonObject)[name];
  if (Array.isArray(value)) return bugFileItems(name, value).map(quotedCellItem).join(", ");
  const text = exactText(value).replace(/\r\n?/g, "\n");
  return custom?.type === FIELD_TYPE.date ? text.replace(/T00:00:00Z$/, "") : text;
}

const NOTES = [
  "# An empty value clears its field, a deleted line leaves it unchanged. A text",
  '# of several lines is "name: |" with each line below it indented by two spaces.',
];

/** Reads an edited document: the fields whose text is another one, whatever blanks an editor left out, and the comment. */
export function readSheet(written: string, { bug, columns }: Sheet) {
  const { above, below } = splitAtComment(written);
  const comment = below.join("\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  const cells = new Map<ImportColumn, string>();
  const problems: string[] = [];
  for (const { name, text } of statementsIn(above)) {
    const column = columns.find((one) => one.name === name);
    if (!column) problems.push(unknownName(name, columns));
    else if (cells.has(column)) problems.push(`${name} is given twice`);
    else if (!isLong(column) && text.trim().includes("\n")) problems.push(`${name} takes one line`);
    else cells.set(column, text);
  }
  const changed = [...cells].filter(([column, text]) => withoutEnds(text) !== withoutEnds(columnText(column, bug)));
  const typed = changed.map(([column, text]): ColumnCell => ({ column, cell: isLong(column) ? text : text.trim() }));
  return { cells: typed, problems, comment: comment === "" ? undefined : comment };
}

/** The lines above the mark of the comment, and those below it. */
function splitAtComment(text: string): { above: string[]; below: string[] } {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const mark = lines.findIndex((line) => line.trimEnd() === COMMENT_MARK);
  return mark < 0 ? { above: lines, below: [] } : { above: lines.slice(0, mark), below: lines.slice(mark + 1) };
}

/** Lines with a name and its text; what is no such line has its text as name. */
function* statementsIn(lines: string[]): Generator<{ name: string; text: string }> {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, name = line, value = ""] = /^(\w+):(?: ?(.*))?$/s.exec(line) ?? [];
    const block = value.trim() === "|" ? indentedLines(lines.slice(at + 1)) : undefined;
    yield { name, text: block?.map((one) => one.slice(2)).join("\n") ?? value };
    at += block?.length ?? 0;
  }
}

/** The indented lines at the start, with the empty ones between them. */
function indentedLines(lines: string[]): string[] {
  const end = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("  "));
  const block = end < 0 ? lines : lines.slice(0, end);
  return block.slice(0, block.findLastIndex((line) => line.trim() !== "") + 1);
}

function unknownName(name: string, columns: readonly ImportColumn[]): string {
  if (!/^\w+$/.test(name)) return `expected "name: value", got ${JSON.stringify(name)}`;
  const names = columns.map((column) => column.name);
  const hint = suggestNames(name, names);
  return `no field ${JSON.stringify(name)} can be changed here${hint === undefined ? "" : `; ${hint}`}`;
}

/** The lines without the blanks at their ends, which editors remove. */
function withoutEnds(text: string): string {
  return text.replace(/[^\S\n]+$/gm, "").trimEnd();
}
