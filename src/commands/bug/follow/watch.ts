import { createHash } from "node:crypto";
import { join } from "node:path";
import { folderToWrite, readSmallFile, replaceFile } from "../../../config/files.ts";
import { withLock } from "../../../config/lock.ts";
import { BtError, usageError } from "../../../errors.ts";
import { childEnv, loadChildProcess, shellCommand } from "../../../platform.ts";
import { note } from "../../../session/note.ts";
import { matchText } from "../../../view/messages.ts";
import { escapeJson } from "../../../view/text.ts";
import { eventText, type WatchEvent } from "../../../view/watch.ts";
import { waitText } from "../../../wire/exchange.ts";
import { readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts } from "../../shared/criteria/flags.ts";
import type { Context } from "../../verb.ts";
import type { WatchInput } from "../flags.ts";
import { readDuration, readVisibleIds, reportUnreachable } from "./wait.ts";
import { checkWatch, noteReported, startWatch, type WatchState } from "./watch-poll.ts";

/** `bt bug watch`: reports changes of matching bugs until a signal, or once. */
export async function watchBugs(input: WatchInput, context: Context): Promise<void> {
  const pause = readDuration("every", input.every) ?? PAUSE_MS;
  if (input.once && input.every !== undefined) throw usageError("--once and --every cannot be used together");
  if (input.exec?.trim() === "") throw usageError("--exec is empty", "for example: --exec ./notify.sh");
  await readCriteria(input, context, "watch"); // whose errors come before those of the mark
  const watch: Watch = { input, context, pause, printed: new Set() };
  if (!input.once) return runWatch(watch);
  const { io, session } = context;
  const criteria = [input.args, [...criteriaTexts(input)].sort()];
  const subject = JSON.stringify([session.address, (await session.login()) ?? null, criteria]);
  const name = createHash("sha256").update(subject).digest("hex").slice(0, 24);
  const file = join(folderToWrite("state", io), "watch", `${name}.json`);
  await withLock({ file, about: `the mark ${file}`, action: () => runWatch({ ...watch, file }) }, io);
}

const PAUSE_MS = 120_000;

type Watch = {
  readonly input: WatchInput;
  readonly context: Context;
  readonly pause: number;
  readonly file?: string; // of the mark of `--once`
  readonly printed: Set<string>; // lines of events whose command failed
};

async function runWatch(watch: Watch): Promise<void> {
  const { input, context, pause, file } = watch;
  const { io } = context;
  let state = file === undefined ? undefined : readMark(file);
  if (state === undefined) {
    await readVisibleIds(namedBugs(input.args), context);
    state = await startWatch(await readCriteria(input, context, "watch"), context);
    saveMark(state, watch);
    const next = input.once ? "the next --once reports the changes from now on" : `checking every ${waitText(pause)}`;
    if (input.once || io.terminal.stderr) await note(io, `${matchText(state.known.size)}; ${next}`);
    if (input.once) return;
    await io.sleep(pause);
  }
  for (; !io.signal.aborted; await io.sleep(pause)) {
    state = await checkAndReport(state, watch);
    if (input.once) return;
  }
}

/** The ids if all terms are numbers; else []. */
function namedBugs(args: string[]): string[] {
  return args.every((word) => /^#?[1-9]\d*$/.test(word)) ? args.map((word) => word.replace("#", "")) : [];
}

/** The state after a check with reported events; the same one if the tracker is unreachable. */
async function checkAndReport(state: WatchState, watch: Watch): Promise<WatchState> {
  const { context, input } = watch;
  try {
    const criteria = await readCriteria(input, context, "watch"); // dates are relative to now
    const { events, after } = await checkWatch(state, criteria, context);
    const failed = await reportEvents(events, state, watch);
    if (context.io.signal.aborted) return state;
    const next = after(failed);
    saveMark(next, watch);
    if (input.once && failed.size > 0) throw commandFailedError([...failed]);
    return next;
  } catch (error) {
    if (context.io.signal.aborted) return state;
    if (input.once) throw error;
    await reportUnreachable(error, context);
    return state;
  }
}

/** Reports and notes events up to a signal. Returns the bugs whose command failed. */
async function reportEvents(events: readonly WatchEvent[], state: WatchState, watch: Watch): Promise<Set<number>> {
  const failed = new Set<number>();
  for (const event of events) {
    if (watch.context.io.signal.aborted) break;
    if (!(await reportEvent(event, watch))) failed.add(event.id);
    else {
      noteReported(event, state);
      saveMark(state, watch);
    }
  }
  return failed;
}

function commandFailedError(ids: number[]): BtError {
  return new BtError("partial", `--exec failed for ${ids.length === 1 ? "bug" : "bugs"} ${ids.join(", ")}`, {
    hint: "the next --once reports these events again",
  });
}

/** Prints an event once, and runs the command for it. Returns false if that failed. */
async function reportEvent(event: WatchEvent, { context, input, printed }: Watch): Promise<boolean> {
  const { io, output } = context;
  const json = `${escapeJson(JSON.stringify(event))}\n`;
  const text = () => (output.format === "table" ? eventText(JSON.parse(io.hide(json)), output.view) : json); // hidden before it is cut
  if (!printed.has(json)) await io.out(text());
  if (input.exec === undefined) return true;
  const failure = await runWithInput(input.exec, json, context);
  if (failure === undefined) {
    printed.delete(json);
    return true;
  }
  printed.add(json);
  const again = "it runs again at the next check";
  if (!io.signal.aborted) await note(io, `--exec failed for bug ${event.id} (${event.event}): ${failure}; ${again}`);
  return false;
}

/**
 * Runs a command line with a text on its stdin, without the API key; its output goes to stderr. Returns why it failed,
 * undefined if it did not. A stop signal ends it.
 */
async function runWithInput(line: string, text: string, { io }: Context): Promise<string | undefined> {
  const [program, args] = shellCommand(line);
  const { spawn } = await loadChildProcess();
  const child = spawn(program, args, { stdio: ["pipe", 2, 2], env: childEnv(io.env), signal: io.signal });
  child.stdin?.on("error", () => undefined); // the command does not read it
  child.stdin?.end(io.hide(text));
  return new Promise((settle) => {
    child.on("error", (error) => settle(error.message));
    child.on("close", (code, signal) => settle(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
}

function saveMark({ known, seen, reported, ...state }: WatchState, { file }: Watch): void {
  const lists = { known: [...known], seen: [...seen], reported: [...reported] };
  if (file !== undefined) replaceFile(file, JSON.stringify({ ...state, ...lists }));
}

const MAX_BYTES = 256 * 1024 * 1024;

/** The state of a mark; undefined if it is new. @throws BtError of kind local if damaged */
function readMark(file: string): WatchState | undefined {
  const found = readSmallFile(file, { largest: MAX_BYTES });
  if (found === undefined) return undefined;
  try {
    const { known, seen, reported, mark, isFresh } = JSON.parse(found.text);
    return { mark, isFresh, known: new Set(known), seen: new Map(seen), reported: new Map(reported) };
  } catch {
    throw new BtError("local", `cannot use the mark ${file}`, { hint: "delete it to start over" });
  }
}
