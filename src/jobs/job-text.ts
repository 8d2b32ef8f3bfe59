import { isBugId } from "../api/bug-ref.ts";
import { writeKind } from "../api/delivery/write-kinds.ts";
import { writeTargets } from "../api/write/update-request.ts";
import { BtError } from "../errors.ts";
import type { Request } from "../wire/exchange.ts";

/** Error for journals of which not even the first line can be read. */
export function unreadableJobsError(jobs: string[]): BtError {
  return new BtError("local", `cannot read the journal of job ${jobs.join(", ")}: damaged, or written by a newer bt`, {
    details: ["its writes may or may not be applied"],
    hint: `check the tracker, then drop ${jobs.length === 1 ? "it" : "them"}: bt job drop --force ${jobs.join(" ")}`,
  });
}

/** Ids of the bugs, groups or comment that a write updates, and names; none for a creation. */
export function updatedIds(request: Request): (number | string)[] {
  const targets = writeKind(request).command?.endsWith(" create") ? [] : writeTargets(request);
  return targets.map((target) => (isBugId(target) ? Number(target) : target));
}
