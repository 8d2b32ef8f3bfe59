import type { Io } from "../../io.ts";
import { findJob } from "../../jobs/job-files.ts";
import { flagsForTracker, isTrackerNamed, type SessionFlags } from "../../session/flags.ts";

type JobInput = SessionFlags & { args: string[]; job?: string | undefined };

/** Tracker flags for the job that is the argument. */
export async function argumentJobFlags(input: JobInput, { io }: { io: Io }): Promise<SessionFlags> {
  return jobFlags(input.args[0], input, io);
}

/** Tracker flags for the job of `--job`. */
export async function namedJobFlags(input: JobInput, { io }: { io: Io }): Promise<SessionFlags> {
  return jobFlags(input.job, input, io);
}

/** The flags with the tracker of a job, unless they or the environment name one. */
function jobFlags(word: string | undefined, flags: SessionFlags, io: Io): SessionFlags {
  if (word === undefined || isTrackerNamed(flags, io)) return flags;
  const tracker = findJob(word, io).job?.head.tracker;
  return tracker === undefined ? flags : flagsForTracker(tracker, flags, io);
}
