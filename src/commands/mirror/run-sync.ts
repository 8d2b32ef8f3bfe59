import type { SendRequest } from "../../api/operations/operation.ts";
import { withLock } from "../../config/lock.ts";
import { BtError, withFacts } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { existingMirrorPath } from "../../mirror/mirror-files.ts";
import { type SyncOptions, type SyncResult, syncMirror } from "../../mirror/sync.ts";
import type { OpenedMirror } from "../../tracker/mirror/open.ts";
import { storeProblem } from "../../tracker/store/database.ts";
import { NO_PROGRESS } from "../../view/messages.ts";
import { mirrorProgressText, mirrorSummary } from "../../view/mirrors.ts";
import type { MirrorProgress } from "../../wire/mirror.ts";
import type { Context } from "../verb.ts";
import type { MirrorSyncInput } from "./flags.ts";

/** A mirror to synchronize: its name, file and store. */
export type MirrorToSync = { name: string; file: string; readonly opened: OpenedMirror };

/**
 * Synchronizes a mirror with progress on a terminal, and reports what it has.
 * @throws BtError of kind local if another process synchronizes it
 */
export async function runSync({ name, file, opened }: MirrorToSync, pace: number, context: Context): Promise<void> {
  const { io } = context;
  const progress = progressReporter(context);
  const options: SyncOptions = {
    send: pacedSend(pace, context),
    mirror: opened.mirror,
    now: io.now,
    ticks: io.ticks,
    account: context.session.access?.proveAccount ?? context.session.account,
    onProgress: async (state) => {
      if (io.signal.aborted) throw interruptedError(name);
      await progress.show(state);
    },
  };
  const failed = async (error: unknown) => {
    const named = asWriteError(error, name, file);
    throw opened.facts().mark === null ? named : withResumeHint(named, name); // one that has not begun is deleted
  };
  const action = async () => {
    existingMirrorPath(name, io); // another process may have dropped it while this one waited for the lock
    const sync = async () => {
      const read = await syncMirror(options);
      opened.mirror.setFacts({ hasPages: context.session.facts.webAddress() !== undefined });
      return read;
    };
    return sync().finally(opened.emptyLog).catch(failed);
  };
  const result: SyncResult = await withLock({ file, about: `the mirror ${name}`, action }, io).finally(progress.end);
  const counts = opened.mirror.counts();
  const summary = mirrorSummary({ name, ...result, counts });
  if (counts.failed > 0)
    throw new BtError("partial", summary, { hint: "bt mirror list names them, with the reasons", changed: "nothing" });
  await io.err(`${summary}\n`);
}

/** Minimum time between requests (ms) by `--rate`; 0 without it. */
export function requestPauseMs(rate: MirrorSyncInput["rate"]): number {
  return rate === undefined ? 0 : 1000 / rate;
}

/** Requests with a minimum time between them, whose responses are kept: without a key that a tracker repeats. */
export function pacedSend(pace: number, { io, session }: Context): SyncOptions["send"] {
  const send = session.raw.sendHiding(io.hide);
  return pace === 0 ? send : spacedSend(pace, send, io);
}

/** Requests that are sent at least so long (ms) after one another, however many wait at once. */
export function spacedSend(ms: number, send: SendRequest, { ticks, sleep }: Pick<Io, "ticks" | "sleep">): SendRequest {
  let next = 0;
  return async (request) => {
    const wait = next - ticks();
    next = Math.max(next, ticks()) + ms;
    if (wait > 0) await sleep(wait);
    return send(request);
  };
}

/** A line with progress, rate and time left, which overwrites itself; nothing without a terminal. */
function progressReporter({ io }: Context) {
  const noted = (progress: MirrorProgress) => ({ progress, ticks: io.ticks() });
  const begun = io.ticks();
  let first: ReturnType<typeof noted> | undefined;
  let phase: typeof first; // its first progress
  return {
    show: async (progress: MirrorProgress) => {
      if (!io.terminal.stderr) return;
      first ??= { ...noted(progress), ticks: begun };
      if (phase?.progress.phase !== progress.phase) phase = phase ? noted(progress) : first;
      const secondsSince = (ticks: number) => (io.ticks() - ticks) / 1000;
      const ofPhase = { seconds: secondsSince(phase.ticks), share: progress.share - phase.progress.share };
      const work = { seconds: secondsSince(begun), done: progress.done - first.progress.done, ofPhase };
      await io.err(`${NO_PROGRESS}${mirrorProgressText(progress, work)}`);
    },
    end: async () => {
      if (first) await io.err(NO_PROGRESS);
    },
  };
}

function interruptedError(name: string): BtError {
  return new BtError("partial", `the mirror ${name} is incomplete: interrupted`, {
    hint: `bt mirror sync ${name} continues`,
    changed: "nothing",
  });
}

/** An error of kind local for one of the mirror's file, such as a full disk; any other error as it is. */
function asWriteError(error: unknown, name: string, file: string): unknown {
  const problem = storeProblem(error);
  if (problem === undefined) return error;
  const facts = { details: [problem], cause: error, changed: "nothing" } as const;
  return new BtError("local", `cannot write the mirror ${name} at ${file}`, facts);
}

/** An error of the tracker or the network with the command that continues. */
function withResumeHint(error: unknown, name: string): unknown {
  if (!(error instanceof BtError) || error.facts.hint !== undefined) return error;
  return withFacts(error, { hint: `bt mirror sync ${name} continues` });
}
