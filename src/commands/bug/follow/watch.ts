import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { folderToWrite, type Host, readSmallFile, replaceFile } from "../../../config/files.ts";
import { withLock } from "../../../config/lock.ts";
import { BtError, fileError, usageError } from "../../../errors.ts";
import { childEnv, loadChildProcess, shellCommand } from "../../../platform.ts";
import { note } from "../../../session/note.ts";
import { matchText } from "../../../view/messages.ts";
import { escapeJson } from "../../../view/text.ts";
import { eventText, type WatchEvent } from "../../../view/watch.ts";
import { waitText } from "../../../wire/exchange.ts";
import { type Criteria, readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts, unlimitedCriteriaFlags } from "../../shared/criteria/flags.ts";
import type { Context } from "../../verb.ts";
import type { WatchInput } from "./flags.ts";
import { readDuration, reportUnreachable } from "./pauses.ts";
import { readVisibleIds } from "./wait.ts";
import { checkWatch, startWatch, type WatchCheck } from "./watch-poll.ts";
import { afterCheck, noteReported, type Reported, type SeenChange, type WatchState } from "./watch-state.ts";

/** `bt bug watch`: reports changes of matching bugs until a signal, or once. */
export async function watchBugs(input: WatchInput, context: Context): Promise<void> {
  const bugs = namedBugs(input.args);
  const pause = readDuration("every", input.every) ?? PAUSE_MS;
  const isOnce = input.once;
  if (isOnce && input.every !== undefined) throw usageError("--once and --every cannot be used together");
  if (input.exec?.trim() === "") throw usageError("--exec is empty", "for example: --exec ./notify.sh");
  await readCriteria(input, context, "watch"); // whose errors come before those of the mark
  const watch = (mark: WatchMark) => runWatch({ input, bugs, context, mark, isOnce, pause, printed: new Set() });
  return isOnce ? withMark(await readWatchSubject(input, context), watch, context.io) : watch(NO_MARK);
}

/** The bugs that numbers alone are. */
function namedBugs(args: string[]): string[] {
  if (!args.every((word) => /^#?[1-9]\d*$/.test(word))) return [];
  return args.map((word) => word.replace("#", ""));
}

const PAUSE_MS = 120_000;

/** The tracker, the login, and the criteria as typed, flags by their names. */
async function readWatchSubject(input: WatchInput, { session }: Context): Promise<WatchSubject> {
  const texts = criteriaTexts(input);
  const flags = unlimitedCriteriaFlags().flatMap(({ name }) =>
    (texts.get(name) ?? []).map((text) => `--${name}=${text}`),
  );
  return {
    tracker: session.address,
    login: (await session.login()) ?? null,
    criteria: [...input.args, ...flags].join(" "),
  };
}

type Watch = {
  readonly input: WatchInput;
  bugs: string[]; // named one by one
  context: Context;
  mark: WatchMark;
  isOnce: boolean;
  pause: number;
  printed: Set<string>; // lines of events whose command failed
};

async function runWatch(watch: Watch): Promise<void> {
  const { bugs, context, mark, isOnce, pause } = watch;
  const { io } = context;
  let state = mark.read();
  if (state === undefined) {
    await readVisibleIds(bugs, context);
    const criteria = await readCurrentCriteria(watch);
    state = await startWatch(criteria, context);
    mark.save(state);
    await reportStart(state, watch);
    if (isOnce) return;
    await io.sleep(pause);
  }
  for (; !io.signal.aborted; await io.sleep(pause)) {
    state = await checkAndReport(state, watch);
    if (isOnce) return;
  }
}

/** The criteria at this time, since their dates may be relative. */
function readCurrentCriteria({ input, context }: Watch): Promise<Criteria> {
  return readCriteria(input, context, "watch");
}

async function reportStart({ known }: WatchState, { context: { io }, isOnce, pause }: Watch): Promise<void> {
  if (!isOnce && !io.terminal.stderr) return;
  const next = isOnce ? "the next --once reports the changes from now on" : `checking every ${waitText(pause)}`;
  await note(io, `${matchText(known.size)}; ${next}`);
}

/** The state after a check whose events were reported. A tracker that cannot be reached is checked again later. */
async function checkAndReport(state: WatchState, watch: Watch): Promise<WatchState> {
  const { context, isOnce } = watch;
  try {
    return await reportEvents(state, await checkWatch(state, await readCurrentCriteria(watch), context), watch);
  } catch (error) {
    if (context.io.signal.aborted) return state;
    if (isOnce) throw error;
    await reportUnreachable(error, context);
    return state;
  }
}

/** The state after the events were reported one by one, up to a signal. Bugs with a failed command are checked again. */
async function reportEvents(state: WatchState, check: WatchCheck, watch: Watch): Promise<WatchState> {
  const { mark, context, isOnce } = watch;
  const failed = new Set<number>();
  for (const event of check.events) {
    if (context.io.signal.aborted) return state;
    if (!(await reportEvent(event, watch))) failed.add(event.id);
    else {
      noteReported(event, state);
      mark.note(event);
    }
  }
  const next = afterCheck(state, check, failed);
  if (next !== state) mark.save(next);
  if (isOnce && failed.size > 0) throw commandFailedError([...failed]);
  return next;
}

function commandFailedError(ids: number[]): BtError {
  return new BtError("partial", `--exec failed for ${ids.length === 1 ? "bug" : "bugs"} ${ids.join(", ")}`, {
    hint: "the next --once reports these events again",
  });
}

/** Prints an event, and runs the command for it. Returns false if that failed; the line is not printed again. */
async function reportEvent(event: WatchEvent, { context, input, printed }: Watch): Promise<boolean> {
  const { io } = context;
  const json = `${escapeJson(JSON.stringify(event))}\n`;
  if (!printed.has(json)) await io.out(context.output.format === "table" ? eventLine(io.hide(json), context) : json);
  const { exec: command } = input;
  if (command === undefined) return true;
  printed.add(json);
  const failure = await runWithInput(command, json, context);
  if (failure === undefined) {
    printed.delete(json);
    return true;
  }
  if (!io.signal.aborted) await note(io, `--exec failed for bug ${event.id} (${event.event}): ${failure}; ${AGAIN}`);
  return false;
}

/** The line of an event for people, in which no part of a secret remains when it is cut. */
function eventLine(json: string, { output }: Context): string {
  return eventText(JSON.parse(json), output.view);
}

const AGAIN = "it runs again at the next check";

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

/** Subject of a mark: no other tracker, login or search can continue from it. */
type WatchSubject = { readonly tracker: string; readonly login: string | null; readonly criteria: string };

/** The kept state of a watch. */
type WatchMark = {
  readonly read: () => WatchState | undefined;
  readonly note: (event: WatchEvent) => void; // after it was reported
  readonly save: (state: WatchState) => void;
};

/** A mark that is not stored. */
const NO_MARK: WatchMark = { read: () => undefined, note: () => undefined, save: () => undefined };

/**
 * Runs a watch that keeps its mark in a file of its subject, which no other process uses meanwhile.
 * @throws BtError of kind local if the file is in use or invalid
 */
async function withMark<Result>(
  subject: WatchSubject,
  watch: (mark: WatchMark) => Promise<Result>,
  host: Host,
): Promise<Result> {
  const name = createHash("sha256").update(JSON.stringify(subject)).digest("hex").slice(0, 24);
  const file = join(folderToWrite("state", host), "watch", `${name}.jsonl`);
  return withLock({ file, about: `the mark ${file}`, action: () => watch(openMark(file, subject)) }, host);
}

function openMark(file: string, subject: WatchSubject): WatchMark {
  const save = (state: WatchState) =>
    replaceFile(file, `${JSON.stringify({ ...subject, version: VERSION, ...stateJson(state) })}\n`);
  return {
    read: () => {
      const found = readSmallFile(file, { largest: MAX_BYTES });
      const state = found && parseState(found.text, file);
      if (state) save(state); // a line that was not written whole must not be continued
      return state;
    },
    note: ({ summary: _, text: __, ...event }) => {
      try {
        appendFileSync(file, `${JSON.stringify(event)}\n`, { mode: 0o600 });
      } catch (error) {
        throw fileError("write", file, error);
      }
    },
    save,
  };
}

const VERSION = 2;
const MAX_BYTES = 256 * 1024 * 1024;

function stateJson({ mark, wide, known, seen, reported }: WatchState) {
  return { mark, wide, known: [...known], seen: Object.fromEntries(seen), reported: Object.fromEntries(reported) };
}

type Stored = WatchSubject & {
  version: number;
  mark: string;
  wide: string;
  known: number[];
  seen: Readonly<Record<string, SeenChange>>;
  reported: Readonly<Record<string, Reported>>;
};

/** The state of the first line, with the events of the others; a last one that was not written whole is ignored. */
function parseState(text: string, file: string): WatchState {
  const [head = "", ...lines] = text.split("\n");
  lines.pop();
  const stored = parseMarkLine<Stored>(head, file);
  if (stored.version !== VERSION) throw unusableMarkError(file);
  const state: WatchState = {
    mark: stored.mark,
    wide: stored.wide,
    known: new Set(stored.known),
    seen: new Map(Object.entries(stored.seen).map(([id, one]) => [Number(id), one])),
    reported: new Map(Object.entries(stored.reported)),
  };
  for (const line of lines) noteReported(parseMarkLine<WatchEvent>(line, file), state);
  return state;
}

function parseMarkLine<Value>(line: string, file: string): Value {
  try {
    return JSON.parse(line) as Value;
  } catch {
    throw unusableMarkError(file);
  }
}

function unusableMarkError(file: string): BtError {
  return new BtError("local", `cannot use the mark ${file}`, {
    hint: "delete it to start over",
    changed: "nothing",
  });
}
