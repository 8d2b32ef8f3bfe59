import { readJob } from "../../api/delivery/journal.ts";
import { jobMeant, storedJob } from "../../config/jobs.ts";
import { effectiveSettings, readSettings } from "../../config/settings.ts";
import type { Io } from "../../io.ts";
import type { Input } from "../verb.ts";

/** Tracker flags of `bt job send`: the tracker of the job, unless flags, the environment or the configuration name it. */
export function jobFlags({ args, flags }: Input, io: Io): Input["flags"] {
  const named = [flags["base-url"], flags["profile"], io.env["BT_BASE_URL"], io.env["BT_PROFILE"]];
  const stored = named.some(Boolean) ? undefined : storedJob(jobMeant(args[0] ?? "", io), io);
  const origin = stored && readJob(stored.lines)?.head.origin;
  const settings = readSettings(io);
  if (origin === undefined || origin === effectiveSettings(settings, settings.profile).base_url) return flags;
  return { ...flags, "base-url": origin };
}
