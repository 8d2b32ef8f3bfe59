import { isBugId } from "../api/bug-ref.ts";
import { describeWrite } from "../api/delivery/write-rows.ts";
import { requestBody, writeTargets } from "../api/write/update-request.ts";
import type { Json } from "../wire/exchange.ts";
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
  const words = ["applied", "refused", "unknown outcome", "not sent"];
  const counts = words.map(
    (word) => [word, writes.filter((write) => writeResult(write).startsWith(word)).length] as const,
  );
  return counts
    .filter(([word, count]) => count > 0 || word === "applied")
    .map(([word, count], at) => (at === 0 ? `${count} of ${writes.length} ${word}` : `${count} ${word}`))
    .join(", ");
}

export function writeResult(write: JobWrite): string {
  if (!write.isSent && write.outcome === undefined) return "not sent";
  if (isUnknown(write) || write.outcome === undefined) return "unknown outcome";
  if (write.outcome.st === "applied") return "applied";
  const { code } = write.outcome.error;
  return code === undefined ? "refused" : `refused (code ${code})`;
}

/** Ids of the bugs, groups or comments that writes update; none for a new bug or group. */
export function updatedIds(writes: readonly JobWrite[]): (number | string)[] {
  const updates = writes.filter(({ request }) => !["Create Bug", "Create Group"].includes(request.operation ?? ""));
  const targets = updates.flatMap(({ request }) => writeTargets(request));
  return [...new Set(targets)].map((target) => (isBugId(target) ? Number(target) : target));
}

/** Ids of what a write created: a bug, a comment, a group or attachments. */
export function createdIdsOf({ outcome }: JobWrite): number[] {
  if (outcome?.st !== "applied") return [];
  const { id, ids } = Object(outcome.response) as { id?: Json; ids?: Json };
  return [id ?? ids ?? []].flat().filter((one) => typeof one === "number");
}
