import { readJob } from "../../api/delivery/journal.ts";
import { jobMeant, storedJob } from "../../config/jobs.ts";
import type { Io } from "../../io.ts";
import { flagsForTracker, isTrackerNamed } from "../../session/named-tracker.ts";
import type { Input } from "../verb.ts";

/** Tracker flags for a job: its tracker, unless flags, the environment or the configuration name one. */
export function jobFlags(word: string | undefined, flags: Input["flags"], io: Io): Input["flags"] {
  if (word === undefined || isTrackerNamed(flags, io)) return flags;
  const stored = storedJob(jobMeant(word, io), io);
  const origin = stored && readJob(stored.lines)?.head.origin;
  return origin === undefined ? flags : flagsForTracker(origin, flags, io);
}
