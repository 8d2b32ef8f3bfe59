import { Fault } from "../../http/fault.ts";
import { compilePattern as read } from "../../regexp.ts";
import type { ComparisonOperator, Criterion } from "../condition.ts";
import { and, or, type Sql, sql, valueList } from "../sql.ts";

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
export function textTest(operator: ComparisonOperator, row: Criterion): TextTest {
  return TESTS[operator](row);
}

type Maker = (row: Criterion) => TextTest;

function when<T>(isTrue: boolean, value: T): T | undefined {
  return isTrue ? value : undefined;
}

const equals: Maker = ({ text }) => ({
  accepts: (other) => foldCase(other) === foldCase(text),
  sql: when(isAscii(text), (value) => sql`${value} = ${text} COLLATE NOCASE`),
});

const anyexact: Maker = (row) => {
  const items = splitItems(row);
  const wanted = new Set(items.map(foldCase));
  return {
    accepts: (text) => wanted.has(foldCase(text)),
    sql: when(items.every(isAscii), (value) => sql`${value} COLLATE NOCASE IN ${valueList(items)}`),
  };
};

function ordered(
  accepts: (foldCase: string, text: string) => boolean,
  compare: (value: Sql, text: string) => Sql,
): Maker {
  return ({ text }) => ({
    accepts: (other) => accepts(foldCase(other), foldCase(text)),
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
  return isAscii(word) && word.length < 20_000;
}

const joinedBy = { every: and, some: or } as const;

/** Parts of the text, of which every one or some one must be there. */
function parts(join: "every" | "some", read: (row: Criterion) => readonly string[]): Maker {
  return (row) => {
    const words = read(row);
    return {
      accepts: (text) => words[join]((word) => foldCase(text).includes(foldCase(word))),
      sql: when(words.every(isLikable), (value) => joinedBy[join](words.map((word) => contains(value, word)))),
    };
  };
}

/** Whole words, of which every one or some one must be there. */
function words(join: "every" | "some"): Maker {
  return ({ text }) => {
    const wanted = splitWords(text);
    const tests = wanted.map(wholeWordTest);
    return {
      accepts: (other) => tests[join]((test) => test(other)),
      narrow: when(wanted.every(isLikable), (value) => joinedBy[join](wanted.map((word) => contains(value, word)))),
    };
  };
}

const TESTS: Readonly<Record<ComparisonOperator, Maker>> = {
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
  regexp: ({ text }) => ({ accepts: patternTest(text) }),
  anywordssubstr: parts("some", ({ text }) => splitWords(text)),
  allwordssubstr: parts("every", ({ text }) => splitWords(text)),
  anywords: words("some"),
  allwords: words("every"),
};

/** The words of a value: what blanks and commas separate. */
export function splitWords(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** The values that `anyexact` takes: as they were given, or what commas separate; the resolution --- is that of open bugs. */
export function splitItems({ field, items, text }: Criterion): readonly string[] {
  const list =
    items ??
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  return field === "resolution" ? list.map((item) => (item === "---" ? "" : item)) : list;
}

/** Letters of every script without their case. */
function foldCase(text: string): string {
  return text.toLowerCase();
}

/** Whether the engine's own case folding, which knows A to Z only, is enough for a text. */
function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** A test for a word that stands alone: no letter or digit before or behind it. */
export function wholeWordTest(word: string): (text: string) => boolean {
  const literal = word.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "iu");
  return (text) => pattern.test(text);
}

/** A regular expression as a test, without regard to case; one that is none is refused as a real server does. */
function patternTest(pattern: string): (text: string) => boolean {
  const { test, problem } = read(pattern);
  if (!test) throw invalidPattern(pattern, PATTERN_PROBLEMS[problem]?.(pattern) ?? problem);
  return test;
}

// How the recorded server says the slip that is made most.
const PATTERN_PROBLEMS: Readonly<Record<string, (pattern: string) => string>> = {
  "missing closing )": (pattern) => `missing closing parenthesis at offset ${pattern.length}`,
};

function invalidPattern(pattern: string, reason: string): Fault {
  return new Fault(
    400,
    32000,
    `The regular expression you provided '${pattern}' is not valid. The error was: Regex error '${reason}'.`,
  );
}
