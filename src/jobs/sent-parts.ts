import { readChangedItems } from "../api/response/response-objects.ts";
import { findUnreportedChanges, type UnreportedChange } from "../api/write/overwritten.ts";
import type { UpdatePart } from "../api/write/update-part.ts";
import { requestBody } from "../api/write/update-request.ts";
import type { Bug } from "../wire/bug-fields.ts";
import type { ChangedBug } from "../wire/resources.ts";
import { attemptWrite, isBulk, type Job } from "./job.ts";

/**
 * The updates that a job has sent, and that may have been applied, with the bugs as they were before; without bugs that were
 * read back, and without `others`.
 */
export function sentParts(job: Job, others: ReadonlySet<number> = new Set()): UpdatePart[] {
  const isDue = ({ id }: Bug) => !others.has(id) && !job.unchangedIds.includes(id);
  return job.attempts
    .filter(({ end }) => end?.st !== "FAILED")
    .map((attempt) => {
      const { request, before = [] } = attemptWrite(job, attempt);
      const { ids: _, ...body } = requestBody(request);
      return { bugs: (before as Bug[]).filter(isDue), body };
    });
}

/** Values that a job has sent, and that the responses to these parts do not report. */
export function journaledUnreported({ attempts }: Job, parts: UpdatePart[]): UnreportedChange[] {
  const changed: ChangedBug[] = [];
  for (const { end } of attempts) {
    if (end?.st === "DONE") changed.push(...readChangedItems<ChangedBug>(end.answer, "bugs"));
  }
  return findUnreportedChanges(changed, parts);
}

/** True if values of a bulk update are to be read back, once all of its bugs are done. */
export function isUnverified(job: Job): boolean {
  return isBulk(job) && journaledUnreported(job, sentParts(job)).length > 0;
}
