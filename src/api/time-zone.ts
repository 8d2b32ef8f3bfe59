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
  const parts = formatOf(zone).formatToParts(moment);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? ""; // GMT, GMT-03:30, GMT+00:53:28
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -offset : offset;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  formats.set(zone, format);
  return format;
}
