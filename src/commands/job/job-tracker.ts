import { BtError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import type { Job } from "../../jobs/job.ts";
import { findJob } from "../../jobs/job-files.ts";
import type { SessionFlags } from "../../session/flags.ts";
import { flagsForTracker, isTrackerNamed } from "../../session/named-tracker.ts";

type Around = { io: Io };
type JobInput = SessionFlags & { args: string[]; job?: string | undefined };

/** Tracker flags for the job that is the argument. */
export async function argumentJobFlags(input: JobInput, { io }: Around): Promise<SessionFlags> {
  return jobFlags(input.args[0], input, io);
}

/** Tracker flags for the job of `--job`. */
export async function namedJobFlags(input: JobInput, { io }: Around): Promise<SessionFlags> {
  return jobFlags(input.job, input, io);
}

/** The flags with the tracker of a job, unless they, the environment or the configuration name one. */
function jobFlags(word: string | undefined, flags: SessionFlags, io: Io): SessionFlags {
  if (word === undefined || isTrackerNamed(flags, io)) return flags;
  const origin = storedJob(word, io)?.head.tracker;
  return origin === undefined ? flags : flagsForTracker(origin, flags, io);
}

/** The job of this name; undefined for a word that is none, which the command itself refuses. */
function storedJob(word: string, io: Io): Job | undefined {
  try {
    return findJob(word, io).job;
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}
