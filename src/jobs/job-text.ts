import { isBugId } from "../api/bug-ref.ts";
import { describeWrite } from "../api/delivery/write-rows.ts";
import { grouped } from "../api/lists.ts";
import { requestBody, writeTargets } from "../api/write/write-state.ts";
import { isUnknown, type Job, type JobWrite, jobState } from "./job.ts";

/** Short description of a job, without its content but for the summary of a draft. */
export function jobText(job: Job): string {
  const [first, second] = job.writes;
  if (!first || second) return `${job.writes.length} requests`;
  const { summary } = requestBody(first.request);
  if (jobState(job) === "draft" && summary) return `new bug: ${summary}`;
  return describeWrite(first.request).replace(/^the /, "");
}

/** What became of the writes of a job, in words. */
export function resultText(job: Job): string {
  const { writes, isDamaged } = job;
  if (isDamaged) return "damaged journal";
  if (jobState(job) === "draft") return "draft, not sent";
  const results = writes.map(writeResult);
  if (results.length === 1) return results.join("");
  const counts = grouped(results, (result) => result);
  return [...counts].map(([result, { length }]) => `${length} ${result}`).join(", ");
}

export function writeResult(write: JobWrite): string {
  if (isUnknown(write)) return "unknown outcome";
  return write.st === "planned" ? "not sent" : write.st;
}

/** Ids of the bugs, groups or comments that writes update; none for a new bug or group. */
export function updatedIds(writes: readonly JobWrite[]): (number | string)[] {
  const updates = writes.filter(({ request }) => !["Create Bug", "Create Group"].includes(request.operation ?? ""));
  const targets = updates.flatMap(({ request }) => writeTargets(request));
  return [...new Set(targets)].map((target) => (isBugId(target) ? Number(target) : target));
}
