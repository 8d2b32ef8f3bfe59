import { DAY_MS, HOUR_MS, MINUTE_MS } from "../wire/time.ts";
import { countText } from "./text.ts";
import { type View, viewSigns } from "./view.ts";

/** Milliseconds since the epoch of a wire time (ISO 8601 with a zone); undefined if invalid. */
export function wireMillis(time: string | null | undefined): number | undefined {
  if (typeof time !== "string" || !WIRE_TIME.test(time)) return undefined;
  const read = Date.parse(time);
  return Number.isNaN(read) ? undefined : read;
}

/** Relative time: "3 days ago", "in 2 hours"; invalid times are unchanged, "-" for none. */
export function relativeTime(time: string | null | undefined, view: View): string {
  return timeDistance(time, view, "just now", (count, [, unit]) => countText(count, unit));
}

/** Relative time for a narrow column: "3d ago", "in 2h", "now". */
export function shortRelativeTime(time: string | null | undefined, view: View): string {
  return timeDistance(time, view, "now", (count, [, , letters]) => `${count}${letters}`);
}

/** Local time with its zone: "2026-11-20 05:58 GMT+1". */
export function absoluteTime(time: string | null | undefined, view: View): string {
  const instant = wireMillis(time);
  if (instant === undefined) return String(time ?? "-");
  const { day, time: clock, zone } = clockAt(instant, view.timeZone);
  return `${day} ${clock} ${zone}`;
}

/** Local time without its zone: "10:40", or "2026-11-20 05:58" on another day than today. */
export function clockTime(time: string, now: Date, timeZone: string): string {
  const instant = wireMillis(time);
  if (instant === undefined) return time;
  const { day, time: clock } = clockAt(instant, timeZone);
  return day === clockAt(now.getTime(), timeZone).day ? clock : `${day} ${clock}`;
}

/** Time on a card: relative and absolute. */
export function timeText(time: string | null | undefined, view: View): string {
  if (wireMillis(time) === undefined) return String(time ?? "-");
  return `${relativeTime(time, view)} ${viewSigns(view).dot} ${absoluteTime(time, view)}`;
}

/**
 * Day of a date field. Some trackers return midnight of their own zone in UTC; if the zone is
 * unknown, the nearest day is used, which is correct up to twelve hours from UTC.
 */
export function dayText(date: string, serverZone?: string): string {
  const instant = wireMillis(date);
  if (instant === undefined) return date;
  if (serverZone !== undefined) return clockAt(instant, serverZone).day;
  return new Date(Math.round(instant / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
}

/** True if a day (YYYY-MM-DD) has ended in every zone. */
export function isPast(date: string, view: View): boolean {
  const start = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(start) && view.now.getTime() > start + 1.5 * DAY_MS;
}

/** Hours: "5.5 h", "0 h". */
export function hoursText(count: number): string {
  return `${Number(count.toFixed(2))} h`;
}

const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

type Unit = readonly [size: number, long: string, short: string];

const UNITS: readonly Unit[] = [
  [365.25 * DAY_MS, "year", "y"],
  [30.4375 * DAY_MS, "month", "mo"],
  [DAY_MS, "day", "d"],
  [HOUR_MS, "hour", "h"],
  [MINUTE_MS, "minute", "m"],
];

function timeDistance(
  time: string | null | undefined,
  view: View,
  nowWord: string,
  words: (count: number, unit: Unit) => string,
): string {
  const then = wireMillis(time);
  if (then === undefined) return String(time ?? "-");
  const gap = view.now.getTime() - then;
  const unit = UNITS.find(([size]) => Math.abs(gap) >= size);
  if (!unit) return nowWord;
  const distance = words(Math.floor(Math.abs(gap) / unit[0]), unit);
  return gap < 0 ? `in ${distance}` : `${distance} ago`;
}

/** Day and time in a zone, and the zone's name at that time. */
function clockAt(instant: number, timeZone: string): { day: string; time: string; zone: string } {
  const found = clockFormat(timeZone).formatToParts(instant);
  const part = (wanted: string) => found.find(({ type }) => type === wanted)?.value ?? "";
  const day = `${part("year")}-${part("month")}-${part("day")}`;
  return { day, time: `${part("hour")}:${part("minute")}`, zone: part("timeZoneName") };
}

const clocks = new Map<string, Intl.DateTimeFormat>(); // creating one costs more than a hundred uses

function clockFormat(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { ...CLOCK, timeZone });
  clocks.set(timeZone, known);
  return known;
}

const CLOCK = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
} as const;
