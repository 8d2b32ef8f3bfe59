import type { Delivery, JournaledWrite } from "./deliver.ts";
import type { JobLog } from "./journal.ts";
import { sentWrite } from "./send-write.ts";
import type { ServerFacts } from "./server-facts.ts";
import { type SentWrite, TOLERANCE_S, type UnresolvedWrite } from "./write.ts";

/** A write in flight: the write, its send time on this machine's clock (ms), and the time elapsed since (ms). */
export type Flight = { readonly sent: SentWrite; readonly local: number; readonly elapsed: () => number };

/** Time elapsed since a write was sent, according to both clocks. */
export type ClockComparison = {
  readonly elapsedMs: number; // by the tracker's clock if known
  readonly isSteady: boolean; // no sign that either clock was adjusted
  readonly inconclusive: string | undefined; // reason why a failed search proves nothing
};

/**
 * Compares the clock of the tracker's database with this machine's. A search by time is inconclusive if the database
 * does not report its clock, responses disagree with it, or either clock was adjusted meanwhile.
 */
export function compareClocks(
  { sent, elapsed }: Flight,
  serverFacts: Pick<ServerFacts, "time" | "clocksDisagree">,
): ClockComparison {
  const localMs = elapsed();
  const time = serverFacts.time();
  if (time?.from !== "database") return { elapsedMs: localMs, isSteady: localMs >= 0, inconclusive: NO_DATABASE_TIME };
  if (sent.clock !== "database") return { elapsedMs: localMs, isSteady: localMs >= 0, inconclusive: NO_TIME_AT_SEND };
  const trackerMs = time.at - sent.at;
  const isSteady = Math.abs(trackerMs - localMs) <= TOLERANCE_S * 1000;
  const disputed = serverFacts.clocksDisagree(TOLERANCE_S) ? CLOCKS_DISAGREE : undefined;
  return { elapsedMs: trackerMs, isSteady, inconclusive: isSteady ? disputed : CLOCK_SHIFTED };
}

const NO_DATABASE_TIME = "does not report its time, so a write cannot be verified as not applied";
const NO_TIME_AT_SEND = "did not report its time when it was sent, so a write cannot be verified as not applied";
const CLOCK_SHIFTED = "reports a time that differs from this machine's, so a write cannot be verified as not applied";
const CLOCKS_DISAGREE = "reports two different times, so a write cannot be verified as not applied";

/** Another journaled write, with its response if it was confirmed. */
type NearbyWrite = SentWrite & Pick<JournaledWrite, "job" | "answer">;

/** Lazily loaded writes that were sent about the same time; all journaled writes if a clock was adjusted. */
export function nearbyWrites(
  { local }: Flight,
  { isSteady }: ClockComparison,
  delivery: Delivery,
): () => readonly NearbyWrite[] {
  let found: readonly NearbyWrite[] | undefined;
  return () => {
    found ??= delivery
      .writesSince(isSteady ? local - NEARBY_MS : Number.NEGATIVE_INFINITY)
      .map((other) => ({ ...sentWrite(other, other.sent, delivery), job: other.job, answer: other.answer }));
    return found;
  };
}

/**
 * The other write if its outcome is unknown, else nothing. Job names sort by their creation time on this machine's
 * clock.
 */
export function unresolvedWrite({ job }: JobLog, { at }: SentWrite, other: NearbyWrite): readonly UnresolvedWrite[] {
  if (other.answer !== undefined || other.job === job) return [];
  return [{ ...other, isOlder: other.at === at ? other.job < job : other.at < at }];
}

const NEARBY_MS = 2 * TOLERANCE_S * 1000;
