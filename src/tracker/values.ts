import { RE2JS, RE2JSSyntaxException } from "re2js";
import { ERROR_CODES, type ErrorName } from "../wire/error-codes.ts";
import type { Json } from "../wire/exchange.ts";
import { timestamp } from "../wire/time.ts";
import { fieldLabel } from "./fields.ts";

/** HTTP statuses, where not 400. @see Bugzilla/WebService/Constants.pm, REST_STATUS_CODE_MAP */
const STATUSES: Readonly<Partial<Record<ErrorName, number>>> = {
  object_does_not_exist: 404,
  bug_id_does_not_exist: 404,
  bug_access_denied: 401,
  product_access_denied: 401,
  product_edit_denied: 401,
  comment_is_private: 401,
  user_not_insider: 401,
  illegal_change: 401,
  group_restriction_not_allowed: 401,
  invalid_login_or_password: 401,
  account_disabled: 401,
  auth_failure: 401,
  login_required: 401,
  invalid_username: 401,
  user_access_by_id_denied: 401,
  rest_invalid_resource: 404,
  internal: 500,
};

/** An error response: Bugzilla's name of the error, which gives its code and status, and a message. */
export class Fault extends Error {
  readonly status: number;
  readonly code: number;

  constructor(error: ErrorName, message: string, status = STATUSES[error] ?? 400) {
    super(message);
    this.name = "Fault";
    this.status = status;
    this.code = ERROR_CODES[error];
  }
}

/** Throws where only an expression fits, as after `??`. */
export function raise(fault: Fault): never {
  throw fault;
}

export const faults = {
  noSuchResource: (what: string) =>
    new Fault("rest_invalid_resource", `A REST API resource was not found for '${what}'.`),
  loginRequired: () => new Fault("login_required", "You must log in before using this part of Bugzilla."),
  parameterMissing: (name: string) =>
    new Fault("param_required", `The function requires a ${name} argument, and that argument was not set.`),
  wrongNumber: (error: ErrorName, text: string, label: string, problem: string) =>
    new Fault(error, `The value '${text}' in the ${label} field is ${problem}.`),
  notADate: (text: string) => new Fault("illegal_date", `'${text}' is not a legal date.`),
  wrongShape: (name: string, expected: string) => new Fault("other", `The parameter ${name} must be ${expected}.`),
  noSuchBug: (id: string) => new Fault("bug_id_does_not_exist", `Bug #${id} does not exist.`),
  noSuchAlias: (text: string) =>
    new Fault("improper_bug_id_field_value", `'${text}' is not a valid bug number nor an alias to a bug.`),
  noSuchProduct: (what: string) =>
    new Fault("product_access_denied", `Either the product ${what} does not exist or you don't have access to it.`),
  noSuchUser: (login: string) =>
    new Fault(
      "object_does_not_exist",
      `There is no user named '${login}'. Either you mis-typed the name or that user has not yet registered for a Bugzilla account.`,
    ),
  noSuchObject: (kind: string, name: string) =>
    new Fault("object_does_not_exist", `There is no ${kind} named '${name}'.`),
  noSuchId: (kind: string, id: string) =>
    new Fault("object_does_not_exist", `There is no ${kind} with the id '${id}'.`),
  notInGroup: (group: string, what: string) =>
    new Fault(
      "auth_failure",
      `Sorry, you aren't a member of the '${group}' group, and so you are not authorized to ${what}.`,
    ),
} as const;

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
  if (characterCount(stored) > TEXT_LIMITS.long) {
    throw new Fault("comment_too_long", `Comments cannot be longer than ${TEXT_LIMITS.long} characters.`);
  }
  return stored;
}

/** Maximum length of one-line and long fields, and of comments, in characters. */
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

/** A date by its zone, and as if it were in UTC. */
export type ParsedDate = { readonly moment: Date; readonly ignoringZone: Date };

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
  const [moment, ignoringZone] = [new Date(`${time}${offset}`), new Date(`${time}Z`)];
  const exists = !Number.isNaN(moment.getTime()) && ignoringZone.toISOString().startsWith(date);
  return exists ? { moment, ignoringZone } : undefined;
}

const TIME = "(?:[T\\s]\\s*(?<hours>\\d{1,2}):?(?<minutes>\\d\\d)(?::?(?<seconds>\\d\\d)(?:\\.\\d+)?)?)?";
const ZONE = "\\s*(?<zone>z|utc|gmt|[+-]\\d\\d:?\\d\\d)?";
const ANY_DATE = new RegExp(`^(?<year>\\d{4})([-/])(?<month>\\d\\d?)\\2(?<day>\\d\\d?)${TIME}${ZONE}$`, "i");

function twoDigits(number: string | number | undefined): string {
  return String(number).padStart(2, "0");
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
export const DATE_TIME = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}(?::\d{2})?)?$/;

/** Trimmed text of a date that matches the pattern, or "". @throws Fault illegal_date */
export function readDateValue(text: string, pattern = DATE): string {
  const trimmed = text.trim();
  if (trimmed === "" || (pattern.test(trimmed) && parseDate(trimmed))) return trimmed;
  throw new Fault("illegal_date", `'${text}' is not a legal date. Please use the format 'YYYY-MM-DD'.`);
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
  const label = fieldLabel(field);
  if (!NUMBER.test(text)) throw faults.wrongNumber("param_must_be_numeric", text, label, "not a numeric value");
  return roundHours(numberWithin(text, label, field === "work_time" ? -MAX_HOURS : 0, MAX_HOURS));
}

/** The number of a text, if it is within the limits. @throws Fault number_too_small or number_too_large */
export function numberWithin(text: string, label: string, minimum: number, maximum: number): number {
  const number = Number(text);
  if (number < minimum)
    throw faults.wrongNumber("number_too_small", text, label, `less than the minimum allowable value of '${minimum}'`);
  if (number > maximum)
    throw faults.wrongNumber("number_too_large", text, label, `more than the maximum allowable value of '${maximum}'`);
  return number;
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

/** The first item of each id, in order. */
export function uniqueById<T extends { readonly id: number }>(items: readonly T[]): T[] {
  return uniqueBy(items, ({ id }) => id);
}

/** Items of `list` whose key is not in `other`. */
export function differenceBy<T>(
  list: readonly T[],
  other: readonly T[],
  keyOf: (item: T) => string | number = String,
): T[] {
  const otherKeys = new Set(other.map(keyOf));
  return list.filter((item) => !otherKeys.has(keyOf(item)));
}

/** A compiled regular expression; without `test`, the reason why it is invalid. */
type CompiledPattern = { readonly test?: (text: string) => boolean; readonly problem?: string };

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
