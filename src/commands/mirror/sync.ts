import { firstNames } from "../../api/lists.ts";
import { BtError, usageError } from "../../errors.ts";
import { existingMirrorPath } from "../../mirror/mirror-files.ts";
import type { SessionFlags } from "../../session/flags.ts";
import { flagsForTracker, hasTracker, isTrackerNamed } from "../../session/named-tracker.ts";
import { note } from "../../session/note.ts";
import type { Context } from "../verb.ts";
import type { MirrorSyncInput } from "./flags.ts";
import { openToSync, type SyncTarget, syncTargets } from "./mirror-tracker.ts";
import { requestPauseMs, runSync } from "./run-sync.ts";

/**
 * `bt mirror sync`: reads what changed, for the named mirror, or for one after another: those of the tracker that flags,
 * environment or settings name; all, each from its own tracker, if they name none.
 * @throws BtError with a line for each mirror that failed
 */
export async function syncMirrorFile(input: MirrorSyncInput, context: Context): Promise<void> {
  const [given] = input.args;
  const pace = requestPauseMs(input.rate);
  if (given !== undefined) return syncNamed({ name: given, flags: input, pace }, context);
  const targets = await chosenTargets(input, context);
  const failed = new Map<string, BtError>();
  for (const target of targets) {
    if (context.io.signal.aborted) break;
    await syncTarget(target, { flags: input, pace }, context).catch((error: unknown) => {
      if (!(error instanceof BtError) || targets.length === 1) throw error;
      failed.set(target.name, error);
    });
  }
  if (failed.size > 0) throw failedSyncsError(failed, targets.length);
}

async function chosenTargets(input: MirrorSyncInput, { io, session }: Context): Promise<SyncTarget[]> {
  const all = syncTargets(input, io);
  const isChosen = isTrackerNamed(input, io) || hasTracker(io);
  const chosen = all.filter((one) => "error" in one || one.tracker === session.address);
  if (isChosen && chosen.length === 0)
    throw usageError(`no mirror of ${session.address}`, "bt mirror list lists the mirrors");
  const others: string[] = [];
  for (const one of all)
    if ("tracker" in one && one.tracker !== session.address) others.push(`${one.name} (${one.tracker})`);
  if (others.length === 0) return all;
  if (isChosen) {
    await note(io, `left out, of other trackers: ${firstNames(others)}; --base-url updates those of one`);
    return chosen;
  }
  if (!io.env["BT_API_KEY"]) return all;
  throw usageError(
    "BT_API_KEY is the key of one tracker, and the mirrors are of several",
    "--base-url ADDRESS names it",
  );
}

function failedSyncsError(failed: ReadonlyMap<string, BtError>, total: number): BtError {
  const errors = [...failed.values()];
  const [kind = "partial", ...kinds] = new Set(errors.map((error) => error.kind));
  const isPartial = kinds.length > 0 || failed.size < total;
  return new BtError(isPartial ? "partial" : kind, `${failed.size} of ${total} mirrors were not updated completely`, {
    details: [...failed].map(([name, { message }]) =>
      message.startsWith(`${name}: `) ? message : `${name}: ${message}`,
    ),
    hint: errors.map(({ facts }) => facts.hint).find(Boolean),
    changed: "nothing",
  });
}

type SyncFlags = { flags: SessionFlags; pace: number };

/** Synchronizes a mirror with a session of its own tracker. */
async function syncTarget(target: SyncTarget, { flags, pace }: SyncFlags, context: Context): Promise<void> {
  if ("error" in target) throw target.error;
  const { name, tracker } = target;
  if (tracker === context.session.address) return syncNamed({ name, flags, pace }, context);
  const { session, close } = await context.connect(flagsForTracker(tracker, flags, context.io));
  await syncNamed({ name, flags, pace }, { ...context, session }).finally(close);
}

/** @throws BtError of kind usage if the mirror is of another tracker than the session's */
async function syncNamed({ name, flags, pace }: SyncFlags & { name: string }, context: Context): Promise<void> {
  const { io, session } = context;
  const file = existingMirrorPath(name, io);
  const opened = openToSync(name, flags, io);
  try {
    const { tracker } = opened.facts();
    if (tracker !== session.address)
      throw usageError(`the mirror ${name} is of ${tracker}, not of ${session.address}`, `use --base-url ${tracker}`);
    await runSync({ name, file, opened }, pace, context);
  } finally {
    opened.close();
  }
}
