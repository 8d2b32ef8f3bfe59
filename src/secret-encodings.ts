/**
 * Encodings of a text: patterns for each of its characters in URLs, forms, JSON and HTML (nested or mixed), for its
 * bytes in hex, and for its base64 at any alignment.
 */
export type Encodings = readonly (readonly Part[])[];

/** A part of a text as the patterns that may represent it. */
type Part = string[];

/** All encodings of a text. */
export function encodingsOf(text: string): Encodings {
  const characters = (text.match(/\\+|./gsu) ?? []).map(characterPart);
  const bytes = [...Buffer.from(text)].map((byte) => [anyCase(hex(byte, 2))]);
  return [characters, bytes, ...base64Cores(text).map((core) => [...core].map(base64Part))];
}

/** Pattern for the start of an encoded text, long enough not to match by chance. */
export function encodingStarts(spellings: Encodings): RegExp {
  const patterns = spellings.map((parts) => parts.slice(0, LEAST).map(anyOf).join(""));
  return new RegExp(patterns.join("|"), "g");
}

const LEAST = 8;

/** End offset of the encoded text that starts here; it may be truncated. */
export function encodedEnd(spellings: Encodings, text: string, from: number): number {
  return Math.max(...spellings.map((parts) => reach(parts, text, from)));
}

/** Follows all encodings in parallel, so the time does not depend on their similarity. */
function reach(parts: readonly Part[], text: string, from: number): number {
  let ends: number[] = [from];
  for (const part of parts) {
    const next = ends.flatMap((end) => part.flatMap((pattern) => matchEnd(pattern, text, end)));
    if (next.length === 0) break;
    ends = [...new Set(next)];
  }
  return Math.max(...ends);
}

function matchEnd(pattern: string, text: string, from: number): number[] {
  const sticky = new RegExp(pattern, "y");
  sticky.lastIndex = from;
  return sticky.test(text) ? [sticky.lastIndex] : [];
}

function anyOf(part: Part): string {
  return `(?:${part.join("|")})`;
}

/** One character, or several backslashes, each of which may be doubled or encoded. */
function characterPart(characters: string): Part {
  if (!characters.startsWith("\\")) return spelled(characters);
  const [, ...others] = spelled("\\");
  const count = characters.length;
  return [`\\\\{${count},${count * MOST_SLASHES}}`, `${anyOf(others)}{${count}}`];
}

/** A character as is, percent-encoded, as a form's plus, escaped in JSON, or as an HTML entity. */
function spelled(character: string): Part {
  const code = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, at) => anyCase(hex(character.charCodeAt(at), 4)));
  const entities = [`#0*${code}`, `#[xX]0*${anyCase(hex(code, 1))}`, ...(ENTITIES[character] ?? [])];
  return [
    character.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"),
    [...Buffer.from(character)].map((byte) => `%(?:25){0,3}${anyCase(hex(byte, 2))}`).join(""),
    units.map((unit) => `${SLASHES}u${unit}`).join(""),
    ...entities.map((entity) => `&(?:amp;){0,3}${entity};`),
    ...(character === " " ? ["\\+"] : []),
    ...(character === '"' || character === "/" ? [`${SLASHES}${character}`] : []),
  ];
}

const MOST_SLASHES = 8; // nested JSON
const SLASHES = `\\\\{1,${MOST_SLASHES}}`;

const ENTITIES: Readonly<Record<string, readonly string[]>> = {
  "&": ["amp"],
  "<": ["lt"],
  ">": ["gt"],
  '"': ["quot"],
  "'": ["apos"],
};

/** The part of the text's base64 that is independent of its neighbours, for each alignment. */
function base64Cores(text: string): string[] {
  return [0, 1, 2]
    .map((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
      const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
      return whole.slice(before === 0 ? 0 : 4);
    })
    .filter((core) => core.length >= 8);
}

function base64Part(character: string): Part {
  return [BASE64_SPELLINGS[character] ?? character];
}

const BASE64_SPELLINGS: Readonly<Record<string, string>> = { "+": "(?:[+-]|%2[Bb])", "/": "(?:[/_]|%2[Ff])" };

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

function anyCase(text: string): string {
  return text.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
