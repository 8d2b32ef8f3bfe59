import { isObject } from "../response/response-objects.ts";
import { isJobFinished, type Job, unresolvedAttempts } from "./journal.ts";

/**
 * State of a job: a text kept for later, a write not sent, one with unknown outcome, an update with bugs left, a refused
 * one, or a complete one.
 */
export type JobState = "draft" | "waiting" | "unknown" | "interrupted" | "failed" | "done";

/** The state of a job; it has exactly one. */
export function jobState(job: Job): JobState {
  if (isUnsent(job)) return job.head.draft ? "draft" : "waiting";
  if (job.isDamaged || unresolvedAttempts(job).length > 0) return "unknown";
  if (!isJobFinished(job)) return "interrupted";
  return job.attempts.at(-1)?.end?.st === "FAILED" ? "failed" : "done";
}

/** True if no request of the job was ever sent. */
export function isUnsent({ attempts, left, isDamaged }: Job): boolean {
  return attempts.length === 0 && left.length === 0 && !isDamaged;
}

/** Id of the object that a job created; undefined for one that created none, or not yet. */
export function createdId({ attempts }: Pick<Job, "attempts">): number | undefined {
  const end = attempts.at(-1)?.end;
  const id = end?.st === "DONE" && isObject(end.answer) ? end.answer["id"] : undefined;
  return typeof id === "number" ? id : undefined;
}
