import {
  type DeliveryTools,
  type Journal,
  type OpenJob,
  responseOf,
  type Write,
  type WriteNote,
} from "../api/delivery/outcome.ts";
import { sendWrite } from "../api/delivery/send-write.ts";
import { folderFor } from "../config/files.ts";
import { BtError, withDetails, withFacts } from "../errors.ts";
import type { Io } from "../io.ts";
import { note } from "../session/note.ts";
import type { JournalTracker, Session } from "../session/session.ts";
import { checkOwner, damagedJobError, type Job, type JobHead, type JobLine, readJob } from "./job.ts";
import { type JobFile, newestJobs, nextJobName, withJobFile } from "./job-files.ts";

/** The journal for one tracker; every command that writes is a job in it. */
export function openJournal(opened: JournalTracker, io: Io): Journal {
  const isLasting = !opened.isInProcess;
  const tools = deliveryTools(opened, io);
  const begin: Journal["begin"] = async ({ writes, ...plan }, use) => {
    const name = nextJobName(io);
    const at = io.now().getTime();
    const [tracker, user] = [opened.address, await opened.login()];
    const head: JobHead = { v: 2, job: name, at, tracker, user, ...plan };
    let isBegun = false;
    const run = (file: JobFile) => {
      append(file, [head, ...writes.map(plannedLine)], io);
      isBegun = true;
      return use(openJob(file, head, new Map(writes.entries()), tools, io));
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
    tools,
    begin,
    deliver: async (command, write) => {
      const response = responseOf(await begin({ command, writes: [write] }, (job) => sendWrite(0, write, job)));
      opened.delivered.push({ ...write, response });
      return response;
    },
  };
}

/** A job of an earlier command that is opened again. */
export type ResumedJob = OpenJob & { readonly read: () => Job };

/** Opens a job that is not done. @throws BtError if it is another tracker's or user's, or damaged */
export async function resumeJob<Result>(
  name: string,
  session: Session,
  io: Io,
  use: (job: ResumedJob) => Promise<Result>,
): Promise<Result> {
  const { tools } = await session.journal();
  return withJobFile({ name, isNew: false, isLasting: !tools.isInProcess }, io, async (file) => {
    const read = () => {
      const job = readJob(file.text());
      if (job === undefined || job.isDamaged) throw damagedJobError(name);
      return job;
    };
    const { head, writes } = read();
    checkOwner(head, session.address, await tools.login());
    const planned = new Map(writes.map((write) => [write.n, write]));
    return use({ ...openJob(file, head, planned, tools, io), read });
  });
}

/** For the embedded tracker of a user without a home directory. */
const IN_MEMORY: JobFile = { text: () => "", append: () => undefined };

function openJob(
  file: JobFile,
  { job: name, tracker }: JobHead,
  planned: Map<number, Write>,
  tools: DeliveryTools,
  io: Io,
): OpenJob {
  return {
    name,
    isStored: file !== IN_MEMORY,
    tools,
    add: (writes, first = Math.max(-1, ...planned.keys()) + 1) => {
      for (const [at, write] of writes.entries()) planned.set(first + at, write);
      const lines = writes.map((write, at) => plannedLine(write, first + at));
      if (lines.length > 0) append(file, lines, io);
      return first;
    },
    record: (n, noted) => {
      if (noted.st !== "sent") return append(file, [{ n, ...storedNote(noted) }], io);
      const { write, ...times } = noted;
      const changed = write === planned.get(n) ? {} : plannedLine(write, n);
      append(file, [{ ...changed, n, ...times, at: io.now().getTime() }], io);
    },
    otherWrites: (n) => {
      const jobs = [...newestJobs(io)].flatMap((stored) => stored.job ?? []);
      return jobs
        .filter(({ head }) => head.tracker === tracker)
        .flatMap(({ head, writes }) =>
          writes.filter((one) => one.at !== undefined && !(head.job === name && one.n === n)),
        );
    },
  };
}

function deliveryTools({ exchange, login, dialect, isInProcess, time }: JournalTracker, io: Io): DeliveryTools {
  return {
    ...{ exchange, login, isInProcess },
    dialect: async () => (await dialect().catch(() => undefined))?.name ?? "bugzilla", // an odd error is looked into
    clock: { now: time, ticks: io.ticks },
    sleep: io.sleep,
    signal: io.signal,
    note: (sentence) => void note(io, sentence),
    progress: (sentence) => void (io.terminal.stderr && note(io, sentence)),
  };
}

function plannedLine({ request, before, key }: Write, n: number): JobLine {
  const { headers: _, ...bare } = request; // they are for one sending, and may have a key
  return { n, st: "planned", request: bare, before, key };
}

function storedNote(noted: Exclude<WriteNote, { st: "sent" }>): Omit<JobLine, "n"> {
  if (noted.st === "skipped") return noted;
  const { st, left } = noted;
  if (st === "applied") return { st, response: noted.response, left };
  const { kind, message, facts } = noted.error;
  return { st, error: { kind, message, code: facts.bugzillaCode }, left };
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
