import { faults } from "./fault.ts";

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

/** A point in time as people and clients write it, as it is stored: 2026-11-20T05:57:24Z. Without a zone it is UTC. */
export function readTime(text: string): string {
  const [, day, time = "00:00:00", zone = "Z"] = DATE.exec(text.trim()) ?? [];
  const offset = /^(z|utc)$/i.test(zone) ? "Z" : zone.replace(/^(...)(\d\d)$/, "$1:$2");
  const moment = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${offset}`);
  if (day === undefined || Number.isNaN(moment)) throw faults.notADate(text);
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** A stored point in time, so many minutes later (or earlier). */
export function minutesAfter(time: string, minutes: number): string {
  return `${new Date(Date.parse(time) + minutes * 60_000).toISOString().slice(0, 19)}Z`;
}
