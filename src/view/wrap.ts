import type { Palette, Role } from "./palette.ts";
import { type View, viewSigns } from "./view.ts";

/**
 * Escaped text broken into lines of at most `columns` columns: between words if possible. A line's
 * indentation is repeated; URLs are never broken.
 */
export function wrap(text: string, columns: number): string[] {
  const room = Math.max(8, columns);
  return text.split("\n").flatMap((line) => wrapLine(untabbed(line).trimEnd(), room));
}

export type Piece = { readonly text: string; readonly role?: Role | undefined };

/** A piece in its colour. */
export function painted({ text, role }: Piece, paints: Palette): string {
  return role ? paints[role](text) : text;
}

/** Short escaped pieces in sequence with gaps, wrapped between pieces; empty ones are left out. */
export function wrapPieces(pieces: Piece[], columns: number, paints: Palette, gap: Piece = { text: "  " }): string[] {
  const lines: string[] = [];
  let used = 0;
  for (const piece of pieces.filter(({ text }) => text !== "")) {
    const wide = width(piece.text);
    if (lines.length > 0 && used + gap.text.length + wide <= columns) {
      lines.push(`${lines.pop()}${painted(gap, paints)}${painted(piece, paints)}`);
      used += gap.text.length + wide;
    } else {
      lines.push(painted(piece, paints));
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

function wrapLine(line: string, columns: number): string[] {
  if (width(line) <= columns) return [line];
  const leading = /^ */.exec(line)?.[0] ?? "";
  const indent = leading.length <= columns / 2 ? leading : "";
  const lines: string[] = [];
  let current = "";
  let used = 0; // width of `current`, updated per word
  for (const [piece, blanks = "", word = ""] of line.slice(indent.length).matchAll(/( *)([^ ]+)/g)) {
    const wide = width(word);
    if (current !== "" && used + blanks.length + wide <= columns) {
      current += piece;
      used += blanks.length + wide;
      continue;
    }
    if (current !== "") lines.push(current);
    const parts = splitWord(word, columns - indent.length);
    // one by one: a spread could exceed the maximum number of arguments
    for (const part of parts.slice(0, -1)) lines.push(indent + part);
    current = indent + (parts.at(-1) ?? "");
    used = width(current);
  }
  lines.push(current);
  return lines;
}

function splitWord(word: string, columns: number): string[] {
  if (width(word) <= columns || ADDRESS.test(word)) return [word];
  const parts: string[] = [];
  let start = 0;
  let at = 0;
  let used = 0; // width from `start` to `at`
  for (const grapheme of graphemes(word)) {
    const wide = graphemeWidth(grapheme);
    if (used + wide > columns && at > start) {
      parts.push(word.slice(start, at));
      start = at;
      used = 0;
    }
    at += grapheme.length;
    used += wide;
  }
  return [...parts, word.slice(start)];
}

/** Width of a line of escaped text in terminal columns. */
export function width(text: string): number {
  if (ASCII.test(text)) return text.length; // most text, and many times faster
  let columns = 0;
  for (const grapheme of graphemes(text)) columns += graphemeWidth(grapheme);
  return columns;
}

/** A line shortened to a width, with an ellipsis if truncated; graphemes are not split. */
export function cut(text: string, columns: number, view: Pick<View, "isAscii">): string {
  if (columns < 1) return "";
  const end = viewSigns(view).ellipsis.slice(0, columns);
  if (ASCII.test(text)) return text.length <= columns ? text : `${text.slice(0, columns - end.length)}${end}`;
  let fitting = 0; // UTF-16 units that fit with an ellipsis
  let used = 0;
  let read = 0;
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme);
    read += grapheme.length;
    if (used <= columns - end.length) fitting = read;
    if (used > columns) return `${text.slice(0, fitting)}${end}`;
  }
  return text;
}

/** A line padded with spaces to a width. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

export function graphemes(text: string): Iterable<string> {
  return COMPOSED.test(text) ? graphemeSegments(text) : text; // iterating a string yields code points
}

/** Width of a grapheme: two for an emoji, else the width of its visible characters. */
function graphemeWidth(grapheme: string): number {
  if (grapheme <= "\u00ff" && grapheme.length === 1) return 1;
  if (EMOJI.test(grapheme)) return 2;
  let columns = 0;
  for (const char of grapheme) columns += charWidth(char);
  return columns;
}

const ASCII = /^[\x20-\x7e]*$/;

// Graphemes of several code points contain one of these; without any, segmentation is not needed.
const COMPOSED =
  /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\p{Regional_Indicator}\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\uff9e\uff9f]/u;
const EMOJI = /^\p{Emoji_Presentation}|^\p{Emoji}\ufe0f|^\p{Extended_Pictographic}.*\u200d/u;
const UNSEEN = /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7fb]$/u;
const WIDE =
  /^[\u1100-\u115f\u231a\u231b\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18df2}\u{1aff0}-\u{1b2fb}\u{1d300}-\u{1d356}\u{1d360}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]$/u;

function charWidth(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (UNSEEN.test(char)) return 0;
  return code >= 0x1100 && WIDE.test(char) ? 2 : 1;
}

let segmenter: Intl.Segmenter | undefined;

function* graphemeSegments(text: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}
