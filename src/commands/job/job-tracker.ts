import type { Io } from "../../io.ts";
import { findStoredJob, resolveJobName } from "../../jobs/job-files.ts";
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
  const stored = findStoredJob(resolveJobName(word, io), io);
  const origin = stored?.job?.head.origin;
  return origin === undefined ? flags : flagsForTracker(origin, flags, io);
}
