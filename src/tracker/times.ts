import { faults } from "./fault.ts";
import { inUtc, readWrittenDate } from "./written-date.ts";

/** A point in time as people and clients write it, as it is stored: 2026-11-20T05:57:24Z. Without a zone it is UTC. */
export function readTime(text: string): string {
  const date = readWrittenDate(text);
  if (!date) throw faults.notADate(text);
  return `${inUtc(date).toISOString().slice(0, 19)}Z`;
}

/** A stored point in time, so many minutes later (or earlier). */
export function minutesAfter(time: string, minutes: number): string {
  return `${new Date(Date.parse(time) + minutes * 60_000).toISOString().slice(0, 19)}Z`;
}
