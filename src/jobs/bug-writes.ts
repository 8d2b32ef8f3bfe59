import { isSameLogin } from "../api/people.ts";
import { readChangedItems } from "../api/response/response-objects.ts";
import type { BugWrite } from "../api/undo/undo.ts";
import { requestBody, writeTargets } from "../api/write/update-request.ts";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { ChangedBug } from "../wire/resources.ts";
import { isUnknown, type Job, type JobWrite } from "./job.ts";
import { findJob, newestJobs } from "./job-files.ts";
import { damagedJobError } from "./journal.ts";

/** The jobs of a user on a tracker, of whose writes something is known. */
export type Owner = { readonly tracker: string; readonly me: string };

/** What a job did to bugs, by their ids, in the order of its writes. */
export type BugWrites = {
  readonly job: Job;
  readonly isOpen: boolean; // not put aside
  readonly writes: ReadonlyMap<number, readonly BugWrite[]>;
};

/** The newest job of the user for each bug that wrote to it. @throws BtError of kind usage for a job of unknown outcome */
export function newestWrites(ids: readonly number[], owner: Owner, io: Io): ReadonlyMap<number, BugWrites> {
  const found = new Map<number, BugWrites>();
  for (const own of ownJobs(owner, io)) {
    if (found.size === ids.length) break;
    for (const id of ids.filter((one) => !found.has(one))) {
      checkKnown(own, id);
      if (own.writes.has(id)) found.set(id, own);
    }
  }
  return found;
}

/** The newest job of the user that wrote to bugs. @throws BtError of kind usage for a job of unknown outcome */
export function newestBugJob(owner: Owner, io: Io): BugWrites | undefined {
  for (const own of ownJobs(owner, io)) {
    checkKnown(own);
    if (own.writes.size > 0) return own;
  }
  return undefined;
}

function* ownJobs(owner: Owner, io: Io): Iterable<BugWrites> {
  for (const { job, isOpen } of newestJobs(io))
    if (job && isOwn(job, owner)) yield { job, isOpen, writes: writesOf(job) };
}

/** What the job of this name did to bugs. @throws BtError of kind usage for another's job, and one of unknown outcome */
export function writesOfJob(word: string, { tracker, me }: Owner, io: Io): BugWrites {
  const { name, job, isOpen } = findJob(word, io);
  if (!job) throw damagedJobError(name);
  const { head } = job;
  if (head.tracker !== tracker)
    throw usageError(`job ${name} is for ${head.tracker}, not for ${tracker}`, `--base-url ${head.tracker}`);
  if (!isOwn(job, { tracker, me })) throw usageError(`job ${name} is by ${head.user}, not by you (${me})`);
  const own = { job, isOpen, writes: writesOf(job) };
  checkKnown(own);
  return own;
}

function isOwn({ head: { tracker, user } }: Job, owner: Owner): boolean {
  return tracker === owner.tracker && (user === undefined || isSameLogin(user, owner.me));
}

/** @throws BtError of kind usage for an open job of which a write, to the bug if one is given, has an unknown outcome */
function checkKnown({ job: { head, writes }, isOpen }: BugWrites, id?: number): void {
  const isMeant = ({ request }: JobWrite) => id === undefined || writeTargets(request).includes(String(id));
  if (!isOpen || !writes.some((write) => isUnknown(write) && isMeant(write))) return;
  throw usageError(`job ${head.job} is not complete: unknown outcome`, `bt job send ${head.job}`);
}

function writesOf({ head, writes }: Job): Map<number, BugWrite[]> {
  const byBug = new Map<number, BugWrite[]>();
  for (const { request, outcome, before = [] } of writes) {
    if (outcome?.st !== "applied" || !WRITES_TO_BUGS.has(request.operation ?? "")) continue;
    const body = requestBody(request);
    const changed = readChanged(request.operation, outcome.response);
    for (const id of writeTargets(request).map(Number)) {
      const { changes = {}, last_change_time: time = "" } = changed.find((one) => one.id === id) ?? {};
      const read = before.find((one) => Number(one["id"]) === id) ?? {};
      byBug.set(id, [...(byBug.get(id) ?? []), { before: read, body, edits: head.edits ?? [], changes, time }]);
    }
  }
  return byBug;
}

const WRITES_TO_BUGS: ReadonlySet<string> = new Set(["Update Bug", "Create Comments"]);

function readChanged(operation: string | undefined, response: Parameters<typeof readChangedItems>[0]): ChangedBug[] {
  return operation === "Update Bug" ? readChangedItems<ChangedBug>(response, "bugs") : [];
}
