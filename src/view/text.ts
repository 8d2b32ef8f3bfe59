/** What `plain` may leave standing: line breaks and tabs belong in bodies, never in a cell or a heading. */
export type PlainOptions = { readonly lines?: boolean };

/**
 * Makes text from a tracker, a file or an argument safe to show on a terminal: the one place where this is done. What could
 * drive the terminal, turn the reading direction or hide among letters becomes a visible escape such as `\x1b`; broken
 * surrogates become U+FFFD. Without `lines`, breaks and tabs become one blank, so that the result is one line.
 */
export function plain(text: string, options: PlainOptions = {}): string {
  if (PRINTABLE.test(text)) return text; // most text, and many times faster
  const broken = options.lines ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text.replace(BREAKS, " ");
  return broken.replace(UNSAFE, escapeRun).replace(STACKED_MARKS, "$1\ufffd");
}

/** Writes each character as an escape that can be read: `\x1b`, `\u202e`, `\u{e0041}`. */
export function escaped(text: string): string {
  let out = "";
  for (const char of text) out += escapeOne(char.codePointAt(0) ?? 0);
  return out;
}

/** Escapes in JSON text what JSON itself lets through and a terminal might obey; the values stay the same. */
export function escapeJson(json: string): string {
  return replaced(json, UNSAFE_IN_JSON, (char) => {
    const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at).toString(16).padStart(4, "0"));
    return units.map((unit) => `\\u${unit}`).join("");
  });
}

/** Replaces single characters. Long texts go piece by piece: the engine notes down all that it finds before it begins. */
export function replaced(text: string, pattern: RegExp, write: (char: string) => string): string {
  if (text.length <= PIECE) return text.replace(pattern, write);
  if (text.search(pattern) < 0) return text;
  let out = "";
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE + (isHigh(text.charCodeAt(at + PIECE - 1)) ? 1 : 0);
    out += text.slice(at, end).replace(pattern, write);
    at = end;
  }
  return out;
}

const PIECE = 65_536;

/** Whether a code unit is the first half of a character. */
function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

const BREAKS = /[\t\n\r]+/g;
const PRINTABLE = /^[\x20-\x7e]*$/;
const UNSAFE =
  /(?:(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb])+/gu;
const UNSAFE_IN_JSON = /[\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu; // marks piled so high that they run into other lines

// Joiners and selectors are part of honest emoji, Persian and Indic text, but only one of each behind a visible character.
const WELL_PLACED = /^(?:[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])?[\u200c\u200d]?/u;
const FLAG_TAGS = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u; // of the flags of Scotland and the like
const BLACK_FLAG = "\u{1f3f4}";

function escapeRun(run: string, offset: number, text: string): string {
  const before = text.slice(Math.max(0, offset - 2), offset);
  if (before === "" || /\s$/.test(before)) return escaped(run);
  const pattern = before === BLACK_FLAG && FLAG_TAGS.test(run) ? FLAG_TAGS : WELL_PLACED;
  const kept = pattern.exec(run)?.[0] ?? "";
  return kept + escaped(run.slice(kept.length));
}

function escapeOne(code: number): string {
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
