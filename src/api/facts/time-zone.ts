import { DAY_MS } from "../../wire/time.ts";

/** Local time: year, month 1-12, day, hour, minute, second. */
export type WallClock = readonly [
  year: number,
  month: number,
  day: number,
  hour?: number,
  minute?: number,
  second?: number,
];

/** Moment (ms since the epoch) of a local time; within a spring gap, the moment right after it. */
export function momentIn(zone: string, wall: WallClock): number {
  const [year, month, day, hour = 0, minute = 0, second = 0] = wall;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const guess = asUtc - offsetAt(zone, asUtc);
  return asUtc - offsetAt(zone, guess);
}

/**
 * All moments (ms since the epoch) of a local time, in order: none in a spring gap, two in the repeated hour of autumn.
 */
export function momentsOn(zone: string, wall: WallClock): number[] {
  const [year, month, day, hour = 0, minute = 0, second = 0] = wall;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const candidates = [asUtc - DAY_MS, asUtc + DAY_MS].map((moment) => asUtc - offsetAt(zone, moment));
  return [...new Set(candidates)].filter((moment) => moment + offsetAt(zone, moment) === asUtc);
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
  const shown = Object.fromEntries(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: string): number => shown[name] ?? 0;
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(moment / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", { timeZone: zone, hourCycle: "h23", ...ALL_PARTS });
  formats.set(zone, made);
  return made;
}

const ALL_PARTS = {
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
} as const;
