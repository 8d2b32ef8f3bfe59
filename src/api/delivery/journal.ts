import { type BtError, usage } from "../../errors.ts";
import type { JobEvent, JobHead } from "./job.ts";

/** Where jobs are written down. */
export type Journal = {
  /** Begins a job and uses it; nobody else can take it up meanwhile. */
  readonly begin: <Result>(plan: Plan, use: (log: JobLog) => Promise<Result>) => Promise<Result>;
  /** Takes up a job that was left open; a usage error when there is none of that name. */
  readonly resume: <Result>(
    job: string,
    use: (log: JobLog, lines: readonly string[]) => Promise<Result>,
  ) => Promise<Result>;
  /** The lines of a job that is over; undefined when there is none of that name. */
  readonly finished: (job: string) => readonly string[] | undefined;
  /** The lines of every job that was begun at or after a moment, finished ones too. */
  readonly jobsSince: (moment: number) => readonly (readonly string[])[];
};

/** What a job is to do, as its head keeps it. */
export type Plan = Pick<JobHead, "request" | "seen" | "only" | "exposed">;

/** One job's journal. `write` returns when the line is on the disk, and throws when it cannot be put there. */
export type JobLog = {
  readonly job: string;
  readonly isKept: boolean; // false: there is no journal, so there is nothing to resume
  readonly write: (event: JobEvent) => void;
};

/** For trackers in this process, whose answers cannot get lost, and for those who want no journal. */
export function noJournal(newId: () => string): Journal {
  return {
    begin: (_, use) => use({ job: newId(), isKept: false, write: () => undefined }),
    resume: (job) => Promise.reject(nothingOpen(job)),
    finished: () => undefined,
    jobsSince: () => [],
  };
}

function nothingOpen(job: string): BtError {
  return usage(
    `no journal is kept here, so there is no job ${JSON.stringify(job)} to resume`,
    "bt jobs lists the open ones with their trackers: bt resume JOB --base-url ADDRESS",
  );
}
