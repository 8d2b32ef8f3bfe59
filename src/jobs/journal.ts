import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { type RunningJob, runningJob } from "../api/delivery/running-job.ts";
import type { Delivery } from "../api/delivery/send-write.ts";
import type { ConfirmedWrite, JobEvent, JobLog, JobPlan, Journal, Write } from "../api/delivery/write.ts";
import { type JobOwner, writeKind } from "../api/delivery/write-kinds.ts";
import { createWriter, type Writer } from "../api/delivery/writer.ts";
import { isSameLogin } from "../api/people.ts";
import { BtError, isKind, usageError, withDetails, withFacts } from "../errors.ts";
import type { Secret } from "../secret.ts";
import { createDelivery, type WriterParts } from "../session/delivery.ts";
import type { Session } from "../session/session.ts";
import { attemptRequest, isUnsent, type Job, type JobHead, linesBeforeUnsent, readJob } from "./job.ts";
import {
  archiveJob,
  findStoredJob,
  folderToRecordIn,
  type JobFile,
  newestJobName,
  readJobsSince,
  recordJob,
  removeJobs,
  withJob,
} from "./job-files.ts";
import { bugsLeft, isJobFinished } from "./job-states.ts";
import { ulid, ulidTime } from "./ulid.ts";

/** The jobs of one tracker. */
export type TrackerJobs = {
  /** Stores a write as a draft, which is not sent; returns its job. */
  readonly draft: (write: Write) => Promise<string>;
  /** True if the current user began the job. */
  readonly isOwn: (job: Job) => Promise<boolean>;
  /**
   * Resumes an unfinished job.
   * @throws BtError of kind usage if no such job is open, or it may not be resumed here
   */
  readonly resume: <Result>(job: string, use: (job: RunningJob, stored: Job) => Promise<Result>) => Promise<Result>;
};

type JobWriter = Writer & { jobs?: TrackerJobs };

/** The jobs of a session's tracker. */
export async function loadTrackerJobs(session: Session): Promise<TrackerJobs> {
  const { jobs }: JobWriter = await session.writes.writer();
  if (jobs) return jobs;
  throw new BtError("internal", "the writes of this session are not journaled");
}

/** Removes the jobs of a tracker that is replaced by a new one. */
export function forgetJobs(address: string, host: WriterParts["io"]): void {
  removeJobs(({ head }) => head.origin === address, host);
}

/** Creates the writer for one tracker, of which every write is a job. */
export function openWriter(parts: WriterParts): JobWriter {
  const { address, login, credential, isInProcess } = parts;
  const delivery = createDelivery(parts, (moment) => readConfirmedSince(moment, parts));
  const requester = { login, credential };
  const journal = isInProcess ? createEmbeddedJournal(parts) : createJournal(parts, delivery);
  const checkResumable = async (job: Job) => {
    const { head } = job;
    if (job.isDamaged) throw damagedJournalError(job);
    if (head.origin !== address) throw otherTrackerError(head, address);
    const owner = await findForeignOwner(head, requester, { asMe: parts.flags?.asMe === true });
    if (isUnsent(job)) assertNoKey(JSON.stringify(head), parts); // its text may have been edited
    return owner;
  };
  const jobs: TrackerJobs = {
    draft: (write) => storeUnsentJob(write, parts),
    isOwn: async ({ head }) => (await findForeignOwner(head, requester, { asMe: true })) === undefined,
    resume: (name, use) =>
      resumeJob(name, { ...parts, delivery }, async (log, job) => {
        const owner = await checkResumable(job);
        const earlier = { at: job.head.at, attempts: job.attempts };
        return use(runningJob(log, earlier, { ...delivery, jobOwner: owner }), job);
      }),
  };
  return { ...createWriter(journal, delivery), jobs };
}

/**
 * The journal of an embedded tracker, on which no response is lost: drafts are stored, and writes once they have
 * ended, so that updates can be undone, and those of many bugs resumed. A write that cannot be stored can still be made.
 */
function createEmbeddedJournal(parts: WriterParts): Journal {
  return {
    begin: async (plan, use) => {
      const folder = folderToRecordIn(parts.io);
      const head = await createHead({ ...plan, command: folder === undefined ? undefined : plan.command }, parts);
      const lines = [JSON.stringify(head)];
      let isApplied = false;
      const write = (event: JobEvent) => {
        lines.push(parts.io.hide(JSON.stringify(event)));
        isApplied ||= event.st === "DONE";
      };
      try {
        return await use({ job: head.job, isJournaled: folder !== undefined && plan.bulk !== undefined, write });
      } finally {
        if ((isApplied || plan.bulk) && folder !== undefined) recordJob(folder, lines, parts.io);
        else if (plan.command?.first === head.job) delete plan.command.first;
      }
    },
  };
}

function createJournal(parts: WriterParts, delivery: Delivery): Journal {
  const { io } = parts;
  return {
    async begin(plan, use) {
      const head = await createHead(plan, parts);
      const first = JSON.stringify(head);
      assertNoKey(first, parts);
      let isOpen = false;
      try {
        return await withJob({ job: head.job, isNew: true }, io, (file) => {
          isOpen = true;
          const begun = { ...file, append: appendBeforeSending(file) };
          begun.append(first, { lasting: false });
          return withJournal({ file: begun, lines: [first], head }, { io, delivery }, use);
        });
      } catch (error) {
        throw isOpen ? error : asNothingSent(error);
      }
    },
  };
}

/** Appends to the file of a new job; an error before a line is on disk, and so before the first request, says that nothing was sent. */
function appendBeforeSending(file: JobFile): JobFile["append"] {
  let isOnDisk = false;
  return (line, how) => {
    try {
      file.append(line, how);
    } catch (error) {
      throw isOnDisk ? error : asNothingSent(error);
    }
    isOnDisk ||= how?.lasting !== false;
  };
}

async function storeUnsentJob(plan: JobPlan, parts: WriterParts): Promise<string> {
  const head: JobHead = { ...(await createHead(plan, parts)), draft: true };
  const line = JSON.stringify(head);
  assertNoKey(line, parts);
  await withJob({ job: head.job, isNew: true }, parts.io, async (file) => file.append(line));
  return head.job;
}

function resumeJob<Result>(
  name: string,
  parts: JournalParts,
  use: (log: JobLog, job: Job) => Promise<Result>,
): Promise<Result> {
  return withJob({ job: name.toUpperCase(), isNew: false }, parts.io, async (file) => {
    const job = readJob(file.lines);
    if (job === undefined) throw unreadableJournalError(name);
    const held: HeldJob = { file, lines: [...file.lines], head: job.head, isResumed: true };
    return withJournal(held, parts, (log) => use(log, job));
  });
}

async function createHead(plan: JobPlan, parts: WriterParts): Promise<JobHead> {
  const { request, bulk, seen, latest, exposed, edits, undoes, leaves, command = {} } = plan;
  const { io, version, address } = parts;
  const { headers: _, ...bare } = request;
  const key = await parts.credential?.();
  const credential = key === undefined ? "none" : await computeFingerprint(key.reveal());
  const user = await parts.login();
  const at = io.now().getTime();
  const { first: of, last = of } = command;
  const earlier = [newestJobName(io), last, undoes].flat();
  const after = earlier.map((name = "") => (ulidTime(name) ?? 0) + 1); // even if the clock was set back
  const job = ulid(Math.max(at, ...after), randomBytes(10));
  command.first ??= job;
  command.last = job;
  return {
    v: 1,
    job,
    bt: version,
    at,
    origin: address,
    user,
    credential,
    request: bare,
    bulk,
    seen,
    latest,
    exposed,

    edits,
    undoes,
    leaves,
    of,
  };
}

type HeldJob = {
  file: JobFile;
  lines: string[];
  head: JobHead;
  isResumed?: true; // stays open until it was sent
};

type JournalParts = { io: WriterParts["io"]; delivery: Delivery };

/** Uses a job's journal, and puts it aside when nothing of the job is left to do. */
async function withJournal<Result>(
  held: HeldJob,
  { io, delivery }: JournalParts,
  use: (log: JobLog) => Promise<Result>,
): Promise<Result> {
  const { file, lines, head } = held;
  const name = head.job;
  try {
    return await use({
      job: name,
      isJournaled: true,
      write: (event) => {
        const line = io.hide(JSON.stringify(event));
        file.append(line);
        lines.push(line);
      },
    });
  } finally {
    const sentLines = held.isResumed && linesBeforeUnsent(lines);
    if (sentLines) file.replace(sentLines);
    const job = readJob(sentLines || lines);
    const isOver = job && isJobFinished(job) && !(held.isResumed && isUnsent(job));
    const isAside = isOver && archiveJob(name, io);
    if (!isAside && !findStoredJob(name, io)) noteRemoval(name, delivery);
  }
}

/** Notes once that a journal, and with it maybe others, was removed; the writes go on without it. */
function noteRemoval(job: string, { noted, note }: Delivery): void {
  if (!noted.has(REMOVAL))
    note(`the journal of job ${job} was removed while bt was running: bt job cannot show or continue it`);
  noted.add(REMOVAL);
}

const REMOVAL = "a journal was removed";

/** Journaled writes to this tracker since a moment (ms) that were confirmed. */
function readConfirmedSince(moment: number, { io, address }: WriterParts): ConfirmedWrite[] {
  const writes: ConfirmedWrite[] = [];
  for (const { job } of readJobsSince(moment, io)) {
    if (job?.head.origin !== address) continue;
    for (const { sent, end } of job.attempts) {
      if (end?.st === "DONE")
        writes.push({ ...sent, job: job.head.job, request: attemptRequest(job.head, sent), response: end.answer });
    }
  }
  return writes;
}

/** Adds to an error of the journal that nothing was sent, and of a folder that cannot be made, how to name another. */
function asNothingSent(error: unknown): unknown {
  if (!isKind(error, "local")) return error;
  const hint = error.facts.hint ?? "set XDG_STATE_HOME to a writable folder";
  return withFacts(withDetails(error, ["nothing was sent"]), { hint });
}

function assertNoKey(line: string, { io }: WriterParts): void {
  if (io.hide(line) === line) return;
  throw new BtError("guard", "the text contains your API key, so it was not sent", { changed: "nothing" });
}

function otherTrackerError({ job, origin }: JobHead, address: string): BtError {
  return usageError(`job ${job} is for ${origin}, not for ${address}`, `bt job send ${job} --base-url ${origin}`);
}

/** A damaged job is not resumed, since it may have sent more than its lines say. */
function damagedJournalError(job: Job): BtError {
  const open = bugsLeft(job);
  const about = open.length > 0 ? `bugs ${open.join(", ")}` : writeKind(job.head.request).describe(job.head.request);
  return new BtError("local", `the journal of job ${job.head.job} is damaged: a line cannot be read`, {
    details: [`it may be about ${about}`],
    hint: "check the tracker before you retry",
    changed: "unknown",
  });
}

function unreadableJournalError(name: string): BtError {
  return new BtError("local", `the journal of job ${name} cannot be read`, {
    hint: "check the tracker before you retry",
    changed: "unknown",
  });
}

/** The current user. */
type JobRequester = {
  readonly login: () => Promise<string | undefined>;
  readonly credential?: (() => Promise<Secret | undefined>) | undefined; // absent: there is none
};

/**
 * Undefined if the current user began the job, by login or credential; else its owner.
 * @throws BtError if the job belongs to someone else, unless `asMe` is set
 */
async function findForeignOwner(
  head: JobHead,
  requester: JobRequester,
  { asMe }: { asMe: boolean },
): Promise<JobOwner | undefined> {
  if ((await isSameCredential(head, requester)) || (await isSameUser(head, requester))) return undefined;
  if (asMe) return { user: head.user };
  throw usageError(`job ${head.job} ${await describeForeignOwner(head, requester)}`, asMeHint(head.job));
}

async function isSameCredential({ credential: recorded }: JobHead, { credential }: JobRequester): Promise<boolean> {
  const key = await credential?.();
  if (recorded === undefined || key === undefined) return recorded === "none" && key === undefined;
  return recorded !== "none" && isFingerprintOf(key.reveal(), recorded);
}

async function isSameUser({ user }: JobHead, { credential, login }: JobRequester): Promise<boolean> {
  if (user === undefined || (await credential?.()) === undefined) return false;
  return isSameLogin(await login(), user);
}

async function describeForeignOwner(
  { user, credential: recorded }: JobHead,
  { credential, login }: JobRequester,
): Promise<string> {
  const now = (await credential?.()) === undefined ? "an anonymous user" : ((await login()) ?? "this API key");
  if (user !== undefined) return `was started by ${user}, not by ${now}`;
  if (recorded === undefined) return "does not record its owner";
  return recorded === "none" ? `was started anonymously, not by ${now}` : `was started with another API key`;
}

function asMeHint(job: string): string {
  return `bt job send ${job} --as-me verifies it, and resends as you only what was not applied`;
}

/** Salted scrypt hash of a credential. */
type Fingerprint = { readonly salt: string; readonly scrypt: string }; // base64

/** Fingerprint of a credential. Takes about 50 ms off the event loop the first time; the salt is fixed per process. */
async function computeFingerprint(credential: string): Promise<Fingerprint> {
  return { salt: SALT, scrypt: await cachedHash(credential, SALT) };
}

/** True if a fingerprint matches the credential. */
async function isFingerprintOf(credential: string, { salt, scrypt: recorded }: Fingerprint): Promise<boolean> {
  const hash = Buffer.from(await cachedHash(credential, salt));
  return hash.length === Buffer.byteLength(recorded) && timingSafeEqual(hash, Buffer.from(recorded));
}

const LENGTH = 32;
const SALT = randomBytes(16).toString("base64");
const known = new Map<string, Promise<string>>();

function cachedHash(credential: string, salt: string): Promise<string> {
  const key = `${salt} ${credential}`;
  const hash = known.get(key) ?? hashCredential(credential, salt);
  known.set(key, hash);
  return hash;
}

function hashCredential(credential: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(credential, Buffer.from(salt, "base64"), LENGTH, (error, hash) =>
      error ? reject(error) : resolve(hash.toString("base64")),
    );
  });
}
