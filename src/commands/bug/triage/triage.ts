import { isDeepStrictEqual } from "node:util";
import { fetchComments, readBug } from "../../../api/bugs.ts";
import { collectPages } from "../../../api/lists.ts";
import { commandFlagName } from "../../../api/operations/operation.ts";
import { flagValues } from "../../../command-flag.ts";
import { BtError, isKind, usageError } from "../../../errors.ts";
import { type KeyChoice, PromptCancelled } from "../../../prompt/question.ts";
import { readTriaged, storeTriaged } from "../../../session/memory.ts";
import { note } from "../../../session/note.ts";
import { bugBrief, bugCard } from "../../../view/bug-card.ts";
import { commentProse, threadText } from "../../../view/comments.ts";
import { errorText } from "../../../view/messages.ts";
import { countText, plain } from "../../../view/text.ts";
import type { View } from "../../../view/view.ts";
import { type Bug, PER_PRODUCT_FIELDS } from "../../../wire/bug-fields.ts";
import { bugPage, type JsonObject } from "../../../wire/exchange.ts";
import type { Comment, Field } from "../../../wire/resources.ts";
import { tallyText } from "../../shared/change/output.ts";
import type { ChangeResult } from "../../shared/change/result.ts";
import { readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts } from "../../shared/criteria/flags.ts";
import { shellWord, trackerWords } from "../../shared/flags.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { errorRecord } from "../../shared/output/error-record.ts";
import { showText } from "../../shared/output/print.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import type { Context } from "../../verb.ts";
import { deleteSavedTexts } from "../../verb.ts";
import type { TriageInput } from "../flags.ts";
import { undoBugs } from "../write/undo.ts";
import { updateBugs } from "../write/update.ts";
import { type KeyName, TRIAGE_KEYS } from "./keys.ts";
import { QUESTIONS, type UpdateFlags } from "./questions.ts";

/** `bt bug triage`: shows matching bugs one by one, and sends the change that keys make. */
export async function triageBugs(input: TriageInput, context: Context): Promise<void> {
  const { io, session } = context;
  if (!io.terminal.stdout || !mayPrompt(io, session.settings))
    throw usageError("bug triage requires a terminal with prompts", "in scripts: bt bug update");
  const query = await readCriteria(input, context);
  const wanted = { include: ["id", "last_change_time"], ...query.page };
  const bugs = await collectPages(session.searches.pages(query, wanted));
  if (bugs.length === 0) return note(io, "no bugs match");
  const criteria = JSON.stringify([input.args, [...criteriaTexts(input)].sort(), input.sort]);
  const handled = input.restart ? new Map<number, string>() : await readTriaged(criteria, session.memory);
  const unhandled = bugs.filter(({ id, last_change_time: time }) => time == null || time > (handled.get(id) ?? ""));
  const skipped = countText(bugs.length - unhandled.length, "bug");
  if (unhandled.length < bugs.length)
    await note(io, `skipping ${skipped} that you handled before; --restart shows all`);
  if (unhandled.length === 0) return;
  // Ctrl-C cancels a question of a key, not the triage
  const prompt: typeof io.prompt = (question) => io.prompt({ ...question, isInner: question.hasBack ?? false });
  const triage: Triage = {
    input,
    context: { ...context, io: { ...io, prompt } },
    criteria,
    handled,
    ids: unhandled.slice(0, input.limit).map(({ id }) => id),
    outcomes: new Map(),
    position: 0,
    shown: undefined,
    changes: [],
    isDone: false,
  };
  try {
    while (!triage.isDone) await takeStep(triage);
  } finally {
    await io.err(commandText(triage, "not sent: "));
    await note(io, resultText(triage));
  }
  for (const { error } of triage.outcomes.values()) if (error) throw error;
}

/** The state of a triage: its bugs, the bug on the screen with its change, and all outcomes. */
type Triage = {
  readonly input: TriageInput;
  readonly context: Context;
  readonly criteria: string; // flags and terms as JSON
  readonly handled: ReadonlyMap<number, string>; // bugs that earlier triages handled, with the time of their last change
  readonly ids: readonly number[];
  readonly outcomes: Map<number, Outcome>; // by bug
  position: number; // in ids
  shown: Shown | undefined;
  changes: UpdateFlags[]; // the change after each key that added to it; the last is pending
  isDone: boolean;
};

/** What became of a bug. `time`, of its last change, makes later triages skip it. */
type Outcome = {
  readonly st: ChangeResult["st"] | "skipped" | "undone";
  readonly time?: string;
  readonly error?: BtError;
};

type Shown = { readonly bug: Bug; readonly comments: readonly Comment[]; readonly fields: readonly Field[] };

/** Shows the next bug, or prompts for a key of the bug on the screen and runs it. */
async function takeStep(triage: Triage): Promise<void> {
  const { context } = triage;
  const id = triage.ids[triage.position] ?? 0;
  if (triage.shown?.bug.id !== id) return showBug(id, triage);
  const key = (await askKey(id, triage)) as KeyName;
  try {
    await runKey(key, triage.shown, triage);
  } catch (error) {
    if (!(error instanceof BtError) || context.io.signal.aborted) throw error;
    if (!(error instanceof PromptCancelled)) await showError(error, context);
  }
}

/** Shows a bug and its comments; reports a bug that is missing or hidden by now, and moves on. */
async function showBug(id: number, triage: Triage): Promise<void> {
  const { io, output, session } = triage.context;
  const { rows, columns } = io.size();
  try {
    const [bug, comments] = await Promise.all([
      readBug(String(id), ["_default"], session.send),
      fetchComments(id, session.send),
    ]);
    triage.shown = { bug, comments, fields: (await session.catalog()).received };
    await io.err(bugOnScreen(triage.shown, { ...output.view, width: columns }, rows));
  } catch (error) {
    if (!isKind(error, "missing", "auth")) throw error;
    await showError(error, triage.context);
    moveOn(triage);
  }
}

/** A bug: its summary, as much of the description as fits on the screen, and lines of facts. */
function bugOnScreen({ bug, comments, fields }: Shown, view: View, rows: number): string {
  const description = comments.find(({ count }) => count === 0);
  const { title, facts } = bugBrief({ bug, fields }, comments.length - (description ? 1 : 0), view);
  const lines = description ? commentProse(description, view).trimEnd().split("\n") : [];
  const room = Math.max(MIN_LINES, rows - RESERVED_ROWS - `${title}${facts}`.split("\n").length);
  const more = `... ${lines.length - room + 1} more lines; ${TRIAGE_KEYS["view all"]} shows all`;
  const shownLines = lines.length > room ? [...lines.slice(0, room - 1), more] : lines;
  return `\n${title}\n${shownLines.map((line) => `${line}\n`).join("")}\n${facts}\n`;
}

const MIN_LINES = 2;
const RESERVED_ROWS = 6; // the keys, the prompt, and empty lines

/** Moves to the next bug. */
function moveOn(triage: Triage): void {
  triage.position += 1;
  triage.changes = [];
  triage.isDone = triage.position === triage.ids.length;
}

/** The key that is pressed. Ctrl-D quits; with a pending change it is an error. */
async function askKey(id: number, triage: Triage): Promise<string> {
  const { io } = triage.context;
  await io.err(commandText(triage));
  const message = `bug ${id} (${triage.position + 1} of ${triage.ids.length})`;
  return io.prompt({ kind: "key", message, choices: keysFor(triage) }).catch((error: unknown) => {
    if (io.signal.aborted || triage.changes.length > 0 || !(error instanceof PromptCancelled)) throw error;
    return "quit";
  });
}

/** The keys for the bug on the screen, by what they do now. */
function keysFor(triage: Triage): KeyChoice[] {
  const previous = previousBug(triage);
  const isSent = triage.outcomes.get(previous ?? 0)?.st === "applied";
  const names: Partial<Record<string, string>> = {
    undo: triage.changes.length > 0 ? "undo" : `${isSent ? "undo" : "back to"} #${previous}`,
    send: isPending(triage) ? "send" : "next",
  };
  return Object.entries(TRIAGE_KEYS)
    .filter(([value]) => value !== "undo" || triage.changes.length > 0 || previous !== undefined)
    .map(([value, key]) => ({ key, value, name: names[value] ?? value }));
}

/** The bug that was shown before the bug on the screen. */
function previousBug({ ids, position, outcomes }: Triage): number | undefined {
  return ids.slice(0, position).findLast((id) => outcomes.has(id));
}

/** Flags of the change so far. */
function pendingFlags({ changes }: Triage): UpdateFlags {
  return changes.at(-1) ?? {};
}

function isPending(triage: Triage): boolean {
  return Object.keys(pendingFlags(triage)).length > 0;
}

/** The command of the pending change with its line break; empty without a change. */
function commandText(triage: Triage, prefix = ""): string {
  if (!isPending(triage)) return "";
  const words = Object.entries(pendingFlags(triage)).flatMap(([name, values]) =>
    flagValues(values).flatMap((value) => (name === "comment" ? ["-m", value] : [`--${name}`, value])),
  );
  const line = ["bt bug update", triage.ids[triage.position], ...words.map(shellWord)].join(" ");
  return `${plain(`${prefix}${line}${trackerWords(triage.input)}`, "lines")}\n`;
}

/** Does what a key is for, after its question if it has one. */
async function runKey(key: KeyName, { bug, comments, fields }: Shown, triage: Triage): Promise<void> {
  const { context } = triage;
  const { view } = context.output;
  const pending = pendingFlags(triage);
  switch (key) {
    case "web":
      return openInBrowser(bugPage(await readWebAddress(context), bug.id), context);
    case "view all":
      return showText(context, `${bugCard({ bug, fields }, view)}\n${threadText({ comments, fields }, view)}`);
    case "undo":
      return undo(triage);
    case "send":
      return isPending(triage) ? sendChange(pending, bug, triage) : skip(bug, triage);
    case "skip":
    case "quit":
      if (isPending(triage) && !(await askYesNo(`${key} without sending the change?`, context))) return;
      if (key === "skip") return skip(bug, triage);
      triage.isDone = true;
      return;
    default: {
      const catalog = await context.session.catalog();
      const flags = await QUESTIONS[key]({ bug, comments, pending, catalog, context });
      const merged = mergeFlags(pending, flags, bug);
      if (!isDeepStrictEqual(merged, pending)) triage.changes.push(merged);
    }
  }
}

async function askYesNo(message: string, { io }: Context): Promise<boolean> {
  return (await io.prompt({ kind: "confirm", message, hasBack: true })) === "yes";
}

/** The pending and an added update; requests and comments add up, what the bug has drops out. */
function mergeFlags(pending: UpdateFlags, added: UpdateFlags, bug: Bug): UpdateFlags {
  const comments = [pending.comment, added.comment].filter(Boolean);
  const requests = [...(pending.flags ?? []), ...(added.flags ?? [])];
  const merged = { ...pending, ...added, comment: comments.join("\n\n"), flags: requests };
  const isMoved = merged.product !== undefined && merged.product !== bug.product;
  const productFlags = PER_PRODUCT_FIELDS.map(commandFlagName);
  const isChange = ([flag, value = ""]: [string, unknown]) => {
    if (String(value) === "") return false; // also an empty list
    if (isMoved && productFlags.includes(flag)) return true; // a value of the new product
    const current = (bug as JsonObject)[flag.replaceAll("-", "_")] ?? "";
    return String(value) !== String(current);
  };
  return Object.fromEntries(Object.entries(merged).filter(isChange));
}

/** Moves on without a change; the outcome of a change that was sent before stays. */
async function skip({ id, last_change_time }: Bug, triage: Triage): Promise<void> {
  const before = triage.outcomes.get(id)?.st;
  if (before !== "applied" && before !== "unknown")
    await recordOutcome(id, { st: "skipped", time: last_change_time ?? "" }, triage);
  moveOn(triage);
}

/** Sends a change, unless the bug was modified since it was shown: then it is shown anew. */
async function sendChange(parameters: UpdateFlags, bug: Bug, triage: Triage): Promise<void> {
  const { context, input } = triage;
  const time = bug.last_change_time ?? "";
  const update = { args: [String(bug.id)], parameters, dryRun: input.dryRun, unchangedSince: time || undefined };
  try {
    const [result] = (await updateBugs(update, context)) ?? [];
    deleteSavedTexts(context);
    const outcome = { st: result?.st ?? "unchanged", time: result?.changed?.last_change_time ?? time };
    await recordOutcome(bug.id, outcome, triage);
    moveOn(triage);
  } catch (error) {
    if (error instanceof BtError) await recordFailure(error, bug.id, time, triage);
    throw error;
  }
}

/** Records the error of a change, which stays pending unless it may be applied. */
async function recordFailure(error: BtError, id: number, time: string, triage: Triage): Promise<void> {
  const { changed } = error.facts;
  if (changed === "nothing") await recordOutcome(id, { st: "refused", error }, triage);
  else {
    triage.changes = [];
    await recordOutcome(id, { st: changed === "some" ? "applied" : "unknown", time, error }, triage);
  }
  if (error.kind === "collision") triage.shown = undefined;
}

/** Takes back the last key; without a pending change, goes back to the previous bug and undoes its change. */
async function undo(triage: Triage): Promise<void> {
  const previous = previousBug(triage);
  const takenBack = triage.changes.pop();
  if (takenBack !== undefined || previous === undefined) return;
  const { st } = triage.outcomes.get(previous) ?? {};
  if (st === "applied" && !(await askYesNo(`undo the change of bug ${previous}?`, triage.context))) return;
  triage.position = triage.ids.indexOf(previous);
  if (st === "skipped" || st === "would change") await recordOutcome(previous, undefined, triage);
  if (st !== "applied") return;
  const error = await undoBugs({ args: [String(previous)] }, triage.context).catch((thrown: unknown) => thrown);
  if (!error || (error instanceof BtError && error.facts.changed === "some"))
    await recordOutcome(previous, { st: "undone" }, triage);
  if (error) throw error;
}

/** Records what became of a bug, also for later triages; undefined forgets it. */
async function recordOutcome(id: number, outcome: Outcome | undefined, triage: Triage): Promise<void> {
  const { input, outcomes, criteria, context } = triage;
  if (outcome) outcomes.set(id, outcome);
  else outcomes.delete(id);
  const handled = new Map(triage.handled);
  for (const [bug, { time }] of outcomes) if (time !== undefined) handled.set(bug, time);
  if (!input.dryRun) await storeTriaged(criteria, handled, context.session.memory);
}

async function showError(error: BtError, { io, output }: Context): Promise<void> {
  await io.err(errorText(errorRecord(error), output.view));
}

/** Numbers of bugs by what became of them: `2 applied, 1 skipped, 17 left`. */
function resultText({ ids, outcomes, input }: Triage): string {
  const results = ids.map((id) => outcomes.get(id)?.st ?? "left");
  const done = input.dryRun ? "would change" : "applied";
  return tallyText(results, [done, "unchanged", "refused", "unknown", "undone", "skipped", "left"]);
}
