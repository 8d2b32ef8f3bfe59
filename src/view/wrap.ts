import type { Palette, Role } from "./palette.ts";
import { graphemes, graphemeWidth, width } from "./width.ts";

/**
 * Breaks cleaned text into lines of at most so many columns: between words where there are any, inside a word only when it
 * is longer than a line. A line's own indentation is kept and repeated; an address is never broken, so that it can be copied.
 */
export function wrap(text: string, columns: number): readonly string[] {
  const room = Math.max(8, columns);
  return text.split("\n").flatMap((line) => wrapLine(untabbed(line).trimEnd(), room));
}

/** A short text with its colour, one of several on a line. */
export type Piece = { readonly text: string; readonly role?: Role | undefined };

/** Lays short cleaned pieces one after another, starting a new line where the next one does not fit. */
export function flow(pieces: readonly Piece[], columns: number, paints: Palette): readonly string[] {
  const lines: string[] = [];
  let used = 0;
  for (const { text, role } of pieces) {
    const wide = width(text);
    const painted = role ? paints[role](text) : text;
    if (lines.length > 0 && used + GAP.length + wide <= columns) {
      lines.push(`${lines.pop()}${GAP}${painted}`);
      used += GAP.length + wide;
    } else {
      lines.push(painted);
      used = wide;
    }
  }
  return lines;
}

const GAP = "  ";
const TAB_STOP = 8;
const ADDRESS = /^[<("'[]*https?:\/\//i;

function untabbed(line: string): string {
  if (!line.includes("\t")) return line;
  let out = "";
  for (const [at, part] of line.split("\t").entries()) {
    if (at > 0) out += " ".repeat(TAB_STOP - (width(out) % TAB_STOP));
    out += part;
  }
  return out;
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (width(line) <= columns) return [line];
  const own = /^ */.exec(line)?.[0] ?? "";
  const indent = own.length <= columns / 2 ? own : "";
  const lines: string[] = [];
  let current = "";
  let used = 0; // columns of `current`; its width is not measured again for every word
  for (const [piece, blanks = "", word = ""] of line.slice(indent.length).matchAll(/( *)([^ ]+)/g)) {
    const wide = width(word);
    if (current !== "" && used + blanks.length + wide <= columns) {
      current += piece;
      used += blanks.length + wide;
      continue;
    }
    if (current !== "") lines.push(current);
    const parts = split(word, columns - indent.length);
    append(lines, indent, parts.slice(0, -1));
    current = indent + (parts.at(-1) ?? "");
    used = width(current);
  }
  lines.push(current);
  return lines;
}

/** One by one: a call takes only so many arguments. */
function append(lines: string[], indent: string, parts: readonly string[]): void {
  for (const part of parts) lines.push(indent + part);
}

function split(word: string, columns: number): readonly string[] {
  if (width(word) <= columns || ADDRESS.test(word)) return [word];
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const grapheme of graphemes(word)) {
    const wide = graphemeWidth(grapheme);
    if (used + wide > columns && part !== "") {
      parts.push(part);
      part = "";
      used = 0;
    }
    part += grapheme;
    used += wide;
  }
  return [...parts, part];
}
