import type { FieldConflict } from "../../wire/mirror.ts";
import { isObject } from "../response/response-objects.ts";
import { isJobFinished, type Job, jobBugs, jobProgress, unresolvedAttempts } from "./journal.ts";

/**
 * State of a job: a text kept for later, a write not sent or verified as not applied, one with unknown outcome, an update
 * with bugs left, one ended by another user's change of a bug, a refused one, or a complete one.
 */
export type JobState = "draft" | "waiting" | "unknown" | "interrupted" | "collision" | "failed" | "done";

/** The state of a job; it has exactly one. */
export function jobState(job: Job): JobState {
  if (isUnsent(job)) return job.head.draft ? "draft" : ENDS[job.head.offline?.problem?.st ?? "ABSENT"];
  if (job.isDamaged || unresolvedAttempts(job).some(({ end }) => end?.st !== "ABSENT")) return "unknown";
  return isJobFinished(job) ? ENDS[job.attempts.at(-1)?.end?.st ?? "DONE"] : unfinishedState(job);
}

function unfinishedState(job: Job): JobState {
  if (bugsOf(job, "ABSENT").size === jobBugs(job.head).length) return "waiting";
  const { open } = jobProgress(job);
  const collided = new Set([...bugsOf(job, "COLLISION"), ...(job.head.offline?.problem?.conflicts ?? []).map(bugOf)]);
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

const ENDS = { DONE: "done", FAILED: "failed", COLLISION: "collision", ABSENT: "waiting", UNKNOWN: "unknown" } as const;

/** Bugs whose attempts ended in this way. */
function bugsOf({ head, attempts }: Job, st: keyof typeof ENDS): ReadonlySet<number> {
  return new Set(attempts.filter(({ end }) => end?.st === st).flatMap(({ sent }) => sent.ids ?? jobBugs(head)));
}
