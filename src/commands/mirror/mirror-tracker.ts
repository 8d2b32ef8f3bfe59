import { BtError, usageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { openMirrorNamed } from "../../mirror/connect.ts";
import { listMirrorNames } from "../../mirror/mirror-files.ts";
import type { SessionFlags } from "../../session/flags.ts";
import { flagsForTracker, hasTracker, isTrackerNamed } from "../../session/named-tracker.ts";
import type { OpenedMirror } from "../../tracker/mirror/open.ts";
import type { MirrorSyncInput } from "./flags.ts";

/** A mirror to synchronize: the address of its tracker, or the error of one that cannot be opened. */
export type SyncTarget = { readonly name: string } & ({ readonly tracker: string } | { readonly error: BtError });

/**
 * Tracker flags of a sync: the tracker of the named mirror, or of the first that can be opened, unless flags or the
 * environment name one, or without a name the settings do.
 * @throws BtError about the first mirror if none can be opened
 */
export async function mirrorFlags(input: MirrorSyncInput, { io }: { io: Io }): Promise<SessionFlags> {
  if (isTrackerNamed(input, io) || (input.args.length === 0 && hasTracker(io))) return input;
  let failure: BtError | undefined;
  for (const name of namesToSync(input, io)) {
    const target = readSyncTarget(name, input, io);
    if ("tracker" in target) return flagsForTracker(target.tracker, input, io);
    failure ??= target.error;
  }
  throw failure;
}

/** The mirrors to synchronize: the one that is given, else all. @throws BtError of kind usage if there is none */
export function syncTargets(input: MirrorSyncInput, io: Io): SyncTarget[] {
  return namesToSync(input, io).map((name) => readSyncTarget(name, input, io));
}

function namesToSync({ args }: MirrorSyncInput, io: Io): string[] {
  const names = args.length > 0 ? args : listMirrorNames(io);
  if (names.length === 0) throw usageError("no mirrors", "to create one: bt mirror create NAME");
  return names;
}

function readSyncTarget(name: string, flags: SessionFlags, io: Io): SyncTarget {
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
export function openToSync(name: string, flags: SessionFlags, io: Io): OpenedMirror {
  return openMirrorNamed(name, io, { insecureFiles: flags.insecureFiles });
}
