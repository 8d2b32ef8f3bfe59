import { DAY_MS } from "../../wire/time.ts";
import { dayIn } from "../facts/time-zone.ts";

/** A bare weekday is the coming one for fields that hold a day, the last one for times. */
export type WeekdayKind = "coming" | "last";
type Today = { date: string; weekday: number }; // YYYY-MM-DD, and 0 for Sunday

/**
 * A date as people write it, in a form that dates have otherwise: `in 2 weeks` is `+2w`, `last month` is `last-month`,
 * `friday` is a day. Undefined for any other text.
 */
export function spokenDate(text: string, now: Date, zone: string, bare: WeekdayKind): string | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  for (const [form, read] of FORMS) {
    const match = form.exec(words);
    if (match === null) continue;
    const date = dayIn(zone, now.getTime());
    return read(match.slice(1), { date, weekday: new Date(date).getUTCDay() }, bare);
  }
  return undefined;
}

const SPAN = String.raw`(\d{1,5}|an?) (min|minute|hour|day|week|month|year)s?`;
const WEEKDAY = "(sun|mon|tue|wed|thu|fri|sat|sunday|monday|tuesday|wednesday|thursday|friday|saturday)";

const FORMS: [form: RegExp, read: (parts: string[], today: Today, bare: WeekdayKind) => string][] = [
  [new RegExp(`^in ${SPAN}$`), (parts) => signedSpan("+", parts)],
  [new RegExp(`^${SPAN} from now$`), (parts) => signedSpan("+", parts)],
  [new RegExp(`^${SPAN} ago$`), (parts) => signedSpan("-", parts)],
  [/^(this|last|next) (week|month|year)$/, ([which, length]) => `${which}-${length}`],
  [/^(\d{4})\/(\d\d)\/(\d\d)$/, (parts) => parts.join("-")],
  [/^(?:the )?day after tomorrow$/, (_, today) => dayAt(today, 2)],
  [/^(?:the )?day before yesterday$/, (_, today) => dayAt(today, -2)],
  [new RegExp(`^(?:on )?${WEEKDAY}$`), ([name], today, bare) => dayAt(today, daysToWeekday(name, today, bare))],
  [new RegExp(`^last ${WEEKDAY}$`), ([name], today) => dayAt(today, daysToWeekday(name, today, "last"))],
  [
    new RegExp(`^(this|next) ${WEEKDAY}$`),
    ([week, name], today) => dayAt(today, daysToWeekdayInWeek(name, today, week)),
  ],
];

function signedSpan(sign: string, [count = "", unit = ""]: string[]): string {
  return `${sign}${/^a/.test(count) ? 1 : count}${UNITS[unit] ?? unit}`;
}

const UNITS: Record<string, string> = { minute: "min", hour: "h", day: "d", week: "w", month: "mo", year: "y" };

/** Days from today to a weekday, which is never today. */
function daysToWeekday(name: string | undefined, { weekday }: Today, kind: WeekdayKind): number {
  const away = (weekdayOf(name) - weekday + 7) % 7 || 7;
  return kind === "coming" ? away : away - 7 || -7;
}

/** Days from today to a weekday of this week or the next; weeks begin on Monday. */
function daysToWeekdayInWeek(name: string | undefined, { weekday }: Today, week: string | undefined): number {
  return ((weekdayOf(name) + 6) % 7) - ((weekday + 6) % 7) + (week === "next" ? 7 : 0);
}

function weekdayOf(name = ""): number {
  return "sun mon tue wed thu fri sat".indexOf(name.slice(0, 3)) / 4;
}

function dayAt({ date }: Today, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
