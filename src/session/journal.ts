import { randomBytes } from "node:crypto";
import { isUnsent } from "../api/delivery/job-state.ts";
import {
  attemptRequest,
  isJobFinished,
  type JobEvent,
  type JobHead,
  type JobLog,
  type JobPlan,
  type Journal,
  linesBeforeUnsent,
  readJob,
} from "../api/delivery/journal.ts";
import type { ConfirmedWrite } from "../api/delivery/write.ts";
import { createWriter, type Writer } from "../api/delivery/writer.ts";
import { archiveJob, finishedJob, type JobFile, jobsSince, newestJobs, recordJob, withJob } from "../config/jobs.ts";
import { ulid } from "../config/ulid.ts";
import { BtError, usage, withDetails } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Secret, Secrets } from "../secret.ts";
import { plain } from "../view/text.ts";
import { foreignOwner, jobOwner } from "./job-owner.ts";
import type { WriteChannel } from "./session.ts";

/** Context of the writes to one tracker: the tracker, the process, and the options of the command line. */
export type WritingParts = WriteChannel & {
  readonly address: string;
  readonly isEmbedded: boolean;
  readonly login: () => Promise<string | undefined>; // as stored with the key
  readonly me: () => Promise<string | undefined>; // also as the tracker reports it
  readonly io: Io;
  readonly version: string;
  readonly secrets: Secrets;
  readonly credential: () => Promise<Secret | undefined>;
  readonly asMe?: boolean; // resume jobs of other users, too
};

/** Creates the writer for one tracker. */
export function openWriting(parts: WritingParts): Writer {
  const { io, address, isEmbedded, login, exchange, read, send } = parts;
  let found: Promise<string | undefined> | undefined;
  const me = async () => {
    found ??= parts.me();
    return found.catch((error) => {
      found = undefined;
      throw error;
    });
  };
  const means = {
    exchange,
    read,
    send,
    serverFacts: parts.serverFacts,
    me,
    confirmedSince: (moment: number) => confirmedSince(moment, parts),
    now: () => io.now().getTime(),
    sleep: sleepWithNotice(io),
    pause: io.sleep,
    isStopped: () => io.signal.aborted,
    isEmbedded,
    note: (sentence: string) => void io.err(`bt: ${plain(sentence)}\n`),
  };
  const requester = { login, credential: parts.credential, me };
  return createWriter(isEmbedded ? embeddedJournal(parts) : journalOf(parts), means, {
    foreignOwner: ({ head }) => foreignOwner(head, requester, { asMe: true }),
    checkResumable: async (job) => {
      const { head } = job;
      if (head.origin !== address) throw otherTrackerError(head, address);
      const owner = await foreignOwner(head, requester, { asMe: parts.asMe === true });
      if (isUnsent(job)) assertNoKey(JSON.stringify(head), parts); // its text may have been edited
      return owner;
    },
  });
}

/** Prints a notice before the first delay: a verification takes up to a minute. */
function sleepWithNotice(io: Io): Io["sleep"] {
  let isTold = !io.terminal.stderr;
  return async (ms) => {
    if (!isTold && ms > 0) await io.err("bt: no response; checking whether the write was applied\n");
    isTold ||= ms > 0;
    await io.sleep(ms);
  };
}

function newId(io: Io): string {
  return ulid(io.now().getTime(), randomBytes(10));
}

/**
 * The journal of an embedded tracker, on which no response is lost: drafts are stored, and updates of bugs once they have
 * ended, so that they can be undone. An update that cannot be stored can still be made.
 */
function embeddedJournal(parts: WritingParts): Journal {
  return {
    ...journalOf(parts),
    begin: async (plan, use) => {
      const head = await headOf(plan, parts);
      const lines = [JSON.stringify(head)];
      const write = (event: JobEvent) => void lines.push(parts.secrets.hide(JSON.stringify(event)));
      try {
        return await use({ job: head.job, isJournaled: false, write });
      } finally {
        record(head, lines, parts.io);
      }
    },
  };
}

function record({ job, request }: JobHead, lines: readonly string[], io: Io): void {
  const isApplied = readJob(lines)?.attempts.some(({ end }) => end?.st === "DONE");
  if (request.operation !== "Update Bug" || !isApplied) return;
  try {
    recordJob(job, lines, io);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
  }
}

function journalOf(parts: WritingParts): Journal {
  const { io } = parts;
  return {
    async draft(plan) {
      const head: JobHead = { ...(await headOf(plan, parts)), draft: true };
      const line = JSON.stringify(head);
      assertNoKey(line, parts);
      await withJob({ job: head.job, isNew: true }, io, async (file) => file.append(line));
      return head.job;
    },
    async begin(plan, use) {
      const head = await headOf(plan, parts);
      const first = JSON.stringify(head);
      assertNoKey(first, parts);
      let isOpen = false;
      const begun = withJob({ job: head.job, isNew: true }, io, (file) => {
        isOpen = true;
        let isBegun = false;
        const append: JobFile["append"] = (line, how) => {
          if (isBegun) return file.append(line, how);
          try {
            file.append(line, how);
          } catch (error) {
            throw withoutJournal(error);
          }
          isBegun = how?.lasting !== false;
        };
        append(first, { lasting: false });
        return withJournal({ file: { ...file, append }, lines: [first], head }, parts, use);
      });
      return begun.catch((error) => {
        throw isOpen ? error : withoutJournal(error);
      });
    },
    resume: (job, use) =>
      withJob({ job: job.toUpperCase(), isNew: false }, io, (file) => {
        const head = readJob(file.lines)?.head;
        const lines = [...file.lines];
        return withJournal({ file, lines, head, isResumed: true }, parts, (log) => use(log, file.lines));
      }),
    finished: (job) => finishedJob(job.toUpperCase(), io),
    newestJobs: function* () {
      for (const { lines } of newestJobs(io)) yield lines;
    },
  };
}

async function headOf({ request, seen, only, exposed }: JobPlan, parts: WritingParts): Promise<JobHead> {
  const { io, version, address } = parts;
  const { headers: _, ...bare } = request;
  const owner = await jobOwner(parts);
  const at = io.now().getTime();
  return { v: 1, job: newId(io), bt: version, at, origin: address, ...owner, request: bare, seen, only, exposed };
}

type HeldJob = {
  readonly file: JobFile;
  readonly lines: string[];
  readonly head: JobHead | undefined;
  readonly isResumed?: true; // stays open until it was sent
};

/** Uses a job's journal, and puts it aside when nothing of the job is left to do. */
async function withJournal<Result>(
  held: HeldJob,
  parts: WritingParts,
  use: (log: JobLog) => Promise<Result>,
): Promise<Result> {
  const { file, lines, head } = held;
  const name = head?.job ?? "";
  try {
    return await use({
      job: name,
      isJournaled: true,
      write: (event) => {
        const line = parts.secrets.hide(JSON.stringify(event));
        file.append(line);
        lines.push(line);
      },
    });
  } finally {
    const kept = held.isResumed && linesBeforeUnsent(lines);
    if (kept) file.replace(kept);
    const job = readJob(kept || lines);
    if (job && isJobFinished(job) && !(held.isResumed && isUnsent(job))) archiveJob(name, parts.io);
  }
}

/** Journaled writes to this tracker since a moment (ms) that were confirmed. */
function confirmedSince(moment: number, { io, address }: WritingParts): readonly ConfirmedWrite[] {
  const writes: ConfirmedWrite[] = [];
  for (const { lines } of jobsSince(moment, io)) {
    const { head, attempts = [] } = readJob(lines) ?? {};
    if (head?.origin !== address) continue;
    for (const { sent, end } of attempts) {
      if (end?.st === "DONE") writes.push({ ...sent, request: attemptRequest(head, sent), response: end.answer });
    }
  }
  return writes;
}

/** Adds to an error of the journal that nothing was sent. */
function withoutJournal(error: unknown): unknown {
  if (!(error instanceof BtError) || error.kind !== "local") return error;
  return withDetails(error, ["nothing was sent"]);
}

function assertNoKey(line: string, { secrets }: WritingParts): void {
  if (secrets.hide(line) === line) return;
  throw new BtError("guard", "the text contains your API key, so it was not sent", { changed: "nothing" });
}

function otherTrackerError({ job, origin }: JobHead, address: string): BtError {
  return usage(`job ${job} is for ${origin}, not for ${address}`, `bt job send ${job} --base-url ${origin}`);
}
