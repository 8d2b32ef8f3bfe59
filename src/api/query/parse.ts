import { BtError } from "../../errors.ts";
import {
  type Cursor,
  columnAt,
  isAtEnd,
  isNext,
  nextToken,
  syntaxError,
  takeMatch,
  takeMatchHere,
  takeQuoted,
  takeWord,
} from "./cursor.ts";
import { parseCondition } from "./parse-condition.ts";
import { allOf, anyOf, isEverything, notOf, type TypedQuery } from "./tree.ts";

/** A parsed expression: its tree, and its sort keys. */
export type ParsedQuery = { readonly tree: TypedQuery; readonly sort: readonly string[] };

/**
 * Parses an expression of the query language.
 * @throws BtError of kind usage with the column and what is expected
 */
export function parseExpression(text: string): ParsedQuery {
  const { tree, sort } = readExpression(text);
  return { tree, sort };
}

/** The same with the number of plain words. */
function readExpression(text: string): ParsedQuery & { readonly wordCount: number } {
  const reader: Reader = { cursor: { text, index: 0 }, sort: [], wordCount: 0 };
  if (isAtEnd(reader.cursor)) {
    throw new BtError("usage", "an empty expression would match every bug", { hint: EXAMPLES });
  }
  const tree = readAny(reader);
  if (isAtEnd(reader.cursor)) return { tree, sort: reader.sort, wordCount: reader.wordCount };
  if (isNext(reader.cursor, /\)/y)) throw syntaxError(reader.cursor, 'unmatched ")"');
  throw syntaxError(reader.cursor, `unexpected ${nextToken(reader.cursor)}`, PRIMARY_HINT);
}

/**
 * Parses search terms as received from a shell, as one expression. A term of several words is a phrase of the summary,
 * `"hang problem"`, unless it contains a condition, an operator, a bracket or a quote; after a field's name it is the
 * value whose quotes the shell removed: `component:"New Tab"`.
 */
export function parseTerms(terms: readonly string[]): ParsedQuery {
  return parseExpression(terms.map(readTerm).join(" "));
}

const EXAMPLES = "for example: is:open assignee:@me, or priority >= High and created > -2w";
const PRIMARY_HINT = "expected a condition such as status:RESOLVED, is:open, a word of the summary, not, or ( )";

function readTerm(term: string): string {
  if (!/\s/.test(term) || EXPRESSION.test(term)) return term;
  const [, name, value = ""] = /^(-?(?!(?:is|has|no|sort):)[\w.]+:)(.*)$/is.exec(term) ?? [];
  if (name !== undefined && !value.includes(":") && !KEYWORD.test(value)) return `${name}"${value.trim()}"`;
  return isPhrase(term) ? `"${term.trim()}"` : term;
}

const EXPRESSION = /["'()=~<>]|\|\||&&|(?:^|\s)(?:and|or|not)(?:\s|$)/i;
const KEYWORD = /(?:^|\s)(?:in|is|has|changed|contains|matches|between)(?:\s|$)/i;

/** True if a term consists of plain words. A malformed condition is not a phrase. */
function isPhrase(term: string): boolean {
  try {
    return readExpression(term).wordCount === term.trim().split(/\s+/).length;
  } catch {
    return false;
  }
}

type Reader = { readonly cursor: Cursor; readonly sort: string[]; wordCount: number };

function readAny(reader: Reader): TypedQuery {
  const { cursor } = reader;
  const first = readAll(reader);
  const others: TypedQuery[] = [];
  while (takeWord(cursor, "or") ?? takeMatch(cursor, /\|\|/y)) others.push(refuseSort(reader, readAll));
  if (others.length > 0 && isEverything(first)) throw syntaxError(cursor, '"sort:" cannot be combined with "or"');
  return anyOf([first, ...others]);
}

function readAll(reader: Reader): TypedQuery {
  const { cursor } = reader;
  const parts = [readNot(reader)];
  for (;;) {
    const joint = takeWord(cursor, "and") ?? takeMatch(cursor, /&&/y);
    if (joint === undefined && (isAtEnd(cursor) || isNext(cursor, /\)|\|\||or(?![\w.:@-])/iy))) return allOf(parts);
    parts.push(readNot(reader));
  }
}

function readNot(reader: Reader): TypedQuery {
  const { cursor } = reader;
  if (takeWord(cursor, "not") ?? takeMatch(cursor, /!(?![=~])|-(?=[\p{L}_("'])/uy))
    return notOf(refuseSort(reader, readNot));
  return readPrimary(reader);
}

function readPrimary(reader: Reader): TypedQuery {
  const { cursor } = reader;
  const at = columnAt(cursor);
  if (takeMatch(cursor, /\(/y)) return readGroup(reader, at);
  const sorted = takeMatch(cursor, /sort:\s*/iy);
  if (sorted !== undefined) {
    reader.sort.push(takeMatchHere(cursor, /[^\s()]+/y) ?? missing(cursor, "a sort key, such as updated-desc"));
    return allOf([]);
  }
  const found = parseCondition(cursor, at);
  if (found !== undefined) return found;
  const text = takeQuoted(cursor) ?? takeBareText(reader);
  if (text === undefined) return missing(cursor, "a condition", PRIMARY_HINT);
  if (text.trim() === "") throw syntaxError(cursor, "an empty text would match every bug");
  return { kind: "test", field: "summary", op: "~", values: [text], at };
}

/** A word of the summary. `and`, `or` and `not` are text only when quoted. */
function takeBareText(reader: Reader): string | undefined {
  const { cursor } = reader;
  if (isNext(cursor, /(?:and|or)(?![\w.:@-])/iy)) return undefined;
  const text = takeMatch(cursor, /(?:(?!\|\||&&)[^\s()"'=~<>!,])(?:(?!\|\||&&)[^\s()"=~<>])*/y);
  if (text !== undefined) reader.wordCount += 1;
  return text;
}

function readGroup(reader: Reader, at: number): TypedQuery {
  const { cursor } = reader;
  const inside = refuseSort(reader, readAny);
  if (takeMatch(cursor, /\)/y)) return inside;
  throw syntaxError(
    cursor,
    `expected ")" for the "(" at column ${at}, but found ${nextToken(cursor)}`,
    "or continue with and, or",
  );
}

function refuseSort(reader: Reader, read: (reader: Reader) => TypedQuery): TypedQuery {
  const { cursor, sort } = reader;
  const before = { keys: sort.length, column: columnAt(cursor) };
  const tree = read(reader);
  if (sort.length === before.keys) return tree;
  cursor.index = before.column - 1;
  throw syntaxError(cursor, '"sort:" is only valid at the top level, not inside ( ), after "or" or after "not"');
}

function missing(cursor: Cursor, what: string, hint?: string): never {
  throw syntaxError(cursor, `expected ${what}, but found ${nextToken(cursor)}`, hint);
}
