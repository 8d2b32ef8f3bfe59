import type { Json, Request } from "../../wire/exchange.ts";
import { checkAttempt, deliver, resendAttempt } from "./deliver.ts";
import type { Delivery, Outcome } from "./send-write.ts";
import type { JobLog, JobPlan, Journal, Write, WriteAttempt } from "./write.ts";

/** Sends writes: each at most once, journaled before, and verified if the response is lost. */
export type Writer = {
  /**
   * Sends one write as a job of its own and returns its response.
   * @throws BtError with the outcome of the write
   */
  readonly deliver: (write: Write) => Promise<Json>;
  /** The writes that `deliver` has confirmed. */
  readonly applied: readonly AppliedWrite[];
  /** Runs a job of several requests that form one update. */
  readonly begin: <Result>(plan: JobPlan, use: (job: RunningJob) => Promise<Result>) => Promise<Result>;
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

/** Combines deliveries with a journal. */
export function createWriter(journal: Journal, delivery: Delivery): Writer {
  const applied: AppliedWrite[] = [];
  return {
    deliver: async (write) => {
      const response = await journal.begin(write, async (log) =>
        outcomeResponse(await deliver(write, { i: 0, log }, delivery)),
      );
      applied.push({ request: write.request, response });
      return response;
    },
    applied,
    begin: (plan, use) => journal.begin(plan, (log) => use(runningJob(log, 0, delivery))),
  };
}

/**
 * Response of a successful outcome.
 * @throws BtError of any other outcome
 */
export function outcomeResponse(outcome: Outcome): Json {
  if (outcome.st === "DONE") return outcome.response;
  throw outcome.error;
}

/** A job whose earlier runs made so many attempts. */
export function runningJob(log: JobLog, attempts: number, delivery: Delivery): RunningJob {
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
