import { readJob } from "../../api/delivery/journal.ts";
import { jobMeant, storedJob } from "../../config/jobs.ts";
import { effectiveSettings, readSettings } from "../../config/settings.ts";
import type { Io } from "../../io.ts";
import { openOfflineJobs } from "../../session/kept-jobs.ts";
import type { Input } from "../verb.ts";

/** Tracker flags of `bt job send`: the tracker of the job, unless flags, the environment or the configuration name it. */
export function jobFlags({ args, flags }: Input, io: Io): Input["flags"] {
  const named = [flags["base-url"], flags["profile"], io.env["BT_BASE_URL"], io.env["BT_PROFILE"]];
  const settings = readSettings(io);
  const configured = effectiveSettings(settings, settings.profile).base_url;
  const isChosen = named.some(Boolean) || (flags["all"] === true && configured !== undefined);
  const origin = isChosen ? undefined : originOf({ args, flags }, io);
  if (origin === undefined || origin === configured) return flags;
  return { ...flags, "base-url": origin };
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
