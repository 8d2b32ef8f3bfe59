import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  folderFor,
  folderToWrite,
  type Host,
  makeFolder,
  readSmallFile,
  replaceFile,
  type Surroundings,
  syncFolder,
} from "../config/files.ts";
import { holdsLock, withLock } from "../config/lock.ts";
import { BtError, fileError, systemErrorCode, usageError } from "../errors.ts";
import { DAY_MS } from "../wire/time.ts";
import { commandName, isUnsent, type Job, readJob } from "./job.ts";
import { isJobFinished } from "./job-states.ts";
import { ulid, ulidTime } from "./ulid.ts";

/** A job's file while locked: its lines, and functions that append one, replace all, or delete the file. */
export type JobFile = {
  readonly lines: readonly string[];
  readonly append: (line: string, how?: Lasting) => void;
  readonly replace: (lines: readonly string[]) => void;
  readonly remove: () => void;
};

/** Wait for fsync; `false` if more will be written before it matters. */
export type Lasting = { readonly lasting: boolean };

/** Name and content of a job's file, and whether a process holds it. */
export type StoredJob = {
  readonly name: string;
  readonly job: Job | undefined; // undefined if its first line is missing or cannot be read
  readonly isEmpty: boolean; // it has no complete line, so nothing was sent
  readonly isHeld: (host: Host) => boolean;
};

/** Opens a new or unfinished job's file under its lock. */
export async function withJob<Result>(
  { job, isNew }: { job: string; isNew: boolean },
  host: Host,
  use: (file: JobFile) => Promise<Result>,
): Promise<Result> {
  if (ulidTime(job) === undefined) throw noSuchJobError(job);
  const file = join(folderToWrite("state", host), "jobs", `${job}.jsonl`);
  if (!isNew && readSmallFile(file, REACH) === undefined) throw noSuchJobError(job);
  const act = async () => {
    const text = isNew ? "" : readUnfinished(file, job);
    const descriptor = openToAppend(file, isNew);
    try {
      return await use({
        lines: wholeLines(text),
        append: createAppender(file, descriptor, text),
        replace: (lines) => replaceFile(file, lines.map((line) => `${line}\n`).join("")),
        remove: () => rmSync(file, { force: true }),
      });
    } finally {
      closeSync(descriptor);
      if (isNew) removeUnsent(file);
    }
  };
  return withLock({ file, about: `job ${job}`, action: act }, host);
}

/**
 * Text of an unfinished job.
 * @throws BtError of kind usage if it is finished, or if it has no complete line and thus was never sent, in which case its file
 * is removed
 */
function readUnfinished(file: string, job: string): string {
  const found = readSmallFile(file, REACH);
  if (found === undefined)
    throw usageError(`job ${job} was finished by another bt`, `bt job send ${job} shows its result`);
  if (!removeUnsent(file)) return found.text;
  throw usageError(`nothing was sent for job ${job}: its journal is empty`, "run the command again");
}

/** Removes the file of a job without a complete line. */
function removeUnsent(file: string): boolean {
  const found = readSmallFile(file, REACH);
  if (found === undefined || found.text.includes("\n")) return false;
  rmSync(file, { force: true });
  return true;
}

/** Moves a job aside, and removes those moved a month ago. Returns false if it stays where it is. */
export function archiveJob(job: string, host: Host): boolean {
  const folder = join(folderToWrite("state", host), "jobs");
  const finished = join(folder, FINISHED);
  try {
    makeFolder(finished);
    renameSync(join(folder, `${job}.jsonl`), join(finished, `${job}.jsonl`));
    removeOldJobs(finished, host.now().getTime());
    return true;
  } catch {
    return false; // it stays listed as open until the next job
  }
}

/** Deletes a job that was never sent; keeps others as evidence for the verification of later writes. */
export async function dropJob(name: string, job: Job | undefined, host: Host): Promise<void> {
  await withJob({ job: name, isNew: false }, host, async ({ lines, remove }) => {
    if (job && lines.length !== 1 && isUnsent(job)) throw usageError(`job ${name} was sent in the meantime`);
    if (job && isUnsent(job)) return remove();
    if (!archiveJob(name, host))
      throw new BtError("local", `cannot move the journal of job ${name}`, { changed: "nothing" });
  });
}

/** Removes jobs that were moved aside a month ago; once a day, since the folder may have tens of thousands. */
function removeOldJobs(finished: string, now: number): void {
  const today = Math.floor(now / DAY_MS);
  if (cleanedOn.get(finished) === today) return;
  cleanedOn.set(finished, today);
  const limit = ulid(Math.max(0, now - RETENTION_MS), new Uint8Array());
  const isOld = (name: string) => name < limit && Number.isFinite(timeOf(name));
  for (const name of readdirSync(finished).filter(isOld)) rmSync(join(finished, name));
}

const cleanedOn = new Map<string, number>(); // days since the epoch, by folder

/** A job finished within the month; undefined if there is none of that name. */
export function readFinishedJob(name: string, host: Surroundings): Job | undefined {
  const job = name.toUpperCase();
  const state = folderFor("state", host);
  if (state === undefined || ulidTime(job) === undefined) return undefined;
  return readJob(readLines(join(state, "jobs", FINISHED, `${job}.jsonl`)));
}

/** A job of that name, open or finished within the month; undefined if there is none. */
export function findStoredJob(job: string, host: Surroundings): (StoredJob & { isOpen: boolean }) | undefined {
  const [open, finished] = jobFolders(host).map((folder) => join(folder, `${job}.jsonl`));
  if (ulidTime(job) === undefined || open === undefined || finished === undefined) return undefined;
  const file = [open, finished].find(existsSync);
  return file === undefined ? undefined : { ...readStoredJob(file), isOpen: file === open };
}

/**
 * Name of the job that a whole name, or an unambiguous beginning or end of one, stands for, in upper case; as typed if
 * there is none.
 * @throws BtError of kind usage that lists the jobs if there are several
 */
export function resolveJobName(word: string, host: Surroundings): string {
  const name = word.toUpperCase();
  if (name === "" || ulidTime(name) !== undefined) return name;
  const jobs = new Set(
    jobFolders(host)
      .flatMap(listJobFiles)
      .map((file) => basename(file, ".jsonl")),
  );
  const found = [...jobs].filter((job) => job.startsWith(name) || job.endsWith(name));
  if (found.length > 1) throw new BtError("usage", `several jobs match ${JSON.stringify(word)}`, { details: found });
  return found[0] ?? word;
}

/** A job of the journal; `job` is undefined if its first line cannot be read. */
export type NamedJob = { readonly name: string; readonly job: Job | undefined; readonly isOpen: boolean };

/**
 * The job that a name, or a beginning or end of one, stands for, open or finished within the month.
 * @throws BtError of kind usage if there is none, or several
 */
export function readNamedJob(word: string, host: Surroundings): NamedJob {
  const name = resolveJobName(word, host);
  const found = findStoredJob(name, host);
  if (found === undefined) {
    const hint = "bt job list shows open jobs, bt job list --last the last writes";
    throw usageError(`no job ${JSON.stringify(word)}`, hint);
  }
  return { name, job: found.job, isOpen: found.isOpen };
}

/** Deletes the files of jobs. */
export function removeJobs(isMeant: (job: Job) => boolean, host: Surroundings): void {
  for (const folder of jobFolders(host)) {
    for (const { name, job } of readJobsIn([folder]))
      if (job && isMeant(job)) rmSync(join(folder, `${name}.jsonl`), { force: true });
  }
}

/** Unfinished jobs, oldest first. */
export function readOpenJobs(host: Surroundings): StoredJob[] {
  return readJobsIn(jobFolders(host).slice(0, 1));
}

/** All jobs begun at or after a moment (ms), open or finished. */
export function readJobsSince(moment: number, host: Surroundings): StoredJob[] {
  return readJobsIn(jobFolders(host), moment);
}

/** Readable jobs of any tracker, open or finished, newest first, back to one of this name; each is read on demand. */
export function* readNewestJobs(host: Surroundings, oldest = ""): Iterable<Job> {
  const files = jobFolders(host).flatMap((folder) => listJobFiles(folder).map((name) => ({ folder, name })));
  const newestFirst = files.toSorted((one, other) => (one.name < other.name ? 1 : -1));
  for (const { folder, name } of newestFirst) {
    if (name < oldest) return;
    const job = readJob(readLines(join(folder, name)));
    if (job) yield job;
  }
}

/** The name of the newest job, open or finished; undefined without any. */
export function newestJobName(host: Surroundings): string | undefined {
  const [newest] = jobFolders(host)
    .flatMap((folder) => listJobFiles(folder).slice(-1))
    .sort((one, other) => (one < other ? 1 : -1));
  return newest && basename(newest, ".jsonl");
}

/** The jobs of the command that a job is of, oldest first. */
export function readCommandJobs({ head }: Job, host: Surroundings): Job[] {
  const jobs: Job[] = [];
  for (const other of readNewestJobs(host, commandName(head))) {
    if (commandName(other.head) === commandName(head)) jobs.push(other);
  }
  return jobs.reverse();
}

/** True unless the job is finished, or put aside. */
export function isOpenJob({ head }: Job, host: Surroundings): boolean {
  return findStoredJob(head.job, host)?.isOpen === true;
}

/** The folder of finished jobs; undefined if none can be stored there. */
export function folderToRecordIn(host: Host): string | undefined {
  const state = folderFor("state", host);
  if (state === undefined) return undefined;
  const finished = join(state, "jobs", FINISHED);
  try {
    makeFolder(finished);
    accessSync(finished, constants.W_OK);
    return finished;
  } catch {
    return undefined;
  }
}

/** Stores a job whose run has ended, in the folder of finished jobs unless some of it is left, if it can be stored. */
export function recordJob(finished: string, lines: string[], host: Host): void {
  const job = readJob(lines);
  if (job === undefined) return;
  const folder = isJobFinished(job) ? finished : dirname(finished);
  try {
    replaceFile(join(folder, `${job.head.job}.jsonl`), lines.map((line) => `${line}\n`).join(""), { lasting: false });
    removeOldJobs(finished, host.now().getTime());
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
  }
}

const FINISHED = "finished";
const RETENTION_MS = 30 * DAY_MS;
const REACH = { follow: false, largest: 256 * 1024 * 1024 };

function jobFolders(host: Surroundings): string[] {
  const state = folderFor("state", host);
  return state === undefined ? [] : [join(state, "jobs"), join(state, "jobs", FINISHED)];
}

function readJobsIn(folders: string[], moment = Number.NEGATIVE_INFINITY): StoredJob[] {
  return folders.flatMap((folder) =>
    listJobFiles(folder)
      .filter((name) => timeOf(name) >= moment)
      .map((name) => readStoredJob(join(folder, name))),
  );
}

function readStoredJob(file: string): StoredJob {
  const lines = readLines(file);
  return {
    name: basename(file, ".jsonl"),
    job: readJob(lines),
    isEmpty: lines.length === 0,
    isHeld: (host) => readLines(`${file}.lock`).some((holder) => holdsLock(holder, host)),
  };
}

/** Job files of a folder, oldest first; other files are ignored. */
function listJobFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl") && Number.isFinite(timeOf(name)))
      .sort();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return [];
    throw fileError("read", folder, error);
  }
}

function timeOf(name: string): number {
  return ulidTime(name.replace(/\.jsonl$/, "")) ?? Number.NaN;
}

function readLines(file: string): string[] {
  try {
    return wholeLines(readSmallFile(file, REACH)?.text ?? "");
  } catch (error) {
    if (error instanceof BtError) return [];
    throw error;
  }
}

/** Complete lines; anything after the last line break was truncated. */
function wholeLines(text: string): string[] {
  return text.split("\n").slice(0, -1);
}

function openToAppend(file: string, isNew: boolean): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const descriptor = openSync(
      file,
      O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | (isNew ? O_CREAT | O_EXCL : 0),
      0o600,
    );
    if (isNew) syncFolder(dirname(file));
    return descriptor;
  } catch (error) {
    throw fileError("write", file, error);
  }
}

/** Appends whole lines; a truncated last line is terminated first, so that it cannot absorb the next. */
function createAppender(file: string, descriptor: number, text: string): JobFile["append"] {
  let isCut = text !== "" && !text.endsWith("\n");
  return (line, { lasting } = { lasting: true }) => {
    const bytes = Buffer.from(`${isCut ? "\n" : ""}${line}\n`);
    try {
      isCut = true;
      if (writeSync(descriptor, bytes) !== bytes.length) throw new Error("only a part of it was written");
      if (lasting) fsyncSync(descriptor);
      isCut = false;
    } catch (error) {
      throw fileError("write", file, error);
    }
  };
}

/** Usage error for an unknown job. */
export function noSuchJobError(job: string): BtError {
  return usageError(`no open job ${JSON.stringify(job)}`, "bt job list shows open jobs");
}
