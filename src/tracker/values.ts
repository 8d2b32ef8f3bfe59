import type { Json } from "../wire/exchange.ts";
import { Fault, faults } from "./http/fault.ts";

/** One value of the wire as text: numbers as they are written, true as 1 and false as 0, nothing as empty. */
export function asText(value: Json | undefined, name: string): string {
  if (value !== null && typeof value === "object") throw faults.wrongShape(name, "one text");
  return typeof value === "boolean" ? String(Number(value)) : String(value ?? "");
}

/** A text for one line: newlines and other control signs become blanks, none at the ends. */
export function oneLine(text: string): string {
  return text.replace(CONTROLS, " ").trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f]+/g;

/** A text of several lines as long fields hold it: lines end in CR LF. */
export function multiLine(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

/** A comment as it is stored: lines end in LF, nothing blank at the end. */
export function readCommentText(text: string): string {
  const stored = text.replace(/\r\n?/g, "\n").trimEnd();
  if (lengthOf(stored) > MAX_COMMENT_LENGTH) {
    throw new Fault(400, 114, `Comments cannot be longer than ${MAX_COMMENT_LENGTH} characters.`);
  }
  return stored;
}

const MAX_COMMENT_LENGTH = 65535;

/** The longest that one-line and long fields may be, in characters. */
export const TEXT_LIMITS = { line: 255, long: 65535 } as const;

/** The text again, refused when it is longer than its field holds. */
export function withinLimit(text: string, most: number, field: string): string {
  const length = lengthOf(text);
  if (length > most) {
    throw new Fault(
      400,
      104,
      `The text you entered in the ${field} field is too long (${length} characters, above the maximum length allowed of ${most} characters).`,
    );
  }
  return text;
}

// Characters as people count them, not halves of surrogate pairs.
function lengthOf(text: string): number {
  return [...text].length;
}

/** A day as it was sent, as YYYY-MM-DD; blank stays blank. */
export function readDateValue(text: string): string {
  const said = text.trim();
  if (said !== "" && !isDate(said)) throw invalidDate(text);
  return said;
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}(?::\d{2})?))?$/;

/** A moment as it was sent, `YYYY-MM-DD` with or without `HH:MM[:SS]`; blank stays blank. */
export function readDateTimeValue(text: string): string {
  const said = text.trim();
  const [, day = ""] = DATE_TIME.exec(said) ?? [];
  if (said !== "" && (!isDate(day) || Number.isNaN(Date.parse(storedDateTime(said))))) throw invalidDate(text);
  return said;
}

/** A moment as it is stored: `2026-11-02` is 2026-11-02T00:00:00Z. */
export function storedDateTime(said: string): string {
  const [, day = "", time = ""] = DATE_TIME.exec(said) ?? [];
  return `${day}T${`${time}:00:00`.replace(/^:/, "00:").slice(0, 8)}Z`;
}

/** A stored moment as people and history say it. */
export function displayedDateTime(stored: string): string {
  return stored.replace("T", " ").replace(/Z$/, "");
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function invalidDate(text: string): Fault {
  return new Fault(400, 56, `'${text}' is not a legal date. Please use the format 'YYYY-MM-DD'.`);
}

/** The fields that hold hours, as their refusals name them. */
const HOURS = { estimated_time: "Orig. Est.", remaining_time: "Hours Left", work_time: "Hours Worked" } as const;

/** A field that holds hours. */
export type HoursField = keyof typeof HOURS;

const MAX_HOURS = 99999.99;
const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)$/;

/** Hours as they were sent: a number, or the text of one; blank is none. Only worked hours may be negative. */
export function readHours(value: Json | undefined, field: HoursField): number {
  const said = asText(value, field).trim() || "0";
  const refuse = (code: number, what: string) =>
    new Fault(400, code, `The value '${said}' in the ${HOURS[field]} field is ${what}.`);
  if (!NUMBER.test(said)) throw refuse(52, "not a numeric value");
  const hours = Number(said);
  const least = field === "work_time" ? -MAX_HOURS : 0;
  if (hours < least) throw refuse(55, `less than the minimum allowable value of '${least}'`);
  if (hours > MAX_HOURS) throw refuse(54, `more than the maximum allowable value of '${MAX_HOURS}'`);
  return roundHours(hours);
}

/** What is left to do after some hours of work: never below nothing. */
export function hoursLeft(remaining: number, worked: number): number {
  return Math.max(0, roundHours(remaining - worked));
}

/** Hours as history says what they were: with two decimals. */
export function formatHours(hours: number): string {
  return hours.toFixed(2);
}

function roundHours(hours: number): number {
  return Math.round(hours * 100) / 100;
}
