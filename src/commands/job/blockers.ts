import { isBulk } from "../../api/delivery/journal.ts";
import { dependentBugs } from "../../api/offline/dependent-jobs.ts";
import type { KeptJob } from "../../api/offline/kept-write.ts";
import { keptJob, type OfflineJob } from "../../session/offline/kept-jobs.ts";

/** The job that all of a job waits for, and the jobs that single bugs of a bulk update wait for, by bug. */
export type Blockers = { readonly blocker: string | undefined; readonly waiting: ReadonlyMap<string, string> };

/** The blockers of a job among earlier ones that are not sent, or not in full. */
export function blockersOf(job: OfflineJob, stuck: readonly KeptJob[]): Blockers {
  const kept = keptJob(job);
  const waiting = new Map<string, string>();
  for (const earlier of stuck) {
    const bugs = dependentBugs(kept, earlier);
    if (bugs === "all" || (bugs.length > 0 && !isBulk(job))) return { blocker: earlier.job, waiting };
    for (const bug of bugs) waiting.set(bug, waiting.get(bug) ?? earlier.job);
  }
  const [first] = waiting.values();
  return { blocker: kept.open?.every((bug) => waiting.has(bug)) ? first : undefined, waiting };
}
