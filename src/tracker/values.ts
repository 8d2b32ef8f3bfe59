import { RE2JS, RE2JSSyntaxException } from "re2js";
import type { ErrorName } from "../wire/error-codes.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import { timestamp } from "../wire/time.ts";
import { fieldLabel } from "./fields.ts";
import type { Call } from "./http/call.ts";
import { Fault, faults } from "./http/fault.ts";
import type { SqlRow } from "./store/store.ts";

/** A scalar JSON value as text: true is "1", false "0", null and undefined "". @throws Fault other for lists and objects */
export function asText(value: Json | undefined, name: string): string {
  if (value !== null && typeof value === "object") throw faults.wrongShape(name, "one text");
  return typeof value === "boolean" ? String(Number(value)) : String(value ?? "");
}

/** Text on one line: control characters become spaces, then trimmed. */
export function oneLine(text: string): string {
  return text.replace(CONTROLS, " ").trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f]+/g;

/** Text of long fields: lines end in CR LF. */
export function multiLine(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

/** Stored text of a comment: lines end in LF, no trailing white space. @throws Fault comment_too_long */
export function readCommentText(text: string): string {
  const stored = text.replace(/\r\n?/g, "\n").trimEnd();
  if (characterCount(stored) > MAX_COMMENT_LENGTH) {
    throw new Fault("comment_too_long", `Comments cannot be longer than ${MAX_COMMENT_LENGTH} characters.`);
  }
  return stored;
}

const MAX_COMMENT_LENGTH = 65535;

/** Maximum length of one-line and long fields, in characters. */
export const TEXT_LIMITS = { line: 255, long: 65535 } as const;

/** The text, if it is within the limit; `field` is the field's label. @throws Fault illegal_field */
export function checkedLength(text: string, maxLength: number, field: string): string {
  const length = characterCount(text);
  if (length > maxLength) {
    throw new Fault(
      "illegal_field",
      `The text you entered in the ${field} field is too long (${length} characters, above the maximum length allowed of ${maxLength} characters).`,
    );
  }
  return text;
}

// Code points, not UTF-16 units.
function characterCount(text: string): number {
  return [...text].length;
}

/** Timestamp (2026-11-20T05:57:24Z) of a date; UTC without a zone. @throws Fault illegal_date */
export function readTimestamp(text: string): string {
  const date = parseDate(text);
  if (!date) throw faults.notADate(text);
  return timestamp(date.moment);
}

/** A date as if it were in UTC, and by its zone. */
export type ParsedDate = { readonly clock: Date; readonly moment: Date };

/**
 * Parses `2026-11-20`, `2026/11/20 05:57` and `20261120T05:57:24Z`, with or without time and zone;
 * undefined for anything else and for days that do not exist.
 */
export function parseDate(text: string): ParsedDate | undefined {
  const parts = ANY_DATE.exec(text.trim().replace(/^(\d{4})(\d\d)(\d\d)(?!\d)/, "$1-$2-$3"))?.groups;
  if (!parts) return undefined;
  const { year, month, day, hours = 0, minutes = 0, seconds = 0, zone = "Z" } = parts;
  const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  const time = `${date}T${[hours, minutes, seconds].map(twoDigits).join(":")}`;
  const offset = /^[+-]/.test(zone) ? zone.replace(/(\d\d):?(\d\d)/, "$1:$2") : "Z";
  const [clock, moment] = [new Date(`${time}Z`), new Date(`${time}${offset}`)];
  if (Number.isNaN(moment.getTime()) || !clock.toISOString().startsWith(date)) return undefined;
  return { clock, moment };
}

const TIME = "(?:[T\\s]\\s*(?<hours>\\d{1,2}):?(?<minutes>\\d\\d)(?::?(?<seconds>\\d\\d)(?:\\.\\d+)?)?)?";
const ZONE = "\\s*(?<zone>z|utc|gmt|[+-]\\d\\d:?\\d\\d)?";
const ANY_DATE = new RegExp(`^(?<year>\\d{4})([-/])(?<month>\\d\\d?)\\2(?<day>\\d\\d?)${TIME}${ZONE}$`, "i");

function twoDigits(number: string | number | undefined): string {
  return String(number).padStart(2, "0");
}

/** A date `YYYY-MM-DD`, or "". @throws Fault illegal_date for anything else */
export function readDateValue(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== "" && !isDate(trimmed)) throw invalidDateFault(text);
  return trimmed;
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}(?::\d{2})?))?$/;

/** Trimmed text of a time `YYYY-MM-DD [HH:MM[:SS]]`, or "". @throws Fault illegal_date for anything else */
export function readDateTimeValue(text: string): string {
  const trimmed = text.trim();
  const [, day = ""] = DATE_TIME.exec(trimmed) ?? [];
  if (trimmed !== "" && (!isDate(day) || Number.isNaN(Date.parse(storedDateTime(trimmed)))))
    throw invalidDateFault(text);
  return trimmed;
}

/** Stored form of such a time: `2026-11-02` becomes 2026-11-02T00:00:00Z. */
export function storedDateTime(text: string): string {
  const [, day = "", time = ""] = DATE_TIME.exec(text) ?? [];
  return `${day}T${`${time}:00:00`.replace(/^:/, "00:").slice(0, 8)}Z`;
}

/** A stored time as displayed and in history: 2026-11-02 00:00:00. */
export function displayedDateTime(stored: string): string {
  return stored.replace("T", " ").replace(/Z$/, "");
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function invalidDateFault(text: string): Fault {
  return new Fault("illegal_date", `'${text}' is not a legal date. Please use the format 'YYYY-MM-DD'.`);
}

const MAX_HOURS = 99999.99;
const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)$/;

/**
 * Hours from a number or its text, rounded to two decimals; 0 if blank. Only `work_time` may be negative.
 * @throws Fault param_must_be_numeric, number_too_large or number_too_small
 * @see Bugzilla/Bug.pm, _check_time_field
 */
export function readHours(value: Json | undefined, field: string): number {
  const text = asText(value, field).trim() || "0";
  const refuse = (error: ErrorName, problem: string) =>
    new Fault(error, `The value '${text}' in the ${fieldLabel(field)} field is ${problem}.`);
  if (!NUMBER.test(text)) throw refuse("param_must_be_numeric", "not a numeric value");
  const hours = Number(text);
  const minimum = field === "work_time" ? -MAX_HOURS : 0;
  if (hours < minimum) throw refuse("number_too_small", `less than the minimum allowable value of '${minimum}'`);
  if (hours > MAX_HOURS) throw refuse("number_too_large", `more than the maximum allowable value of '${MAX_HOURS}'`);
  return roundHours(hours);
}

/** Remaining hours after some hours of work, at least 0. */
export function hoursLeft(remaining: number, worked: number): number {
  return Math.max(0, roundHours(remaining - worked));
}

/** Hours with two decimals, as in history. */
export function formatHours(hours: number): string {
  return hours.toFixed(2);
}

function roundHours(hours: number): number {
  return Math.round(hours * 100) / 100;
}

/** A row of the store whose columns `is_...` and `has_...`, 0 or 1, are booleans. */
export function withBooleans<R extends object>(row: R): WithBooleans<R> {
  const entries = Object.entries(row).map(([name, value]) => [name, /^(is|has)_/.test(name) ? value === 1 : value]);
  return Object.fromEntries(entries) as WithBooleans<R>;
}

type WithBooleans<R> = { readonly [Name in keyof R]: Name extends `${"is" | "has"}_${string}` ? boolean : R[Name] };

/** The first item of each key, in order. */
export function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string | number): T[] {
  const firstByKey = new Map<string | number, T>();
  for (const item of items) if (!firstByKey.has(keyOf(item))) firstByKey.set(keyOf(item), item);
  return [...firstByKey.values()];
}

/** Items of `list` whose key is not in `other`. */
export function differenceBy<T>(list: readonly T[], other: readonly T[], keyOf: (item: T) => string | number): T[] {
  const otherKeys = new Set(other.map(keyOf));
  return list.filter((item) => !otherKeys.has(keyOf(item)));
}

/** A compiled regular expression, or the reason why it is invalid. */
export type CompiledPattern =
  | { readonly test: (text: string) => boolean; readonly problem?: never }
  | { readonly test?: never; readonly problem: string };

const MAX_PATTERN_LENGTH = 1000;

/**
 * A case-insensitive, unanchored regular expression. RE2 matches in time linear in the text;
 * look-around and back references, which need backtracking, are invalid.
 */
export function compilePattern(pattern: string): CompiledPattern {
  if (pattern.length > MAX_PATTERN_LENGTH) return { problem: `longer than ${MAX_PATTERN_LENGTH} characters` };
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return { test: (text) => compiled.test(text) };
  } catch (error) {
    return { problem: error instanceof RE2JSSyntaxException ? error.getDescription() : "too large" };
  }
}

/** How the new value of each column is read that a request may send. */
export type ColumnReaders<Row, Column extends keyof Row> = {
  readonly [Name in Column]: (call: Call, row: Row) => Row[Name];
};

/** The `changes` of an object, by parameter; null where a column is empty, as in Bugzilla. */
export type ObjectChanges = Readonly<Record<string, { removed: string | null; added: string | null }>>;

/** Stores the columns that a request changes of an object in `table`. Returns the object afterwards, and the changes. */
export function changeColumns<Row extends SqlRow, Column extends keyof Row & string>(
  call: Call,
  { table, before }: { readonly table: string; readonly before: Row },
  readers: ColumnReaders<Row, Column>,
): { after: Row; changes: ObjectChanges } {
  const after = { ...before };
  const changes: Record<string, ObjectChanges[string]> = {};
  for (const column of Object.keys(readers) as Column[]) {
    if (call.input[column] === undefined) continue;
    after[column] = readers[column](call, before);
    if (after[column] !== before[column])
      changes[column] = { removed: textOrNull(before[column]), added: textOrNull(after[column]) };
  }
  for (const column of Object.keys(changes))
    call.store.run(`UPDATE ${table} SET ${column} = @${column} WHERE id = @id`, after);
  return { after, changes };
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}

/** Refuses a parameter that a class of Bugzilla does not have. @throws Fault unknown_method @see Bugzilla/Object.pm, set_all */
export function refuseUnknownParameters(input: JsonObject, name: string, known: readonly string[]): void {
  const unknown = Object.keys(input).find((sent) => !known.includes(sent));
  if (unknown !== undefined)
    throw new Fault("unknown_method", `The requested method 'Bugzilla::${name}::set_${unknown}' was not found.`);
}
