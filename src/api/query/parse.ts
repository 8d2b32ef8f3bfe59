import { BtError } from "../../errors.ts";
import {
  type Cursor,
  columnAt,
  isAtEnd,
  isNext,
  mistake,
  nextThing,
  take,
  takeHere,
  takeQuoted,
  takeWord,
} from "./cursor.ts";
import { parsePredicate } from "./predicate.ts";
import { all, any, isEverything, not, type Typed } from "./tree.ts";

/** An expression as it was read: what bugs must meet, and the sort keys that were written in it. */
export type Parsed = { readonly tree: Typed; readonly sort: readonly string[] };

/** Reads an expression of the query language. A mistake is a usage error that shows the column and what could stand there. */
export function parse(text: string): Parsed {
  const reader: Reader = { cursor: { text, index: 0 }, sort: [] };
  if (isAtEnd(reader.cursor)) {
    throw new BtError("usage", "an empty expression would match every bug", { hint: EXAMPLES });
  }
  const tree = readAny(reader);
  if (isAtEnd(reader.cursor)) return { tree, sort: reader.sort };
  if (isNext(reader.cursor, /\)/y)) throw mistake(reader.cursor, 'there is no "(" for this ")"');
  throw mistake(reader.cursor, `${nextThing(reader.cursor)} has no meaning here`, PRIMARY_HINT);
}

/**
 * Reads search terms as a shell hands them over, as one expression. A term with blanks that is not an expression itself
 * is taken as the phrase that its author quoted: `"hang problem"`, `component:"New Tab"` with the quotes eaten by the shell.
 */
export function parseTerms(terms: readonly string[]): Parsed {
  return parse(terms.map(requoted).join(" "));
}

const EXAMPLES = "for example: is:open assignee:@me, or priority >= High and created > -2w";
const PRIMARY_HINT = "here can stand a condition such as status:RESOLVED, is:open, a word of the summary, not, or ( )";

function requoted(term: string): string {
  if (
    !/\s/.test(term) ||
    /["'()=~<>]|\|\||&&|(?:^|\s)(?:and|or|not|in|is|has|changed|contains|matches|between)(?:\s|$)/i.test(term)
  ) {
    return term;
  }
  const [, name = "", value = term] = /^(-?[\w.]+:)?(.*)$/s.exec(term) ?? [];
  return value.includes(":") ? term : `${name}"${value.trim()}"`;
}

type Reader = { readonly cursor: Cursor; readonly sort: string[] };

function readAny(reader: Reader): Typed {
  const { cursor } = reader;
  const first = readAll(reader);
  const others: Typed[] = [];
  while (takeWord(cursor, "or") ?? take(cursor, /\|\|/y)) others.push(refuseSort(reader, readAll));
  if (others.length > 0 && isEverything(first))
    throw mistake(cursor, '"sort:" cannot be an alternative to a condition');
  return any([first, ...others]);
}

function readAll(reader: Reader): Typed {
  const { cursor } = reader;
  const parts = [readNot(reader)];
  for (;;) {
    const joint = takeWord(cursor, "and") ?? take(cursor, /&&/y);
    if (joint === undefined && (isAtEnd(cursor) || isNext(cursor, /\)|\|\||or(?![\w.:@-])/iy))) return all(parts);
    parts.push(readNot(reader));
  }
}

function readNot(reader: Reader): Typed {
  const { cursor } = reader;
  if (takeWord(cursor, "not") ?? take(cursor, /!(?![=~])|-(?=[\p{L}_("'])/uy)) return not(refuseSort(reader, readNot));
  return readPrimary(reader);
}

function readPrimary(reader: Reader): Typed {
  const { cursor } = reader;
  const at = columnAt(cursor);
  if (take(cursor, /\(/y)) return readGroup(reader, at);
  const sorted = take(cursor, /sort:\s*/iy);
  if (sorted !== undefined) {
    reader.sort.push(takeHere(cursor, /[^\s()]+/y) ?? missing(cursor, "a sort key, such as updated-desc"));
    return all([]);
  }
  const found = parsePredicate(cursor, at);
  if (found !== undefined) return found;
  const text = takeQuoted(cursor) ?? takeBareText(cursor);
  if (text === undefined) return missing(cursor, "a condition", PRIMARY_HINT);
  if (text.trim() === "") throw mistake(cursor, "an empty text would match every bug");
  return { kind: "test", field: "summary", op: "~", values: [text], at };
}

/** A word of the summary. Joining words are not text unless they are quoted. */
function takeBareText(cursor: Cursor): string | undefined {
  return isNext(cursor, /(?:and|or)(?![\w.:@-])/iy)
    ? undefined
    : take(cursor, /(?:(?!\|\||&&)[^\s()"'=~<>!,])(?:(?!\|\||&&)[^\s()"=~<>])*/y);
}

function readGroup(reader: Reader, at: number): Typed {
  const { cursor } = reader;
  const inside = refuseSort(reader, readAny);
  if (take(cursor, /\)/y)) return inside;
  throw mistake(
    cursor,
    `expected ")" for the "(" at column ${at}, but found ${nextThing(cursor)}`,
    "or go on with and, or",
  );
}

function refuseSort(reader: Reader, read: (reader: Reader) => Typed): Typed {
  const { cursor, sort } = reader;
  const before = { keys: sort.length, column: columnAt(cursor) };
  const tree = read(reader);
  if (sort.length === before.keys) return tree;
  cursor.index = before.column - 1;
  throw mistake(cursor, '"sort:" can only stand beside conditions, not inside ( ), after "or" or after "not"');
}

function missing(cursor: Cursor, what: string, hint?: string): never {
  throw mistake(cursor, `expected ${what}, but found ${nextThing(cursor)}`, hint);
}
