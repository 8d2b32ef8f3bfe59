import type { Delivery, JournaledWrite } from "./deliver.ts";
import type { JobLog, WriteAttempt } from "./journal.ts";
import type { ServerFacts } from "./server-facts.ts";
import { type SentWrite, TOLERANCE_S, type UnresolvedWrite, type Write } from "./write.ts";

/** The moment of a sending, as the journal keeps it. */
export type SendRecord = WriteAttempt["sent"];

/** A write under way: when it left on both clocks, and how long that is ago by this machine's, in milliseconds. */
export type Flight = { readonly sent: SentWrite; readonly local: number; readonly elapsed: () => number };

/** A write with the moment at which it was sent, on the tracker's clock as far as that is known. */
export function sentWrite(
  write: Write,
  { at, tracker, alike }: SendRecord,
  { hearsay, now }: { readonly hearsay: Pick<ServerFacts, "time">; readonly now: () => number },
): SentWrite {
  if (tracker) return { ...write, alike, at: tracker.at, clock: tracker.from };
  const time = hearsay.time();
  return { ...write, alike, at: at + (time ? time.at - now() : 0), clock: "local" };
}

/** What both clocks say of the time since a write was sent. */
export type ClockComparison = {
  readonly elapsed: number; // milliseconds, by the tracker's clock where it is known
  readonly isSteady: boolean; // neither clock was set meanwhile, as far as can be told
  readonly doubt: string | undefined; // why something that is not found may be there all the same
};

/**
 * Compares the clock of the tracker's database with this machine's. What is looked for by its time may be there at another
 * one where the database does not tell its clock, where responses tell another one, or where either clock was set meanwhile.
 */
export function compareClocks(
  { sent, elapsed }: Flight,
  hearsay: Pick<ServerFacts, "time" | "isDisputed">,
): ClockComparison {
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

/** Another write that the journal knows, with its response where that came. */
type NearbyWrite = SentWrite & Pick<JournaledWrite, "job" | "answer">;

/** What else was sent about that time, read when it is needed; with a clock that was set, that may be any of all that is known. */
export function nearbyWrites(
  { local }: Flight,
  { isSteady }: ClockComparison,
  means: Delivery,
): () => readonly NearbyWrite[] {
  let found: readonly NearbyWrite[] | undefined;
  return () => {
    found ??= means
      .othersSince(isSteady ? local - NEARBY_MS : Number.NEGATIVE_INFINITY)
      .map((other) => ({ ...sentWrite(other, other.sent, means), job: other.job, answer: other.answer }));
    return found;
  };
}

/** The names of jobs stand in the order of their beginnings, as far as this machine's clock was not set. */
export function unresolvedWrite({ job }: JobLog, { at }: SentWrite, other: NearbyWrite): readonly UnresolvedWrite[] {
  if (other.answer !== undefined || other.job === job) return [];
  return [{ ...other, isOlder: other.at === at ? other.job < job : other.at < at }];
}

const NEARBY_MS = 2 * TOLERANCE_S * 1000;
