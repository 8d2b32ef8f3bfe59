import { BtError } from "../../errors.ts";
import type { Comparison } from "./tree.ts";

/** A place in the text of an expression; the functions of this file move it forward. */
export type Cursor = { readonly text: string; index: number };

/** The column, from 1, of the next thing that is not a blank. */
export function columnAt(cursor: Cursor): number {
  skipBlanks(cursor);
  return cursor.index + 1;
}

/** Whether nothing is left but blanks. */
export function isAtEnd(cursor: Cursor): boolean {
  skipBlanks(cursor);
  return cursor.index >= cursor.text.length;
}

/** Takes what a sticky pattern matches at the next thing that is not a blank; undefined, and no step, when it does not. */
export function takeMatch(cursor: Cursor, pattern: RegExp): string | undefined {
  skipBlanks(cursor);
  return takeMatchHere(cursor, pattern);
}

/** The same without leaving out blanks first. */
export function takeMatchHere(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.index;
  const [match] = pattern.exec(cursor.text) ?? [];
  if (match !== undefined) cursor.index += match.length;
  return match;
}

/** Whether a sticky pattern matches next, without a step. */
export function isNext(cursor: Cursor, pattern: RegExp): boolean {
  skipBlanks(cursor);
  pattern.lastIndex = cursor.index;
  return pattern.test(cursor.text);
}

/** Takes one of the given words, in any letter case, when it stands next as a whole word. */
export function takeWord(cursor: Cursor, ...words: readonly string[]): string | undefined {
  skipBlanks(cursor);
  const start = cursor.index;
  const word = takeMatchHere(cursor, /[a-z]+(?![\w.:@-])/iy)?.toLowerCase();
  if (word !== undefined && words.includes(word)) return word;
  cursor.index = start;
  return undefined;
}

/** Takes text in quotes of either kind, in which a backslash keeps the next character from its meaning. */
export function takeQuoted(cursor: Cursor): string | undefined {
  skipBlanks(cursor);
  const start = cursor.index;
  const quote = takeMatchHere(cursor, /["']/y);
  if (quote === undefined) return undefined;
  const inside = takeMatchHere(cursor, quote === '"' ? /(?:[^"\\]|\\.)*/sy : /(?:[^'\\]|\\.)*/sy) ?? "";
  if (takeMatchHere(cursor, quote === '"' ? /"/y : /'/y) !== undefined) return inside.replace(/\\(.)/gs, "$1");
  cursor.index = start;
  throw syntaxError(cursor, `the quote ${quote} is never closed`);
}

/** A usage error about the place where the cursor stands: the text with a caret below, and what could stand there. */
export function syntaxError(cursor: Cursor, sentence: string, hint?: string): BtError {
  const column = columnAt(cursor);
  return new BtError("usage", `${sentence} (column ${column})`, {
    hint,
    details: [cursor.text, `${" ".repeat(column - 1)}^`],
  });
}

/** What stands next, for a message: the word, or "the end". */
export function nextToken(cursor: Cursor): string {
  if (isAtEnd(cursor)) return "the end";
  const [, word = ""] = /^([^\s()]+|.)/su.exec(cursor.text.slice(cursor.index)) ?? [];
  return `"${word}"`;
}

function skipBlanks(cursor: Cursor): void {
  takeMatchHere(cursor, /\s+/y);
}

/** One value; after `=` and `:` several with commas between them. */
export function parseValues(cursor: Cursor, written: string, op: Comparison): readonly string[] {
  const values = [parseValue(cursor, written, op)];
  while (LISTS.has(op) && takeMatch(cursor, /,/y)) values.push(parseValue(cursor, ",", op));
  if (!isNext(cursor, /,/y)) return values;
  throw syntaxError(cursor, "a comma means nothing here", "quote a value that holds a comma, or write in (a, b)");
}

const LISTS: ReadonlySet<Comparison> = new Set(["=", ":"]);

/** One value: bare up to a blank, comma or bracket, or in quotes; after `=~` also a pattern between slashes. */
export function parseValue(cursor: Cursor, after: string, op: Comparison): string {
  const value = (op === "=~" ? takePattern(cursor) : undefined) ?? takeQuoted(cursor) ?? takeBare(cursor);
  if (value !== undefined) return value;
  const hint = op === ":" ? "a value, a list a,b, a range a..b, or >= and a value" : "a value, or text in quotes";
  throw syntaxError(
    cursor,
    `expected a value after "${after}", but found ${nextToken(cursor)}`,
    `here can stand ${hint}`,
  );
}

function takeBare(cursor: Cursor): string | undefined {
  return takeMatch(cursor, /(?:(?!\|\||&&)[^\s(),"'])(?:(?!\|\||&&)[^\s(),"])*/y);
}

function takePattern(cursor: Cursor): string | undefined {
  return takeMatch(cursor, /\/(?:[^/\\]|\\.)+\//y)
    ?.slice(1, -1)
    .replaceAll("\\/", "/");
}

/** Values in brackets, with commas between them. */
export function parseList(cursor: Cursor): readonly string[] {
  if (!takeMatch(cursor, /\(/y)) throw syntaxError(cursor, `expected "(", but found ${nextToken(cursor)}`);
  const values = parseValues(cursor, "(", "=");
  if (takeMatch(cursor, /\)/y)) return values;
  throw syntaxError(cursor, `expected "," or ")", but found ${nextToken(cursor)}`, "quote a value that holds blanks");
}
