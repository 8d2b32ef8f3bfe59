import { effectiveSettings, readSettings } from "../../config/settings.ts";
import type { Io } from "../../io.ts";
import { openMirrorNamed } from "../../session/mirror/mirror.ts";
import type { Input } from "../verb.ts";

/** Tracker flags of a sync: the mirror's tracker, unless flags, the environment or the configuration name it. */
export function mirrorFlags({ args, flags }: Input, io: Io): Input["flags"] {
  const named = [flags["base-url"], flags["profile"], io.env["BT_BASE_URL"], io.env["BT_PROFILE"]];
  if (named.some(Boolean)) return flags;
  const opened = openMirrorNamed(args[0] ?? "", io);
  const { tracker } = opened.facts();
  opened.close();
  const settings = readSettings(io);
  return tracker === effectiveSettings(settings, settings.profile).base_url ? flags : { ...flags, "base-url": tracker };
}
