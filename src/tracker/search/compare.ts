import { PRONOUN_FIELDS } from "../../wire/search-names.ts";
import { TRACKER_FIELDS } from "../fields.ts";
import { Fault, faults } from "../http/fault.ts";
import { isInGroup } from "../http/requester.ts";
import { compilePattern } from "../regexp.ts";
import type { ComparisonOperator, Criterion } from "./condition.ts";
import type { SearchContext } from "./context.ts";
import { and, bugColumn, or, type Sql, sql, valueList } from "./sql.ts";

/**
 * A test of a text that ignores case, except for `casesubstring`: SQL, or, of patterns and whole words, a function for the
 * values read; `candidates` is SQL that reduces these.
 */
export type TextTest = (value: Sql) => Sql;
export type ReadTest = { accepts: (text: string) => boolean; candidates: TextTest };

/** Test of a text by an operator. @throws Fault other for an invalid regexp */
export function textTest(operator: ComparisonOperator, criterion: Criterion): TextTest | ReadTest {
  return TESTS[operator](criterion);
}

type MakeTest = (criterion: Criterion) => TextTest | ReadTest;

/** Test for values that begin, contain or end as `shape` says, such as `*TEXT*`. SQLite folds the case of A to Z only. */
function matches(value: Sql, text: string, shape: (pattern: string) => string): Sql {
  const pattern = shape(Array.from(text, globOf).join(""));
  if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES)
    throw new Fault("other", "This search is too large: a text of it is too long.");
  return sql`${value} GLOB ${pattern}`;
}

const MAX_PATTERN_BYTES = 50_000; // of SQLite

/** The class of a character in all its cases, or of a special character of patterns. */
function globOf(character: string): string {
  const cases = [character, character.toLowerCase(), character.toUpperCase()].filter((form) => [...form].length === 1);
  const all = [...new Set(cases)];
  return all.length > 1 || /[*?[]/.test(character) ? `[${all.join("")}]` : character;
}

function equalsSql(value: Sql, text: string): Sql {
  return isAscii(text) ? sql`${value} = ${text} COLLATE NOCASE` : matches(value, text, (pattern) => pattern);
}

// SQLite is faster at LIKE than at patterns with classes.
function containsSql(value: Sql, text: string): Sql {
  return isAscii(text) && text.length < MAX_PATTERN_BYTES / 2
    ? sql`${value} LIKE ${`%${text.replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`
    : matches(value, text, (pattern) => `*${pattern}*`);
}

/** Test of a value by every or some of the texts. */
function testOf(
  join: (parts: Sql[]) => Sql,
  texts: readonly string[],
  test: (value: Sql, text: string) => Sql,
): TextTest {
  return (value) => join(texts.map((text) => test(value, text)));
}

const anyexact: MakeTest = (criterion) => {
  const items = splitItems(criterion);
  const listed = items.filter(isAscii);
  const others = items.filter((item) => !isAscii(item));
  return (value) => or([sql`${value} COLLATE NOCASE IN ${valueList(listed)}`, testOf(or, others, equalsSql)(value)]);
};

function wholeWordsTest(join: "every" | "some"): MakeTest {
  return ({ text }) => {
    const words = splitWords(text);
    const tests = words.map(wholeWordTest);
    return {
      accepts: (other) => tests[join]((test) => test(other)),
      candidates: testOf(join === "every" ? and : or, words, containsSql),
    };
  };
}

const TESTS: Readonly<Record<ComparisonOperator, MakeTest>> = {
  equals: ({ text }) => testOf(and, [text], equalsSql),
  anyexact,
  lessthan:
    ({ text }) =>
    (value) =>
      sql`${value} < ${text} COLLATE NOCASE`,
  lessthaneq:
    ({ text }) =>
    (value) =>
      sql`${value} <= ${text} COLLATE NOCASE`,
  greaterthan:
    ({ text }) =>
    (value) =>
      sql`${value} > ${text} COLLATE NOCASE`,
  greaterthaneq:
    ({ text }) =>
    (value) =>
      sql`${value} >= ${text} COLLATE NOCASE`,
  substring: ({ text }) => testOf(and, [text], containsSql),
  casesubstring:
    ({ text }) =>
    (value) =>
      sql`instr(${value}, ${text}) > 0`,
  regexp: ({ text }) => ({ accepts: patternTest(text), candidates: () => sql`1` }),
  anywordssubstr: ({ text }) => testOf(or, splitWords(text), containsSql),
  allwordssubstr: ({ text }) => testOf(and, splitWords(text), containsSql),
  anywords: wholeWordsTest("some"),
  allwords: wholeWordsTest("every"),
};

/** Words of a value, separated by spaces and commas. */
export function splitWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** Values of `anyexact`: the criterion's `items`, or its text split at commas; resolution `---` becomes "". */
export function splitItems({ field, items, text }: Criterion): string[] {
  const list =
    items ??
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  return field === "resolution" ? list.map((item) => (item === "---" ? "" : item)) : list;
}

/** True if SQLite's case folding (A to Z only) is enough for a text. */
function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** Test for a whole word: no letter or digit before or after it; ignores case. */
export function wholeWordTest(word: string): (text: string) => boolean {
  const literal = word.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "iu");
  return (text) => pattern.test(text);
}

/** Case-insensitive test for a regular expression. @throws Fault other if it is invalid */
function patternTest(pattern: string): (text: string) => boolean {
  const { test, problem } = compilePattern(pattern);
  if (!test) throw invalidPatternFault(pattern, PATTERN_PROBLEMS[problem]?.(pattern) ?? problem);
  return test;
}

// Bugzilla's wording of the most frequent mistake.
const PATTERN_PROBLEMS: Readonly<Record<string, (pattern: string) => string>> = {
  "missing closing )": (pattern) => `missing closing parenthesis at offset ${pattern.length}`,
};

function invalidPatternFault(pattern: string, reason: string): Fault {
  return new Fault(
    "other",
    `The regular expression you provided '${pattern}' is not valid. The error was: Regex error '${reason}'.`,
  );
}

/**
 * SQL test of the row `person` by a pronoun (`%user%`, `%assignee%`, `%group.NAME%`); undefined for any other text.
 * `link` joins `person` to the bug, for pronouns that are roles of the bug.
 * @throws Fault invalid_group_name for a group the requester is not in, other for an unknown pronoun
 * @see Bugzilla/Search.pm, pronoun
 */
export function pronounTest(context: SearchContext, text: string, link: Sql): Sql | undefined {
  const [, group] = /^%group\.([^%]+)%$/.exec(text) ?? [];
  if (group !== undefined) return sql`person.id IN ${memberIds(context, group)}`;
  if (text === "%user%") return sql`person.id = ${requesterId(context)}`;
  if (/^%\w+%$/.test(text)) return sql`${link} AND person.id = ${pronounPeople(text)}`;
  return undefined;
}

/**
 * Id of the user with this login, or of the requester for `%user%`.
 * @throws Fault object_does_not_exist for an unknown user, other if nobody is logged in
 */
export function userIdNamed(context: SearchContext, text: string): number {
  if (text === "%user%") return requesterId(context);
  const user = context.store.get<{ id: number }>("SELECT id FROM users WHERE login = ?", [text]);
  if (!user) throw faults.noSuchUser(text);
  return user.id;
}

function requesterId({ requester }: SearchContext): number {
  if (!requester.user) {
    throw new Fault(
      "other",
      "You can't use %user% without being logged in, because %user% refers to your login name, which we don't know.",
    );
  }
  return requester.user.id;
}

const COLUMN_BY_PRONOUN: Readonly<Record<string, Sql>> = Object.fromEntries(
  Object.entries(PRONOUN_FIELDS).map(([pronoun, field]) => [pronoun, bugColumn(TRACKER_FIELDS[field].column)]),
);

function pronounPeople(pronoun: string): Sql {
  const role = COLUMN_BY_PRONOUN[pronoun];
  if (!role) {
    throw new Fault(
      "other",
      `The pronoun you used (${pronoun}) is illegal. You must use one of the approved pronouns. Please see Pronoun Substitution for a complete list.`,
    );
  }
  return role;
}

// The same fault for unknown groups, so that their names are not disclosed.
function memberIds({ requester, store }: SearchContext, name: string): Sql {
  const group = store.get<{ id: number; name: string }>("SELECT id, name FROM groups WHERE name = ?", [name]);
  if (!group || !isInGroup(requester, group.name)) {
    throw new Fault("invalid_group_name", `The group '${name}' does not exist, or you are not a member of it.`);
  }
  return sql`(
    WITH RECURSIVE counted (id) AS (
      SELECT ${group.id}
      UNION
      SELECT member_id FROM group_inclusions JOIN counted ON grantor_id = counted.id WHERE kind = 'member')
    SELECT user_id FROM group_members JOIN counted ON group_id = counted.id WHERE kind = 'member')`;
}
