import type { BtError } from "../../errors.ts";
import { fieldNamed } from "../../wire/search-names.ts";
import {
  type Cursor,
  isNext,
  nextToken,
  parseList,
  parseValue,
  parseValues,
  syntaxError,
  takeMatch,
  takeMatchHere,
  takeQuoted,
  takeWord,
} from "./cursor.ts";
import { rangeTree } from "./range.ts";
import { allOf, type ChangeParts, type Comparison, notOf, type Term, type TypedQuery } from "./tree.ts";

/**
 * Parses a condition on a field, `is:`, `has:`, `no:` or `flag(...)` at column `at`. Undefined, with the cursor
 * unchanged, if a plain word follows.
 */
export function parseCondition(cursor: Cursor, at: number): TypedQuery | undefined {
  const start = cursor.index;
  const short = takeMatchHere(cursor, /(?:is|has|no):/iy)?.toLowerCase();
  if (short !== undefined) return readShort(cursor, short, at);
  if (takeMatchHere(cursor, /flag\s*\((?!\s*\))/iy)) return readFlag(cursor, at);
  const field = takeQuoted(cursor) ?? takeMatchHere(cursor, /[\p{L}_][\p{L}\p{N}_.-]*/uy);
  const read = field === undefined ? undefined : readTest({ cursor, field, at });
  if (read === undefined) cursor.index = start;
  return read;
}

function readShort(cursor: Cursor, short: string, at: number): TypedQuery {
  const name = takeQuoted(cursor) ?? takeMatchHere(cursor, /[\p{L}_][\p{L}\p{N}_.-]*/uy);
  if (name === undefined) throw syntaxError(cursor, `expected a name after "${short}"`, SHORT_HINTS[short]);
  if (short === "is:") return { kind: "is", state: name, at };
  const empty: TypedQuery = { kind: "test", field: name, op: "empty", values: [], at };
  return short === "no:" ? empty : notOf(empty);
}

const SHORT_HINTS: Readonly<Record<string, string>> = {
  "is:": "such as is:open, is:mine, is:overdue",
  "has:": "such as has:flag, has:deadline",
  "no:": "such as no:keyword, no:qa_contact",
};

function readTest(place: FieldPosition): TypedQuery | undefined {
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

function readOperator(place: FieldPosition, written: string): TypedQuery {
  const [op, isNegated] = OPERATORS[written] ?? [":", false];
  const [more] = /^[=~<>!]+/.exec(place.cursor.text.slice(place.cursor.index)) ?? [];
  if (more !== undefined && !(op === ":" && /^(?:[<>]=?|=)$/.test(more))) throw noOperator(place.cursor, written, more);
  const tree = op === ":" ? readNatural(place) : testOf(place, op, parseValues(place.cursor, written, op));
  return isNegated ? notOf(tree) : tree;
}

/** Error for characters of operators in a row that are none. */
function noOperator(cursor: Cursor, written: string, more: string): BtError {
  const start = cursor.index - written.length;
  return syntaxError(
    { text: cursor.text, index: start },
    `unknown operator "${written}${more}"`,
    "use = != ~ !~ =~ !=~ ^= $= > >= < <=, or quote a value that begins so",
  );
}

function testOf({ field, at }: FieldPosition, op: Comparison, values: string[]): TypedQuery {
  return { kind: "test", field, op, values, at };
}

/** After a colon: a comparison, a range, or a list of values. */
function readNatural(place: FieldPosition): TypedQuery {
  const { cursor, field, at } = place;
  const op = takeMatch(cursor, />=|<=|>|<|=/y) as Comparison | undefined;
  if (op !== undefined) return testOf(place, op, parseValues(cursor, op, op));
  const isBare = !isNext(cursor, /["']/y);
  const values = parseValues(cursor, ":", ":");
  const [only = ""] = values;
  const range = isBare && values.length === 1 ? rangeTree(field, only, at) : undefined;
  return range ?? testOf(place, ":", values);
}

/** Keywords that may follow a field's name in place of an operator; undefined means that the name was a plain word. */
const KEYWORDS: readonly (readonly [keyword: string, read: (place: FieldPosition) => TypedQuery | undefined])[] = [
  ["in", (place) => readIn(place)],
  ["not", (place) => (takeWord(place.cursor, "in") ? notOf(testOf(place, "=", parseList(place.cursor))) : undefined)],
  ["contains", (place) => testOf(place, "~", [parseValue(place.cursor, "contains", "~")])],
  ["matches", (place) => testOf(place, "matches", [parseValue(place.cursor, "matches", "matches")])],
  ["is", (place) => readEmpty(place)],
  ["has", (place) => readWords(place)],
  ["between", (place) => readBetween(place)],
  ["changed", readChange],
];

/** A summary word may precede "in", "is" and "has"; after a field's name they must be complete. */
function incomplete({ cursor, field }: FieldPosition, expected: string, hint: string): undefined {
  if (fieldNamed(field) === undefined) return undefined;
  throw syntaxError(cursor, `expected ${expected}, but found ${nextToken(cursor)}`, hint);
}

function readIn(place: FieldPosition): TypedQuery | undefined {
  return isNext(place.cursor, /\(/y)
    ? testOf(place, "=", parseList(place.cursor))
    : incomplete(place, '"("', `use ${place.field} in (a, b)`);
}

function readEmpty(place: FieldPosition): TypedQuery | undefined {
  const isNegated = takeWord(place.cursor, "not") !== undefined;
  if (!takeWord(place.cursor, "empty")) {
    return incomplete(place, '"empty" or "not empty"', `to compare with a value, use ${place.field}:VALUE`);
  }
  const empty = testOf(place, "empty", []);
  return isNegated ? notOf(empty) : empty;
}

function readWords(place: FieldPosition): TypedQuery | undefined {
  const word = takeWord(place.cursor, "any", "all", "none");
  if (word === undefined || !isNext(place.cursor, /\(/y)) {
    return incomplete(place, '"any (", "all (" or "none ("', `use ${place.field} has all (a, b)`);
  }
  const values = parseList(place.cursor);
  return word === "none" ? notOf(testOf(place, "any", values)) : testOf(place, word as "any" | "all", values);
}

function readBetween(place: FieldPosition): TypedQuery {
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
export type FieldPosition = { readonly cursor: Cursor; readonly field: string; readonly at: number };

const CHANGE_PARTS = ["from", "to", "by", "since", "before"] as const;

/** Parts after the word `changed`, all about the same change. */
function readChange(place: FieldPosition): TypedQuery {
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
  throw syntaxError(cursor, `expected ")", but found ${nextToken(cursor)}`, "use flag(needinfo? requestee @me)");
}
