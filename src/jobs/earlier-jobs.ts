import type { Outcome } from "../api/delivery/outcome.ts";
import { requestBody } from "../api/write/update-request.ts";
import { BtError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Session } from "../session/session.ts";
import type { Job, StoredOutcome } from "./job.ts";
import { findJob } from "./job-files.ts";
import { jobJournal } from "./journal.ts";
import { readUndoneChanges, type UndoneChanges } from "./past-changes.ts";
import { settleJob } from "./resume.ts";

/** Facts of this machine's journal about earlier jobs of a tracker, each of one write. */
export type EarlierJobs = UndoneChanges & {
  /** True if a job was dropped unsent, or refused. */
  wasNotApplied: (name: string) => boolean;
  /** The comment that a job sent; undefined without one, or if the journal does not have it. */
  commentOf: (name: string) => string | undefined;
  /** The outcome of a job, which is completed if it is open. */
  readOutcome: (name: string) => Promise<Outcome>;
};

/** The earlier jobs of a tracker; the journal is read at the first question. */
export function earlierJobs(session: Session, io: Io): EarlierJobs {
  let undone: UndoneChanges | undefined;
  const readUndone = () => {
    undone ??= readUndoneChanges({ address: session.address }, io);
    return undone;
  };
  return {
    wasNotApplied: (name) => {
      const { job, isOpen } = storedJob(name, io) ?? {};
      const [write] = job?.writes ?? [];
      return write !== undefined && (write.outcome?.st === "refused" || (!isOpen && !write.isSent));
    },
    commentOf: (name) => {
      const [write] = storedJob(name, io)?.job?.writes ?? [];
      return write && Object(requestBody(write.request)["comment"]).body;
    },
    readOutcome: async (name) => {
      const stored = storedJob(name, io);
      const end = stored?.job?.writes[0]?.outcome;
      if (end && !stored?.isOpen) return outcomeOf(end);
      const journal = await jobJournal(session);
      return journal.resume(name, async (held, job: Job) => {
        const left = await settleJob(held, job, journal.around, io.now().getTime());
        const [write] = [...left.found, ...job.writes];
        const [open] = left.unknown;
        if (open) return { st: "unknown", error: open.error };
        return write?.outcome && !left.unsent.includes(write) ? outcomeOf(write.outcome) : held.send(0);
      });
    },
    undoneBy: (job, bug) => readUndone().undoneBy(job, bug),
    equalTimes: (bug, last) => readUndone().equalTimes(bug, last),
  };
}

function storedJob(name: string, io: Io) {
  try {
    return findJob(name, io);
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}

function outcomeOf(end: StoredOutcome): Outcome {
  if (end.st === "applied") return end;
  const { kind, message, code } = end.error;
  const changed = end.st === "refused" ? "nothing" : "unknown";
  return { st: end.st, error: new BtError(kind, message, { changed, bugzillaCode: code }) };
}
