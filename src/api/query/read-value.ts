import { type Cursor, isNext, mistake, nextThing, take, takeQuoted } from "./cursor.ts";
import type { Comparison } from "./tree.ts";

/** One value; after `=` and `:` several with commas between them. */
export function readValues(cursor: Cursor, written: string, op: Comparison): readonly string[] {
  const values = [readValue(cursor, written, op)];
  while (LISTS.has(op) && take(cursor, /,/y)) values.push(readValue(cursor, ",", op));
  if (!isNext(cursor, /,/y)) return values;
  throw mistake(cursor, "a comma means nothing here", "quote a value that holds a comma, or write in (a, b)");
}

const LISTS: ReadonlySet<Comparison> = new Set(["=", ":"]);

/** One value: bare up to a blank, comma or bracket, or in quotes; after `=~` also a pattern between slashes. */
export function readValue(cursor: Cursor, after: string, op: Comparison): string {
  const value = (op === "=~" ? takePattern(cursor) : undefined) ?? takeQuoted(cursor) ?? takeBare(cursor);
  if (value !== undefined) return value;
  const hint = op === ":" ? "a value, a list a,b, a range a..b, or >= and a value" : "a value, or text in quotes";
  throw mistake(cursor, `expected a value after "${after}", but found ${nextThing(cursor)}`, `here can stand ${hint}`);
}

function takeBare(cursor: Cursor): string | undefined {
  return take(cursor, /(?:(?!\|\||&&)[^\s(),"'])(?:(?!\|\||&&)[^\s(),"])*/y);
}

function takePattern(cursor: Cursor): string | undefined {
  return take(cursor, /\/(?:[^/\\]|\\.)+\//y)
    ?.slice(1, -1)
    .replaceAll("\\/", "/");
}

/** Values in brackets, with commas between them. */
export function readList(cursor: Cursor): readonly string[] {
  if (!take(cursor, /\(/y)) throw mistake(cursor, `expected "(", but found ${nextThing(cursor)}`);
  const values = readValues(cursor, "(", "=");
  if (take(cursor, /\)/y)) return values;
  throw mistake(cursor, `expected "," or ")", but found ${nextThing(cursor)}`, "quote a value that holds blanks");
}
