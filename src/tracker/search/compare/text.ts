import type { Row } from "../condition.ts";
import { all, any, listed, type Sql, sql } from "../sql.ts";
import type { Positive } from "./operators.ts";
import { readPattern } from "./pattern.ts";
import { folded, hasWord, isPlain, itemsOf, wordsOf } from "./words.ts";

/**
 * A test of a text: as a function, and as SQL where the engine can do the same (it folds A to Z only). Without `sql` the
 * values are read and the function decides; `narrow` then leaves out in SQL what it would not accept.
 */
export type TextTest = {
  readonly accepts: (text: string) => boolean;
  readonly sql?: ((value: Sql) => Sql) | undefined;
  readonly narrow?: ((value: Sql) => Sql) | undefined;
};

/** What an operator says about a text. Case never matters but to casesubstring. */
export function textTest(operator: Positive, row: Row): TextTest {
  return TESTS[operator](row);
}

type Maker = (row: Row) => TextTest;

function when<T>(isTrue: boolean, value: T): T | undefined {
  return isTrue ? value : undefined;
}

const equals: Maker = ({ text }) => ({
  accepts: (other) => folded(other) === folded(text),
  sql: when(isPlain(text), (value) => sql`${value} = ${text} COLLATE NOCASE`),
});

const anyexact: Maker = (row) => {
  const items = itemsOf(row);
  const wanted = new Set(items.map(folded));
  return {
    accepts: (text) => wanted.has(folded(text)),
    sql: when(items.every(isPlain), (value) => sql`${value} COLLATE NOCASE IN ${listed(items)}`),
  };
};

function ordered(
  accepts: (folded: string, text: string) => boolean,
  compare: (value: Sql, text: string) => Sql,
): Maker {
  return ({ text }) => ({
    accepts: (other) => accepts(folded(other), folded(text)),
    sql: (value) => compare(value, text),
  });
}

const casesubstring: Maker = ({ text }) => ({
  accepts: (other) => other.includes(text),
  sql: (value) => sql`instr(${value}, ${text}) > 0`,
});

function contains(value: Sql, word: string): Sql {
  return sql`${value} LIKE ${`%${word.replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`;
}

// The engine takes patterns of LIKE up to 50,000 bytes.
function isLikable(word: string): boolean {
  return isPlain(word) && word.length < 20_000;
}

const joinedBy = { every: all, some: any } as const;

/** Parts of the text, of which every one or some one must be there. */
function parts(join: "every" | "some", read: (row: Row) => readonly string[]): Maker {
  return (row) => {
    const words = read(row);
    return {
      accepts: (text) => words[join]((word) => folded(text).includes(folded(word))),
      sql: when(words.every(isLikable), (value) => joinedBy[join](words.map((word) => contains(value, word)))),
    };
  };
}

/** Whole words, of which every one or some one must be there. */
function words(join: "every" | "some"): Maker {
  return ({ text }) => {
    const wanted = wordsOf(text);
    const tests = wanted.map(hasWord);
    return {
      accepts: (other) => tests[join]((test) => test(other)),
      narrow: when(wanted.every(isLikable), (value) => joinedBy[join](wanted.map((word) => contains(value, word)))),
    };
  };
}

const TESTS: Readonly<Record<Positive, Maker>> = {
  equals,
  anyexact,
  lessthan: ordered(
    (a, b) => a < b,
    (value, text) => sql`${value} < ${text} COLLATE NOCASE`,
  ),
  lessthaneq: ordered(
    (a, b) => a <= b,
    (value, text) => sql`${value} <= ${text} COLLATE NOCASE`,
  ),
  greaterthan: ordered(
    (a, b) => a > b,
    (value, text) => sql`${value} > ${text} COLLATE NOCASE`,
  ),
  greaterthaneq: ordered(
    (a, b) => a >= b,
    (value, text) => sql`${value} >= ${text} COLLATE NOCASE`,
  ),
  substring: parts("some", ({ text }) => [text]),
  casesubstring,
  regexp: ({ text }) => ({ accepts: readPattern(text) }),
  anywordssubstr: parts("some", ({ text }) => wordsOf(text)),
  allwordssubstr: parts("every", ({ text }) => wordsOf(text)),
  anywords: words("some"),
  allwords: words("every"),
};
