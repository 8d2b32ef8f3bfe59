import { isBugId } from "../api/bug-ref.ts";
import { describeWrite } from "../api/delivery/write-rows.ts";
import { requestBody, writeTargets } from "../api/write/update-request.ts";
import { isUnknown, type Job, type JobWrite, jobState } from "./job.ts";

/** Short description of a job, without its content but for the summary of a new bug. */
export function jobText({ head, writes }: Job): string {
  const [first] = writes;
  const { summary } = first ? requestBody(first.request) : {};
  if (writes.length === 1 && first?.request.operation === "Create Bug" && summary) return `new bug: ${summary}`;
  return writes.length === 0 ? head.command : writesText(writes);
}

/** Short description of writes, without their content. */
export function writesText(writes: readonly JobWrite[]): string {
  const [first] = writes;
  return first && writes.length === 1 ? describeWrite(first.request).replace(/^the /, "") : `${writes.length} requests`;
}

/** What became of the writes of a job, in words. */
export function resultText(job: Job): string {
  const { writes, isDamaged } = job;
  if (isDamaged) return "damaged journal";
  if (jobState(job) === "draft") return "draft, not sent";
  const [first] = writes;
  if (first && writes.length === 1) return writeResult(first);
  const results = writes.map(writeResult);
  return ["applied", "refused", "unknown outcome", "not sent"]
    .map((word) => ({ word, count: results.filter((result) => result.startsWith(word)).length }))
    .filter(({ word, count }) => count > 0 || word === "applied")
    .map(({ word, count }, at) => (at === 0 ? `${count} of ${writes.length} ${word}` : `${count} ${word}`))
    .join(", ");
}

export function writeResult(write: JobWrite): string {
  const { st, error } = write;
  if (isUnknown(write)) return "unknown outcome";
  if (st === "planned" || st === "applied") return st === "planned" ? "not sent" : st;
  return error?.code === undefined ? "refused" : `refused (code ${error.code})`;
}

/** Ids of the bugs, groups or comments that writes update; none for a new bug or group. */
export function updatedIds(writes: readonly JobWrite[]): (number | string)[] {
  const updates = writes.filter(({ request }) => !["Create Bug", "Create Group"].includes(request.operation ?? ""));
  const targets = updates.flatMap(({ request }) => writeTargets(request));
  return [...new Set(targets)].map((target) => (isBugId(target) ? Number(target) : target));
}
