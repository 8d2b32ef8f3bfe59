import { faults } from "../http/fault.ts";
import { parseDate, toUtc } from "../timestamps.ts";

/** What a date that cannot be read counts as: before everything, like the zero date of the recorded server. */
const BEFORE_EVERYTHING = "";

/** The day and the moment that stand for "not set" in comparisons. */
export const UNSET_DAY = "1970-01-01";
export const UNSET_MOMENT = "1970-01-01T00:00:00Z";

/**
 * The value of a row on a moment, as stored times are written; `now` is when the search is made. A zone is not read (the
 * tracker's is UTC), and what is no date is before everything: so does the recorded server.
 */
export function readSearchTime(text: string, now: string): string {
  const date = readDate(text, now);
  return date ? stored(date) : BEFORE_EVERYTHING;
}

/** The value of a row on a day: YYYY-MM-DD, with the time behind it when one is given. */
export function readSearchDay(text: string, now: string): string {
  const time = readSearchTime(text, now).replace("T", " ").replace("Z", "");
  return time.endsWith("00:00:00") || RELATIVE.test(text.trim()) ? time.slice(0, 10) : time;
}

/** The moment of `changedafter` and its like: here a zone is read, and what is no date is refused. */
export function readChangeTime(text: string, now: string): string {
  const date = readDate(text, now);
  if (!date) throw faults.notADate(text);
  const written = parseDate(text);
  return stored(written ? toUtc(written) : date);
}

/** Whether a text means a time to a row. */
export function isSearchDate(text: string, now: string): boolean {
  return readDate(text, now) !== undefined;
}

const RELATIVE = /^(?:([+-]?)(\d{1,6})([hdwmy])(s?)|now)$/i;
const ABSOLUTE = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s]+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?/i;

// Years of four digits only, because times are compared as texts.
function readDate(text: string, now: string): Date | undefined {
  const date = relative(text.trim(), new Date(now)) ?? parseDate(text)?.clock ?? absolute(text.trim());
  return date && /^\d{4}-/.test(Number.isNaN(date.getTime()) ? "" : date.toISOString()) ? date : undefined;
}

function absolute(text: string): Date | undefined {
  const [, ...parts] = ABSOLUTE.exec(text) ?? [];
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date : undefined;
}

/** `-1w`, `2d`, `+1d`, `1ms` (start of last month), `now` (today 00:00); a number without a sign is in the past too. */
function relative(text: string, now: Date): Date | undefined {
  const match = RELATIVE.exec(text);
  if (!match) return undefined;
  const [, sign, digits = "0", unit = "d", start = "s"] = match;
  const amount = sign === "+" ? -Number(digits) : Number(digits);
  return STEPS[unit.toLowerCase()]?.({ now, amount, isStart: start !== "" || amount === 0 });
}

type DateStep = { readonly now: Date; readonly amount: number; readonly isStart: boolean };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const STEPS: Readonly<Record<string, (step: DateStep) => Date>> = {
  h: ({ now, amount, isStart }) => back(now, amount * HOUR + (isStart ? now.getTime() % HOUR : 0)),
  d: ({ now, amount, isStart }) => back(now, amount * DAY + (isStart ? now.getTime() % DAY : 0)),
  w: ({ now, amount, isStart }) =>
    back(now, 7 * amount * DAY + (isStart ? now.getUTCDay() * DAY + (now.getTime() % DAY) : 0)),
  m: ({ now, amount, isStart }) => inMonth(now, now.getUTCMonth() - amount, isStart),
  y: ({ now, amount, isStart }) => inMonth(now, (isStart ? 0 : now.getUTCMonth()) - 12 * amount, isStart),
};

function back(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds);
}

// A month counted from January of this year.
function inMonth(now: Date, month: number, isStart: boolean): Date {
  return new Date(
    Date.UTC(now.getUTCFullYear(), month, isStart ? 1 : now.getUTCDate()) + (isStart ? 0 : now.getTime() % DAY),
  );
}

function stored(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
