import { BtError } from "../../errors.ts";
import type { Json, Request } from "../../wire/exchange.ts";
import { checkAttempt, deliver, resendAttempt } from "./deliver.ts";
import {
  attemptRequest,
  type Job,
  type JobLog,
  type JobPlan,
  type Journal,
  jobProgress,
  readJob,
  unresolvedAttempts,
  type WriteAttempt,
} from "./journal.ts";
import type { Delivery, FailedOutcome, Outcome } from "./send-write.ts";
import type { Write } from "./write.ts";
import { type JobOwner, writeKind } from "./write-kinds.ts";

/** Sends writes: each at most once, journaled before, and verified if the response is lost. */
export type Writer = {
  /**
   * Sends one write as a job of its own and returns its response.
   * @throws BtError with the outcome of the write
   */
  readonly deliver: (write: Write) => Promise<Json>;
  /** The writes that `deliver` has confirmed. */
  readonly applied: readonly AppliedWrite[];
  /** Stores a write as a draft, which is not sent; returns its job. */
  readonly draft: (write: Write) => Promise<string>;
  /** Runs a job of several requests that form one update. */
  readonly begin: <Result>(plan: JobPlan, use: (job: RunningJob) => Promise<Result>) => Promise<Result>;
  /** A finished job; undefined if there is none of that name. */
  readonly finished: (job: string) => Job | undefined;
  /** Readable jobs of any tracker, newest first. */
  readonly newestJobs: () => Iterable<Job>;
  /** True if the current user began the job. */
  readonly isOwn: (job: Job) => Promise<boolean>;
  /** Resumes an unfinished job. */
  readonly resume: <Result>(job: string, use: (job: RunningJob, kept: Job) => Promise<Result>) => Promise<Result>;
};

/** A confirmed write. */
export type AppliedWrite = { readonly request: Request; readonly response: Json };

/** A job while its lock is held. */
export type RunningJob = {
  readonly name: string;
  readonly isJournaled: boolean;
  /** Sends the job's update for some of its bugs; `write.before` holds their current state. */
  readonly attempt: (write: Write, ids?: readonly number[]) => Promise<Outcome>;
  /** Journals that nothing is left to change on these bugs. */
  readonly markUnchanged: (ids: readonly number[]) => void;
  /** Looks once whether an attempt of an earlier run was applied. */
  readonly check: (attempt: WriteAttempt, write: Write) => Promise<Outcome>;
  /** Sends an attempt of an earlier run again. */
  readonly resend: (attempt: WriteAttempt, write: Write) => Promise<Outcome>;
  /** Journals that an attempt of an earlier run counts as not sent. */
  readonly discard: (attempt: WriteAttempt) => void;
};

/** Whose jobs are: the owner of one begun by another user, undefined for one's own. */
export type JobOwners = {
  readonly foreignOwner: (job: Job) => Promise<JobOwner | undefined>;
  /** @throws BtError if the job may not be resumed here */
  readonly checkResumable: (job: Job) => Promise<JobOwner | undefined>;
};

/** Combines deliveries with a journal. */
export function createWriter(journal: Journal, delivery: Delivery, owners: JobOwners): Writer {
  const applied: AppliedWrite[] = [];
  return {
    deliver: async (write) => {
      const send = async (log: JobLog) => outcomeResponse(await runningJob(log, 0, delivery).attempt(write));
      const response = await journal.begin(write, send);
      applied.push({ request: write.request, response });
      return response;
    },
    applied,
    draft: journal.draft,
    begin: (plan, use) => journal.begin(plan, (log) => use(runningJob(log, 0, delivery))),
    finished: (name) => readJob(journal.finished(name) ?? []),
    newestJobs: function* () {
      for (const lines of journal.newestJobs()) {
        const job = readJob(lines);
        if (job) yield job;
      }
    },
    isOwn: async (job) => (await owners.foreignOwner(job)) === undefined,
    resume: (name, use) =>
      journal.resume(name, async (log, lines) => {
        const kept = readJob(lines);
        if (kept === undefined) throw unreadableJournalError(name);
        if (kept.isDamaged) throw damagedJournalError(kept);
        const jobOwner = await owners.checkResumable(kept);
        return use(runningJob(log, kept.attempts.length, { ...delivery, jobOwner }), kept);
      }),
  };
}

/** The write of an attempt, as journaled. */
export function attemptWrite({ head }: Job, { sent }: WriteAttempt): Write {
  return { request: attemptRequest(head, sent), before: sent.before, ifMatch: sent.ifMatch };
}

/** Decides whether a write is resent that was not found on the tracker. */
export type ResendDecision = (outcome: FailedOutcome) => Promise<boolean>;

/**
 * Completes a job of one write: looks whether an unresolved attempt was applied, sends what was never sent, else repeats
 * the outcome.
 */
export async function completeJob(
  job: RunningJob,
  kept: Job,
  mayResend: ResendDecision = async () => false,
): Promise<Outcome> {
  const [open] = unresolvedAttempts(kept);
  if (open) {
    const write = attemptWrite(kept, open);
    const outcome = await job.check(open, write);
    return outcome.st === "UNKNOWN" && (await mayResend(outcome)) ? job.resend(open, write) : outcome;
  }
  const end = kept.attempts.at(-1)?.end;
  return end === undefined ? job.attempt({ request: kept.head.request }) : endOutcome(end);
}

/** The outcome that an attempt ended with. */
export function endOutcome(end: NonNullable<WriteAttempt["end"]>, hint?: string): Outcome {
  if (end.st === "DONE") return { st: "DONE", response: end.answer };
  const changed = end.st === "FAILED" ? "nothing" : "unknown";
  return { st: end.st, error: new BtError(end.kind, end.message, { changed, bugzillaCode: end.code, hint }) };
}

/**
 * Response of a successful outcome.
 * @throws BtError of any other outcome
 */
export function outcomeResponse(outcome: Outcome): Json {
  if (outcome.st === "DONE") return outcome.response;
  throw outcome.error;
}

function runningJob(log: JobLog, attempts: number, delivery: Delivery): RunningJob {
  let next = attempts;
  const stepOf = ({ sent: { i, ids } }: WriteAttempt) => ({ i, log, ...(ids ? { ids } : {}) });
  return {
    name: log.job,
    isJournaled: log.isJournaled,
    attempt: (write, ids) => {
      const step = { i: next, log, ...(ids ? { ids } : {}) };
      next += 1;
      return deliver(write, step, delivery);
    },
    markUnchanged: (ids) => log.write({ st: "LEFT", i: next, ids }),
    check: (attempt, write) => checkAttempt(attempt, write, stepOf(attempt), delivery),
    resend: (attempt, write) => resendAttempt(attempt, write, stepOf(attempt), delivery),
    discard: ({ sent: { i } }) => log.write({ st: "FAILED", i, kind: "unknown", message: "not found; resent" }),
  };
}

/** A damaged job is not resumed, since what it may have sent must not be sent again. */
function damagedJournalError(job: Job): BtError {
  const { open } = jobProgress(job);
  const about = open.length > 0 ? `bugs ${open.join(", ")}` : writeKind(job.head.request).describe(job.head.request);
  return new BtError("local", `the journal of job ${job.head.job} is damaged: a line cannot be read`, {
    details: [`it may be about ${about}`],
    hint: "check the tracker before you retry",
    changed: "unknown",
  });
}

function unreadableJournalError(name: string): BtError {
  return new BtError("local", `the journal of job ${name} cannot be read`, {
    hint: "check the tracker before you retry",
    changed: "unknown",
  });
}
