import type { Bug } from "../../wire/bug-fields.ts";
import { suggestNames } from "../nearest.ts";
import type { Cell, Problem, ReadRows, Sheet } from "./edit-cells.ts";
import { type EditableField, fieldText } from "./editable-fields.ts";

/** A field of a bug as `name: value`; a text of several lines is indented below `name: |`. */
export function fieldLines(field: EditableField, bug: Bug): string[] {
  const text = fieldText(field, bug);
  if (text === "") return [`${field.name}:`];
  const isBlock = text.includes("\n") || text.trim() === "|" || field.shape === "lines";
  return isBlock ? [`${field.name}: |`, ...text.split("\n").map((line) => `  ${line}`)] : [`${field.name}: ${text}`];
}

/** The fields of one bug that its lines change. */
export function readLines(lines: string[], bug: Bug, { fields }: Sheet): ReadRows {
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
