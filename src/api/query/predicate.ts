import { fieldNamed } from "../../wire/names.ts";
import { type Cursor, isNext, mistake, nextThing, take, takeHere, takeQuoted, takeWord } from "./cursor.ts";
import { type Place, readChange, readFlag } from "./predicate-parts.ts";
import { rangeTree } from "./range.ts";
import { readList, readValue, readValues } from "./read-value.ts";
import { all, type Comparison, not, type Typed } from "./tree.ts";

/**
 * Reads a condition on a field, `is:`, `has:`, `no:` or `flag(...)` that begins at column `at`. When what stands next is no
 * condition but a plain word or text, the cursor does not move and the answer is undefined.
 */
export function parsePredicate(cursor: Cursor, at: number): Typed | undefined {
  const start = cursor.index;
  const short = takeHere(cursor, /(?:is|has|no):/iy)?.toLowerCase();
  if (short !== undefined) return readShort(cursor, short, at);
  if (takeHere(cursor, /flag\s*\((?!\s*\))/iy)) return readFlag(cursor, at);
  const field = takeQuoted(cursor) ?? takeHere(cursor, /[\p{L}_][\p{L}\p{N}_.-]*/uy);
  const read = field === undefined ? undefined : readTest({ cursor, field, at });
  if (read === undefined) cursor.index = start;
  return read;
}

function readShort(cursor: Cursor, short: string, at: number): Typed {
  const name = takeQuoted(cursor) ?? takeHere(cursor, /[\p{L}_][\p{L}\p{N}_.-]*/uy);
  if (name === undefined) throw mistake(cursor, `expected a name after "${short}"`, SHORT_HINTS[short]);
  if (short === "is:") return { kind: "is", state: name, at };
  const empty: Typed = { kind: "test", field: name, op: "empty", values: [], at };
  return short === "no:" ? empty : not(empty);
}

const SHORT_HINTS: Readonly<Record<string, string>> = {
  "is:": "such as is:open, is:mine, is:overdue",
  "has:": "such as has:flag, has:deadline",
  "no:": "such as no:keyword, no:qa_contact",
};

function readTest(place: Place): Typed | undefined {
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

/** Operators and their words; a negative one is the opposite of the one it denies. */
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
  return take(cursor, /!=~|=~|==|!=|!~|\^=|\$=|>=|<=|=|~|>|<|:/y) ?? takeWord(cursor, "eq", "ne");
}

function readOperator(place: Place, written: string): Typed {
  const [op, isNegated] = OPERATORS[written] ?? [":", false];
  const tree = op === ":" ? readNatural(place) : testOf(place, op, readValues(place.cursor, written, op));
  return isNegated ? not(tree) : tree;
}

function testOf({ field, at }: Place, op: Comparison, values: readonly string[]): Typed {
  return { kind: "test", field, op, values, at };
}

/** After a colon may stand a comparison, a range, or a list of values. */
function readNatural(place: Place): Typed {
  const { cursor, field, at } = place;
  const op = take(cursor, />=|<=|>|<|=/y) as Comparison | undefined;
  if (op !== undefined) return testOf(place, op, readValues(cursor, op, op));
  const isBare = !isNext(cursor, /["']/y);
  const values = readValues(cursor, ":", ":");
  const [only = ""] = values;
  const range = isBare && values.length === 1 ? rangeTree(field, only, at) : undefined;
  return range ?? testOf(place, ":", values);
}

/** What may stand after a field's name instead of an operator; an answer of undefined means that it was just a word. */
const KEYWORDS: readonly (readonly [keyword: string, read: (place: Place) => Typed | undefined])[] = [
  ["in", (place) => readIn(place)],
  ["not", (place) => (takeWord(place.cursor, "in") ? not(testOf(place, "=", readList(place.cursor))) : undefined)],
  ["contains", (place) => testOf(place, "~", [readValue(place.cursor, "contains", "~")])],
  ["matches", (place) => testOf(place, "matches", [readValue(place.cursor, "matches", "matches")])],
  ["is", (place) => readEmpty(place)],
  ["has", (place) => readWords(place)],
  ["between", (place) => readBetween(place)],
  ["changed", readChange],
];

/** A word of the summary may stand before "in", "is" and "has"; after the name of a field they must be complete. */
function incomplete({ cursor, field }: Place, expected: string, hint: string): undefined {
  if (fieldNamed(field) === undefined) return undefined;
  throw mistake(cursor, `expected ${expected}, but found ${nextThing(cursor)}`, hint);
}

function readIn(place: Place): Typed | undefined {
  return isNext(place.cursor, /\(/y)
    ? testOf(place, "=", readList(place.cursor))
    : incomplete(place, '"("', `write ${place.field} in (a, b)`);
}

function readEmpty(place: Place): Typed | undefined {
  const isNegated = takeWord(place.cursor, "not") !== undefined;
  if (!takeWord(place.cursor, "empty")) {
    return incomplete(place, '"empty" or "not empty"', `to compare with a value, write ${place.field}:VALUE`);
  }
  const empty = testOf(place, "empty", []);
  return isNegated ? not(empty) : empty;
}

function readWords(place: Place): Typed | undefined {
  const word = takeWord(place.cursor, "any", "all", "none");
  if (word === undefined || !isNext(place.cursor, /\(/y)) {
    return incomplete(place, '"any (", "all (" or "none ("', `write ${place.field} has all (a, b)`);
  }
  const values = readList(place.cursor);
  return word === "none" ? not(testOf(place, "any", values)) : testOf(place, word as "any" | "all", values);
}

function readBetween(place: Place): Typed {
  const from = readValue(place.cursor, "between", ">=");
  if (!takeWord(place.cursor, "and")) {
    throw mistake(place.cursor, `expected "and", but found ${nextThing(place.cursor)}`, "write between A and B");
  }
  const to = readValue(place.cursor, "and", "<=");
  return all([
    { kind: "test", field: place.field, op: ">=", values: [from], at: place.at },
    { kind: "test", field: place.field, op: "<=", values: [to], after: from, at: place.at },
  ]);
}
