import type { RunningJob } from "../api/delivery/running-job.ts";
import type { FailedOutcome, Outcome } from "../api/delivery/send-write.ts";
import type { WriteAttempt } from "../api/delivery/write.ts";
import { requestBody } from "../api/write/update-request.ts";
import { BtError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Session } from "../session/session.ts";
import { attemptWrite, isUnsent, type Job, unresolvedAttempts } from "./job.ts";
import { readFinishedJob } from "./job-files.ts";
import { loadTrackerJobs } from "./journal.ts";
import { readUndoneChanges, type UndoneChanges } from "./past-changes.ts";

/** Decides whether a write is resent that was not found on the tracker. */
export type ResendDecision = (outcome: FailedOutcome) => Promise<boolean>;

/**
 * Completes a job of one write: looks whether an unresolved attempt was applied, or sends a write that never was; else repeats the
 * outcome.
 */
export async function completeJob(
  job: RunningJob,
  stored: Job,
  mayResend: ResendDecision = async () => false,
): Promise<Outcome> {
  const [open] = unresolvedAttempts(stored);
  if (open) {
    const write = attemptWrite(stored, open);
    const outcome = await job.check(open, write);
    return outcome.st === "UNKNOWN" && (await mayResend(outcome)) ? job.resend(open, write) : outcome;
  }
  const end = stored.attempts.at(-1)?.end;
  return end === undefined ? job.attempt({ request: stored.head.request }) : endOutcome(end);
}

/** The outcome that an attempt ended with. */
export function endOutcome(end: NonNullable<WriteAttempt["end"]>, hint?: string): Outcome {
  if (end.st === "DONE") return { st: "DONE", response: end.answer };
  const changed = end.st === "FAILED" ? "nothing" : "unknown";
  return { st: end.st, error: new BtError(end.kind, end.message, { changed, bugzillaCode: end.code, hint }) };
}

/** Facts of this machine's journal about earlier jobs of a tracker. */
export type EarlierJobs = UndoneChanges & {
  /** True if a job of one write was dropped unsent, or refused. */
  wasNotApplied: (name: string) => boolean;
  /** The comment that a job of one update sent; undefined without one, or if the journal does not have it. */
  commentOf: (name: string) => string | undefined;
  /** The outcome of a job of one write, which is completed if it is open. */
  readOutcome: (name: string) => Promise<Outcome>;
};

/** The earlier jobs of a tracker; the journal is read at the first question. */
export function earlierJobs(session: Session, io: Io): EarlierJobs {
  let undone: UndoneChanges | undefined;
  const readUndone = () => {
    undone ??= readUndoneChanges({ address: session.address }, io);
    return undone;
  };
  return {
    wasNotApplied: (name) => {
      const job = readFinishedJob(name, io);
      return job !== undefined && (isUnsent(job) || job.attempts.at(-1)?.end?.st === "FAILED");
    },
    commentOf: (name) => {
      const job = readFinishedJob(name, io);
      return job && Object(requestBody(job.head.request)["comment"]).body;
    },
    readOutcome: async (name) => {
      const end = readFinishedJob(name, io)?.attempts.at(-1)?.end;
      if (end) return endOutcome(end);
      const jobs = await loadTrackerJobs(session);
      return jobs.resume(name, (job, stored) => completeJob(job, stored));
    },
    undoneBy: (job, bug) => readUndone().undoneBy(job, bug),
    equalTimes: (bug, last) => readUndone().equalTimes(bug, last),
  };
}
