import { join } from "node:path";
import { createdId, isUnsent } from "../../api/delivery/job-state.ts";
import { type Job, type JobHead, jobProgress, readJob, type WriteAttempt } from "../../api/delivery/journal.ts";
import type { AppliedKept, KeptJob, KeptWrite } from "../../api/offline/kept-write.ts";
import { readChangedItems } from "../../api/response/response-objects.ts";
import { writeTargets } from "../../api/write/update-request.ts";
import { folderFor, folderToWrite, makeFolder, readSmallFile, replaceFile } from "../../config/files.ts";
import { openJobs, storedJob } from "../../config/jobs.ts";
import type { Io } from "../../io.ts";
import type { ChangedBug } from "../../wire/resources.ts";

/** A job with a write that was made from a mirror. */
export type OfflineJob = Job & { readonly head: JobHead & { readonly offline: KeptWrite } };

/** Unfinished jobs made from mirrors of the tracker at an address, or of all, in the order in which they were made. */
export function openOfflineJobs(io: Io, tracker?: string): readonly OfflineJob[] {
  return inOrder(openJobs(io), tracker);
}

/** Jobs of the last month, and all unfinished ones, made from mirrors of the tracker at an address, or of all, in order. */
export function allOfflineJobs(io: Io, tracker?: string): readonly OfflineJob[] {
  const open = openJobs(io);
  const names = new Set(open.map(({ job }) => job));
  const others = listedJobs(io).filter((job) => !names.has(job));
  return inOrder([...open, ...others.flatMap((job) => storedJob(job, io) ?? [])], tracker);
}

/** Adds a job to the list of jobs made from mirrors, so that not all jobs have to be read; the queue is locked. */
export function listJob(job: string, io: Io): void {
  const listed = listedJobs(io).filter((one) => storedJob(one, io) !== undefined);
  const folder = join(folderToWrite("state", io), "jobs");
  makeFolder(folder);
  replaceFile(join(folder, LIST), [...listed, job].map((one) => `${one}\n`).join(""));
}

function listedJobs(io: Io): readonly string[] {
  const state = folderFor("state", io);
  const text = state === undefined ? undefined : readSmallFile(join(state, "jobs", LIST), { follow: false })?.text;
  return (text ?? "").split("\n").filter((job) => job !== "");
}

const LIST = "offline.list";

type StoredLines = { readonly lines: readonly string[] };

function inOrder(stored: readonly StoredLines[], tracker: string | undefined): readonly OfflineJob[] {
  return stored
    .flatMap(({ lines }) => readJob(lines) ?? [])
    .filter(isOffline)
    .filter(({ head }) => tracker === undefined || head.origin === tracker)
    .sort((one, other) => one.head.offline.place - other.head.offline.place);
}

function isOffline(job: Job): job is OfflineJob {
  return job.head.offline !== undefined;
}

/** The properties of a job that determine the order of sending. */
export function keptJob(job: OfflineJob): KeptJob {
  const { job: name, request, offline } = job.head;
  return { job: name, request, offline, open: openTargets(job) };
}

/** Names of the bugs that a job has not updated yet. */
export function openTargets(job: Job): readonly string[] {
  const { request } = job.head;
  return isUnsent(job) || request.operation !== "Update Bug"
    ? writeTargets(request)
    : jobProgress(job).open.map(String);
}

/** The numbers of bugs that were created, by their temporary names. */
export function createdNumbers(jobs: readonly OfflineJob[]): ReadonlyMap<string, number> {
  return new Map(
    jobs.flatMap((job) => {
      const { name } = job.head.offline;
      const id = createdId(job);
      return name === undefined || id === undefined ? [] : [[name, id] as const];
    }),
  );
}

/** The applied updates of the jobs: one of an update of few bugs, several of a bulk update. */
export function appliedUpdates(jobs: readonly OfflineJob[]): readonly AppliedKept[] {
  const updates = jobs.filter(({ head }) => head.request.operation === "Update Bug");
  return updates.flatMap(({ head, attempts }) =>
    attempts.flatMap((attempt) => appliedBy(attempt, head.offline.place) ?? []),
  );
}

function appliedBy({ sent, end }: WriteAttempt, place: number): AppliedKept | undefined {
  if (end?.st !== "DONE") return undefined;
  const changed = readChangedItems<ChangedBug>(end.answer, "bugs");
  const changes = new Map(changed.map((one) => [one.id, one.changes] as const));
  const before = new Map((sent.before ?? []).map((bug) => [bug["id"], String(bug["last_change_time"] ?? "")]));
  const times = changed.map(
    ({ id, last_change_time: after }) => [id, { before: before.get(id) ?? "", after }] as const,
  );
  return { place, sentAt: sent.at, changes, times: new Map(times) };
}
