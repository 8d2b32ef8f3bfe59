import { wireMoment } from "./query/dates.ts";
import { momentsOn, type WallClock } from "./time-zone.ts";

/** Whether a text is a date with time as servers take and record those of custom fields: on their clock, without a zone. */
export function isLocalTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?$/.test(text);
}

/**
 * The moment (UTC, `2026-10-03T14:00:00Z`) of a local time, or undefined where it is not certain: the zones disagree, none is
 * known, or their clocks show this time twice or never.
 */
export function certainMoment(text: string, zones: readonly string[]): string | undefined {
  const [moment, ...others] = new Set(zones.flatMap((zone) => momentsOn(zone, clockIn(text))));
  return moment === undefined || others.length > 0 ? undefined : wireMoment(moment);
}

function clockIn(text: string): WallClock {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = text.match(/\d+/g)?.map(Number) ?? [];
  return [year, month, day, hour, minute, second];
}
