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

/** An expression as it was read: what bugs must meet, the sort keys that were written in it, and its plain words. */
export type Parsed = { readonly tree: Typed; readonly sort: readonly string[]; readonly texts: readonly string[] };

/** Reads an expression of the query language. A mistake is a usage error that shows the column and what could stand there. */
export function parse(text: string): Parsed {
  const reader: Reader = { cursor: { text, index: 0 }, sort: [], texts: [] };
  if (isAtEnd(reader.cursor)) {
    throw new BtError("usage", "an empty expression would match every bug", { hint: EXAMPLES });
  }
  const tree = readAny(reader);
  if (isAtEnd(reader.cursor)) return { tree, sort: reader.sort, texts: reader.texts };
  if (isNext(reader.cursor, /\)/y)) throw mistake(reader.cursor, 'there is no "(" for this ")"');
  throw mistake(reader.cursor, `${nextThing(reader.cursor)} has no meaning here`, PRIMARY_HINT);
}

/**
 * Reads search terms as a shell hands them over, as one expression. A term of several words is one phrase of the summary,
 * `"hang problem"`, unless there is a condition, a joining word, a bracket or a quote among them; behind a field's name they
 * are its value with the quotes eaten by the shell: `component:"New Tab"`.
 */
export function parseTerms(terms: readonly string[]): Parsed {
  const read = terms.map(readTerm);
  const parsed = parse(read.map(({ text }) => text).join(" "));
  return { ...parsed, texts: [...read.flatMap(({ phrase }) => phrase ?? []), ...parsed.texts] };
}

const EXAMPLES = "for example: is:open assignee:@me, or priority >= High and created > -2w";
const PRIMARY_HINT = "here can stand a condition such as status:RESOLVED, is:open, a word of the summary, not, or ( )";

type ReadTerm = { readonly text: string; readonly phrase?: string };

function readTerm(term: string): ReadTerm {
  if (!/\s/.test(term) || EXPRESSION.test(term)) return { text: term };
  const [, name, value = ""] = /^(-?(?!(?:is|has|no|sort):)[\w.]+:)(.*)$/is.exec(term) ?? [];
  if (name !== undefined && !value.includes(":") && !KEYWORD.test(value)) return { text: `${name}"${value.trim()}"` };
  return isPhrase(term) ? { text: `"${term.trim()}"`, phrase: term.trim() } : { text: term };
}

const EXPRESSION = /["'()=~<>]|\|\||&&|(?:^|\s)(?:and|or|not)(?:\s|$)/i;
const KEYWORD = /(?:^|\s)(?:in|is|has|changed|contains|matches|between)(?:\s|$)/i;

/** Whether a term consists of plain words; a condition that cannot be read is none of them. */
function isPhrase(term: string): boolean {
  try {
    const { texts } = parse(term);
    return texts.length === term.trim().split(/\s+/).length;
  } catch {
    return false;
  }
}

type Reader = { readonly cursor: Cursor; readonly sort: string[]; readonly texts: string[] };

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
  const text = takeQuoted(cursor) ?? takeBareText(reader);
  if (text === undefined) return missing(cursor, "a condition", PRIMARY_HINT);
  if (text.trim() === "") throw mistake(cursor, "an empty text would match every bug");
  return { kind: "test", field: "summary", op: "~", values: [text], at };
}

/** A word of the summary. Joining words are not text unless they are quoted. */
function takeBareText({ cursor, texts }: Reader): string | undefined {
  if (isNext(cursor, /(?:and|or)(?![\w.:@-])/iy)) return undefined;
  const text = take(cursor, /(?:(?!\|\||&&)[^\s()"'=~<>!,])(?:(?!\|\||&&)[^\s()"=~<>])*/y);
  if (text !== undefined) texts.push(text);
  return text;
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
