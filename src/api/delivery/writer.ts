import type { Json, Request } from "../../wire/exchange.ts";
import { deliver } from "./deliver.ts";
import { type RunningJob, runningJob } from "./running-job.ts";
import type { Delivery, Outcome } from "./send-write.ts";
import type { JobPlan, Journal, Write } from "./write.ts";

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
    begin: (plan, use) =>
      journal.begin(plan, (log) => use(runningJob(log, plan.begun && { ...plan.begun, attempts: [] }, delivery))),
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
