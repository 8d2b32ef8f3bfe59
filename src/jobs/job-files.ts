import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
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
  type Surroundings,
  syncFolder,
} from "../config/files.ts";
import { holdsLock, withLock } from "../config/lock.ts";
import { BtError, fileError, systemErrorCode, usageError } from "../errors.ts";
import { DAY_MS } from "../wire/time.ts";
import { type Job, type JobState, jobState, readJob } from "./job.ts";
import { ulid, ulidTime } from "./ulid.ts";

/** The file of a job while its lock is held. */
export type JobFile = {
  readonly text: string; // as it was opened
  readonly isStored: boolean;
  /** @throws BtError of kind local; the file then ends with the last whole line */
  readonly append: (lines: readonly object[], how: { readonly lasting: boolean }) => void;
};

/** Opens the file of a new job, or of one that is not done, under its lock: a second bt waits, or is refused. */
export async function withJobFile<Result>(
  { name, isNew }: { name: string; isNew: boolean },
  host: Host,
  use: (file: JobFile) => Promise<Result>,
): Promise<Result> {
  const file = join(folderToWrite("state", host), "jobs", `${name}.jsonl`);
  const action = async () => {
    const text = isNew ? "" : readSmallFile(file, REACH)?.text;
    if (text === undefined) throw usageError(`job ${name} was finished by another bt`, `bt job show ${name} shows it`);
    const opened = openToAppend(file, isNew);
    try {
      return await use({ text, isStored: true, append: appender(opened, file, text) });
    } finally {
      closeSync(opened);
      settleFile(file, host);
    }
  };
  return withLock({ file, about: `job ${name}`, action }, host);
}

/** True if jobs can be stored. */
export function canStoreJobs(host: Host): boolean {
  const [folder] = jobFolders(host);
  try {
    if (folder === undefined) return false;
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const REACH = { follow: false, largest: 256 * 1024 * 1024 };

function openToAppend(file: string, isNew: boolean): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const opened = openSync(
      file,
      O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | (isNew ? O_CREAT | O_EXCL : 0),
      0o600,
    );
    if (isNew) syncFolder(dirname(file));
    return opened;
  } catch (error) {
    throw fileError("write", file, error);
  }
}

/** A line that was cut, by a kill or a full disk, is cut off before the next one: nothing was sent after it. */
function appender(opened: number, file: string, text: string): JobFile["append"] {
  let size = Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1));
  let isWhole = text === "" || text.endsWith("\n");
  return (lines, { lasting }) => {
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    try {
      if (lasting && fstatSync(opened).nlink === 0) throw new Error("it was removed while bt was running");
      if (!isWhole) ftruncateSync(opened, size);
      isWhole = false;
      if (writeSync(opened, bytes) !== bytes.length) throw new Error("only a part of it was written");
      if (lasting) fsyncSync(opened);
      size += bytes.length;
      isWhole = true;
    } catch (error) {
      throw fileError("write", file, error);
    }
  };
}

/** Puts the file of a job aside that is done, and removes one of which nothing was written, or nothing was to be sent. */
function settleFile(file: string, host: Host): void {
  try {
    const { text = "" } = readSmallFile(file, REACH) ?? {};
    const job = readJob(text);
    if (job === undefined ? !text.includes("\n") : job.writes.length === 0 && !job.isDamaged)
      rmSync(file, { force: true });
    else if (job && jobState(job) === "done") archive(file, host);
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

type Machine = Surroundings & Pick<Host, "isAlive" | "startOf">;

export type StoredJob = {
  readonly name: string;
  readonly job: Job | undefined; // undefined if its first line cannot be read
  readonly state: JobState;
  readonly isOpen: boolean; // not put aside
  readonly isHeld: boolean; // a process works on it
};

/** Jobs, oldest first: those that are not done, or all of the last month. */
export function listJobs(host: Machine, { all = false } = {}): StoredJob[] {
  const folders = jobFolders(host).slice(0, all ? 2 : 1);
  const jobs = [...newestJobs(host, folders)].reverse();
  return all ? jobs : jobs.filter(({ state }) => state !== "done");
}

/** All jobs, newest first; each is read on demand. */
export function* newestJobs(host: Machine, folders = jobFolders(host)): Iterable<StoredJob> {
  const files = folders.flatMap((folder) => jobFiles(folder).map((name) => join(folder, name)));
  for (const file of files.sort((one, other) => (basename(one) < basename(other) ? 1 : -1))) {
    const stored = readStored(file, host);
    if (stored) yield stored;
  }
}

/**
 * The job of this name, or with this beginning or end of it.
 * @throws BtError of kind usage if there is none, or several
 */
export function findJob(word: string, host: Machine): StoredJob {
  const name = word.toUpperCase();
  const found = listJobs(host, { all: true }).filter(
    (one) => name !== "" && (one.name.startsWith(name) || one.name.endsWith(name)),
  );
  const [only] = found;
  if (found.length > 1)
    throw new BtError("usage", `several jobs match ${JSON.stringify(word)}`, { details: found.map((one) => one.name) });
  if (only) return only;
  throw usageError(
    `no job ${JSON.stringify(word)}`,
    "bt job list shows open jobs, bt job list --last the last commands",
  );
}

/** Deletes a job of which nothing was sent, and puts any other aside, since later looks need what it made. */
export async function dropJob(name: string, host: Host): Promise<void> {
  const file = join(folderToWrite("state", host), "jobs", `${name}.jsonl`);
  const action = () => {
    const job = readJob(readSmallFile(file, REACH)?.text ?? "");
    if (job?.isDamaged || job?.writes.some(({ isSent }) => isSent)) archive(file, host);
    else rmSync(file, { force: true });
  };
  await withLock({ file, about: `job ${name}`, action }, host);
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

function timeOf(name: string): number {
  return ulidTime(basename(name, ".jsonl")) ?? Number.NaN;
}

/** Undefined for a file that cannot be read. */
function readText(file: string): string | undefined {
  try {
    return readSmallFile(file, REACH)?.text;
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}

/** Undefined for a file without a whole line, whose process was killed before it sent anything. */
function readStored(file: string, host: Machine): StoredJob | undefined {
  const text = readText(file);
  if (text !== undefined && !text.includes("\n")) return undefined;
  const job = readJob(text ?? "");
  const holder = readText(`${file}.lock`);
  const isHeld = holder !== undefined && holdsLock(holder, host);
  const isOpen = basename(dirname(file)) !== FINISHED;
  return { name: basename(file, ".jsonl"), job, state: job ? jobState(job) : "unknown", isOpen, isHeld };
}

/** The name for a new job: later than all others, even if the clock was set back. */
export function nextJobName(host: Host, random: Uint8Array): string {
  const times = jobFolders(host).flatMap((folder) => jobFiles(folder).map(timeOf));
  return ulid(
    times.reduce((last, time) => Math.max(last, time + 1), host.now().getTime()),
    random,
  );
}

/** Deletes the jobs of a tracker that is replaced by a new one. */
export function removeJobs(tracker: string, host: Surroundings): void {
  for (const folder of jobFolders(host))
    for (const name of jobFiles(folder)) {
      const job = readJob(readSmallFile(join(folder, name), REACH)?.text ?? "");
      if (job?.head.tracker === tracker) rmSync(join(folder, name), { force: true });
    }
}
