import { existingMirror } from "../../config/mirror-files.ts";
import { BtError, usage } from "../../errors.ts";
import { flagsForTracker } from "../../session/named-tracker.ts";
import type { Context, Input } from "../verb.ts";
import { openToSync, type SyncTarget, syncTargets } from "./mirror-tracker.ts";
import { type MirrorToSync, paceOf, runSync } from "./run-sync.ts";

/** `bt mirror sync`: reads what changed, for one mirror or all of them. */
export async function syncMirrorFile(input: Input, context: Context): Promise<void> {
  const pace = paceOf(input);
  await eachMirror(input, context, (mirror, at) => runSync(mirror, { pace }, at));
}

/** `bt mirror verify`: compares all ids and times, or reads all bugs again. */
export async function verifyMirrorFile(input: Input, context: Context): Promise<void> {
  const pace = paceOf(input);
  const check = input.flags["all"] ? "all" : "ids";
  await eachMirror(input, context, (mirror, at) => runSync(mirror, { pace, check }, at));
}

type UseMirror = (mirror: MirrorToSync, context: Context) => Promise<void>;

/**
 * Uses the named mirror, or one after another: those of the tracker that a flag names, or all, each with its own tracker.
 * @throws BtError with a line for each mirror that failed
 */
async function eachMirror(input: Input, context: Context, use: UseMirror): Promise<void> {
  const { args, flags } = input;
  const [given] = args;
  if (given !== undefined) return withMirror({ name: given, flags }, use, context);
  const targets = chosenTargets(input, context);
  const failed = new Map<string, BtError>();
  for (const target of targets) {
    if (context.io.signal.aborted) break;
    await withTarget({ ...target, flags }, use, context).catch((error: unknown) => {
      if (!(error instanceof BtError) || targets.length === 1) throw error;
      failed.set(target.name, error);
    });
  }
  if (failed.size > 0) throw verdictOf(failed, targets.length);
}

function chosenTargets(input: Input, { io, session }: Context): readonly SyncTarget[] {
  const all = syncTargets(input, io);
  if (["base-url", "profile"].every((flag) => input.flags[flag] === undefined)) return all;
  const chosen = all.filter((one) => "error" in one || one.tracker === session.address);
  if (chosen.length > 0) return chosen;
  throw usage(`no mirror of ${session.address}`, "bt mirror list lists the mirrors");
}

function verdictOf(failed: ReadonlyMap<string, BtError>, total: number): BtError {
  const errors = [...failed.values()];
  const [kind = "partial", ...kinds] = new Set(errors.map((error) => error.kind));
  const isPartial = kinds.length > 0 || failed.size < total;
  return new BtError(isPartial ? "partial" : kind, `${failed.size} of ${total} mirrors are not complete`, {
    details: [...failed].map(([name, { message }]) =>
      message.startsWith(`${name}: `) ? message : `${name}: ${message}`,
    ),
    hint: errors.map(({ facts }) => facts.hint).find(Boolean),
    changed: "nothing",
  });
}

type WithFlags = { readonly flags: Input["flags"] };

/** Uses a mirror with a session of its own tracker. */
async function withTarget(target: SyncTarget & WithFlags, use: UseMirror, context: Context): Promise<void> {
  if ("error" in target) throw target.error;
  const { tracker, flags } = target;
  if (tracker === context.session.address) return withMirror(target, use, context);
  const { session, close } = await context.connect(flagsForTracker(tracker, flags, context.io));
  await withMirror(target, use, { ...context, session }).finally(close);
}

/** @throws BtError of kind usage if the mirror is of another tracker than the session's */
async function withMirror(
  named: { readonly name: string } & WithFlags,
  use: UseMirror,
  context: Context,
): Promise<void> {
  const { name, flags } = named;
  const { io, session } = context;
  const file = existingMirror(name, io);
  const opened = openToSync(name, flags, io);
  try {
    const { tracker } = opened.facts();
    if (tracker !== session.address)
      throw usage(`the mirror ${name} is of ${tracker}, not of ${session.address}`, `use --base-url ${tracker}`);
    await use({ name, file, opened }, context);
  } finally {
    opened.close();
  }
}
