import { BtError } from "../../errors.ts";
import type { Json } from "../../wire/exchange.ts";
import { type Delivery, deliver, type IfAbsent, type Outcome, resumeAttempt } from "./deliver.ts";
import {
  attemptRequest,
  type Job,
  type JobLog,
  type JobPlan,
  type Journal,
  jobProgress,
  readJob,
  type WriteAttempt,
} from "./journal.ts";
import type { Write } from "./write.ts";
import { type JobOwner, writeKind } from "./write-kinds.ts";

/** The one way in which writes leave: each at most once, kept in the journal before, its outcome found out when it is lost. */
export type Writer = {
  /** One write as a job of its own; its answer, or the error that says what became of it. */
  readonly deliver: (write: Write) => Promise<Json>;
  /** A job of several requests, which together are one change. */
  readonly begin: <Result>(plan: JobPlan, use: (job: RunningJob) => Promise<Result>) => Promise<Result>;
  /** A job that is over, of which nothing is left to do; undefined when there is none of that name. */
  readonly finished: (job: string) => Job | undefined;
  /** A job that was left open. */
  readonly resume: <Result>(job: string, use: (job: RunningJob, kept: Job) => Promise<Result>) => Promise<Result>;
};

/** A job while it is held. */
export type RunningJob = {
  readonly name: string;
  readonly isKept: boolean;
  /** Sends the job's change to some of its bugs, `before` being these as they stand. */
  readonly attempt: (write: Write, ids?: readonly number[]) => Promise<Outcome>;
  /** Notes that nothing is left to change on these bugs. */
  readonly leave: (ids: readonly number[]) => void;
  /** Finds out what became of an attempt of an earlier run. */
  readonly takeUp: (attempt: WriteAttempt, write: Write, absent: IfAbsent) => Promise<Outcome>;
};

/** Puts deliveries and the journal together; `identify` refuses a job of another tracker or another user, or tells whose it is. */
export function createWriter(
  journal: Journal,
  means: Delivery,
  identify: (job: Job) => Promise<JobOwner | undefined>,
): Writer {
  return {
    deliver: (write) =>
      journal.begin(write, async (log) => outcomeResponse(await running(log, 0, means).attempt(write))),
    begin: (plan, use) => journal.begin(plan, (log) => use(running(log, 0, means))),
    finished: (name) => readJob(journal.finished(name) ?? []),
    resume: (name, use) =>
      journal.resume(name, async (log, lines) => {
        const kept = readJob(lines);
        if (kept === undefined) throw unreadable(name);
        if (kept.isDamaged) throw damaged(kept);
        const beginner = await identify(kept);
        return use(running(log, kept.attempts.length, { ...means, beginner }), kept);
      }),
  };
}

/** The write of an attempt as the journal has kept it. */
export function attemptWrite({ head }: Job, { sent }: WriteAttempt): Write {
  return { request: attemptRequest(head, sent), before: sent.before, ifMatch: sent.ifMatch };
}

/** The answer of an outcome, or the error in its place. */
export function outcomeResponse(outcome: Outcome): Json {
  if (outcome.st === "DONE") return outcome.answer;
  throw outcome.error;
}

function running(log: JobLog, attempts: number, means: Delivery): RunningJob {
  let next = attempts;
  return {
    name: log.job,
    isKept: log.isKept,
    attempt: (write, ids) => {
      const place = { i: next, log, ...(ids ? { ids } : {}) };
      next += 1;
      return deliver(write, place, means);
    },
    leave: (ids) => log.write({ st: "LEFT", i: next, ids }),
    takeUp: (attempt, write, absent) => {
      const { i, ids } = attempt.sent;
      return resumeAttempt(attempt, write, { place: { i, log, ...(ids ? { ids } : {}) }, means, absent });
    },
  };
}

/** What may have been sent is not sent again. */
function damaged(job: Job): BtError {
  const { open } = jobProgress(job);
  const what = open.length > 0 ? `bugs ${open.join(", ")}` : writeKind(job.head.request).what(job.head.request);
  return new BtError("local", `the journal of job ${job.head.job} is damaged: a line cannot be read`, {
    details: [`it may be about ${what}`],
    hint: "look at the tracker before you send it again",
    changed: "unknown",
  });
}

function unreadable(name: string): BtError {
  return new BtError("local", `the journal of job ${name} cannot be read`, {
    hint: "look at the tracker before you send it again",
    changed: "unknown",
  });
}
