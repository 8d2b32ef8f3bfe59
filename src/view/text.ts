/**
 * Text of a tracker, file or argument made safe for a terminal; the one place that does so.
 * Characters that control the terminal, change the text direction or are invisible become escapes
 * such as `\x1b`; lone surrogates become U+FFFD. "lines" keeps line breaks and tabs, for bodies;
 * elsewhere, as in a cell or heading, they become one space.
 */
export function plain(text: string, breaks?: "lines"): string {
  if (PRINTABLE.test(text)) return text; // fast path for most text
  const broken = breaks ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text.replace(BREAKS, " ");
  return broken.replace(UNSAFE, escapeRun).replace(STACKED_MARKS, "$1\ufffd");
}

/** Order of two texts by code unit, as times sort; by a language it takes 10 ms to begin. */
export function compareTexts(one: string | null | undefined, other: string | null | undefined): number {
  const [first, second] = [one ?? "", other ?? ""];
  return first < second ? -1 : Number(first > second);
}

/** A count with its noun: "1 bug", "2 bugs". */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Escapes each character visibly: `\x1b`, `\u202e`, `\u{e0041}`. */
export function escapeVisibly(text: string): string {
  let out = "";
  for (const char of text) out += escapeOne(char.codePointAt(0) ?? 0);
  return out;
}

/** Escapes characters of JSON that a terminal might obey; the values are unchanged. */
export function escapeJson(json: string): string {
  return replaceCharacters(json, UNSAFE_IN_JSON, (char) => {
    const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at).toString(16).padStart(4, "0"));
    return units.map((unit) => `\\u${unit}`).join("");
  });
}

/** Replaces characters piece by piece, since the engine collects all matches first. */
export function replaceCharacters(text: string, pattern: RegExp, write: (char: string) => string): string {
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

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

const BREAKS = /[\t\n\r]+/g;
const PRINTABLE = /^[\x20-\x7e]*$/;
const UNSAFE =
  /(?:(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb])+/gu;
const UNSAFE_IN_JSON = /[\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu; // combining marks stacked into other lines

// Joiners and selectors are valid in emoji, Persian and Indic text, but only one of each after a visible character.
const WELL_PLACED = /^(?:[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])?[\u200c\u200d]?/u;
const FLAG_TAGS = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u; // flags such as Scotland's
const BLACK_FLAG = "\u{1f3f4}";

/** Escapes a run of unsafe characters, but for the joiners and selectors that are well placed. */
function escapeRun(run: string, offset: number, text: string): string {
  const before = text.slice(Math.max(0, offset - 2), offset);
  if (before === "" || /\s$/.test(before)) return escapeVisibly(run);
  const pattern = before === BLACK_FLAG && FLAG_TAGS.test(run) ? FLAG_TAGS : WELL_PLACED;
  const plainPart = pattern.exec(run)?.[0] ?? "";
  return plainPart + escapeVisibly(run.slice(plainPart.length));
}

function escapeOne(code: number): string {
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}

/** Text of a boolean; empty if it was not returned, or is hidden. Older servers send numbers. */
export function yesNoText(value: boolean | number | null | undefined): string {
  if (value === undefined || value === null) return "";
  return value ? "yes" : "no";
}

/** A bug as texts name it: `#12`; an alias stays as it is. */
export function bugLabel(id: number | string): string {
  return /^\d+$/.test(String(id)) ? `#${id}` : String(id);
}

/** A size in its largest fitting unit: `1.5 MiB`, `12 bytes`; empty if it was not returned, or is hidden. */
export function sizeText(bytes: number | null = null): string {
  if (bytes === null) return "";
  const [unit, least] = UNITS.find(([, size]) => bytes >= size) ?? ["bytes", 1];
  if (unit === "bytes") return countText(bytes, "byte");
  return `${(bytes / least).toFixed(1).replace(/\.0$/, "")} ${unit}`;
}

const UNITS = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 ** 2],
  ["KiB", 1024],
] as const;
