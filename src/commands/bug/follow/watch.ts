import { BtError, usage } from "../../../errors.ts";
import { childEnv, childProcess } from "../../../platform.ts";
import { flagValues } from "../../../session/flags.ts";
import { matchText } from "../../../view/messages.ts";
import { escapeJson } from "../../../view/text.ts";
import { eventText, type WatchEvent } from "../../../view/watch.ts";
import { waitText } from "../../../wire/exchange.ts";
import { criteriaGiven, unlimitedCriteria } from "../../shared/criteria-flags.ts";
import { isForTerminal } from "../../shared/output.ts";
import type { Context } from "../../verb.ts";
import { type Criteria, readCriteria, reportCriteria } from "../search/criteria.ts";
import { withSaved } from "../search/saved-search.ts";
import { withConditionalSearches } from "./conditional.ts";
import type { WatchInput } from "./input.ts";
import { durationGiven, reportUnreachable } from "./pauses.ts";
import { markFile, NO_MARK, type WatchMark, type WatchSubject, withMark } from "./watch-mark.ts";
import { checkWatch, startWatch, type WatchCheck } from "./watch-poll.ts";
import { afterCheck, identityOf, noteReported, type WatchState } from "./watch-state.ts";

/** `bt bug watch`: reports changes of matching bugs until a signal, or once. */
export async function watchBugs(typed: WatchInput, around: Context): Promise<void> {
  const given = { ...typed, args: bugsAsTerm(typed.args) };
  const context = { ...around, session: withConditionalSearches(around.session) };
  const input = await withSaved(given, context);
  const pause = durationGiven("every", input.every) ?? PAUSE_MS;
  const { mark: word, once: isOnce } = input;
  if (isOnce && input.every !== undefined) throw usage("--once and --every cannot be used together");
  if (input.exec?.trim() === "") throw usage("--exec is empty", "for example: --exec ./notify.sh");
  await readCriteria(input, context, "watch"); // whose errors come before those of the mark
  const watch = (mark: WatchMark) => run({ input, context, mark, isOnce, pause, printed: new Set() });
  if (word === undefined && !isOnce) return watch(NO_MARK);
  const subject = await subjectOf(given, context);
  return withMark({ file: markFile(word, subject, context.io), subject }, watch, context.io);
}

/** Numbers alone name bugs, as for other verbs; beside words they are words of the summary. */
function bugsAsTerm(args: string[]): string[] {
  const isBugs = args.length > 0 && args.every((word) => /^#?[1-9]\d*$/.test(word));
  return isBugs ? [`id:${args.map((word) => word.replace("#", "")).join(",")}`] : args;
}

const PAUSE_MS = 120_000;

/** The tracker, the login, and the criteria as typed, flags by their names. */
async function subjectOf(input: WatchInput, { session }: Context): Promise<WatchSubject> {
  const criteria = criteriaGiven(input);
  const given = unlimitedCriteria().flatMap(({ name }) =>
    flagValues(criteria[name]).map((text) => `--${name}=${text}`),
  );
  return {
    tracker: session.address,
    login: (await session.login()) ?? null,
    criteria: [...input.args, ...given].join(" "),
  };
}

type Watch = {
  readonly input: WatchInput;
  context: Context;
  mark: WatchMark;
  isOnce: boolean;
  pause: number;
  printed: Set<string>; // events whose command failed
};

async function run(watch: Watch): Promise<void> {
  const { context, mark, isOnce, pause } = watch;
  const { io } = context;
  let state = mark.read();
  if (state === undefined) {
    const criteria = await criteriaOf(watch);
    state = await startWatch(criteria, context);
    mark.save(state);
    await reportCriteria(criteria, context);
    await tellStart(state, watch);
    if (isOnce) return;
    await io.sleep(pause);
  }
  for (; !io.signal.aborted; await io.sleep(pause)) {
    state = await checked(state, watch);
    if (isOnce) return;
  }
}

/** The criteria at this time, since their dates may be relative. */
function criteriaOf({ input, context }: Watch): Promise<Criteria> {
  return readCriteria(input, context, "watch");
}

async function tellStart({ known }: WatchState, { context: { io }, isOnce, pause }: Watch): Promise<void> {
  if (!isOnce && !io.terminal.stderr) return;
  const next = isOnce ? "the next --once reports the changes from now on" : `checking every ${waitText(pause)}`;
  await io.err(`${matchText(known.size)}; ${next}\n`);
}

/** The state after a check whose events were reported. A tracker that cannot be reached is checked again later. */
async function checked(state: WatchState, watch: Watch): Promise<WatchState> {
  const { context, isOnce } = watch;
  try {
    return await reported(state, await checkWatch(state, await criteriaOf(watch), context), watch);
  } catch (error) {
    if (context.io.signal.aborted) return state;
    if (isOnce) throw error;
    await reportUnreachable(error, context);
    return state;
  }
}

/** The state after the events were reported one by one, up to a signal. Bugs with a failed command are checked again. */
async function reported(state: WatchState, check: WatchCheck, watch: Watch): Promise<WatchState> {
  const { mark, context, isOnce } = watch;
  const failed = new Set<number>();
  for (const event of check.events) {
    if (context.io.signal.aborted) return state;
    if (!(await report(event, watch))) failed.add(event.id);
    else {
      noteReported(event, state);
      mark.note(event);
    }
  }
  const next = afterCheck(state, check, failed);
  if (next !== state) mark.save(next);
  if (isOnce && failed.size > 0) throw commandFailed([...failed]);
  return next;
}

function commandFailed(ids: number[]): BtError {
  return new BtError("partial", `--exec failed for ${ids.length === 1 ? "bug" : "bugs"} ${ids.join(", ")}`, {
    hint: "the next --once reports these events again",
  });
}

/** Prints an event, and runs the command for it. Returns false if that failed; the line is not printed again. */
async function report(event: WatchEvent, { context, input, printed }: Watch): Promise<boolean> {
  const { io } = context;
  const identity = identityOf(event);
  const json = `${escapeJson(JSON.stringify(event))}\n`;
  if (!printed.has(identity)) await io.out(isForTerminal(context) ? lineOf(io.hide(json), context) : json);
  const { exec: command } = input;
  if (command === undefined) return true;
  printed.add(identity);
  const failure = await runWithInput(command, json, context);
  if (failure === undefined) return printed.delete(identity);
  if (!io.signal.aborted)
    await io.err(`bt: --exec failed for bug ${event.id} (${event.event}): ${failure}; ${AGAIN}\n`);
  return false;
}

/** The line of an event for people, in which no part of a secret remains when it is cut. */
function lineOf(json: string, { output }: Context): string {
  return eventText(JSON.parse(json), output.view);
}

const AGAIN = "it runs again at the next check";

/**
 * Runs a command line with a text on its stdin, without the API key; its output goes to stderr. Returns why it failed,
 * undefined if it did not. A stop signal ends it.
 */
async function runWithInput(line: string, text: string, { io }: Context): Promise<string | undefined> {
  const { program, args, options } = io.platform.shell.run(line, io.env);
  const { spawn } = await childProcess();
  const child = spawn(program, args, { ...options, stdio: ["pipe", 2, 2], env: childEnv(io.env), signal: io.signal });
  child.stdin?.on("error", () => undefined); // the command does not read it
  child.stdin?.end(io.hide(text));
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
}
