import { timestamp } from "../../wire/time.ts";
import { faults } from "../http/fault.ts";
import { type ParsedDate, parseDate } from "../values.ts";

/** Value of an invalid date: before all times, like MySQL's zero date in Bugzilla. */
const EARLIEST = "";

/** Day that stands for "not set" in comparisons. */
export const UNSET_DAY = "1970-01-01";
/** Time that stands for "not set" in comparisons. */
export const UNSET_MOMENT = "1970-01-01T00:00:00Z";

/**
 * Timestamp of a criterion on a time field; `now` is the time of the search. As in Bugzilla, a zone
 * is ignored and an invalid date is before all times.
 * @see Bugzilla/Search.pm, SqlifyDate
 */
export function readSearchTime(text: string, now: string): string {
  const date = parseSearchDate(text, now);
  return date ? timestamp(date.clock) : EARLIEST;
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

/** True if a text is a date in a search. */
export function isSearchDate(text: string, now: string): boolean {
  return parseSearchDate(text, now) !== undefined;
}

const RELATIVE = /^(?:([+-]?)(\d{1,6})([hdwmy])(s?)|now)$/;

/** Dates that Bugzilla reads, too: 22 Nov 2026, Nov 22, 11/22/2026. */
const OTHER_NOTATION = /\d\W*[a-z]{3}|[a-z]{3}\W*\d|^\d{1,2}[-/.]\d/i;

// Only four-digit years: times are compared as text.
function parseSearchDate(text: string, now: string): ParsedDate | undefined {
  const relative = parseRelative(text.trim(), new Date(now));
  const date = relative ? { clock: relative, moment: relative } : parseDate(text);
  if (!date && OTHER_NOTATION.test(text)) throw faults.notADate(text);
  const year = date?.clock.getUTCFullYear() ?? Number.NaN;
  return year >= 0 && year <= 9999 ? date : undefined;
}

/** `-1w`, `2d`, `+1d`, `1ms` (start of last month), `now` (today 00:00); no sign: in the past. */
function parseRelative(text: string, now: Date): Date | undefined {
  const match = RELATIVE.exec(text.toLowerCase());
  if (!match) return undefined;
  const [, sign, digits = "0", unit = "d", start = "s"] = match;
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
