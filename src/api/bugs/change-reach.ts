import { timestamp } from "../../wire/time.ts";
import { receivedMs } from "../response/response-objects.ts";

/** A bulk update appears minutes after its stamps, and in autumn the clock of a server goes back by an hour. */
export const REACH_MS = 70 * 60_000;
const WIDE_REACH_MS = 25 * 3_600_000;

/** The start of the day before a mark. */
export function dayBefore(mark: string): string {
  return momentBefore(mark, WIDE_REACH_MS);
}

/**
 * A time some milliseconds before one that a tracker returned, not before 1970.
 * @throws BtError of kind reply if it is no time
 */
export function momentBefore(mark: string, ms: number): string {
  return timestamp(Math.max(0, receivedMs(mark) - ms));
}
