import type { Io } from "../../io.ts";
import { openMirrorNamed } from "../../session/mirror/mirror.ts";
import { flagsForTracker, isTrackerNamed } from "../../session/named-tracker.ts";
import type { Input } from "../verb.ts";

/** Tracker flags of a sync: the mirror's tracker, unless flags, the environment or the configuration name it. */
export function mirrorFlags({ args, flags }: Input, io: Io): Input["flags"] {
  if (isTrackerNamed(flags, io)) return flags;
  const opened = openMirrorNamed(args[0] ?? "", io, { insecureFiles: flags["insecure-files"] === true });
  const { tracker } = opened.facts();
  opened.close();
  return flagsForTracker(tracker, flags, io);
}
