import type { Io } from "../../io.ts";
import { jobMeant, storedJob } from "../../jobs/files.ts";
import { flagValue } from "../../session/flags.ts";
import { flagsForTracker, isTrackerNamed } from "../../session/named-tracker.ts";
import type { Input } from "../verb.ts";

type Around = { readonly io: Io };

/** Tracker flags for the job that is the argument. */
export async function argumentJobFlags({ args, flags }: Input, { io }: Around): Promise<Input["flags"]> {
  return jobFlags(args[0], flags, io);
}

/** Tracker flags for the job of `--job`. */
export async function namedJobFlags({ flags }: Input, { io }: Around): Promise<Input["flags"]> {
  return jobFlags(flagValue(flags["job"]), flags, io);
}

/** Those of its tracker, unless flags, the environment or the configuration name one. */
function jobFlags(word: string | undefined, flags: Input["flags"], io: Io): Input["flags"] {
  if (word === undefined || isTrackerNamed(flags, io)) return flags;
  const stored = storedJob(jobMeant(word, io), io);
  const origin = stored?.job?.head.origin;
  return origin === undefined ? flags : flagsForTracker(origin, flags, io);
}
