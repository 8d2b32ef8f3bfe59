import { PRONOUN_FIELDS } from "../../wire/search-names.ts";
import { timestamp } from "../../wire/time.ts";
import { TRACKER_FIELDS } from "../fields.ts";
import { isInGroup, memberIds, userByLogin } from "../http/call.ts";
import { compilePattern, Fault, faults, type ParsedDate, parseDate, raise } from "../values.ts";
import type { Criterion, SearchContext } from "./condition.ts";
import type { ValueKind, ValueSource } from "./search-fields.ts";
import { and, bugColumn, or, type Sql, sql, valueList } from "./sql.ts";

/** Comparison of the values of a field by an operator. */
export type ValueComparison = {
  readonly context: SearchContext;
  readonly source: ValueSource;
  readonly operator: string; // positive
  readonly criterion: Criterion;
};

/** SQL test of one value by its kind; operators that the kind does not have compare it as text. */
export function valueTest(comparison: ValueComparison): Sql {
  return TESTS_BY_KIND[comparison.source.kind]?.(comparison) ?? textTest(comparison);
}

const TESTS_BY_KIND: Readonly<Partial<Record<ValueKind, (comparison: ValueComparison) => Sql | undefined>>> = {
  person: pronounTest,
  number: numberTest,
  moment: timeTest,
  day: timeTest,
};

const SIGNS: Readonly<Partial<Record<string, Sql>>> = {
  equals: sql`=`,
  lessthan: sql`<`,
  lessthaneq: sql`<=`,
  greaterthan: sql`>`,
  greaterthaneq: sql`>=`,
};

function numberTest({ context, source, operator, criterion }: ValueComparison): Sql | undefined {
  const sign = SIGNS[operator];
  if (sign) return sql`${source.value} ${sign} ${readNumber(context, criterion)}`;
  if (operator !== "anyexact" && operator !== "anywords") return undefined;
  const words = listedValues(criterion).flatMap(splitWords);
  const numbers = words.filter(isDecimal).map(Number);
  return sql`${source.value} IN ${valueList(numbers)}`;
}

/** @throws Fault param_must_be_numeric */
function readNumber({ store }: SearchContext, { field, text }: Criterion): number {
  if (isDecimal(text)) return Number(text);
  const [displayName = field] = store.values<string>("SELECT display_name FROM fields WHERE name = ?", [field]);
  const label = field === "bug_id" ? "Bug ID" : displayName;
  throw faults.wrongNumber("param_must_be_numeric", text, label, "not a numeric value");
}

function isDecimal(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(text);
}

function timeTest({ context: { now, reportIgnored }, source, operator, criterion }: ValueComparison): Sql | undefined {
  const sign = SIGNS[operator];
  if (!sign && operator !== "anyexact") return undefined;
  const { field, text } = criterion;
  const dates = sign ? [text] : listedValues(criterion);
  if (!dates.every((date) => isSearchDate(date, now))) reportIgnored(field, `'${text}' is not a date`);
  const readTime = source.kind === "day" ? readSearchDay : readSearchTime;
  if (sign) return sql`${source.value} ${sign} ${readTime(text, now)}`;
  return sql`${source.value} IN ${valueList(dates.map((date) => readTime(date, now)))}`;
}

/** Test of a value as text; ignores case, except for `casesubstring`. */
function textTest(comparison: ValueComparison): Sql {
  const { source, operator, criterion } = comparison;
  const value = valueAsText(source);
  const accepts = PREDICATES[operator]?.(criterion.text);
  return accepts ? acceptedKeysTest(comparison, value, accepts) : sqlTextTest(value, operator, criterion);
}

// Times are compared like 2026-11-20 05:57:24, as in Bugzilla's database.
function valueAsText({ kind, value }: ValueSource): Sql {
  if (kind === "moment") return sql`replace(rtrim(${value}, 'Z'), 'T', ' ')`;
  return kind === "number" ? sql`CAST(${value} AS TEXT)` : value;
}

/** SQL test of a text; for whole words and patterns, it also passes texts that PREDICATES refuse. */
function sqlTextTest(value: Sql, operator: string, criterion: Criterion): Sql {
  const { text } = criterion;
  const sign = SIGNS[operator];
  if (sign && operator !== "equals") return sql`${value} ${sign} ${text} COLLATE NOCASE`;
  switch (operator) {
    case "anyexact":
      return or(listedValues(criterion).map((item) => equalsTest(value, item)));
    case "casesubstring":
      return sql`instr(${value}, ${text}) > 0`;
    case "substring":
      return containsTest(value, text);
    case "anywordssubstr":
    case "anywords":
      return or(splitWords(text).map((word) => containsTest(value, word)));
    case "allwordssubstr":
    case "allwords":
      return and(splitWords(text).map((word) => containsTest(value, word)));
    case "regexp":
      return sql`1`;
    default:
      return equalsTest(value, text);
  }
}

/**
 * Ignores case, as `containsTest` does. SQLite folds the case of A to Z only; GLOB has classes for
 * other letters, and takes ten times as long.
 */
function equalsTest(value: Sql, text: string): Sql {
  return isAscii(text) ? sql`${value} = ${text} COLLATE NOCASE` : sql`${value} GLOB ${globPattern(text)}`;
}

function containsTest(value: Sql, text: string): Sql {
  return isAscii(text)
    ? sql`${value} LIKE ${`%${text.replace(/[\\%_]/g, "\\$&")}%`} ESCAPE '\\'`
    : sql`${value} GLOB ${`*${globPattern(text)}*`}`;
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

/** GLOB pattern of a text in any case. */
function globPattern(text: string): string {
  return Array.from(text, globCharacter).join("");
}

/** A character, `[aA]` if it has cases, `[*]` if it is special in patterns. */
function globCharacter(character: string): string {
  const cases = [character, character.toLowerCase(), character.toUpperCase()].filter((form) => [...form].length === 1);
  const all = [...new Set(cases)];
  return all.length > 1 || /[*?[]/.test(character) ? `[${all.join("")}]` : character;
}

type TextPredicate = (value: string) => boolean;

/** Tests of whole words and patterns, which SQLite does not have, by the text of the criterion. */
const PREDICATES: Readonly<Partial<Record<string, (text: string) => TextPredicate>>> = {
  regexp: patternPredicate,
  anywords: (text) => {
    const patterns = wholeWordPatterns(text);
    return (value) => patterns.some((pattern) => pattern.test(value));
  },
  allwords: (text) => {
    const patterns = wholeWordPatterns(text);
    return (value) => patterns.every((pattern) => pattern.test(value));
  },
};

/** Case-insensitive test for a regular expression. @throws Fault other if it is invalid */
function patternPredicate(pattern: string): TextPredicate {
  const { test, problem } = compilePattern(pattern);
  if (test) return test;
  // Bugzilla's wording of the most frequent mistake.
  const reason = problem === "missing closing )" ? `missing closing parenthesis at offset ${pattern.length}` : problem;
  throw new Fault(
    "other",
    `The regular expression you provided '${pattern}' is not valid. The error was: Regex error '${reason}'.`,
  );
}

/** A pattern for each word: no letter or digit before or after it, in any case. */
function wholeWordPatterns(text: string): RegExp[] {
  const literals = splitWords(text).map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&"));
  return literals.map((literal) => new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "iu"));
}

/** SQL test for the keys of the rows that `accepts` accepts; their values are read here. */
function acceptedKeysTest(comparison: ValueComparison, value: Sql, accepts: TextPredicate): Sql {
  const { context, source, operator, criterion } = comparison;
  const { key, from } = source;
  const where = sql`${rangeTest(context, source)} AND ${sqlTextTest(value, operator, criterion)}`;
  const query = sql`SELECT DISTINCT ${key} AS key, ${value} AS value FROM ${from} WHERE ${where}`;
  const rows = context.store.all<{ key: string | number; value: string }>(query.text, query.values);
  const accepted = rows.filter((row) => accepts(String(row.value)));
  return sql`${key} IN ${valueList(accepted.map((row) => row.key))}`;
}

/** SQL test for rows of bugs from `minBugId` on; rows that several bugs refer to all pass. */
export function rangeTest({ minBugId }: SearchContext, { link }: ValueSource): Sql {
  const isShared = link !== undefined && link.bugKey.text !== "bug.id";
  if (minBugId === undefined || isShared) return sql`1`;
  return sql`${link ? link.rowKey : sql`bug.id`} >= ${minBugId}`;
}

/** Test for a removed or added value. Hours are numbers: history has them with two decimals or as sent. */
export function sameValueTest(value: Sql, { field, text }: Criterion): Sql {
  return HOURS.has(field) && isDecimal(text)
    ? sql`(${value} <> '' AND CAST(${value} AS REAL) = ${Number(text)})`
    : sql`${value} = ${text} COLLATE NOCASE`;
}

const HOURS: ReadonlySet<string> = new Set(["estimated_time", "remaining_time", "work_time"]);

/** Words of a value, separated by spaces and commas. */
export function splitWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** The `items` of a criterion, or its text split at commas; resolution `---` becomes "". */
function listedValues({ field, items, text }: Criterion): readonly string[] {
  const values = items ?? text.split(",").flatMap((value) => value.trim() || []);
  return field === "resolution" ? values.map((value) => (value === "---" ? "" : value)) : values;
}

/**
 * SQL test of a user by a pronoun (`%user%`, `%assignee%`, `%group.NAME%`); undefined for other texts.
 * @throws Fault invalid_group_name outside the group, other for an unknown pronoun
 * @see Bugzilla/Search.pm, pronoun
 */
function pronounTest({ context, source, criterion: { text } }: ValueComparison): Sql | undefined {
  const { key: userId, link } = source;
  const [, group] = /^%group\.([^%]+)%$/.exec(text) ?? [];
  if (group !== undefined) return sql`${userId} IN ${groupMembers(context, group)}`;
  if (text === "%user%") return sql`${userId} = ${requesterId(context)}`;
  if (!/^%\w+%$/.test(text)) return undefined;
  const role = COLUMNS_BY_PRONOUN.get(text);
  if (role && link) return sql`${link.rowKey} = ${link.bugKey} AND ${userId} = ${role}`;
  throw new Fault(
    "other",
    `The pronoun you used (${text}) is illegal. You must use one of the approved pronouns. Please see Pronoun Substitution for a complete list.`,
  );
}

const COLUMNS_BY_PRONOUN: ReadonlyMap<string, Sql> = new Map(
  Object.entries(PRONOUN_FIELDS).map(([pronoun, field]) => [pronoun, bugColumn(TRACKER_FIELDS[field].column)]),
);

/** Id of the user with this login; `%user%` is the requester. @throws Fault if there is none */
export function findUserId(context: SearchContext, text: string): number {
  if (text === "%user%") return requesterId(context);
  return (userByLogin(context.store, text) ?? raise(faults.noSuchUser(text))).id;
}

function requesterId({ requester }: SearchContext): number {
  if (requester.user) return requester.user.id;
  throw new Fault(
    "other",
    "You can't use %user% without being logged in, because %user% refers to your login name, which we don't know.",
  );
}

// Groups of others and unknown groups get the same fault, so that no name is disclosed.
function groupMembers({ requester, store }: SearchContext, name: string): Sql {
  const group = store.get<{ id: number; name: string }>("SELECT id, name FROM groups WHERE name = ?", [name]);
  if (!group || !isInGroup(requester, group.name)) {
    throw new Fault("invalid_group_name", `The group '${name}' does not exist, or you are not a member of it.`);
  }
  return valueList(memberIds(store, group.id));
}

/** Timestamp of a date, ignoring its zone; "" (before all times) for an invalid date. */
export function readSearchTime(text: string, now: string): string {
  const date = parseSearchDate(text, now);
  return date ? timestamp(date.ignoringZone) : "";
}

/** Value of a criterion on a day: `YYYY-MM-DD`, followed by the time if one was sent. */
export function readSearchDay(text: string, now: string): string {
  const time = readSearchTime(text, now).replace("T", " ").replace("Z", "");
  return time.endsWith("00:00:00") || RELATIVE.test(text.trim().toLowerCase()) ? time.slice(0, 10) : time;
}

/** Timestamp of `changedafter` and `changedbefore`; a zone counts. @throws Fault illegal_date */
export function readChangeTime(text: string, now: string): string {
  const date = parseSearchDate(text, now);
  if (!date) throw faults.notADate(text);
  return timestamp(date.moment);
}

/** @throws Fault illegal_date for a date in a notation that only Bugzilla reads */
export function isSearchDate(text: string, now: string): boolean {
  return parseSearchDate(text, now) !== undefined;
}

const RELATIVE = /^(?:([+-]?)(\d{1,6})([hdwmy])(s?)|now)$/;

/** Dates that only Bugzilla reads: 22 Nov 2026, Nov 22, 11/22/2026. */
const BUGZILLA_NOTATION = /\d\W*[a-z]{3}|[a-z]{3}\W*\d|^\d{1,2}[-/.]\d/i;

// Only four-digit years: times are compared as text.
function parseSearchDate(text: string, now: string): ParsedDate | undefined {
  const relative = parseRelative(text.trim(), new Date(now));
  const date = relative ? { moment: relative, ignoringZone: relative } : parseDate(text);
  if (!date && BUGZILLA_NOTATION.test(text)) throw faults.notADate(text);
  const year = date?.ignoringZone.getUTCFullYear() ?? Number.NaN;
  return year >= 0 && year <= 9999 ? date : undefined;
}

/** `-1w`, `2d` (past, too), `+1d`, `1ms` (start of last month), `0d` and `now` (today 00:00). */
function parseRelative(text: string, now: Date): Date | undefined {
  const match = RELATIVE.exec(text.toLowerCase());
  if (!match) return undefined;
  const [, sign, digits = "0", unit = "d", start = "s"] = match; // the defaults are for `now`
  const amount = Number(digits) * (sign === "+" ? 1 : -1);
  const isStart = start !== "" || amount === 0;
  const moved = new Date(now);
  MOVES[unit]?.(moved, amount, isStart);
  if (isStart) moved.setUTCHours(unit === "h" ? moved.getUTCHours() : 0, 0, 0, 0);
  return moved;
}

/** Move a date by an amount of units; `isStart` to the first day of the week, month or year. */
const MOVES: Readonly<Record<string, (date: Date, amount: number, isStart: boolean) => void>> = {
  h: (date, amount) => date.setUTCHours(date.getUTCHours() + amount),
  d: (date, amount) => date.setUTCDate(date.getUTCDate() + amount),
  w: (date, amount, isStart) => date.setUTCDate(date.getUTCDate() + 7 * amount - (isStart ? date.getUTCDay() : 0)),
  m: (date, amount, isStart) => date.setUTCMonth(date.getUTCMonth() + amount, isStart ? 1 : date.getUTCDate()),
  y: (date, amount, isStart) =>
    date.setUTCMonth((isStart ? 0 : date.getUTCMonth()) + 12 * amount, isStart ? 1 : date.getUTCDate()),
};
