import type { Reply } from "./exchange.ts";

/** The wait in milliseconds that a server asks for, in seconds or as a date by its own clock; undefined when it asks for none. */
export function retryAfterMs(headers: Reply["headers"]): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const wait = Date.parse(value) - Date.parse(headers["date"] ?? "");
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** A wait in its largest fitting unit, for people: `24 h`. */
export function duration(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least * 2) ?? [1000, "s"];
  return `${Math.round(ms / size)} ${unit}`;
}

const UNITS = [
  [3_600_000, "h"],
  [60_000, "min"],
] as const;
