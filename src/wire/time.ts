export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A moment, or a number of milliseconds since 1970, to the second in UTC: 2026-11-20T05:57:24Z. */
export function timestamp(moment: Date | number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}
