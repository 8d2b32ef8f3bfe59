import { BtError } from "../../errors.ts";

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
export function take(cursor: Cursor, pattern: RegExp): string | undefined {
  skipBlanks(cursor);
  return takeHere(cursor, pattern);
}

/** The same without leaving out blanks first. */
export function takeHere(cursor: Cursor, pattern: RegExp): string | undefined {
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
  const word = takeHere(cursor, /[a-z]+(?![\w.:@-])/iy)?.toLowerCase();
  if (word !== undefined && words.includes(word)) return word;
  cursor.index = start;
  return undefined;
}

/** Takes text in quotes of either kind, in which a backslash keeps the next character from its meaning. */
export function takeQuoted(cursor: Cursor): string | undefined {
  skipBlanks(cursor);
  const start = cursor.index;
  const quote = takeHere(cursor, /["']/y);
  if (quote === undefined) return undefined;
  const inside = takeHere(cursor, quote === '"' ? /(?:[^"\\]|\\.)*/sy : /(?:[^'\\]|\\.)*/sy) ?? "";
  if (takeHere(cursor, quote === '"' ? /"/y : /'/y) !== undefined) return inside.replace(/\\(.)/gs, "$1");
  cursor.index = start;
  throw mistake(cursor, `the quote ${quote} is never closed`);
}

/** A usage error about the place where the cursor stands: the text with a caret below, and what could stand there. */
export function mistake(cursor: Cursor, sentence: string, hint?: string): BtError {
  const column = columnAt(cursor);
  return new BtError("usage", `${sentence} (column ${column})`, {
    hint,
    details: [cursor.text, `${" ".repeat(column - 1)}^`],
  });
}

/** What stands next, for a message: the word, or "the end". */
export function nextThing(cursor: Cursor): string {
  if (isAtEnd(cursor)) return "the end";
  const [, word = ""] = /^([^\s()]+|.)/su.exec(cursor.text.slice(cursor.index)) ?? [];
  return `"${word}"`;
}

function skipBlanks(cursor: Cursor): void {
  takeHere(cursor, /\s+/y);
}
