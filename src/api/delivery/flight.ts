import type { Hearsay } from "./clock.ts";
import type { Attempt } from "./job.ts";
import { type Sent, TOLERANCE_S, type Write } from "./write.ts";

/** The moment of a sending, as the journal keeps it. */
export type Sending = Attempt["sent"];

/** A write under way: when it left on both clocks, and how long that is ago by this machine's, in milliseconds. */
export type Flight = { readonly sent: Sent; readonly local: number; readonly elapsed: () => number };

/** A write with the moment at which it was sent, on the tracker's clock as far as that is known. */
export function sentAt(
  write: Write,
  { at, tracker, alike }: Sending,
  { hearsay, now }: { readonly hearsay: Pick<Hearsay, "time">; readonly now: () => number },
): Sent {
  if (tracker) return { ...write, alike, at: tracker.at, clock: tracker.from };
  const time = hearsay.time();
  return { ...write, alike, at: at + (time ? time.at - now() : 0), clock: "local" };
}

/** What both clocks say of the time since a write was sent. */
export type Clocks = {
  readonly elapsed: number; // milliseconds, by the tracker's clock where it is known
  readonly isSteady: boolean; // neither clock was set meanwhile, as far as can be told
  readonly doubt: string | undefined; // why something that is not found may be there all the same
};

/**
 * Compares the clock of the tracker's database with this machine's. What is looked for by its time may be there at another
 * one where the database does not tell its clock, where responses tell another one, or where either clock was set meanwhile.
 */
export function clocksOf({ sent, elapsed }: Flight, hearsay: Pick<Hearsay, "time" | "isDisputed">): Clocks {
  const here = elapsed();
  const time = hearsay.time();
  if (time?.from !== "database") return { elapsed: here, isSteady: here >= 0, doubt: UNTOLD };
  if (sent.clock !== "database") return { elapsed: here, isSteady: here >= 0, doubt: UNKNOWN };
  const there = time.at - sent.at;
  const isSteady = Math.abs(there - here) <= TOLERANCE_S * 1000;
  const disputed = hearsay.isDisputed(TOLERANCE_S) ? DISPUTED : undefined;
  return { elapsed: there, isSteady, doubt: isSteady ? disputed : DIFFERENT };
}

const UNTOLD = "does not tell the time, so that nothing can be proven not to be there";
const UNKNOWN = "did not tell the time when it was sent, so that nothing can be proven not to be there";
const DIFFERENT = "tells another time than this machine, so that nothing can be proven not to be there";
const DISPUTED = "tells two times, so that nothing can be proven not to be there";
