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
import type { ChangeResult } from "../../shared/change/plan.ts";
import { readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts } from "../../shared/criteria/flags.ts";
import { shellWord, trackerWords } from "../../shared/flags.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { errorRecord } from "../../shared/output/error-record.ts";
import { showText } from "../../shared/output/print.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import type { Context } from "../../verb.ts";
import { deleteSavedTexts } from "../../verb.ts";
import { type KeyName, TRIAGE_KEYS, type TriageInput } from "../flags.ts";
import { undoBugs } from "../write/undo.ts";
import { updateBugs } from "../write/update.ts";
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
  const before = input.restart ? new Map<number, string>() : await readTriaged(criteria, session.memory);
  const open = bugs.filter(({ id, last_change_time: time }) => (time ?? "9") > (before.get(id) ?? ""));
  const skipped = countText(bugs.length - open.length, "bug");
  if (open.length < bugs.length) await note(io, `skipping ${skipped} that you handled before; --restart shows all`);
  if (open.length === 0) return;
  const prompt: typeof io.prompt = (asked) => io.prompt({ ...asked, isInner: asked.hasBack ?? false }); // Ctrl-C leaves it
  const walk: Walk = {
    input,
    context: { ...context, io: { ...io, prompt } },
    criteria,
    before,
    ids: open.slice(0, input.limit).map(({ id }) => id),
    outcomes: new Map(),
    at: 0,
    shown: undefined,
    changes: [],
    isOver: false,
  };
  try {
    while (!walk.isOver) await goOn(walk);
  } finally {
    await io.err(changeText(walk, "not sent: "));
    await note(io, walkText(walk));
  }
  for (const { error } of walk.outcomes.values()) if (error) throw error;
}

/** A walk: its bugs, the place of the bug on the screen and its change, and all outcomes. */
type Walk = {
  readonly input: TriageInput;
  readonly context: Context;
  readonly criteria: string; // equal for equal ones
  readonly before: ReadonlyMap<number, string>; // bugs that earlier walks handled, with the time of their last change
  readonly ids: readonly number[];
  readonly outcomes: Map<number, Outcome>; // by bug
  at: number;
  shown: Shown | undefined;
  changes: UpdateFlags[]; // after each key
  isOver: boolean;
};

/** What became of a bug. With the time of its last change, it was handled: later walks skip it. */
type Outcome = {
  readonly st: ChangeResult["st"] | "skipped" | "undone";
  readonly time?: string;
  readonly error?: BtError;
};

type Shown = { readonly bug: Bug; readonly comments: readonly Comment[]; readonly fields: readonly Field[] };

/** Shows the next bug, or does what a key says. */
async function goOn(walk: Walk): Promise<void> {
  const { context } = walk;
  const id = walk.ids[walk.at] ?? 0;
  if (walk.shown?.bug.id !== id) return show(id, walk);
  const key = (await askKey(id, walk)) as KeyName;
  try {
    await act(key, walk.shown, walk);
  } catch (error) {
    if (!(error instanceof BtError) || context.io.signal.aborted) throw error;
    if (!(error instanceof PromptCancelled)) await showError(error, context);
  }
}

/** Shows a bug and its comments; reports one that is missing or hidden by now. */
async function show(id: number, walk: Walk): Promise<void> {
  const { io, output, session } = walk.context;
  const { rows, columns } = io.size();
  try {
    const [bug, comments] = await Promise.all([
      readBug(String(id), ["_default"], session.send),
      fetchComments(id, session.send),
    ]);
    walk.shown = { bug, comments, fields: (await session.catalog()).received };
    await io.err(bugOnScreen(walk.shown, { ...output.view, width: columns }, rows));
  } catch (error) {
    if (!isKind(error, "missing", "auth")) throw error;
    await showError(error, walk.context);
    moveOn(walk);
  }
}

/** A bug: its summary, as much of the description as fits on the screen, and lines of facts. */
function bugOnScreen({ bug, comments, fields }: Shown, view: View, rows: number): string {
  const description = comments.find(({ count }) => count === 0);
  const { title, facts } = bugBrief({ bug, fields }, comments.length - (description ? 1 : 0), view);
  const lines = description ? commentProse(description, view).trimEnd().split("\n") : [];
  const room = Math.max(MIN_LINES, rows - REST - `${title}${facts}`.split("\n").length);
  const more = `... ${lines.length - room + 1} more lines; ${TRIAGE_KEYS["view all"]} shows all`;
  const cut = lines.length > room ? [...lines.slice(0, room - 1), more] : lines;
  return `\n${title}\n${cut.map((line) => `${line}\n`).join("")}\n${facts}\n`;
}

const MIN_LINES = 2;
const REST = 6; // the keys, the prompt, and empty lines

/** Moves to the next bug. */
function moveOn(walk: Walk): void {
  walk.at += 1;
  walk.changes = [];
  walk.isOver = walk.at === walk.ids.length;
}

/** The key that is pressed. Ctrl-D leaves, which is an error with a change that is not sent. */
async function askKey(id: number, walk: Walk): Promise<string> {
  const { io } = walk.context;
  await io.err(changeText(walk));
  const message = `bug ${id} (${walk.at + 1} of ${walk.ids.length})`;
  return io.prompt({ kind: "key", message, choices: keysFor(walk) }).catch((error: unknown) => {
    if (io.signal.aborted || walk.changes.length > 0 || !(error instanceof PromptCancelled)) throw error;
    return "quit";
  });
}

/** The keys for the bug on the screen, with what they are for now. */
function keysFor(walk: Walk): KeyChoice[] {
  const last = previousBug(walk);
  const isSent = walk.outcomes.get(last ?? 0)?.st === "applied";
  const names: Partial<Record<string, string>> = {
    undo: walk.changes.length > 0 ? "undo" : `${isSent ? "undo" : "back to"} #${last}`,
    send: isPending(walk) ? "send" : "next",
  };
  return Object.entries(TRIAGE_KEYS)
    .filter(([value]) => value !== "undo" || walk.changes.length > 0 || last !== undefined)
    .map(([value, key]) => ({ key, value, name: names[value] ?? value }));
}

/** The bug before that was shown. */
function previousBug({ ids, at, outcomes }: Walk): number | undefined {
  return ids.slice(0, at).findLast((id) => outcomes.has(id));
}

/** Flags of the change so far. */
function pendingFlags({ changes }: Walk): UpdateFlags {
  return changes.at(-1) ?? {};
}

function isPending(walk: Walk): boolean {
  return Object.keys(pendingFlags(walk)).length > 0;
}

/** The command of the change so far behind some words, on a line of its own; empty without one. */
function changeText(walk: Walk, before = ""): string {
  if (!isPending(walk)) return "";
  const words = Object.entries(pendingFlags(walk)).flatMap(([name, values]) =>
    flagValues(values).flatMap((value) => (name === "comment" ? ["-m", value] : [`--${name}`, value])),
  );
  const line = ["bt bug update", walk.ids[walk.at], ...words.map(shellWord)].join(" ");
  return `${plain(`${before}${line}${trackerWords(walk.input)}`, "lines")}\n`;
}

/** Does what a key says, after its question if there is one. */
async function act(key: KeyName, { bug, comments, fields }: Shown, walk: Walk): Promise<void> {
  const { context } = walk;
  const { view } = context.output;
  const pending = pendingFlags(walk);
  switch (key) {
    case "web":
      return openInBrowser(bugPage(await readWebAddress(context), bug.id), context);
    case "view all":
      return showText(context, `${bugCard({ bug, fields }, view)}\n${threadText({ comments, fields }, view)}`);
    case "undo":
      return undo(walk);
    case "send":
      return isPending(walk) ? sendChange(pending, bug, walk) : skip(bug, walk);
    case "skip":
    case "quit":
      if (isPending(walk) && !(await askYesNo(`${key} without sending the change?`, context))) return;
      if (key === "skip") return skip(bug, walk);
      walk.isOver = true;
      return;
    default: {
      const catalog = await context.session.catalog();
      const flags = await QUESTIONS[key]({ bug, comments, pending, catalog, context });
      const merged = mergedFlags(pending, flags, bug);
      if (!isDeepStrictEqual(merged, pending)) walk.changes.push(merged);
    }
  }
}

async function askYesNo(message: string, { io }: Context): Promise<boolean> {
  return (await io.prompt({ kind: "confirm", message, hasBack: true })) === "yes";
}

/** Pending flags and the flags of a further key; requests and comments add up, values that the bug has drop out. */
function mergedFlags(before: UpdateFlags, typed: UpdateFlags, bug: Bug): UpdateFlags {
  const comments = [before.comment, typed.comment].filter(Boolean);
  const requests = [...(before.flags ?? []), ...(typed.flags ?? [])];
  const all = { ...before, ...typed, comment: comments.join("\n\n"), flags: requests };
  const isMoved = all.product !== undefined && all.product !== bug.product;
  const ofProduct = PER_PRODUCT_FIELDS.map(commandFlagName);
  const valueNow = (flag: string) => String((bug as JsonObject)[flag.replaceAll("-", "_")] ?? "");
  const isChange = ([name, value = ""]: [string, unknown]) =>
    String(value) !== "" && ((isMoved && ofProduct.includes(name)) || String(value) !== valueNow(name));
  return Object.fromEntries(Object.entries(all).filter(isChange));
}

/** Moves on without a change; what was sent before stays its outcome. */
async function skip({ id, last_change_time }: Bug, walk: Walk): Promise<void> {
  const before = walk.outcomes.get(id)?.st;
  if (before !== "applied" && before !== "unknown")
    await settle(id, { st: "skipped", time: last_change_time ?? "" }, walk);
  moveOn(walk);
}

/** Sends a change, unless the bug was modified since it was shown: then it is shown anew. */
async function sendChange(parameters: UpdateFlags, bug: Bug, walk: Walk): Promise<void> {
  const { context, input } = walk;
  const time = bug.last_change_time ?? "";
  const update = { args: [String(bug.id)], parameters, dryRun: input.dryRun, unchangedSince: time || undefined };
  try {
    const [{ st = "unchanged", changed } = {}] = (await updateBugs(update, context)) ?? [];
    deleteSavedTexts(context);
    await settle(bug.id, { st, time: changed?.last_change_time ?? time }, walk);
    moveOn(walk);
  } catch (error) {
    if (error instanceof BtError) await noteFailure(error, bug.id, time, walk);
    throw error;
  }
}

/** An error leaves the change as it is, unless it may be applied. */
async function noteFailure(error: BtError, id: number, time: string, walk: Walk): Promise<void> {
  const { changed } = error.facts;
  if (changed === "nothing") await settle(id, { st: "refused", error }, walk);
  else {
    walk.changes = [];
    await settle(id, { st: changed === "some" ? "applied" : "unknown", time, error }, walk);
  }
  if (error.kind === "collision") walk.shown = undefined;
}

/** Takes the last key back; without one, goes back to the bug before, whose change is undone. */
async function undo(walk: Walk): Promise<void> {
  const last = previousBug(walk);
  if (walk.changes.pop() || last === undefined) return;
  const { st } = walk.outcomes.get(last) ?? {};
  if (st === "applied" && !(await askYesNo(`undo the change of bug ${last}?`, walk.context))) return;
  walk.at = walk.ids.indexOf(last);
  if (st === "skipped" || st === "would change") await settle(last, undefined, walk);
  if (st !== "applied") return;
  const error = await undoBugs({ args: [String(last)] }, walk.context).catch((thrown: unknown) => thrown);
  if (!error || (error instanceof BtError && error.facts.changed === "some"))
    await settle(last, { st: "undone" }, walk);
  if (error) throw error;
}

/** Notes what became of a bug, or that nothing did, also for later walks. */
async function settle(id: number, outcome: Outcome | undefined, walk: Walk): Promise<void> {
  const { input, outcomes, criteria, context } = walk;
  if (outcome) outcomes.set(id, outcome);
  else outcomes.delete(id);
  const handled = new Map(walk.before);
  for (const [bug, { time }] of outcomes) if (time !== undefined) handled.set(bug, time);
  if (!input.dryRun) await storeTriaged(criteria, handled, context.session.memory);
}

async function showError(error: BtError, { io, output }: Context): Promise<void> {
  await io.err(errorText(errorRecord(error), output.view));
}

/** What became of the bugs of a walk: `2 applied, 1 skipped, 17 left`. */
function walkText({ ids, outcomes, input }: Walk): string {
  const results = ids.map((id) => outcomes.get(id)?.st ?? "left");
  const done = input.dryRun ? "would change" : "applied";
  return tallyText(results, [done, "unchanged", "refused", "unknown", "undone", "skipped", "left"]);
}
