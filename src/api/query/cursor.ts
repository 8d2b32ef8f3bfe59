import { BtError } from "../../errors.ts";
import type { Comparison } from "./tree.ts";

/** Position in an expression, advanced by the functions of this file. */
export type Cursor = { readonly text: string; index: number };

/** Column (from 1) of the next non-blank. */
export function columnAt(cursor: Cursor): number {
  skipBlanks(cursor);
  return cursor.index + 1;
}

/** True if only whitespace is left. */
export function isAtEnd(cursor: Cursor): boolean {
  skipBlanks(cursor);
  return cursor.index >= cursor.text.length;
}

/** Consumes a match of a sticky pattern after whitespace; undefined without a match. */
export function takeMatch(cursor: Cursor, pattern: RegExp): string | undefined {
  skipBlanks(cursor);
  return takeMatchHere(cursor, pattern);
}

/** Like `takeMatch`, without skipping whitespace. */
export function takeMatchHere(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.index;
  const [match] = pattern.exec(cursor.text) ?? [];
  if (match !== undefined) cursor.index += match.length;
  return match;
}

/** True if a sticky pattern matches next; consumes nothing. */
export function isNext(cursor: Cursor, pattern: RegExp): boolean {
  skipBlanks(cursor);
  pattern.lastIndex = cursor.index;
  return pattern.test(cursor.text);
}

/** Consumes one of the given words, ignoring case, if it is next as a whole word. */
export function takeWord(cursor: Cursor, ...words: string[]): string | undefined {
  skipBlanks(cursor);
  const start = cursor.index;
  const word = takeMatchHere(cursor, /[a-z]+(?![\w.:@-])/iy)?.toLowerCase();
  if (word !== undefined && words.includes(word)) return word;
  cursor.index = start;
  return undefined;
}

/** Consumes a quoted text; a backslash escapes the next character. */
export function takeQuoted(cursor: Cursor): string | undefined {
  skipBlanks(cursor);
  const start = cursor.index;
  const quote = takeMatchHere(cursor, /["']/y);
  if (quote === undefined) return undefined;
  const inside = takeMatchHere(cursor, quote === '"' ? /(?:[^"\\]|\\.)*/sy : /(?:[^'\\]|\\.)*/sy) ?? "";
  if (takeMatchHere(cursor, quote === '"' ? /"/y : /'/y) !== undefined) return inside.replace(/\\(.)/gs, "$1");
  cursor.index = start;
  throw syntaxError(cursor, `unclosed quote ${quote}`);
}

/** Usage error at the cursor: the text with a caret below, and what is expected. */
export function syntaxError(cursor: Cursor, sentence: string, hint?: string): BtError {
  const column = columnAt(cursor);
  return new BtError("usage", `${sentence} (column ${column})`, {
    hint,
    details: [cursor.text, `${" ".repeat(column - 1)}^`],
  });
}

/** Next word for a message, or "the end". */
export function nextToken(cursor: Cursor): string {
  if (isAtEnd(cursor)) return "the end";
  const [, word = ""] = /^([^\s()]+|.)/su.exec(cursor.text.slice(cursor.index)) ?? [];
  return `"${word}"`;
}

function skipBlanks(cursor: Cursor): void {
  takeMatchHere(cursor, /\s+/y);
}

/** One value, or a comma-separated list after `=` and `:`. */
export function parseValues(cursor: Cursor, written: string, op: Comparison): string[] {
  const values = [parseValue(cursor, written, op)];
  while (LISTS.has(op) && takeMatch(cursor, /,/y)) values.push(parseValue(cursor, ",", op));
  if (!isNext(cursor, /,/y)) return values;
  throw syntaxError(cursor, "unexpected comma", "quote a value that contains a comma, or use in (a, b)");
}

const LISTS: ReadonlySet<Comparison> = new Set(["=", ":"]);

/** One value: bare up to whitespace, comma or bracket, or quoted; after `=~` also a pattern between slashes. */
export function parseValue(cursor: Cursor, after: string, op: Comparison): string {
  const value = (op === "=~" ? takePattern(cursor) : undefined) ?? takeQuoted(cursor) ?? takeBare(cursor);
  if (value !== undefined) return value;
  const hint = op === ":" ? "a value, a list a,b, a range a..b, or >= and a value" : "a value, or text in quotes";
  throw syntaxError(cursor, `expected a value after "${after}", but found ${nextToken(cursor)}`, `expected ${hint}`);
}

function takeBare(cursor: Cursor): string | undefined {
  return takeMatch(cursor, /(?:(?!\|\||&&)[^\s(),"'])(?:(?!\|\||&&)[^\s(),"])*/y);
}

function takePattern(cursor: Cursor): string | undefined {
  return takeMatch(cursor, /\/(?:[^/\\]|\\.)+\//y)
    ?.slice(1, -1)
    .replaceAll("\\/", "/");
}

/** Comma-separated values in brackets. */
export function parseList(cursor: Cursor): string[] {
  if (!takeMatch(cursor, /\(/y)) throw syntaxError(cursor, `expected "(", but found ${nextToken(cursor)}`);
  const values = parseValues(cursor, "(", "=");
  if (takeMatch(cursor, /\)/y)) return values;
  throw syntaxError(
    cursor,
    `expected "," or ")", but found ${nextToken(cursor)}`,
    "quote a value that contains spaces",
  );
}
