import { DAY_MS, timestamp } from "../../wire/time.ts";
import { receivedMs } from "../response/response-objects.ts";

/** A bulk update appears minutes after its stamps, and in autumn the clock of a server goes back by an hour. */
const REACH_MS = 70 * 60_000;
const WIDE_REACH_MS = 25 * 3_600_000;
/** The time for which changes have to be remembered before a mark: none that is older is read again. */
export const KEPT_MS = WIDE_REACH_MS + REACH_MS;

/** The greatest time of a change that was received, and the one when a whole day was read last. */
export type ChangeMark = { readonly mark: string; readonly wide: string };

/** The time from which changes are read again, and whether it is the one of a whole day. */
export function rereadReach({ mark, wide }: ChangeMark): { since: string; isWide: boolean } {
  const isWide = receivedMs(mark) - receivedMs(wide) >= DAY_MS;
  return { since: momentBefore(mark, isWide ? WIDE_REACH_MS : REACH_MS), isWide };
}

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
