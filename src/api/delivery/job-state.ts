import type { FieldConflict } from "../../wire/mirror.ts";
import { isObject } from "../response/response-objects.ts";
import { isJobFinished, type Job, jobProgress, unresolvedAttempts } from "./journal.ts";

/**
 * State of a job: a text kept for later, a write not sent, one with unknown outcome, an update with bugs left, one ended
 * by another user's change of a bug, a refused one, or a complete one.
 */
export type JobState = "draft" | "waiting" | "unknown" | "interrupted" | "collision" | "failed" | "done";

/** The state of a job; it has exactly one. */
export function jobState(job: Job): JobState {
  if (isUnsent(job)) return unsentState(job);
  if (job.isDamaged || unresolvedAttempts(job).length > 0) return "unknown";
  if (!isJobFinished(job)) return unfinishedState(job);
  return job.attempts.at(-1)?.end?.st === "FAILED" ? "failed" : "done";
}

function unsentState({ head: { draft, offline } }: Job): JobState {
  if (draft) return "draft";
  return offline?.problem === undefined ? "waiting" : PROBLEMS[offline.problem.st];
}

const PROBLEMS = { COLLISION: "collision", FAILED: "failed" } as const;

function unfinishedState(job: Job): JobState {
  const { open } = jobProgress(job);
  const collided = new Set((job.head.offline?.problem?.conflicts ?? []).map(bugOf));
  return open.length > 0 && open.every((id) => collided.has(id)) ? "collision" : "interrupted";
}

function bugOf({ bug }: FieldConflict): number {
  return bug;
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
