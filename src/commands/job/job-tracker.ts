import { readJob } from "../../api/delivery/journal.ts";
import { jobMeant, storedJob } from "../../config/jobs.ts";
import type { Io } from "../../io.ts";
import { configuredAddress, flagsForTracker, isTrackerNamed } from "../../session/named-tracker.ts";
import { openOfflineJobs } from "../../session/offline/kept-jobs.ts";
import type { Input } from "../verb.ts";

/** Tracker flags for a job: its tracker, unless flags, the environment or the configuration name one. */
export function jobFlags(word: string | undefined, flags: Input["flags"], io: Io): Input["flags"] {
  if (word === undefined || isTrackerNamed(flags, io)) return flags;
  const stored = storedJob(jobMeant(word, io), io);
  const origin = stored && readJob(stored.lines)?.head.origin;
  return origin === undefined ? flags : flagsForTracker(origin, flags, io);
}

/** Tracker flags for all jobs made from mirrors: their tracker if they have the same. */
export function jobsFlags(flags: Input["flags"], io: Io): Input["flags"] {
  if (isTrackerNamed(flags, io) || configuredAddress(io) !== undefined) return flags;
  const [only, ...others] = new Set(openOfflineJobs(io).map(({ head }) => head.origin));
  return only === undefined || others.length > 0 ? flags : flagsForTracker(only, flags, io);
}
