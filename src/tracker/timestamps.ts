import { MINUTE_MS, timestamp } from "../wire/time.ts";
import { faults } from "./http/fault.ts";

/** Timestamp (2026-11-20T05:57:24Z) of a date in any format of `parseDate`; UTC without a zone. @throws Fault illegal_date */
export function readTimestamp(text: string): string {
  const date = parseDate(text);
  if (!date) throw faults.notADate(text);
  return timestamp(toUtc(date));
}

/** A timestamp some minutes later, or earlier if negative. */
export function minutesAfter(time: string, minutes: number): string {
  return timestamp(Date.parse(time) + minutes * MINUTE_MS);
}

/** A parsed date: its clock time as if it were UTC, and the offset of its zone from UTC in minutes. */
export type ParsedDate = { readonly clock: Date; readonly minutesAhead: number };

/**
 * Parses `2026-11-20`, `20261120T05:57:24Z`, `2026/11/20 05:57`, `20 Nov 2026`, `Nov 20, 2026`, `11/20/2026` and RFC 822
 * dates, with or without time and zone; undefined for anything else and for days that do not exist.
 * @see Date::Parse, with which Bugzilla parses dates
 */
export function parseDate(text: string): ParsedDate | undefined {
  const parts = FORMS.map((form) => form.exec(text.trim())?.groups).find((groups) => groups !== undefined);
  if (!parts) return undefined;
  const number = (name: string) => Number(parts[name] ?? 0);
  const month = MONTHS.indexOf((parts["month"] ?? "").slice(0, 3).toLowerCase()) + 1 || number("month");
  const time = [number("hours"), number("minutes"), number("seconds")] as const;
  const day = `${parts["year"]}-${twoDigits(month)}-${twoDigits(number("day"))}`;
  const clock = new Date(`${day}T${time.map(twoDigits).join(":")}Z`);
  const isReal = !Number.isNaN(clock.getTime()) && clock.toISOString().startsWith(day);
  const minutesAhead = zoneMinutes(parts["zone"] ?? "Z");
  return isReal && minutesAhead !== undefined ? { clock, minutesAhead } : undefined;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = "(?<month>jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|[a-z]{3,6}(?:ary|ch|il|ust|ber))";
const WEEKDAY = "(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*,?\\s+)?";
const TIME = "(?:[T\\s]\\s*(?<hours>\\d{1,2}):?(?<minutes>\\d\\d)(?::?(?<seconds>\\d\\d)(?:\\.\\d+)?)?)?";
const ZONE = "\\s*(?<zone>[a-z]{1,4}|[+-]\\d\\d:?\\d\\d)?";

const FORMS: readonly RegExp[] = [
  "(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})",
  "(?<year>\\d{4})/(?<month>\\d{1,2})/(?<day>\\d{1,2})",
  "(?<year>\\d{4})\\.(?<month>\\d{1,2})\\.(?<day>\\d{1,2})",
  "(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)",
  "(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4})",
  `${WEEKDAY}(?<day>\\d{1,2})[\\s-]*${MONTH}[\\s,-]*(?<year>\\d{4})`,
  `${WEEKDAY}${MONTH}\\s+(?<day>\\d{1,2}),?\\s+(?<year>\\d{4})`,
].map((day) => new RegExp(`^${day}${TIME}${ZONE}$`, "i"));

/** The UTC time of a parsed date. */
export function toUtc({ clock, minutesAhead }: ParsedDate): Date {
  return new Date(clock.getTime() - minutesAhead * MINUTE_MS);
}

// Zones of RFC 822, in hours from UTC.
const ZONES: Readonly<Record<string, number>> = {
  z: 0, ut: 0, utc: 0, gmt: 0, est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7,
}; // biome-ignore format: a table

function zoneMinutes(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (sign !== undefined) return (sign === "-" ? -1 : 1) * (60 * Number(hours) + Number(minutes));
  const named = ZONES[zone.toLowerCase()];
  return named === undefined ? undefined : 60 * named;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
