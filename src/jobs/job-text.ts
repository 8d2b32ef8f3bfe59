import { writeKind } from "../api/delivery/write-kinds.ts";
import { writeTargets } from "../api/write/update-request.ts";
import { BtError } from "../errors.ts";
import type { Request } from "../wire/exchange.ts";
import { isJobFinished, isUnsent, type Job, jobProgress, unresolvedAttempts } from "./job.ts";

/** Error for journals of which not even the first line can be read. */
export function unreadableJobsError(jobs: string[]): BtError {
  return new BtError("local", `cannot read the journal of job ${jobs.join(", ")}: damaged, or written by a newer bt`, {
    details: ["its writes may or may not be applied"],
    hint: `check the tracker, then drop ${jobs.length === 1 ? "it" : "them"}: bt job drop --force ${jobs.join(" ")}`,
  });
}

/** Ids of the bugs, groups or comment that a write updates; none for a creation. */
export function updatedIds(request: Request): string[] {
  return writeKind(request).command?.endsWith(" create") ? [] : writeTargets(request);
}

/** State of an unfinished job in words: its progress, and the outcome of its last request if it is unknown. */
export function stateText(job: Job): string {
  if (job.attempts.length > 0 && isJobFinished(job)) return resultText(job);
  const { done, open } = jobProgress(job);
  const [last] = unresolvedAttempts(job);
  const outcome = last && "unknown outcome";
  if (done.length + open.length <= 1 || isUnsent(job))
    return outcome ?? (job.head.draft ? "draft, not sent" : "not sent");
  return [`${done.length} of ${done.length + open.length} done`, outcome].filter(Boolean).join(", ");
}

/** Result of the last request, or progress of a bulk update. */
export function resultText(job: Job): string {
  const { done, open } = jobProgress(job);
  const end = job.attempts.at(-1)?.end;
  if (job.attempts.length === 0) return "not sent";
  if (done.length > 0 && open.length > 0) {
    const others = unresolvedAttempts(job).length > 0 ? ", others unknown" : "";
    return `${done.length} of ${done.length + open.length} applied${others}`;
  }
  if (end === undefined) return RESULTS.UNKNOWN;
  const code = "code" in end && end.code !== undefined ? ` (code ${end.code})` : "";
  return RESULTS[end.st] + code;
}

const RESULTS = {
  DONE: "applied",
  FAILED: "failed",
  UNKNOWN: "unknown",
} as const;
