import { usage } from "../../errors.ts";
import { type Clock, readDate } from "../query/dates.ts";
import { dayIn } from "../query/zone.ts";

/**
 * Reads the day of a field that holds one: `2026-10-03`, `today`, `tomorrow`, `+3d`, `+2w`, `+1mo`, `+1y`, counted from the
 * day that it is in the clock's zone. Nothing is guessed: a month, a time of day, or a length without its sign is refused,
 * and a day that is over has to be written in full.
 */
export function readDay(text: string, clock: Clock, flag: string): string {
  const word = text.trim().toLowerCase();
  const day = /^\d{4}-\d\d-\d\d$/.test(word) ? calendarDay(word, clock) : stepFrom(word, clock);
  if (day !== undefined && /^\d{4}-/.test(day)) return day;
  throw usage(`${flag} ${JSON.stringify(text)} is not a day`, HINT);
}

const HINT = "write 2026-10-03, today, tomorrow, +3d, +2w, +1mo or +1y; a day that is over as 2026-10-03";

/** The day itself, where the calendar has it. */
function calendarDay(word: string, clock: Clock): string {
  readDate(word, clock);
  return word;
}

const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7 };
const MONTHS: Readonly<Record<string, number>> = { mo: 1, y: 12 };

/** Counted in days of the calendar, not in hours: on the night of a change of the clock a day has 23 or 25. */
function stepFrom(word: string, { now, zone }: Clock): string | undefined {
  const named: Readonly<Record<string, string>> = { today: "+0d", tomorrow: "+1d" };
  const step = Object.hasOwn(named, word) ? named[word] : word;
  const [, digits, unit = ""] = /^\+(\d{1,5})(d|w|mo|y)$/.exec(step ?? "") ?? [];
  if (digits === undefined) return undefined;
  const [year = 0, month = 1, day = 1] = dayIn(zone, now.getTime()).split("-").map(Number);
  const months = Number(digits) * (MONTHS[unit] ?? 0);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const days = Number(digits) * (DAYS[unit] ?? 0);
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last) + days)).toISOString().replace(/T.*/, "");
}
