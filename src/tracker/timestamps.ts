import { MINUTE_MS, timestamp } from "../wire/time.ts";
import { faults } from "./http/fault.ts";

/** Timestamp (2026-11-20T05:57:24Z) of a date; UTC without a zone. @throws Fault illegal_date */
export function readTimestamp(text: string): string {
  const date = parseDate(text);
  if (!date) throw faults.notADate(text);
  return timestamp(toUtc(date));
}

/** A timestamp some minutes later, or earlier if negative. */
export function minutesAfter(time: string, minutes: number): string {
  return timestamp(Date.parse(time) + minutes * MINUTE_MS);
}

/** A date: its clock time as if it were UTC, and its zone's offset from UTC in minutes. */
export type ParsedDate = { readonly clock: Date; readonly minutesAhead: number };

/**
 * Parses `2026-11-20`, `2026/11/20 05:57` and `20261120T05:57:24Z`, with or without time and zone;
 * undefined for anything else and for days that do not exist.
 */
export function parseDate(text: string): ParsedDate | undefined {
  const {
    year,
    month,
    day = "",
    hours = 0,
    minutes = 0,
    seconds = 0,
    zone = "Z",
  } = DATE.exec(text.trim().replace(COMPACT, "$1-$2-$3"))?.groups ?? {};
  if (year === undefined) return undefined;
  const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
  const clock = new Date(`${date}T${[hours, minutes, seconds].map(twoDigits).join(":")}Z`);
  const isReal = !Number.isNaN(clock.getTime()) && clock.toISOString().startsWith(date);
  return isReal ? { clock, minutesAhead: zoneMinutes(zone) } : undefined;
}

const TIME = "(?:[T\\s]\\s*(?<hours>\\d{1,2}):?(?<minutes>\\d\\d)(?::?(?<seconds>\\d\\d)(?:\\.\\d+)?)?)?";
const ZONE = "\\s*(?<zone>z|utc|gmt|[+-]\\d\\d:?\\d\\d)?";
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?!\d)/;
const DATE = new RegExp(`^(?<year>\\d{4})([-/])(?<month>\\d\\d?)\\2(?<day>\\d\\d?)${TIME}${ZONE}$`, "i");

/** The UTC time of a parsed date. */
export function toUtc({ clock, minutesAhead }: ParsedDate): Date {
  return new Date(clock.getTime() - minutesAhead * MINUTE_MS);
}

function zoneMinutes(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return sign === undefined ? 0 : (sign === "-" ? -1 : 1) * (60 * Number(hours) + Number(minutes));
}

function twoDigits(number: string | number | undefined): string {
  return String(number).padStart(2, "0");
}
