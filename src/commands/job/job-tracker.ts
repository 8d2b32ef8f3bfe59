import { readJob } from "../../api/delivery/journal.ts";
import { jobMeant, storedJob } from "../../config/jobs.ts";
import type { Io } from "../../io.ts";
import { configuredAddress, flagsForTracker, isTrackerNamed } from "../../session/named-tracker.ts";
import { openOfflineJobs } from "../../session/offline/kept-jobs.ts";
import type { Input } from "../verb.ts";

/** Tracker flags of `bt job send`: the tracker of the job, unless flags, the environment or the configuration name it. */
export function jobFlags({ args, flags }: Input, io: Io): Input["flags"] {
  if (isTrackerNamed(flags, io) || (flags["all"] === true && configuredAddress(io) !== undefined)) return flags;
  const origin = originOf({ args, flags }, io);
  return origin === undefined ? flags : flagsForTracker(origin, flags, io);
}

/** The tracker of the job, or with `--all` of all jobs made from mirrors if they have the same. */
function originOf({ args, flags }: Input, io: Io): string | undefined {
  if (flags["all"] !== true) {
    const stored = storedJob(jobMeant(args[0] ?? "", io), io);
    return stored && readJob(stored.lines)?.head.origin;
  }
  const [only, ...others] = new Set(openOfflineJobs(io).map(({ head }) => head.origin));
  return others.length === 0 ? only : undefined;
}
