import { randomBytes } from "node:crypto";
import { appendFileSync, readdirSync, renameSync, rmSync, truncateSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  folderFor,
  folderToWrite,
  type Host,
  makeFolder,
  readSmallFile,
  type Surroundings,
  syncFolder,
  withLock,
} from "../config/files.ts";
import { BtError, fileError, systemErrorCode, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { flagsForTracker } from "../session/connect.ts";
import { isTrackerNamed, type SessionFlags } from "../session/flags.ts";
import { DAY_MS } from "../wire/time.ts";
import { type Job, type JobState, jobState, readJob } from "./job.ts";

/** The file of a job while its lock is held. */
export type JobFile = {
  readonly text: () => string;
  /** On disk when it returns, if the file `isLasting`. @throws BtError of kind local; the next call removes what was written in part */
  readonly append: (lines: readonly string[]) => void;
};

/** Opens the file of a job that is new or not done, under its lock: a second bt waits, or is refused. */
export async function withJobFile<Result>(
  { name, isNew, isLasting }: { name: string; isNew: boolean; isLasting: boolean },
  host: Host,
  use: (file: JobFile) => Promise<Result>,
): Promise<Result> {
  const file = join(folderToWrite("state", host), "jobs", `${name}.jsonl`);
  const action = async () => {
    const text = isNew ? "" : readSmallFile(file, READ_LIMITS)?.text;
    if (text === undefined) throw usageError(`job ${name} was finished by another bt`, `bt job show ${name} shows it`);
    const jobFile = openFile(file, text, isLasting);
    try {
      return await use(jobFile);
    } finally {
      putAside(file, jobFile.text(), host);
    }
  };
  return withLock(file, action, host);
}

const READ_LIMITS = { follow: false, largest: 256 * 1024 * 1024 };

/** A line that a kill or a full disk cut is removed before the next: nothing was sent after it. */
function openFile(file: string, stored: string, isLasting: boolean): JobFile {
  let text = stored.slice(0, stored.lastIndexOf("\n") + 1);
  let size = Buffer.byteLength(text);
  let isMissing = stored === "";
  const append = (lines: readonly string[]) => {
    const added = lines.map((line) => `${line}\n`).join("");
    try {
      if (!isMissing) truncateSync(file, size); // an error if it was removed meanwhile
      appendFileSync(file, added, { flag: isMissing ? "ax" : "a", mode: 0o600, flush: isLasting });
      if (isMissing) syncFolder(dirname(file));
    } catch (error) {
      throw fileError("write", file, error);
    }
    isMissing = false;
    text += added;
    size += Buffer.byteLength(added);
  };
  return { text: () => text, append };
}

/** Archives the file of a finished job, or removes it if it has no writes. A damaged file stays, and is listed. */
function putAside(file: string, text: string, host: Host): void {
  const job = readJob(text);
  if (job ? jobState(job) !== "done" : text !== "") return;
  try {
    if (job && job.writes.length > 0) archive(file, host);
    else rmSync(file, { force: true });
  } catch {} // its folder is gone, or was replaced
}

function archive(file: string, host: Host): void {
  const finished = join(dirname(file), FINISHED);
  try {
    makeFolder(finished);
    renameSync(file, join(finished, basename(file)));
    for (const name of readdirSync(finished))
      if (timeOf(name) < host.now().getTime() - RETENTION_MS) rmSync(join(finished, name));
  } catch {} // it stays where it is, and is listed as done
}

const FINISHED = "finished";
const RETENTION_MS = 30 * DAY_MS;

export type StoredJob = {
  readonly name: string;
  readonly file: string;
  readonly job: Job | undefined; // undefined if its first line cannot be read
  readonly state: JobState;
  readonly isOpen: boolean; // not put aside
};

/** Jobs that are not done, oldest first. */
export function openJobs(host: Surroundings): StoredJob[] {
  const jobs = [...newestJobs(host, jobFolders(host).slice(0, 1))];
  return jobs.filter(({ state }) => state !== "done").reverse();
}

/** All jobs of the last month, newest first; each is read on demand. */
export function* newestJobs(host: Surroundings, folders = jobFolders(host)): Iterable<StoredJob> {
  const files = folders.flatMap((folder) => jobFiles(folder).map((name) => join(folder, name)));
  for (const file of files.sort((one, other) => (basename(one) < basename(other) ? 1 : -1))) {
    const stored = readStored(file);
    if (stored) yield stored;
  }
}

/** Undefined for a file without a whole line, whose process was killed before it sent anything. */
function readStored(file: string): StoredJob | undefined {
  let text = "\n"; // of a file that cannot be read
  try {
    text = readSmallFile(file, READ_LIMITS)?.text ?? text;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
  }
  if (!text.includes("\n")) return undefined;
  const job = readJob(text);
  const isOpen = basename(dirname(file)) !== FINISHED;
  return { name: basename(file, ".jsonl"), file, job, state: job ? jobState(job) : "unknown", isOpen };
}

/** The job of this name, in any letter case. @throws BtError of kind usage if there is none */
export function findJob(word: string, host: Surroundings): StoredJob {
  const name = word.toUpperCase();
  for (const stored of newestJobs(host)) if (stored.name === name) return stored;
  throw usageError(`no job ${JSON.stringify(word)}`, "bt job list --last lists jobs");
}

/** Flags with the tracker of a job, unless they or the environment name a tracker. */
export function flagsForJob(job: string | undefined, flags: SessionFlags, io: Io): SessionFlags {
  if (job === undefined || isTrackerNamed(flags, io)) return flags;
  const tracker = findJob(job, io).job?.head.tracker;
  return tracker === undefined ? flags : flagsForTracker(tracker, flags, io);
}

/** Deletes a job without sent writes, and puts others aside for the looks of later writes. */
export async function dropJob({ file }: StoredJob, host: Host): Promise<void> {
  const action = () => {
    const job = readStored(file)?.job;
    if (job?.isDamaged || job?.writes.some(({ at }) => at !== undefined)) archive(file, host);
    else rmSync(file, { force: true });
  };
  await withLock(file, action, host);
}

function jobFolders(host: Surroundings): string[] {
  const state = folderFor("state", host);
  return state === undefined ? [] : [join(state, "jobs"), join(state, "jobs", FINISHED)];
}

function jobFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".jsonl") && Number.isFinite(timeOf(name)));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return [];
    throw fileError("read", folder, error);
  }
}

/**
 * The name for a new job, a ULID: ten digits of time (ms), sixteen of randomness. It is later than
 * all others, even if the clock was set back.
 * @see https://github.com/ulid/spec
 */
export function nextJobName(host: Host): string {
  const times = jobFolders(host).flatMap((folder) => jobFiles(folder).map((name) => timeOf(name) + 1));
  const latest = times.reduce((one, other) => Math.max(one, other), host.now().getTime());
  const value = (BigInt(latest) << 80n) | BigInt(`0x${randomBytes(10).toString("hex")}`);
  const digits = value.toString(32).padStart(26, "0");
  return [...digits].map((digit) => DIGITS[Number.parseInt(digit, 32)]).join("");
}

/** Crockford's base 32: no letters that look like digits. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Time in the name of a job (ms since the epoch); NaN for other names. */
function timeOf(file: string): number {
  const name = basename(file, ".jsonl");
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(name)) return Number.NaN;
  return [...name.slice(0, 10)].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);
}
