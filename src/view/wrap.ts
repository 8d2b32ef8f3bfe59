import { graphemes, graphemeWidth, width } from "./width.ts";

/**
 * Breaks cleaned text into lines of at most so many columns: between words where there are any, inside a word only when it
 * is longer than a line. A line's own indentation is kept and repeated; an address is never broken, so that it can be copied.
 */
export function wrap(text: string, columns: number): readonly string[] {
  const room = Math.max(8, columns);
  return text.split("\n").flatMap((line) => wrapLine(untabbed(line).trimEnd(), room));
}

/** Lays short pieces one after another with a gap between them, starting a new line where the next one does not fit. */
export function flow(pieces: readonly string[], columns: number, gap = "  "): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let used = 0;
  for (const piece of pieces) {
    const wide = width(piece);
    const line = lines.at(-1);
    if (line && used + gap.length + wide <= columns) {
      line.push(piece);
      used += gap.length + wide;
    } else {
      lines.push([piece]);
      used = wide;
    }
  }
  return lines;
}

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
    lines.push(...parts.slice(0, -1).map((part) => indent + part));
    current = indent + (parts.at(-1) ?? "");
    used = width(current);
  }
  lines.push(current);
  return lines;
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
