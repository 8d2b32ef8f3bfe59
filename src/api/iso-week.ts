import { dayIn, momentIn } from "./time-zone.ts";

/** Week of ISO 8601, from Monday to Sunday: its name `2026-W47` and its first day `2026-11-16`. */
export type IsoWeek = { readonly week: string; readonly start: string };

/** The week of a moment (ms since the epoch) in a zone. */
export function isoWeekIn(zone: string, moment: number): IsoWeek {
  return weekOf(Date.parse(`${dayIn(zone, moment)}T00:00:00Z`));
}

/** The last weeks in a zone, oldest first, with the moments at which they begin; the last one is that of a moment. */
export function lastWeeks(
  zone: string,
  moment: number,
  count: number,
): readonly (IsoWeek & { readonly from: number })[] {
  const present = Date.parse(`${isoWeekIn(zone, moment).start}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) => {
    const week = weekOf(present - (count - 1 - at) * WEEK);
    const [year = 0, month = 1, day = 1] = week.start.split("-").map(Number);
    return { ...week, from: momentIn(zone, [year, month, day]) };
  });
}

const DAY = 24 * 60 * 60 * 1000;
const WEEK = 7 * DAY;

/** The week of a day (midnight in UTC): it belongs to the year of its Thursday. */
function weekOf(day: number): IsoWeek {
  const monday = day - ((new Date(day).getUTCDay() + 6) % 7) * DAY;
  const thursday = new Date(monday + 3 * DAY);
  const year = thursday.getUTCFullYear();
  const number = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK);
  return { week: `${year}-W${String(number).padStart(2, "0")}`, start: new Date(monday).toISOString().slice(0, 10) };
}
