import { BtError } from "../../errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, timestamp } from "../../wire/time.ts";
import { dayIn, momentIn, momentsOn, type WallClock } from "../facts/time-zone.ts";
import { nearestNames } from "../nearest.ts";
import { spokenDate, type WeekdayKind } from "./spoken-dates.ts";

/**
 * Current time and zone for relative dates and local times. `zone` is an IANA name such as Europe/Berlin; `note` receives
 * which moment was taken for a local time that occurs twice, and, for terminals only, how words were understood.
 */
export type DateContext = { now: Date; zone: string; note?: (sentence: string, scope?: NoteScope) => void };

/** `onTerminal`: for terminals only. */
export type NoteScope = { onTerminal?: boolean };

/**
 * Period from `start` up to, not including, `end` (ms since the epoch). A date is a period (2026-10 is a month long); a
 * moment lasts one second, the precision of trackers.
 */
export type TimePeriod = { readonly start: number; readonly end: number };

/**
 * Parses a date: `2026`, `2026-10`, `2026-10-03`, `2026-10-03T14:00Z` (local time without a zone), `now`, `today`,
 * `last-week`, `-2w`, `36h`, `+3d`, `friday`, `in 2 weeks`. A bare weekday is the last one unless `bare` says otherwise.
 * @throws BtError of kind usage for anything else, and for days and local times that do not exist
 */
export function readDate(text: string, clock: DateContext, bare: WeekdayKind = "last"): TimePeriod {
  const spoken = spokenDate(text, clock.now, clock.zone, bare);
  const word = spoken ?? text.trim().toLowerCase();
  const period =
    readNamedDay(word, clock) ??
    readRelative(word, text.trim(), clock) ??
    readCalendar(word, clock.zone) ??
    readDateTime(word, clock);
  if (period !== undefined) {
    if (spoken !== undefined || Object.hasOwn(NAMED, word)) noteUnderstood(text, periodText(period, clock.zone), clock);
    return period;
  }
  if (/^(?:last|next|in|\d{1,3})$/.test(word)) {
    throw new BtError("usage", `invalid date "${text}"`, {
      hint: 'quote a date of several words, such as "7 days ago", "last monday" or "in 2 weeks"',
    });
  }
  const past = /^\d+ (?:hour|day|week|month|year)s?$/.test(word) ? `${word} ago` : undefined;
  const moment = /^\d{10}$/.test(word) ? timestamp(Number(word) * SECOND_MS) : past;
  const near = moment ?? nearestNames(word, Object.keys(NAMED))[0];
  throw new BtError("usage", `invalid date "${text}"`, {
    hint:
      near !== undefined
        ? `did you mean ${near}?`
        : 'use 2026-10-03, 2026-10, 2026-10-03T14:00Z, today, yesterday, this-week, last-month, friday, "7 days ago", or -2w (min h d w mo y)',
  });
}

/** Notes the days that words were understood as, for terminals. */
export function noteUnderstood(text: string, days: string, { note }: DateContext): void {
  note?.(`${JSON.stringify(text.trim())} is taken as ${days}`, { onTerminal: true });
}

/** The days of a period: `2026-10-03`, or `2026-10-05 to 2026-10-11`. */
function periodText({ start, end }: TimePeriod, zone: string): string {
  const [first, last] = [dayIn(zone, start), dayIn(zone, end - 1)];
  return first === last ? first : `${first} to ${last}`;
}

/** Days (YYYY-MM-DD) of a period in the zone, from `start` up to, not including, `end`. */
export function daysOfPeriod(period: TimePeriod, zone: string): { start: string; end: string } {
  return {
    start: dayIn(zone, period.start),
    end: dayAfter(dayIn(zone, period.end - 1)),
  };
}

function momentAt(milliseconds: number): TimePeriod {
  const start = Math.floor(milliseconds / SECOND_MS) * SECOND_MS;
  return { start, end: start + SECOND_MS };
}

/** The day after a day (YYYY-MM-DD). */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/** Named periods: their length, and the offset from today in such lengths. */
const NAMED: Readonly<Record<string, readonly [length: "day" | "week" | "month" | "year", away: number]>> = {
  today: ["day", 0],
  yesterday: ["day", -1],
  tomorrow: ["day", 1],
  "this-week": ["week", 0],
  "last-week": ["week", -1],
  "next-week": ["week", 1],
  "this-month": ["month", 0],
  "last-month": ["month", -1],
  "next-month": ["month", 1],
  "this-year": ["year", 0],
  "last-year": ["year", -1],
  "next-year": ["year", 1],
};

function readNamedDay(word: string, { now, zone }: DateContext): TimePeriod | undefined {
  if (word === "now") return momentAt(now.getTime());
  const named = Object.hasOwn(NAMED, word) ? NAMED[word] : undefined;
  if (named === undefined) return undefined;
  const [length, away] = named;
  const { year, month, day } = dateParts(now, zone);
  const monday = day - ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7);
  const start = (step: number): number =>
    ({
      day: () => momentIn(zone, [year, month, day + step]),
      week: () => momentIn(zone, [year, month, monday + 7 * step]),
      month: () => momentIn(zone, [year, month + step, 1]),
      year: () => momentIn(zone, [year + step, 1, 1]),
    })[length]();
  return { start: start(away), end: start(away + 1) };
}

function dateParts(moment: Date, zone: string): { year: number; month: number; day: number } {
  const [year = 0, month = 1, day = 1] = dayIn(zone, moment.getTime()).split("-").map(Number);
  return { year, month, day };
}

const LENGTHS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  min: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
const MONTHS: Readonly<Record<string, number>> = { mo: 1, y: 12 };

/** True for a date such as `-2w`, `36h` or `2 weeks ago`, as far from now. */
export function isRelative(text: string, { now, zone }: DateContext): boolean {
  return /^[+-]?\d{1,6}(?:s|min|h|d|w|mo|y)$/i.test(spokenDate(text, now, zone, "last") ?? text.trim());
}

function readRelative(word: string, typed: string, clock: DateContext): TimePeriod | undefined {
  const [, sign, digits = "", unit = ""] = /^([+-]?)(\d{1,6})([a-z]+)$/.exec(word) ?? [];
  if (sign === undefined) return undefined;
  if (unit === "m") {
    throw new BtError("usage", `ambiguous unit in "${typed}": minutes or months`, {
      hint: `months are ${digits}mo, minutes ${digits}min`,
    });
  }
  const count = Number(digits) * (sign === "+" ? 1 : -1);
  const length = Object.hasOwn(LENGTHS, unit) ? LENGTHS[unit] : undefined;
  if (length !== undefined) return momentInRange(clock.now.getTime() + count * length);
  const months = Object.hasOwn(MONTHS, unit) ? MONTHS[unit] : undefined;
  return months === undefined ? undefined : momentInRange(monthsFrom(clock, count * months));
}

/** Same time of day this many months away; the 31st becomes the last day of a shorter month. */
function monthsFrom({ now, zone }: DateContext, months: number): number {
  const { year, month, day } = dateParts(now, zone);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const sinceMidnight = now.getTime() - momentIn(zone, [year, month, day]);
  return momentIn(zone, [year, month + months, Math.min(day, last)]) + sinceMidnight;
}

function momentInRange(milliseconds: number): TimePeriod | undefined {
  return Math.abs(milliseconds - Date.UTC(2000, 0)) < 900 * 366 * DAY_MS ? momentAt(milliseconds) : undefined;
}

function readCalendar(word: string, zone: string): TimePeriod | undefined {
  if (!/^\d{4}(-\d\d(-\d\d)?)?$/.test(word)) return undefined;
  const [year = 0, month, day] = word.split("-").map(Number);
  checkCalendar(word, [year, month, day]);
  if (month === undefined) return periodBetween(zone, [year, 1, 1], [year + 1, 1, 1]);
  if (day === undefined) return periodBetween(zone, [year, month, 1], [year, month + 1, 1]);
  return periodBetween(zone, [year, month, day], [year, month, day + 1]);
}

function periodBetween(zone: string, from: WallClock, to: WallClock): TimePeriod {
  return {
    start: momentIn(zone, from),
    end: momentIn(zone, to),
  };
}

const MOMENT = /^(\d{4})-(\d\d)-(\d\d)[t ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(z|[+-]\d\d:?\d\d)?$/;

function readDateTime(word: string, clock: DateContext): TimePeriod | undefined {
  const [match, ...parts] = MOMENT.exec(word) ?? [];
  if (match === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(0, 6)
    .map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  checkCalendar(word, [year, month, day]);
  const wall: WallClock = [year, month, day, hour, minute, second];
  const offset = zoneOffsetMs(parts[6]);
  return momentAt(offset === undefined ? localMoment(word, wall, clock) : momentIn("UTC", wall) - offset);
}

/** @throws BtError of kind usage for a time that the clocks of the zone skip */
function localMoment(word: string, wall: WallClock, { zone, note }: DateContext): number {
  const [first, second] = momentsOn(zone, wall);
  if (first === undefined) {
    throw new BtError("usage", `invalid date "${word}": the clocks in ${zone} skip this time`, {
      hint: "give a time before or after the change of the clocks, or one in UTC, such as 2026-03-29T01:30Z",
    });
  }
  if (second === undefined) return first;
  note?.(`"${word}" occurs twice in ${zone}; taken as ${timestamp(second)}, not ${timestamp(first)}`);
  return second;
}

function zoneOffsetMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === "z") return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  return (text.startsWith("-") ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

type YearMonthDay = [year: number, month: number | undefined, day: number | undefined];

function checkCalendar(word: string, [year, month = 1, day = 1]: YearMonthDay): void {
  if (year < 1900) throw new BtError("usage", `invalid date "${word}": before 1900`);
  if (month < 1 || month > 12) throw new BtError("usage", `invalid date "${word}": no month ${month}`);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day >= 1 && day <= days) return;
  throw new BtError("usage", `invalid date "${word}": ${word.slice(0, 7)} has ${days} days`);
}
