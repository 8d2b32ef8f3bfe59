import { BtError } from "../../errors.ts";
import { fieldNamed } from "../../wire/search-names.ts";
import { rangeTree } from "./range.ts";
import {
  allOf,
  anyOf,
  type ChangeParts,
  type Comparison,
  isEverything,
  isGroup,
  notOf,
  type Term,
  type UnresolvedQuery,
} from "./tree.ts";

/** A parsed expression: its tree, and its sort keys. */
type ParsedQuery = { tree: UnresolvedQuery; sort: readonly string[] };

/**
 * Parses an expression of the query language.
 * @throws BtError of kind usage with the column and what is expected
 */
export function parseExpression(text: string): ParsedQuery {
  const { tree, sort } = readExpression(text);
  return { tree, sort };
}

/** Parses an expression, and counts its plain words. */
function readExpression(text: string): ParsedQuery & { wordCount: number } {
  const reader: Reader = { cursor: { text, index: 0 }, sort: [], wordCount: 0 };
  if (isAtEnd(reader.cursor)) {
    throw new BtError("usage", "an empty expression would match every bug", { hint: EXAMPLES });
  }
  const tree = readOr(reader);
  if (isAtEnd(reader.cursor)) return { ...reader, tree };
  if (isNext(reader.cursor, /\)/y)) throw syntaxError(reader.cursor, 'unmatched ")"');
  throw syntaxError(reader.cursor, `unexpected ${nextToken(reader.cursor)}`, PRIMARY_HINT);
}

/**
 * Parses search terms as received from a shell, as one expression; a term that is an expression by itself stands in
 * brackets. A term of several words is a phrase of the summary, `"hang problem"`, unless it contains a condition, an
 * operator, a bracket or a quote; after a field's name it is the value whose quotes the shell removed:
 * `component:"New Tab"`.
 */
export function parseTerms(terms: string[]): ParsedQuery {
  return parseExpression(joinedTerms(terms));
}

/** Search terms as one expression; numbers alone are those of bugs. */
export function joinedTerms(terms: string[]): string {
  const [only = "", ...others] = terms;
  if (terms.length > 0 && terms.every((term) => BUG_NUMBERS.test(term)))
    return `id:${terms.join().replaceAll("#", "")}`;
  if (others.length === 0) return readTerm(only);
  return terms.map((term, at) => bracketed(readTerm(term), terms[at + 1] ?? "")).join(" ");
}

/** Matches the number of a bug, or several. */
export const BUG_NUMBERS = /^#?[1-9]\d*(?:,#?[1-9]\d*)*$/;

/** A term of several words in brackets, if it is an expression and the next term does not continue its last condition. */
function bracketed(term: string, next: string): string {
  if (!/\s/.test(term.trim()) || /^\s*(?:from|to|by|since|before)(?:\s|$)/i.test(next)) return term;
  try {
    const { tree, sort } = readExpression(term);
    return sort.length === 0 && (isGroup(tree) || tree.kind === "change") ? `(${term})` : term;
  } catch {
    return term;
  }
}

const EXAMPLES = "for example: is:open assignee:@me, or priority >= High and created > -2w";
const PRIMARY_HINT = "expected a condition such as status:RESOLVED, is:open, a word of the summary, not, or ( )";

function readTerm(term: string): string {
  if (!/\s/.test(term) || EXPRESSION.test(term)) return term;
  const [, name, value = ""] = /^([-!]?(?!(?:is|has|no|sort):)[\w.]+:)(.*)$/is.exec(term) ?? [];
  if (name !== undefined && !value.includes(":") && !KEYWORD.test(value)) return name + quotedText(value.trim());
  return isPhrase(term) ? quotedText(term.trim()) : term;
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

type Reader = {
  cursor: Cursor;
  sort: string[];
  wordCount: number;
};

function readOr(reader: Reader): UnresolvedQuery {
  const { cursor } = reader;
  const first = readAnd(reader);
  const others: UnresolvedQuery[] = [];
  while (takeWord(cursor, "or") ?? takeMatch(cursor, /\|\|/y)) others.push(readWithoutSort(reader, readAnd));
  if (others.length > 0 && isEverything(first)) throw syntaxError(cursor, '"sort:" cannot be combined with "or"');
  return anyOf([first, ...others]);
}

function readAnd(reader: Reader): UnresolvedQuery {
  const { cursor } = reader;
  let last = readNot(reader);
  const parts = [last];
  for (;;) {
    const joint = takeWord(cursor, "and") ?? takeMatch(cursor, /&&/y);
    if (joint === undefined && (isAtEnd(cursor) || isNext(cursor, /\)|\|\||or(?![\w.:@-])/iy))) return allOf(parts);
    last = joint === undefined ? readAdjacent(reader, last) : readNot(reader);
    parts.push(last);
  }
}

/**
 * A condition that follows another one without "and".
 * @throws BtError of kind usage for a word that may be meant as a part of the condition before it
 */
function readAdjacent(reader: Reader, previous: UnresolvedQuery): UnresolvedQuery {
  const { cursor, wordCount } = reader;
  const { text, index } = cursor;
  const tree = readNot(reader);
  if (reader.wordCount === wordCount || !isSummaryWord(tree)) return tree;
  const before = text.slice(0, index).trimEnd();
  const word = tree.values.join();
  if (isOpenEnded(previous, before)) throw leftOverError({ text, index }, previous);
  const [, day] = /[<>=:]\s*(\d{4}-\d\d-\d\d|[a-z-]+)$/i.exec(before) ?? [];
  if (day !== undefined && /^\d{1,2}:\d\d/.test(word))
    throw syntaxError(
      { text, index },
      `unexpected "${word}"`,
      `a date and its time are one value: ${/\d/.test(day) ? day : "2026-10-03"}T${word}`,
    );
  return tree;
}

/** True for a condition in words, of which a further word could be meant to be a part. */
function isOpenEnded(tree: UnresolvedQuery, before: string): boolean {
  if (tree.kind === "not") return isOpenEnded(tree.of, before);
  return (tree.kind === "change" && !before.endsWith(")")) || tree.kind === "flag";
}

/** True for a plain word, which is looked for in summaries. */
export function isSummaryWord(tree: UnresolvedQuery): tree is Term & { kind: "test" } {
  return tree.kind === "test" && tree.field === "summary" && tree.op === "~";
}

function leftOverError(cursor: Cursor, { kind }: UnresolvedQuery): BtError {
  const word = nextToken(cursor).slice(1, -1);
  const parts = kind === "flag" ? "" : "after changed: from, to, by, since or before; ";
  const hint = `${parts}for bugs whose summary contains "${word}", use: and ${word}`;
  return syntaxError(cursor, `unexpected "${word}"`, hint);
}

function readNot(reader: Reader): UnresolvedQuery {
  const { cursor } = reader;
  if (takeWord(cursor, "not") ?? takeMatch(cursor, /!(?![=~])|-(?=[\p{L}_("'])/uy))
    return notOf(readWithoutSort(reader, readNot));
  return readPrimary(reader);
}

function readPrimary(reader: Reader): UnresolvedQuery {
  const { cursor } = reader;
  const at = columnAt(cursor);
  if (takeMatch(cursor, /\(/y)) return readGroup(reader, at);
  const sorted = takeMatch(cursor, /sort:\s*/iy);
  if (sorted !== undefined) {
    reader.sort.push(takeMatchHere(cursor, /[^\s()]+/y) ?? throwExpected(cursor, "a sort key, such as updated-desc"));
    return allOf([]);
  }
  const found = parseCondition(cursor, at);
  if (found !== undefined) return found;
  const text = takeQuoted(cursor) ?? takeBareText(reader);
  if (text === undefined) return throwExpected(cursor, "a condition", PRIMARY_HINT);
  if (text.trim() === "") throw syntaxError(cursor, "an empty text would match every bug");
  return { kind: "test", field: "summary", op: "~", values: [text], at };
}

/** A word of the summary. `and`, `or` and `not` are text only when quoted. */
function takeBareText(reader: Reader): string | undefined {
  const { cursor } = reader;
  if (isNext(cursor, /(?:and|or)(?![\w.:@-])/iy)) return undefined;
  const start = columnAt(cursor) - 1;
  const text = takeMatch(cursor, /(?:(?!\|\||&&)[^\s()"'=~<>!,])(?:(?!\|\||&&)[^\s()"=~<>])*/y);
  if (text === undefined) return undefined;
  reader.wordCount += 1;
  if (cursor.text[cursor.index] === "(") throw callError(cursor, text);
  const [, who] = (/^changed$/i.test(text) && CHANGED_BY.exec(cursor.text.slice(cursor.index))) || [];
  if (who !== undefined) {
    cursor.index = start;
    throw syntaxError(cursor, `"changed by" without a field`, `name what was changed: status changed by ${who}`);
  }
  if (/^\s+like\s/i.test(cursor.text.slice(cursor.index)) && fieldNamed(text))
    throw syntaxError(cursor, `"${text} like" is no condition`, `for a part of the text: ${text} ~ TEXT`);
  refuseOrder(cursor, start);
  const isAlone = cursor.text.trim() === text;
  if (text.toLowerCase() === "@me" || (isAlone && /^(?:me|mine)$/i.test(text))) {
    cursor.index = start;
    throw syntaxError(
      cursor,
      `unexpected "${text}"`,
      `for bugs assigned to you, use is:mine; for the word, quotes: "${text}"`,
    );
  }
  return text;
}

/** Refuses the order of Jira: behind a condition, or by a field. */
function refuseOrder(cursor: Cursor, start: number): void {
  const [, order = "", key = ""] = ORDER.exec(cursor.text.slice(start)) ?? [];
  const isOrder = order.startsWith("ORDER") || /[=<>~:]/.test(cursor.text.slice(0, start)) || fieldNamed(key);
  if (order === "" || !isOrder) return;
  cursor.index = start;
  throw syntaxError(cursor, `unexpected "${order}"`, "a sort key is a term: sort:updated:desc");
}

/** An order as Jira has it; in small letters and without conditions before it, it may also be words of summaries. */
const ORDER = /^(order\s+by)\s+(\w+)/i;

/** The user after `changed by`. */
const CHANGED_BY = /^\s+by\s+(@?me(?![\w.-])|[^\s()]+@[^\s()]+)/i;

/** Error for a bracket right after a word, as in `comment("text")`. */
function callError(cursor: Cursor, word: string): BtError {
  const isField = fieldNamed(word) !== undefined;
  return syntaxError(
    cursor,
    `unexpected "(" after "${word}"`,
    isField
      ? `use ${word} ~ "text", or ${word} has any (a, b)`
      : "there are no functions; quote text of the summary that contains brackets",
  );
}

function readGroup(reader: Reader, at: number): UnresolvedQuery {
  const { cursor } = reader;
  const inside = readWithoutSort(reader, readOr);
  if (takeMatch(cursor, /\)/y)) return inside;
  throw syntaxError(
    cursor,
    `expected ")" for the "(" at column ${at}, but found ${nextToken(cursor)}`,
    "or continue with and, or",
  );
}

function readWithoutSort(reader: Reader, read: (reader: Reader) => UnresolvedQuery): UnresolvedQuery {
  const { cursor, sort } = reader;
  skipBlanks(cursor);
  const start = cursor.index;
  const before = sort.length;
  const tree = read(reader);
  if (sort.length === before) return tree;
  cursor.index = start;
  throw syntaxError(cursor, '"sort:" is only valid at the top level, not inside ( ), after "or" or after "not"');
}

function throwExpected(cursor: Cursor, what: string, hint?: string): never {
  throw syntaxError(cursor, `expected ${what}, but found ${nextToken(cursor)}`, hint);
}

/**
 * Parses a condition on a field, `is:`, `has:`, `no:` or `flag(...)` at column `at`. Undefined, with the cursor
 * unchanged, if a plain word follows.
 */
function parseCondition(cursor: Cursor, at: number): UnresolvedQuery | undefined {
  const start = cursor.index;
  const short = takeMatchHere(cursor, /(?:is|has|no):/iy)?.toLowerCase();
  if (short !== undefined) return readShort(cursor, short, at);
  if (takeMatchHere(cursor, /flag\s*\((?!\s*\))/iy)) return readFlag(cursor, at);
  const field = takeQuoted(cursor) ?? takeMatchHere(cursor, /[\p{L}_][\p{L}\p{N}_.-]*/uy);
  const read = field === undefined ? undefined : readTest({ cursor, field, at });
  if (read === undefined) cursor.index = start;
  return read;
}

function readShort(cursor: Cursor, short: string, at: number): UnresolvedQuery {
  const name = takeQuoted(cursor) ?? takeMatchHere(cursor, /[\p{L}_][\p{L}\p{N}_.-]*/uy);
  if (name === undefined) throw syntaxError(cursor, `expected a name after "${short}"`, SHORT_HINTS[short]);
  if (short === "is:") return { kind: "is", state: name, at };
  const empty = testOn({ cursor, field: name, at }, "empty", []);
  if (empty.kind === "is" && short === "has:") return { ...empty, state: "assigned" };
  return short === "no:" ? empty : notOf(empty);
}

const SHORT_HINTS: Readonly<Record<string, string>> = {
  "is:": "such as is:open, is:mine, is:overdue",
  "has:": "such as has:flag, has:deadline",
  "no:": "such as no:keyword, no:qa_contact",
};

function readTest(place: FieldPosition): UnresolvedQuery | undefined {
  const op = takeOperator(place.cursor);
  if (op !== undefined) return readOperator(place, op);
  for (const [keyword, read] of KEYWORDS) {
    const start = place.cursor.index;
    if (takeWord(place.cursor, keyword)) {
      const found = read(place);
      if (found !== undefined) return found;
    }
    place.cursor.index = start;
  }
  return undefined;
}

/** Operators; a negative one negates its positive counterpart. */
const OPERATORS: Readonly<Record<string, readonly [op: Comparison, isNegated: boolean]>> = {
  "!=~": ["=~", true],
  "=~": ["=~", false],
  "==": ["=", false],
  "!=": ["=", true],
  "!~": ["~", true],
  "^=": ["^=", false],
  "$=": ["$=", false],
  ">=": [">=", false],
  "<=": ["<=", false],
  "=": ["=", false],
  "~": ["~", false],
  ">": [">", false],
  "<": ["<", false],
  ":": [":", false],
  eq: ["=", false],
  ne: ["=", true],
};

function takeOperator(cursor: Cursor): string | undefined {
  return takeMatch(cursor, /!=~|=~|==|!=|!~|\^=|\$=|>=|<=|=|~|>|<|:/y) ?? takeWord(cursor, "eq", "ne");
}

function readOperator(place: FieldPosition, written: string): UnresolvedQuery {
  const [op, isNegated] = OPERATORS[written] ?? [":", false];
  const [more] = /^[=~<>!]+/.exec(place.cursor.text.slice(place.cursor.index)) ?? [];
  if (more !== undefined && !(op === ":" && /^(?:[<>]=?|=)$/.test(more)))
    throw unknownOperatorError(place.cursor, written, more);
  if (op === "~") refusePattern(place, isNegated);
  const tree = op === ":" ? readNatural(place) : testOn(place, op, parseValues(place.cursor, written, op));
  return isNegated ? notOf(tree) : tree;
}

/** Refuses `summary ~ /crash/`, where only a text can follow. */
function refusePattern({ cursor, field }: FieldPosition, isNegated: boolean): void {
  const { index } = cursor;
  const pattern = takeMatch(cursor, /\/(?:[^/\\]|\\.)+\/(?![^\s)])/y);
  cursor.index = index;
  if (pattern === undefined) return;
  const condition = `${field} ${isNegated ? "!=~" : "=~"} ${pattern}`;
  throw syntaxError(cursor, `unexpected ${pattern}`, `use ${condition}; for the text, quotes: "${pattern}"`);
}

/** Error for characters of operators in a row that are none. */
function unknownOperatorError(cursor: Cursor, written: string, more: string): BtError {
  const start = cursor.index - written.length;
  return syntaxError(
    { text: cursor.text, index: start },
    `unknown operator "${written}${more}"`,
    "use = != ~ !~ =~ !=~ ^= $= > >= < <=, or quote a value that begins so",
  );
}

function testOn({ field, at }: FieldPosition, op: Comparison, values: string[]): UnresolvedQuery {
  const isNobody = op === "empty" && /^(?:assignee|assigned_to)$/i.test(field); // a tracker has an account for nobody
  return isNobody ? { kind: "is", state: "unassigned", at } : { kind: "test", field, op, values, at };
}

/** After a colon: a comparison, a range, or a list of values. */
function readNatural(place: FieldPosition): UnresolvedQuery {
  const { cursor, field, at } = place;
  const op = takeMatch(cursor, />=|<=|>|<|=/y) as Comparison | undefined;
  if (op !== undefined) return testOn(place, op, parseValues(cursor, op, op));
  const isBare = !isNext(cursor, /["']/y);
  const values = parseValues(cursor, ":", ":");
  const [only = ""] = values;
  const range = isBare && values.length === 1 ? rangeTree(field, only, at) : undefined;
  return range ?? testOn(place, ":", values);
}

/** Keywords that may follow a field's name in place of an operator; undefined means that the name was a plain word. */
const KEYWORDS: readonly (readonly [keyword: string, read: (place: FieldPosition) => UnresolvedQuery | undefined])[] = [
  ["in", (place) => readIn(place)],
  ["not", (place) => (takeWord(place.cursor, "in") ? readIn(place, "not in") : undefined)],
  ["contains", (place) => testOn(place, "~", [parseValue(place.cursor, "contains", "~")])],
  ["matches", (place) => testOn(place, "matches", [parseValue(place.cursor, "matches", "matches")])],
  ["is", (place) => readEmpty(place)],
  ["has", (place) => readWords(place)],
  ["between", (place) => readBetween(place)],
  ["changed", readChange],
];

/** A summary word may precede "in", "is" and "has"; after a field's name they must be complete. */
function refuseAfterField({ cursor, field }: FieldPosition, expected: string, hint: string): undefined {
  if (fieldNamed(field) === undefined) return undefined;
  throw syntaxError(cursor, `expected ${expected}, but found ${nextToken(cursor)}`, hint);
}

function readIn(place: FieldPosition, written: "in" | "not in" = "in"): UnresolvedQuery | undefined {
  if (!isNext(place.cursor, /\(/y)) return refuseAfterField(place, '"("', `use ${place.field} ${written} (a, b)`);
  const listed = testOn(place, "=", parseList(place.cursor));
  return written === "in" ? listed : notOf(listed);
}

function readEmpty(place: FieldPosition): UnresolvedQuery | undefined {
  const isNegated = takeWord(place.cursor, "not") !== undefined;
  if (!takeWord(place.cursor, "empty")) {
    return refuseAfterField(place, '"empty" or "not empty"', `to compare with a value, use ${place.field}:VALUE`);
  }
  const empty = testOn(place, "empty", []);
  return isNegated ? notOf(empty) : empty;
}

function readWords(place: FieldPosition): UnresolvedQuery | undefined {
  const word = takeWord(place.cursor, "any", "all", "none");
  if (word === undefined || !isNext(place.cursor, /\(/y)) {
    return refuseAfterField(place, '"any (", "all (" or "none ("', `use ${place.field} has all (a, b)`);
  }
  const values = parseList(place.cursor);
  return word === "none" ? notOf(testOn(place, "any", values)) : testOn(place, word as "any" | "all", values);
}

function readBetween(place: FieldPosition): UnresolvedQuery {
  const from = parseValue(place.cursor, "between", ">=");
  if (!takeWord(place.cursor, "and")) {
    throw syntaxError(place.cursor, `expected "and", but found ${nextToken(place.cursor)}`, "use between A and B");
  }
  const to = parseValue(place.cursor, "and", "<=");
  return allOf([
    { kind: "test", field: place.field, op: ">=", values: [from], at: place.at },
    { kind: "test", field: place.field, op: "<=", values: [to], at: place.at },
  ]);
}

/** A field's name and the column where it starts. */
type FieldPosition = { cursor: Cursor; field: string; at: number };

const CHANGE_PARTS = ["from", "to", "by", "since", "before"] as const;

/** Parts after the word `changed`, all about the same change. */
function readChange(place: FieldPosition): UnresolvedQuery {
  const parts: { -readonly [Part in keyof ChangeParts]: string } = {};
  for (;;) {
    const part = takeWord(place.cursor, ...CHANGE_PARTS) as keyof ChangeParts | undefined;
    if (part === undefined) return { kind: "change", field: place.field, ...parts, at: place.at };
    if (parts[part] !== undefined) throw syntaxError(place.cursor, `"${part}" is repeated in one change condition`);
    parts[part] = parseValue(place.cursor, part, "=");
  }
}

/** Parts within `flag(needinfo? requestee @me)`, all about the same flag. */
function readFlag(cursor: Cursor, at: number): Term {
  const name = parseValue(cursor, "flag(", "=");
  const people: { requestee?: string; setter?: string } = {};
  for (;;) {
    const role = takeWord(cursor, "requestee", "setter") as "requestee" | "setter" | undefined;
    if (role === undefined) break;
    people[role] = parseValue(cursor, role, "=");
  }
  if (takeMatch(cursor, /\)/y)) return { kind: "flag", name, ...people, at };
  throw syntaxError(
    cursor,
    `expected ")", but found ${nextToken(cursor)}`,
    "the user is requestee or setter: flag(needinfo? requestee @me)",
  );
}

/** Position in an expression, advanced by the functions of this file. */
type Cursor = { text: string; index: number };

/** Column (from 1) of the next non-blank. */
function columnAt(cursor: Cursor): number {
  skipBlanks(cursor);
  return cursor.index + 1;
}

/** True if only whitespace is left. */
function isAtEnd(cursor: Cursor): boolean {
  skipBlanks(cursor);
  return cursor.index >= cursor.text.length;
}

/** Consumes a match of a sticky pattern after whitespace; undefined without a match. */
function takeMatch(cursor: Cursor, pattern: RegExp): string | undefined {
  skipBlanks(cursor);
  return takeMatchHere(cursor, pattern);
}

/** Like `takeMatch`, without skipping whitespace. */
function takeMatchHere(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.index;
  const [match] = pattern.exec(cursor.text) ?? [];
  if (match !== undefined) cursor.index += match.length;
  return match;
}

/** True if a sticky pattern matches next; consumes nothing. */
function isNext(cursor: Cursor, pattern: RegExp): boolean {
  skipBlanks(cursor);
  pattern.lastIndex = cursor.index;
  return pattern.test(cursor.text);
}

/** Consumes one of the given words, ignoring case, if it is next as a whole word. */
function takeWord(cursor: Cursor, ...words: string[]): string | undefined {
  skipBlanks(cursor);
  const start = cursor.index;
  const word = takeMatchHere(cursor, /[a-z]+(?![\w.:@-])/iy)?.toLowerCase();
  if (word !== undefined && words.includes(word)) return word;
  cursor.index = start;
  return undefined;
}

/** Consumes a quoted text; a backslash escapes the quote and a backslash, and is itself before anything else. */
function takeQuoted(cursor: Cursor): string | undefined {
  skipBlanks(cursor);
  const start = cursor.index;
  const quote = takeMatchHere(cursor, /["']/y);
  if (quote === undefined) return undefined;
  const inside = takeMatchHere(cursor, quote === '"' ? /(?:[^"\\]|\\.)*/sy : /(?:[^'\\]|\\.)*/sy) ?? "";
  if (takeMatchHere(cursor, quote === '"' ? /"/y : /'/y) !== undefined)
    return inside.replace(quote === '"' ? /\\([\\"])/g : /\\([\\'])/g, "$1");
  cursor.index = start;
  throw syntaxError(cursor, `unclosed quote ${quote}`);
}

/** Text in double quotes, as they are read back. */
export function quotedText(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Usage error at the cursor: the text with a caret below, and what is expected. */
function syntaxError(cursor: Cursor, sentence: string, hint?: string): BtError {
  const column = columnAt(cursor);
  return new BtError("usage", `${sentence} (column ${column})`, {
    hint,
    details: [cursor.text, `${" ".repeat(column - 1)}^`],
  });
}

/** Next word for a message, or "the end". */
function nextToken(cursor: Cursor): string {
  if (isAtEnd(cursor)) return "the end";
  const [, word = ""] = /^([^\s()]+|.)/su.exec(cursor.text.slice(cursor.index)) ?? [];
  return `"${word}"`;
}

function skipBlanks(cursor: Cursor): void {
  takeMatchHere(cursor, /\s+/y);
}

/** One value, or a comma-separated list after `=` and `:`. */
function parseValues(cursor: Cursor, written: string, op: Comparison): string[] {
  const values = [parseValue(cursor, written, op)];
  while (LIST_COMPARISONS.has(op) && takeMatch(cursor, /,/y)) values.push(parseValue(cursor, ",", op));
  if (!isNext(cursor, /,/y)) return values;
  throw syntaxError(cursor, "unexpected comma", "quote a value that contains a comma, or use in (a, b)");
}

const LIST_COMPARISONS: ReadonlySet<Comparison> = new Set(["=", ":"]);

/** One value: bare up to whitespace, comma or bracket, or quoted; after `=~` also a pattern between slashes. */
function parseValue(cursor: Cursor, after: string, op: Comparison): string {
  const value = (op === "=~" ? takePattern(cursor) : undefined) ?? takeQuoted(cursor) ?? takeBare(cursor);
  if (value !== undefined && cursor.text[cursor.index] === "(")
    throw syntaxError(
      cursor,
      `unexpected "(" after "${value}"`,
      "there are no functions: @me is the user, this-week a date",
    );
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
function parseList(cursor: Cursor): string[] {
  if (!takeMatch(cursor, /\(/y)) throw syntaxError(cursor, `expected "(", but found ${nextToken(cursor)}`);
  const values = parseValues(cursor, "(", "=");
  if (takeMatch(cursor, /\)/y)) return values;
  throw syntaxError(
    cursor,
    `expected "," or ")", but found ${nextToken(cursor)}`,
    "quote a value that contains spaces",
  );
}
