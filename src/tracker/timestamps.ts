import { timestamp } from "../wire/time.ts";
import { faults } from "./http/fault.ts";

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
  const parts = DATE.exec(text.trim().replace(/^(\d{4})(\d\d)(\d\d)(?!\d)/, "$1-$2-$3"))?.groups;
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
const DATE = new RegExp(`^(?<year>\\d{4})([-/])(?<month>\\d\\d?)\\2(?<day>\\d\\d?)${TIME}${ZONE}$`, "i");

function twoDigits(number: string | number | undefined): string {
  return String(number).padStart(2, "0");
}
