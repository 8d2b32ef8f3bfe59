import { randomBytes } from "node:crypto";
import type { DeliveredWrite, Journal, Plan } from "../api/delivery/journal.ts";
import { type Around, type Outcome, responseOf, type Write, type WriteLog } from "../api/delivery/outcome.ts";
import type { OpenJob } from "../api/delivery/send-all.ts";
import { sendWrite } from "../api/delivery/send-write.ts";
import { lostCharactersWarning } from "../api/delivery/stored-text.ts";
import { isSameLogin } from "../api/people.ts";
import { BtError, usageError, withDetails, withFacts } from "../errors.ts";
import { createAround, type JournalParts } from "../session/delivery.ts";
import type { Session } from "../session/session.ts";
import type { Request } from "../wire/exchange.ts";
import { type Job, type JobHead, type JobLine, readJob } from "./job.ts";
import { canStoreJobs, findJob, type JobFile, listJobs, nextJobName, removeJobs, withJobFile } from "./job-files.ts";

/** A job of the journal, and the ways to record a write that an earlier run sent, and to replace one of a draft. */
export type HeldJob = OpenJob & {
  readonly log: (n: number) => WriteLog;
  readonly replace: (n: number, write: Write) => void;
};

/** The journal with what `bt job send` needs. */
export type JobJournal = Journal & {
  /**
   * Opens a job that is not done.
   * @throws BtError of kind usage if it is another tracker's or user's, or damaged
   */
  readonly resume: <Result>(name: string, use: (job: HeldJob, stored: Job) => Promise<Result>) => Promise<Result>;
  readonly around: Around;
};

/** Removes the jobs of a tracker that is replaced by a new one. */
export function forgetJobs(address: string, host: JournalParts["io"]): void {
  removeJobs(address, host);
}

/** The journal of a session's tracker. */
export async function jobJournal(session: Session): Promise<JobJournal> {
  const journal: Journal & Partial<JobJournal> = await session.writes.journal();
  const { resume, around } = journal;
  if (resume && around) return { ...journal, resume, around };
  throw new BtError("internal", "the writes of this session are not journaled");
}

/** The journal for one tracker, of which every command that writes is a job. */
export function openJournal(parts: JournalParts): JobJournal {
  const { io } = parts;
  const around = createAround(parts);
  const delivered: DeliveredWrite[] = [];
  const begin: Journal["begin"] = async ({ writes, ...plan }, use) => {
    const head = await createHead(plan, parts);
    let isBegun = false;
    return withFile(head.job, parts, (file) => {
      append(file, [head, ...plannedLines(writes)], { lasting: false }, parts);
      isBegun = true;
      return use(openJob({ file, head, writes: new Map(writes.entries()) }, around, parts));
    }).catch((error) => {
      throw isBegun || !(error instanceof BtError) ? error : withNothingSent(error);
    });
  };
  return {
    around,
    begin,
    delivered,
    deliver: async (command, write) => {
      const outcome = await begin({ command, writes: [write] }, (job) => job.send(0));
      const response = responseOf(outcome);
      delivered.push({ ...write, response });
      return response;
    },
    draft: async (command, write) => {
      const head: JobHead = { ...(await createHead({ command }, parts)), draft: true };
      const lines = [head, ...plannedLines([write])];
      await withJobFile({ name: head.job, isNew: true }, io, async (file) =>
        append(file, lines, { lasting: true }, parts),
      );
      return head.job;
    },
    resume: async (word, use) => {
      const { name } = findJob(word, io);
      return withJobFile({ name, isNew: false }, io, async (file) => {
        const job = readJob(file.text);
        if (job === undefined || job.isDamaged) throw damagedJobError(name);
        await checkOwner(job.head, parts);
        const writes = new Map(job.writes.map(({ n, request, before }) => [n, { request, before }]));
        return use(openJob({ file, head: job.head, writes }, around, parts), job);
      });
    },
  };
}

/** The file of a job; in memory alone for a tracker in this process, on which no response is lost, if no file can be written. */
async function withFile<Result>(
  name: string,
  { io, isInProcess }: JournalParts,
  use: (file: JobFile) => Promise<Result>,
): Promise<Result> {
  if (isInProcess && !canStoreJobs(io)) return use({ text: "", isStored: false, append: () => undefined });
  return withJobFile({ name, isNew: true }, io, use);
}

/** The error of a journal that cannot be begun; of a folder that cannot be made, with how to name another. */
function withNothingSent(error: BtError): BtError {
  const hint = error.facts.hint ?? (error.kind === "local" ? "set XDG_STATE_HOME to a writable folder" : undefined);
  return withFacts(withDetails(error, ["nothing was sent"]), { changed: "nothing", hint });
}

export function damagedJobError(name: string): BtError {
  return new BtError("local", `the journal of job ${name} is damaged, or written by a newer bt`, {
    details: ["its writes may or may not be applied"],
    hint: `check the tracker, then drop it: bt job drop ${name}`,
    changed: "nothing",
  });
}

async function checkOwner({ job, tracker, user }: JobHead, { address, login }: JournalParts): Promise<void> {
  if (tracker !== address) throw usageError(`job ${job} is of ${tracker}, not of ${address}`, `--base-url ${tracker}`);
  if (user !== undefined && !isSameLogin(user, await login())) throw usageError(`job ${job} is by ${user}, not by you`);
}

async function createHead(plan: Omit<Plan, "writes">, { io, version, address, login }: JournalParts): Promise<JobHead> {
  const job = nextJobName(io, randomBytes(10));
  return { v: 2, job, bt: version, at: io.now().getTime(), tracker: address, user: await login(), ...plan };
}

type OpenFile = { file: JobFile; head: JobHead; writes: Map<number, Write> };

function openJob({ file, head, writes }: OpenFile, around: Around, parts: JournalParts): HeldJob {
  const { io, isInProcess, send } = parts;
  const name = head.job;
  const write = (line: JobLine) => append(file, [line], { lasting: !isInProcess }, parts);
  const log = (n: number, newest?: Write): WriteLog => ({
    job: name,
    sent: ({ left, ticks }) => {
      const changed = newest && { request: bare(newest.request), before: newest.before };
      write({ n, st: "sent", at: io.now().getTime(), left, ticks: left === undefined ? ticks : undefined, ...changed });
    },
    ended: (outcome, left) => write({ n, ...endOf(outcome), left }),
    others: () => otherWrites(name, n, parts),
  });
  return {
    name,
    isStored: file.isStored,
    log,
    send: async (n, newest) => {
      const own = newest ?? writes.get(n);
      if (own === undefined) throw new BtError("internal", `job ${name} has no write ${n}`);
      const warning = isInProcess ? undefined : await lostCharactersWarning(own.request, send);
      if (warning) around.note(warning);
      return sendWrite(own, log(n, newest), around);
    },
    add: (one) => {
      const n = Math.max(-1, ...writes.keys()) + 1;
      writes.set(n, one);
      append(file, plannedLines([one], n), { lasting: false }, parts);
      return n;
    },
    replace: (n, one) => append(file, plannedLines([one], n), { lasting: true }, parts),
    refuse: (n, error) => append(file, [{ n, ...endOf({ st: "refused", error }) }], { lasting: false }, parts),
    skip: (n) => append(file, [{ n, st: "skipped" }], { lasting: false }, parts),
  };
}

function endOf(outcome: Outcome) {
  if (outcome.st === "applied") return { st: outcome.st, response: outcome.response };
  const { kind, message, facts } = outcome.error;
  return { st: outcome.st, error: { kind, message, code: facts.bugzillaCode } };
}

/** The writes of all jobs of the tracker that were sent, less one. */
function otherWrites(job: string, n: number, { io, address }: JournalParts) {
  return listJobs(io, { all: true })
    .flatMap((stored) => (stored.job?.head.tracker === address ? stored.job : []))
    .flatMap(({ head, writes }) => writes.filter((write) => write.isSent && !(head.job === job && write.n === n)));
}

function plannedLines(writes: readonly Write[], start = 0): JobLine[] {
  return writes.map(({ request, before, key }, at) => ({
    ...{ n: start + at, st: "planned", request: bare(request), before, key },
  }));
}

/** A request without its headers, which are for one sending, and may have a key. */
function bare({ headers: _, ...request }: Request): Request {
  return request;
}

/**
 * Appends lines, with keys in what the tracker said hidden.
 * @throws BtError of kind guard if a request holds a key
 */
function append(
  file: JobFile,
  lines: readonly object[],
  how: { lasting: boolean },
  { io: { hide } }: JournalParts,
): void {
  const texts = lines.map((line) => JSON.stringify(line));
  const hasKey = (line: object, at: number) => "request" in line && hide(texts[at] ?? "") !== texts[at];
  if (lines.some(hasKey)) throw new BtError("guard", "the text contains your API key", { changed: "nothing" });
  file.append(
    texts.map((text) => JSON.parse(hide(text)) as object),
    how,
  );
}
