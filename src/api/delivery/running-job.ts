import { resultName } from "../bug-messages.ts";
import { isBugId } from "../bug-ref.ts";
import type { BugResult } from "./bulk.ts";
import { checkAttempt, deliver, sendJournaled } from "./deliver.ts";
import type { Delivery, Flight, JobStep, Outcome } from "./send-write.ts";
import { type EarlierRuns, findSentByCopy } from "./verify-write.ts";
import type { JobLog, Write, WriteAttempt } from "./write.ts";

/** A job while its lock is held. */
export type RunningJob = {
  readonly name: string;
  readonly isJournaled: boolean;
  /** Sends the job's update for some of its bugs; `write.before` holds their current state. */
  readonly attempt: (write: Write, ids?: readonly number[]) => Promise<Outcome>;
  /** Journals that nothing is left to change on these bugs. */
  markUnchanged: (ids: readonly number[]) => void;
  /** Journals why bugs are left out of the next request. */
  markRefused: (results: readonly BugResult[]) => void;
  /** Looks once whether an attempt of an earlier run was applied. */
  readonly check: (attempt: WriteAttempt, write: Write) => Promise<Outcome>;
  /** Sends an attempt of an earlier run again. */
  readonly resend: (attempt: WriteAttempt, write: Write) => Promise<Outcome>;
  /** Journals that an attempt of an earlier run counts as not sent. */
  readonly discard: (attempt: WriteAttempt) => void;
};

/** A job, new or resumed. */
export function runningJob(log: JobLog, earlier: EarlierRuns | undefined, delivery: Delivery): RunningJob {
  let next = earlier?.attempts.length ?? 0;
  const discarded = new Set<number>();
  const stepOf = (i: number, ids: readonly number[] | undefined): JobStep => ({ i, log, ...(ids && { ids }) });
  const flightOf = ({ sent: { i, ids, at, since, alike } }: WriteAttempt, write: Write): Flight => ({
    sent: { ...write, at, since, alike },
    step: stepOf(i, ids),
    delivery,
  });
  return {
    name: log.job,
    isJournaled: log.isJournaled,
    attempt: async (write, ids) => {
      const step = stepOf(next, ids);
      next += 1;
      const isDiscarded = ids !== undefined && ids.length > 0 && ids.every((id) => discarded.has(id));
      const flight = { sent: { ...write, at: delivery.now(), since: "" }, step, delivery };
      const found = earlier && !isDiscarded ? await findSentByCopy(flight, earlier) : undefined;
      return found ?? deliver(write, step, delivery);
    },
    markUnchanged: (ids) => log.write({ st: "LEFT", i: next, ids }),
    markRefused: (results) => {
      const bugs = results.flatMap(({ bug, error }) => {
        if (!error || !isBugId(resultName(bug))) return [];
        const { kind, message, facts } = error;
        return { id: Number(bug), kind, message, hint: facts.hint };
      });
      if (bugs.length > 0) log.write({ st: "REFUSED", i: next, bugs });
    },
    check: (attempt, write) => checkAttempt(flightOf(attempt, write)),
    resend: (attempt, write) => sendJournaled(flightOf(attempt, write)),
    discard: ({ sent: { i, ids = [] } }) => {
      for (const id of ids) discarded.add(id);
      log.write({ st: "FAILED", i, kind: "unknown", message: "not found; resent" });
    },
  };
}
