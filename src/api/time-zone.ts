/** A moment as a wall clock shows it: year, month 1-12, day, hour, minute, second. */
export type WallClock = readonly [
  year: number,
  month: number,
  day: number,
  hour?: number,
  minute?: number,
  second?: number,
];

/** The moment (milliseconds, UTC) at which a clock in the zone shows this; in a spring gap, the moment just after it. */
export function momentIn(zone: string, wall: WallClock): number {
  const [year, month, day, hour = 0, minute = 0, second = 0] = wall;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const guess = asUtc - offsetAt(zone, asUtc);
  return asUtc - offsetAt(zone, guess);
}

/** All moments at which a clock in the zone shows this, in order: none in a spring gap, two in the hour that autumn repeats. */
export function momentsOn(zone: string, wall: WallClock): readonly number[] {
  const [year, month, day, hour = 0, minute = 0, second = 0] = wall;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const around = [asUtc - DAY, asUtc + DAY].map((moment) => asUtc - offsetAt(zone, moment));
  return [...new Set(around)].filter((moment) => moment + offsetAt(zone, moment) === asUtc);
}

/** What a clock in the zone shows at a moment, `2026-10-03 14:00:00`: also the form in which a server takes local times. */
export function wallClockIn(zone: string, moment: number): string {
  return new Date(moment + offsetAt(zone, moment)).toISOString().slice(0, 19).replace("T", " ");
}

/** The day in the zone at a moment, `2026-10-03`. */
export function dayIn(zone: string, moment: number): string {
  return wallClockIn(zone, moment).slice(0, 10);
}

const DAY = 24 * 60 * 60 * 1000;

/** How far the zone's clocks are ahead of UTC at a moment, in milliseconds. */
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
