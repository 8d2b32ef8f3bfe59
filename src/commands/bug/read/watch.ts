import { createHash } from "node:crypto";
import { join } from "node:path";
import { folderToWrite, readSmallFile, replaceFile, withLock } from "../../../config/files.ts";
import { BtError, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { matchText } from "../../../view/messages.ts";
import { escapeJson } from "../../../view/text.ts";
import { eventText, type WatchEvent } from "../../../view/watch.ts";
import { waitText } from "../../../wire/exchange.ts";
import { readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts } from "../../shared/criteria/flags.ts";
import type { Context } from "../../verb.ts";
import type { WatchInput } from "../flags.ts";
import { readDuration, reportUnreachable } from "./wait.ts";
import { checkWatch, noteReported, startWatch, type WatchState } from "./watch-poll.ts";

/** `bt bug watch`: reports changes of matching bugs until a signal, or once. */
export async function watchBugs(input: WatchInput, context: Context): Promise<void> {
  const pause = readDuration("every", input.every) ?? PAUSE_MS;
  if (input.once && input.every !== undefined) throw usageError("--once and --every cannot be used together");
  await readCriteria(input, context); // a wrong criterion sends nothing
  if (!input.once) return runWatch({ input, context }, pause);
  const { io, session } = context;
  const criteria = [input.args, [...criteriaTexts(input)].sort()];
  const subject = JSON.stringify([session.address, (await session.login()) ?? null, criteria]);
  const name = createHash("sha256").update(subject).digest("hex").slice(0, 24);
  const file = join(folderToWrite("state", io), "watch", `${name}.json`);
  await withLock(file, () => runOnce({ input, context, file }), io);
}

const PAUSE_MS = 120_000;

type Watch = {
  readonly input: WatchInput;
  readonly context: Context;
  readonly file?: string; // of the mark of `--once`
};

async function runWatch(watch: Watch, pause: number): Promise<void> {
  const { io } = watch.context;
  let state = await begin(watch);
  if (io.terminal.stderr) await note(io, `${matchText(state.known.size)}; checking every ${waitText(pause)}`);
  for (await io.sleep(pause); !io.signal.aborted; await io.sleep(pause)) state = await checkAndReport(state, watch);
}

async function runOnce(watch: Watch & { readonly file: string }): Promise<void> {
  const state = readMark(watch.file);
  if (state) await checkAndReport(state, watch);
  else {
    const { known } = await begin(watch);
    await note(watch.context.io, `${matchText(known.size)}; the next --once reports the changes from now on`);
  }
}

async function begin(watch: Watch): Promise<WatchState> {
  const { input, context } = watch;
  const state = await startWatch(await readCriteria(input, context), context);
  saveMark(state, watch);
  return state;
}

/** The state after a check with reported events; the same one if the tracker is unreachable. */
async function checkAndReport(state: WatchState, watch: Watch): Promise<WatchState> {
  const { context, input } = watch;
  const { io } = context;
  try {
    const criteria = await readCriteria(input, context); // dates are relative to now
    const { events, next } = await checkWatch(state, criteria, context);
    for (const event of events) {
      await printEvent(event, context);
      if (io.signal.aborted) return state;
      noteReported(event, state);
      saveMark(state, watch);
    }
    saveMark(next, watch);
    return next;
  } catch (error) {
    if (io.signal.aborted) return state;
    if (input.once) throw error;
    await reportUnreachable(error, context);
    return state;
  }
}

async function printEvent(event: WatchEvent, { io, output }: Context): Promise<void> {
  const json = `${escapeJson(JSON.stringify(event))}\n`;
  const text = () => eventText(JSON.parse(io.hide(json)), output.view); // hidden before it is cut
  await io.out(output.format === "table" ? text() : json);
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
    const { known, seen, reported, mark, start = "" } = JSON.parse(found.text);
    return { mark, start, known: new Set(known), seen: new Map(seen), reported: new Map(reported) };
  } catch {
    throw new BtError("local", `cannot use the mark ${file}`, { hint: "delete it to start over" });
  }
}
