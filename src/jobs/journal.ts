import { rmSync } from "node:fs";
import {
  type DeliveryTools,
  type Journal,
  type OpenJob,
  type Outcome,
  responseOf,
  type Write,
  type WriteLog,
} from "../api/delivery/outcome.ts";
import { sendWrite } from "../api/delivery/send-write.ts";
import { folderFor } from "../config/files.ts";
import { BtError, withDetails, withFacts } from "../errors.ts";
import type { Io } from "../io.ts";
import { note } from "../session/note.ts";
import type { Session } from "../session/session.ts";
import type { Request } from "../wire/exchange.ts";
import { checkOwner, damagedJobError, type Job, type JobHead, type JobLine, readJob } from "./job.ts";
import { type JobFile, newestJobs, nextJobName, withJobFile } from "./job-files.ts";

/** A job, with a way to look for a write of an earlier run, and to record it. */
export type HeldJob = OpenJob & { readonly log: (n: number) => WriteLog; readonly tools: DeliveryTools };

/** The journal with what `bt job send` needs. */
export type JobJournal = Journal & {
  /**
   * Opens a job that is not done.
   * @throws BtError of kind usage if it is another tracker's or user's, or damaged
   */
  readonly resume: <Result>(name: string, use: (job: HeldJob, stored: Job) => Promise<Result>) => Promise<Result>;
};

/** Removes the jobs of a tracker that is replaced by a new one. */
export function forgetJobs(address: string, io: Io): void {
  for (const { file, job } of newestJobs(io)) if (job?.head.tracker === address) rmSync(file, { force: true });
}

/** The journal of a session's tracker, which `openJournal` opened. */
export async function jobJournal(session: Session): Promise<JobJournal> {
  return (await session.journal()) as JobJournal;
}

/** A session whose writes are journaled. */
type JournalParts = { readonly session: Session; readonly io: Io; readonly version: string };

/** The journal for one tracker; every command that writes is a job in it. */
export function openJournal(parts: JournalParts): JobJournal {
  const { session, io, version } = parts;
  const isLasting = session.network !== undefined;
  const tools = deliveryTools(parts);
  const begin: Journal["begin"] = async ({ writes, ...plan }, use) => {
    const name = nextJobName(io);
    const at = io.now().getTime();
    const [tracker, user] = [session.address, await session.login()];
    const head: JobHead = { v: 2, job: name, bt: version, at, tracker, user, ...plan };
    let isBegun = false;
    const run = (file: JobFile) => {
      append(file, [head, ...plannedLines(writes)], io);
      isBegun = true;
      return use(openJob({ file, head, writes: new Map(writes.entries()) }, tools, parts));
    };
    const isStored = isLasting || head.draft || folderFor("state", io) !== undefined;
    if (!isStored) return run(IN_MEMORY);
    return withJobFile({ name, isNew: true, isLasting }, io, run).catch((error) => {
      if (isBegun || !(error instanceof BtError)) throw error;
      const hint = error.kind === "local" ? "set XDG_STATE_HOME to a writable folder" : undefined;
      throw withFacts(withDetails(error, ["nothing was sent"]), { changed: "nothing", hint: error.facts.hint ?? hint });
    });
  };
  return {
    begin,
    deliver: async (command, write) => {
      const response = responseOf(await begin({ command, writes: [write] }, (job) => job.send(0)));
      session.delivered.push({ ...write, response });
      return response;
    },
    resume: (name, use) =>
      withJobFile({ name, isNew: false, isLasting }, io, async (file) => {
        const job = readJob(file.text);
        if (job === undefined || job.isDamaged) throw damagedJobError(name);
        checkOwner(job.head, session.address, await session.login());
        const writes = new Map(job.writes.map(({ n, request, before }) => [n, { request, before }]));
        return use(openJob({ file, head: job.head, writes }, tools, parts), job);
      }),
  };
}

/** For the embedded tracker of a user without a home directory. */
const IN_MEMORY: JobFile = { text: "", append: () => undefined };

function deliveryTools({ session, io }: JournalParts): DeliveryTools {
  const { exchange, login, dialect, network } = session;
  let isNoticeDue = io.terminal.stderr; // before the first delay: looks take up to half a minute
  return {
    exchange,
    login,
    dialect: () => dialect.name().catch(() => "bugzilla" as const), // an odd error is looked into
    isInProcess: network === undefined,
    clock: { now: network?.time ?? (() => undefined), ticks: io.ticks },
    sleep: async (ms) => {
      if (isNoticeDue) await note(io, "no response; checking whether the write was applied");
      isNoticeDue = false;
      await io.sleep(ms);
    },
    isStopped: () => io.signal.aborted,
    note: (sentence) => void note(io, sentence),
  };
}

type OpenFile = { file: JobFile; head: JobHead; writes: Map<number, Write> };

function openJob({ file, head, writes }: OpenFile, tools: DeliveryTools, parts: JournalParts): HeldJob {
  const { io } = parts;
  const name = head.job;
  const write = (line: JobLine) => append(file, [line], io);
  const log = (n: number, newest?: Write): WriteLog => ({
    job: name,
    sent: ({ left, ticks }) => {
      const changed = newest && { request: bare(newest.request), before: newest.before };
      const at = io.now().getTime();
      write({ n, st: "sent", at, left, ticks: left === undefined ? ticks : undefined, ...changed });
    },
    ended: (outcome, left) => write({ n, ...endOf(outcome), left }),
    others: () => otherWrites(name, n, parts),
  });
  return {
    name,
    isStored: file !== IN_MEMORY,
    tools,
    log,
    send: async (n, newest) => {
      const planned = writes.get(n);
      const own = newest ?? planned;
      if (own === undefined) throw new BtError("internal", `job ${name} has no write ${n}`);
      return sendWrite(own, log(n, own === planned ? undefined : own), tools);
    },
    add: (one, n = Math.max(-1, ...writes.keys()) + 1) => {
      writes.set(n, one);
      append(file, plannedLines([one], n), io);
      return n;
    },
    refuse: (n, error) => write({ n, ...endOf({ st: "refused", error }) }),
    skip: (n) => write({ n, st: "skipped" }),
  };
}

function endOf(outcome: Outcome) {
  if (outcome.st === "applied") return { st: outcome.st, response: outcome.response };
  const { kind, message, facts } = outcome.error;
  return { st: outcome.st, error: { kind, message, code: facts.bugzillaCode } };
}

/** All sent writes of the tracker's jobs, except write `n` of this job. */
function otherWrites(job: string, n: number, { session, io }: JournalParts) {
  const jobs = [...newestJobs(io)].flatMap((stored) => stored.job ?? []);
  return jobs
    .filter(({ head }) => head.tracker === session.address)
    .flatMap(({ head, writes }) => writes.filter((one) => one.at !== undefined && !(head.job === job && one.n === n)));
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
function append(file: JobFile, lines: readonly object[], { hide }: Io): void {
  const texts = lines.map((line) => JSON.stringify(line));
  const hasKey = (line: object, at: number) => "request" in line && hide(texts[at] ?? "") !== texts[at];
  if (lines.some(hasKey)) throw new BtError("guard", "the text contains your API key");
  file.append(texts.map(hide));
}
