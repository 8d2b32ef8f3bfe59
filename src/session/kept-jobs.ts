import type { Job, JobHead } from "../api/delivery/journal.ts";
import { readJob } from "../api/delivery/journal.ts";
import type { AppliedKept, KeptWrite } from "../api/offline/kept-write.ts";
import { isObject, readChangedItems } from "../api/response/response-objects.ts";
import { jobsSince, openJobs } from "../config/jobs.ts";
import type { Io } from "../io.ts";
import type { ChangedBug } from "../wire/resources.ts";

/** A job with a write that was made from a mirror. */
export type OfflineJob = Job & { readonly head: JobHead & { readonly offline: KeptWrite } };

/** Unfinished jobs made from mirrors, in the order in which they were made. */
export function openOfflineJobs(io: Io): readonly OfflineJob[] {
  return inOrder(openJobs(io));
}

/** All jobs of the last month that were made from mirrors, and all unfinished ones, in order. */
export function allOfflineJobs(io: Io): readonly OfflineJob[] {
  return inOrder(jobsSince(Number.NEGATIVE_INFINITY, io));
}

function inOrder(stored: readonly { readonly lines: readonly string[] }[]): readonly OfflineJob[] {
  return stored
    .flatMap(({ lines }) => readJob(lines) ?? [])
    .filter(isOffline)
    .sort((one, other) => one.head.offline.place - other.head.offline.place);
}

function isOffline(job: Job): job is OfflineJob {
  return job.head.offline !== undefined;
}

/** The numbers of bugs that were created, by their temporary names. */
export function createdNumbers(jobs: readonly OfflineJob[]): ReadonlyMap<string, number> {
  return new Map(
    jobs.flatMap(({ head: { offline }, attempts }) => {
      const end = attempts.at(-1)?.end;
      const id = end?.st === "DONE" && isObject(end.answer) ? end.answer["id"] : undefined;
      return offline.name !== undefined && typeof id === "number" ? [[offline.name, id] as const] : [];
    }),
  );
}

/** The updates among the jobs that were applied. */
export function appliedUpdates(jobs: readonly OfflineJob[]): readonly AppliedKept[] {
  return jobs.flatMap(({ head, attempts }) => {
    const last = attempts.at(-1);
    if (head.request.operation !== "Update Bug" || last?.end?.st !== "DONE") return [];
    const changed = readChangedItems<ChangedBug>(last.end.answer, "bugs");
    const changes = new Map(changed.map((one) => [one.id, one.changes] as const));
    return [{ place: head.offline.place, sentAt: last.last.at, changes }];
  });
}
