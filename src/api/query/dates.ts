import { usageError } from "../../errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../wire/time.ts";

/** Current time and zone (IANA) for relative dates and local times. */
export type DateContext = {
  readonly now: Date;
  readonly zone: string;
  readonly note?: (sentence: string) => void; // how a word was understood
};

/** Period from `start` up to, not including, `end` (ms): a month for 2026-10, a second for a moment. */
export type Period = { readonly start: number; readonly end: number };

/** The weekday that a bare name means: the coming one for days, the last one for times. */
type Weekday = "coming" | "last";

type Length = "day" | "week" | "month" | "year";

/**
 * Reads a date: `2026`, `2026-10`, `2026-10-03`, `2026-10-03T14:00Z` (local time without a zone), `now`, `today`, `last-week`,
 * `-2w`, `+3d`, `friday`, `last friday`, `2 weeks ago`, `in 3 days`.
 * @throws BtError of kind usage for anything else, and for days that do not exist
 */
export function readDate(text: string, context: DateContext, bare: Weekday = "last"): Period {
  const word = signedSpan(text.trim().toLowerCase().replace(/\s+/g, " "));
  const period =
    readName(word, context, bare) ??
    readSpan(word, context) ??
    readCalendar(word, context.zone) ??
    readTime(word, context);
  if (period !== undefined && Math.abs(period.start) < 3e13) return period; // about 900 years
  throw usageError(
    `invalid date "${text}"`,
    'use 2026-10-03, 2026-10, 2026-10-03T14:00Z, today, last-month, friday, "7 days ago", or -2w (min h d w mo y)',
  );
}

/** True for a date such as `-2w` or `2 weeks ago`, as far from now. */
export function isRelative(text: string): boolean {
  return SPAN.test(signedSpan(text.trim().toLowerCase()));
}

/** Days (YYYY-MM-DD) of a period in the zone, from `start` up to, not including, `end`. */
export function dayBounds({ start, end }: Period, zone: string): { readonly start: string; readonly end: string } {
  const dayAfter = new Date(Date.parse(dayIn(zone, end - 1)) + DAY_MS);
  return { start: dayIn(zone, start), end: dayAfter.toISOString().slice(0, 10) };
}

/** `2 weeks ago` and `in 3 days` as `-2w` and `+3d`; any other text is unchanged. */
function signedSpan(text: string): string {
  const [, ahead, count = "", unit = "", ago] =
    /^(in )?(\d{1,5}|an?) (minute|hour|day|week|month|year)s?( ago)?$/.exec(text) ?? [];
  if (!ahead === !ago) return text; // neither, or both
  const short = { minute: "min", month: "mo" }[unit] ?? unit.slice(0, 1);
  return `${ago ? "-" : "+"}${/^a/.test(count) ? 1 : count}${short}`;
}

/** A name such as `now`, `today`, `last-week` or `friday`; how it was understood is noted. */
function readName(word: string, { now, zone, note }: DateContext, bare: Weekday): Period | undefined {
  if (word === "now") return secondAt(now.getTime());
  const period = readDayName(word, dayIn(zone, now.getTime()), zone, bare);
  if (period !== undefined) note?.(`"${word}" is taken as ${dayIn(zone, period.start)}`);
  return period;
}

/** `yesterday`, `last-week` or `last week`, and weekdays, as seen from a day. */
function readDayName(word: string, today: string, zone: string, bare: Weekday): Period | undefined {
  if (NEAR_DAYS.includes(word)) return periodFrom(zone, today, "day", NEAR_DAYS.indexOf(word) - 1);
  const [, when, length] = /^(last|this|next)[- ](week|month|year)$/.exec(word) ?? [];
  if (when !== undefined) return periodFrom(zone, today, length as Length, ["last", "this", "next"].indexOf(when) - 1);
  const [, which = bare, name] = WEEKDAY.exec(word) ?? [];
  if (name === undefined) return undefined;
  const ahead = (WEEKDAYS.indexOf(name) - new Date(today).getUTCDay() + 7) % 7; // 0: today, which no weekday means
  const coming = ahead === 0 ? 7 : ahead;
  return periodFrom(zone, today, "day", which === "last" ? ahead - 7 : coming);
}

const NEAR_DAYS: readonly string[] = ["yesterday", "today", "tomorrow"];
const WEEKDAYS: readonly string[] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const WEEKDAY = /^(?:on )?(?:(last|next) )?(sun|mon|tue|wed|thu|fri|sat)(?:[a-z]*day)?$/;

/** The day, week (from Monday), month or year of a day, moved by a number of units. */
function periodFrom(zone: string, of: string, length: Length, away: number): Period {
  const [year = 0, month = 1, day = 1] = of.split("-").map(Number);
  const monday = day - ((new Date(of).getUTCDay() + 6) % 7);
  const starts: Readonly<Record<Length, (step: number) => WallClock>> = {
    day: (step) => [year, month, day + step],
    week: (step) => [year, month, monday + 7 * step],
    month: (step) => [year, month + step, 1],
    year: (step) => [year + step, 1, 1],
  };
  const at = starts[length];
  return { start: momentIn(zone, at(away)), end: momentIn(zone, at(away + 1)) };
}

const SPAN = /^([+-])(\d{1,6})(s|min|h|d|w|mo|y)$/;
const LENGTHS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  min: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

/** `-2w` and the like; months away, the 31st becomes the last day of a shorter month. */
function readSpan(word: string, { now, zone }: DateContext): Period | undefined {
  const [match, sign, digits = "", unit = ""] = SPAN.exec(word) ?? [];
  const count = Number(digits) * (sign === "+" ? 1 : -1);
  if (match === undefined || Math.abs(count) > 900 * 12 * 366) return undefined;
  const length = LENGTHS[unit];
  if (length !== undefined) return secondAt(now.getTime() + count * length);
  const [year = 0, month = 1, day = 1] = dayIn(zone, now.getTime()).split("-").map(Number);
  const timeOfDay = now.getTime() - momentIn(zone, [year, month, day]);
  const then = month + count * (unit === "y" ? 12 : 1); // a month may be 0, 13 and so on, in other years
  const lastDay = new Date(Date.UTC(year, then, 0)).getUTCDate();
  return secondAt(momentIn(zone, [year, then, Math.min(day, lastDay)]) + timeOfDay);
}

function secondAt(milliseconds: number): Period {
  const start = Math.floor(milliseconds / SECOND_MS) * SECOND_MS;
  return { start, end: start + SECOND_MS };
}

function readCalendar(word: string, zone: string): Period | undefined {
  if (!/^\d{4}(-\d\d(-\d\d)?)?$/.test(word)) return undefined;
  checkDay(word);
  const length = (["year", "month", "day"] as const)[word.split("-").length - 1] ?? "day";
  return periodFrom(zone, `${word}-01-01`.slice(0, 10), length, 0);
}

function readTime(word: string, { zone }: DateContext): Period | undefined {
  const [match, day = "", time = "", seconds = "00", offset] =
    /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(z|[+-]\d\d:?\d\d)?$/.exec(word) ?? [];
  if (match === undefined) return undefined;
  checkDay(day);
  const wall = Date.parse(`${day}T${time}:${seconds}Z`);
  if (Number.isNaN(wall) || time.startsWith("24")) return undefined;
  if (offset === undefined) return secondAt(momentAt(zone, wall));
  const [hours = 0, minutes = 0] = offset === "z" ? [] : [offset.slice(1, 3), offset.slice(-2)].map(Number);
  const ahead = hours * HOUR_MS + minutes * MINUTE_MS;
  return secondAt(wall - (offset.startsWith("-") ? -ahead : ahead));
}

function checkDay(word: string): void {
  const [year = 0, month = 1, day = 1] = word.split("-").map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (year < 1900 || month < 1 || month > 12 || day < 1 || day > days)
    throw usageError(`invalid date "${word}": there is no such day, or it is before 1900`);
}

/** Local time: year, month 1-12, day, hour. */
export type WallClock = readonly [year: number, month: number, day: number, hour?: number];

/** Moment (ms since the epoch) of a local time; of a time that the clocks skip in spring, a moment after the gap. */
export function momentIn(zone: string, [year, month, ...rest]: WallClock): number {
  return momentAt(zone, Date.UTC(year, month - 1, ...rest));
}

/** Moment at which the clocks of a zone show what they show in UTC at `utc`. */
function momentAt(zone: string, utc: number): number {
  const guess = utc - offsetAt(zone, utc);
  const moment = utc - offsetAt(zone, guess);
  return moment + offsetAt(zone, moment) === utc ? moment : Math.max(guess, moment);
}

/** Local time at a moment, `2026-10-03 14:00:00`: the form in which servers take local times. */
export function wallClockIn(zone: string, moment: number): string {
  return new Date(moment + offsetAt(zone, moment)).toISOString().slice(0, 19).replace("T", " ");
}

/** Local day at a moment, `2026-10-03`. */
export function dayIn(zone: string, moment: number): string {
  return wallClockIn(zone, moment).slice(0, 10);
}

/** Offset of the zone from UTC at a moment (ms). */
function offsetAt(zone: string, moment: number): number {
  if (zone === "UTC") return 0;
  const parts = offsetFormat(zone).formatToParts(moment);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? ""; // GMT, GMT-03:30, GMT+00:53:28
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -offset : offset;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetFormat(zone: string): Intl.DateTimeFormat {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  formats.set(zone, format);
  return format;
}
