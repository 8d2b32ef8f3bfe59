import { width } from "./wrap.ts";

/**
 * Lines of messages broken between words where they are wider than `columns`; the rest of a line is indented below it.
 * Addresses, paths and commands are never broken, nor are lines of JSON and those that move the cursor.
 */
export function fillLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => (isFillable(line, columns) ? filledLine(line, columns) : line))
    .join("\n");
}

function isFillable(line: string, columns: number): boolean {
  return (
    line.length > columns &&
    !/^\s*(?:[{[]|"\w+": )/.test(line) &&
    !CONTROL.test(withoutColours(line)) &&
    visibleWidth(line) > columns
  );
}

function filledLine(line: string, columns: number): string {
  const indent = " ".repeat(hangingIndent(withoutColours(line)));
  let filling = "";
  let used = 0;
  for (const [piece, blanks = "", unit = ""] of line.matchAll(PIECES)) {
    const wide = visibleWidth(unit);
    if (used > indent.length && blanks !== "" && used + blanks.length + wide > columns) {
      filling += `\n${indent}${unit}`;
      used = indent.length + wide;
    } else {
      filling += piece;
      used += blanks.length + wide;
    }
  }
  return filling;
}

/** Columns before the second line: below the words after `bt:` or `hint:`, else two more than the first line has. */
function hangingIndent(line: string): number {
  const [prefix] = /^(?:bt|hint): /.exec(line) ?? [];
  if (prefix !== undefined) return prefix.length;
  return line.length - line.trimStart().length + 2;
}

function visibleWidth(line: string): number {
  return width(withoutColours(line));
}

function withoutColours(line: string): string {
  return line.includes("\x1b") ? line.replace(COLOURS, "") : line;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const COLOURS = /\x1b\[[\d;]*m/g;
const CONTROL = /\p{Cc}/u;

const QUOTED = "'[^']*'";
const FLAG = `--?[\\w-]*(?:[= ](?:${QUOTED}|[^ ,;|'-][^ ,;|]*))?`;
const ARGUMENT = `(?:${FLAG}|${QUOTED}|[^a-z ,;|'-][^ ,;|]*|[^ ,;|']*[:=/][^ ,;|']+)`;

/** Blanks, and the command or word after them. A command ends before the first word that can be none of its arguments. */
const PIECES = new RegExp(`( *)(\\(?\\bbt(?: [a-z_-]+(?![^ ,;:)]|:[^ ])){1,3}(?: ${ARGUMENT})*[^ ]*|[^ ]+)`, "g");
