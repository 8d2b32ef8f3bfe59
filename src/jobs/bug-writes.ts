import { isSameLogin } from "../api/people.ts";
import { readChangedItems } from "../api/response/response-objects.ts";
import type { BugWrite } from "../api/undo/undo.ts";
import { requestBody, writeTargets } from "../api/write/write-state.ts";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { ChangedBug } from "../wire/resources.ts";
import { checkOwner, damagedJobError, isUnknown, type Job, type JobWrite } from "./job.ts";
import { findJob, newestJobs, type StoredJob } from "./job-files.ts";

/** A user of a tracker, whose jobs are read. */
export type Owner = { readonly tracker: string; readonly me: string };

/** A job with what it did to bugs, by their ids, in the order of its writes. */
export type BugWrites = StoredJob & { readonly job: Job; readonly writes: ReadonlyMap<number, readonly BugWrite[]> };

/** The newest job of the user for each bug. @throws BtError of kind usage for an unknown outcome */
export function newestWrites(ids: readonly number[], { tracker, me }: Owner, io: Io): ReadonlyMap<number, BugWrites> {
  const found = new Map<number, BugWrites>();
  for (const stored of newestJobs(io)) {
    const { job } = stored;
    if (job?.head.tracker !== tracker || !isSameLogin(job.head.user ?? me, me)) continue;
    const own = { ...stored, job, writes: writesOf(job) };
    for (const id of ids.filter((one) => !found.has(one))) {
      checkKnown(own, id);
      if (own.writes.has(id)) found.set(id, own);
    }
    if (found.size === ids.length) break;
  }
  return found;
}

/** What a job did to bugs. @throws BtError of kind usage for the job of another user, or an unknown outcome */
export function writesOfJob(word: string, { tracker, me }: Owner, io: Io): BugWrites {
  const stored = findJob(word, io);
  const { name, job } = stored;
  if (!job) throw damagedJobError(name);
  checkOwner(job.head, tracker, me);
  const own = { ...stored, job, writes: writesOf(job) };
  checkKnown(own);
  return own;
}

/** @throws BtError of kind usage for an open job with a write, to the bug, of unknown outcome */
function checkKnown({ name, job, isOpen }: BugWrites, id?: number): void {
  const isMeant = ({ request }: JobWrite) => id === undefined || writeTargets(request).includes(String(id));
  if (isOpen && job.writes.some((write) => isUnknown(write) && isMeant(write)))
    throw usageError(`job ${name} is not complete: unknown outcome`, `bt job send ${name}`);
}

function writesOf({ head, writes }: Job): Map<number, BugWrite[]> {
  const byBug = new Map<number, BugWrite[]>();
  for (const { request, st, response = null, before = [] } of writes) {
    const isUpdate = request.operation === "Update Bug";
    if (st !== "applied" || !(isUpdate || request.operation === "Create Comments")) continue;
    const body = requestBody(request);
    const changed = isUpdate ? readChangedItems<ChangedBug>(response, "bugs") : [];
    for (const id of writeTargets(request).map(Number)) {
      const { changes = {}, last_change_time: time = "" } = changed.find((one) => one.id === id) ?? {};
      const read = before.find((one) => Number(one["id"]) === id) ?? {};
      byBug.set(id, [...(byBug.get(id) ?? []), { before: read, body, edits: head.edits ?? [], changes, time }]);
    }
  }
  return byBug;
}
