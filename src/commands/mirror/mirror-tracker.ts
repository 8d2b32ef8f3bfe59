import { mirrorNames } from "../../config/mirror-files.ts";
import { BtError, usage } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { openMirrorNamed } from "../../session/mirror/mirror.ts";
import { flagsForTracker, isTrackerNamed } from "../../session/named-tracker.ts";
import type { OpenedMirror } from "../../tracker/mirror/open.ts";
import type { Input } from "../verb.ts";

type Flags = Input["flags"];

/** A mirror to synchronize: the address of its tracker, or the error of one that cannot be opened. */
export type SyncTarget = { readonly name: string } & ({ readonly tracker: string } | { readonly error: BtError });

/** Tracker flags of a sync: the mirror's tracker, unless flags, the environment or the configuration name it. */
export function mirrorFlags(input: Input, io: Io): Flags {
  const { flags } = input;
  if (isTrackerNamed(flags, io)) return flags;
  const targets = syncTargets(input, io);
  const [first] = targets.flatMap((one) => ("tracker" in one ? [one.tracker] : []));
  if (first !== undefined) return flagsForTracker(first, flags, io);
  throw targets.flatMap((one) => ("error" in one ? [one.error] : []))[0];
}

/**
 * The mirror that is given, else all.
 * @throws BtError of kind usage if there is none
 */
export function syncTargets({ args, flags }: Input, io: Io): readonly SyncTarget[] {
  const names = args.length > 0 ? args : mirrorNames(io);
  if (names.length === 0) throw usage("no mirrors", "to create one: bt mirror create NAME");
  return names.map((name) => targetOf(name, flags, io));
}

function targetOf(name: string, flags: Flags, io: Io): SyncTarget {
  try {
    const opened = openToSync(name, flags, io);
    const { tracker } = opened.facts();
    opened.close();
    return { name, tracker };
  } catch (error) {
    if (error instanceof BtError) return { name, error };
    throw error;
  }
}

/** Opens a mirror for a sync. @throws BtError if it cannot be opened, or others can read it */
export function openToSync(name: string, flags: Flags, io: Io): OpenedMirror {
  return openMirrorNamed(name, io, { insecureFiles: flags["insecure-files"] === true });
}
