import { findApplied, LOCK_MS, timeLeft } from "../api/delivery/find-applied.ts";
import type { Around } from "../api/delivery/outcome.ts";
import { unknownError } from "../api/delivery/send-write.ts";
import type { BtError } from "../errors.ts";
import { isUnknown, type Job, type JobWrite, mayAddTwice, writesLeft } from "./job.ts";
import type { HeldJob } from "./journal.ts";

/** What is left of a job, after a look for each write that was unknown. */
export type Left = {
  readonly found: readonly JobWrite[]; // applied, as the look has shown
  readonly unsent: readonly JobWrite[]; // to be sent
  /** Those that were not found, which are sent again if the user says so, and those whose look failed, which are not. */
  readonly unknown: readonly { readonly write: JobWrite; readonly error: BtError; readonly isMissing: boolean }[];
  /** Comments, hours and new objects that sending would add, to be shown: the journal may be older than what was sent. */
  readonly adds: readonly JobWrite[];
  readonly waitMs: number; // before an unknown write may be sent again
};

/** Looks for the unknown writes of a job, journals those that are found, and says what is left. */
export async function settleJob(job: HeldJob, stored: Job, around: Around, now: number): Promise<Left> {
  const { clock } = around;
  const age = now - stored.head.at;
  const isFresh = age >= 0 && age < LOCK_MS;
  const found: JobWrite[] = [];
  const unknown: Left["unknown"][number][] = [];
  let wait = 0;
  for (const write of stored.writes.filter(isUnknown)) {
    const sent = write.left === undefined ? { ...write, ticks: clock.ticks() - timeSince(write, clock, now) } : write;
    const look = await findApplied(sent, job.log(write.n).others, around);
    const left = timeLeft(sent, clock);
    if (look.st === "found") {
      const outcome = { st: "applied", response: look.response } as const;
      job.log(write.n).ended(outcome, left);
      found.push({ ...write, outcome });
      continue;
    }
    const error = unknownError(write, undefined, look, job.name);
    if (write.outcome === undefined) job.log(write.n).ended({ st: "unknown", error }, left);
    unknown.push({ write, error, isMissing: look.st === "missing" });
    wait = Math.max(wait, waitMs(left, clock, isFresh ? LOCK_MS - age : 0));
  }
  const unsent = writesLeft(stored);
  const adds = isFresh ? [] : [...unsent, ...unknown.map(({ write }) => write)].filter(mayAddTwice);
  return { found, unsent, unknown, adds, waitMs: wait };
}

/**
 * Time since a write was sent (ms), never more than it is: the shorter of what two clocks of this machine show, since one may be
 * set, and the other starts with the machine, which may be another one.
 */
function timeSince({ at = 0, ticks = 0 }: JobWrite, clock: Around["clock"], now: number): number {
  const shown = [now - at, clock.ticks() - ticks].filter((elapsed) => elapsed >= 0);
  return shown.length > 0 ? Math.min(...shown) : 0;
}

/** Time until a request that left at that time of the server cannot wait for a lock any more. */
function waitMs(left: number | undefined, clock: Around["clock"], otherwise: number): number {
  const now = clock.now();
  return left === undefined || now === undefined ? otherwise : Math.min(LOCK_MS, Math.max(0, left + LOCK_MS - now));
}
