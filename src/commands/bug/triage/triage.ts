import { requestAll } from "../../../api/batch.ts";
import { bugPlan, readBug } from "../../../api/bugs/bug-numbers.ts";
import { fetchComments } from "../../../api/bugs/bug-parts.ts";
import { collectPages } from "../../../api/lists.ts";
import { isRefusedLogin } from "../../../api/response/response-errors.ts";
import { BtError, isNotFound, LOG_IN, usageError, withFacts } from "../../../errors.ts";
import { PromptCancelled } from "../../../prompt/question.ts";
import { addReadMarks } from "../../../session/memory/read-marks.ts";
import { readTriaged, storeTriaged } from "../../../session/memory/triaged.ts";
import { note } from "../../../session/note.ts";
import { bugCard } from "../../../view/bug-card.ts";
import { errorText } from "../../../view/messages.ts";
import { countText } from "../../../view/text.ts";
import { threadText } from "../../../view/thread.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { bugPage } from "../../../wire/url.ts";
import { type Criteria, readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts } from "../../shared/criteria/flags.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { errorRecord } from "../../shared/output/error-record.ts";
import { showText } from "../../shared/output/print.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import { trackerWords } from "../../shared/shell-word.ts";
import { deleteSavedTexts } from "../../shared/text/saved-texts.ts";
import type { Context } from "../../verb.ts";
import { undoBugs } from "../undo/undo.ts";
import { updateBugs } from "../write/update.ts";
import type { TriageInput } from "./keys.ts";
import { type AskPart, PARTS } from "./parts.ts";
import { bugOnScreen, changeText, keysFor, type Shown, tallyText } from "./screen.ts";
import { begin, type Event, pendingFlags, type State, step, type UpdateFlags } from "./state.ts";

/** `bt bug triage`: shows the bugs that match one by one, and sends the change that keys make to each. */
export async function triageBugs(input: TriageInput, context: Context): Promise<void> {
  const { io, session } = context;
  const script = "in scripts: bt bug search is:open --format ids | bt bug update - --priority High";
  if (!io.terminal.stdout || !mayPrompt(io, session.settings))
    throw usageError("bug triage requires a terminal with prompts", script);
  const bugs = await readMatches(await readCriteria(input, context, "triage"), input, context);
  if (bugs.length === 0) return note(io, "no bugs match");
  const criteria = criteriaKey(input);
  const before = input.restart ? new Map<number, string>() : await readTriaged(criteria, session.facts.memory);
  const left = bugs.filter(({ id, last_change_time: time }) => (time ?? "") > (before.get(id) ?? ""));
  const [open, handled] = left.length === 0 ? [bugs, new Map<number, string>()] : [left, before];
  const skipped = bugs.length - open.length;
  const shows = skipped === 1 ? "it" : "them";
  if (skipped > 0)
    await note(io, `skipping ${countText(skipped, "bug")} that you handled before (--restart shows ${shows})`);
  if ((await session.account()).state === "anonymous")
    await note(io, `you are not logged in, so changes will be refused; ${LOG_IN}`);
  const ids = open.slice(0, input.limit).map(({ id }) => id);
  const walk: Walk = {
    ...{ input, criteria, handled, beyond: open.length - ids.length, context: innerContext(context) },
    ...{ state: begin(ids), shown: undefined, failure: undefined },
  };
  try {
    while (!walk.state.isOver) await triageBug(walk);
  } finally {
    await report(walk);
  }
  if (walk.failure) throw walk.failure;
}

/** A walk, and where it is; `handled` has the time of the last change of bugs, now or in earlier runs, by then. */
type Walk = {
  readonly input: TriageInput;
  readonly criteria: string;
  readonly handled: Map<number, string>;
  readonly beyond: number; // further bugs, beyond --limit
  readonly context: Context;
  state: State;
  shown: Shown | undefined;
  failure: BtError | undefined; // of a change that was not sent, or that may have been
};

/** The bugs of criteria with the time of their last change; those that are named by numbers alone in the order typed. */
async function readMatches(
  { query, ...criteria }: Criteria,
  { sort }: TriageInput,
  { session }: Context,
): Promise<Bug[]> {
  const include = ["id", "last_change_time"];
  const isById = query.kind === "test" && query.field.chart === "bug_id" && query.op === "=" && sort.length === 0;
  if (!isById) return collectPages(session.searches.pages({ query, ...criteria }, { include, ...criteria.page }));
  const refs = [...new Set(query.values.map(String))];
  const found = await requestAll(refs, bugPlan(include), session.send);
  return found.map((one) => ("thing" in one ? one.thing : { id: Number(one.ref), last_change_time: "9" })); // reported when shown
}

/** The criteria of a command line as a text that is equal for equal ones. */
function criteriaKey(input: TriageInput): string {
  return JSON.stringify([input.args, [...criteriaTexts(input)].sort(), input.sort]);
}

/** The context of questions about a bug: Ctrl-C leaves them, and what was typed into a line that is left is shown. */
function innerContext(context: Context): Context {
  const { io } = context;
  const prompt: typeof io.prompt = (question) => {
    const leave = (typed: string) => void (typed.trim() !== "" && note(io, `dropped: ${typed}`));
    return io.prompt({ ...question, ...(question.kind === "line" && { leave }), isInner: question.hasBack ?? false });
  };
  return { ...context, io: { ...io, prompt } };
}

/** Shows a bug, and takes keys until the next one, or the end. */
async function triageBug(walk: Walk): Promise<void> {
  const { ids, at } = walk.state;
  const id = ids[at] ?? 0;
  walk.shown = await readShown(id, walk.context);
  if (!walk.shown) walk.state = step(walk.state, { id }, { on: "missing" }).state;
  else {
    await draw(walk.shown, walk);
    for (let isShown = true; isShown && walk.state.at === at && !walk.state.isOver; )
      isShown = await takeKey(walk.shown, walk);
  }
  await remember(id, walk);
}

/** Stores whether a bug was handled, with the time of its last change; it was not if it was left, or gone back from. */
async function remember(id: number, walk: Walk): Promise<void> {
  const { state, shown, handled, context } = walk;
  const time = shown?.bug.last_change_time ?? "";
  if (!state.past.includes(id)) handled.delete(id);
  else if (time > (handled.get(id) ?? "")) handled.set(id, time);
  if (!walk.input.dryRun) await storeTriaged(walk.criteria, handled, context.session.facts.memory);
}

/** Says what was sent, and what was not, however the walk ends. */
async function report({ state, shown, beyond, criteria, handled, input, context }: Walk): Promise<void> {
  const { io, session, output } = context;
  if (shown) await io.err(changeText(state.parts, shown.bug, trackerWords(input), output.view, "not sent: "));
  const isDone = beyond === 0 && state.ids.every((id) => state.outcomes.has(id));
  if (isDone) await storeTriaged(criteria, new Map(), session.facts.memory);
  await note(io, tallyText(state, beyond, { isDryRun: input.dryRun, isKept: handled.size > 0 && !input.dryRun }));
}

/** A bug and its comments; undefined for a bug that is missing or hidden by now, which is reported. */
async function readShown(id: number, context: Context): Promise<Shown | undefined> {
  const { send } = context.session;
  try {
    const [bug, comments] = await Promise.all([readBug(String(id), ["_default"], send), fetchComments(id, send)]);
    return { bug, comments, fields: await context.session.metadata.fields() };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await showError(error, context);
    return undefined;
  }
}

/** Shows a bug, which counts as read. */
async function draw(shown: Shown, { state, context: { io, output, session } }: Walk): Promise<void> {
  const { rows, columns } = io.size();
  await io.err(bugOnScreen(state.parts, shown, { ...output.view, width: columns }, rows));
  const { id, last_change_time: time } = shown.bug;
  if (time) await addReadMarks(new Map([[id, time]]), session.facts.memory);
}

/** Does what a key says; false if the bug is to be shown anew. */
async function takeKey(shown: Shown, walk: Walk): Promise<boolean> {
  const { context, state } = walk;
  const { bug, comments, fields } = shown;
  const pending = pendingFlags(state.parts, bug);
  try {
    const key = await askKey(shown, walk);
    if (key === "browser") await openInBrowser(bugPage(await readWebAddress(context), bug.id), context);
    else if (key === "all") {
      const { view } = context.output;
      await showText(context, `${bugCard({ bug, fields }, view)}\n${threadText({ comments, fields }, view)}`);
    } else if (key in PARTS) {
      const catalog = await context.session.metadata.catalog();
      const ask: AskPart = PARTS[key as keyof typeof PARTS];
      const part = await ask({ bug, comments, parts: state.parts, pending, catalog, context });
      return await takeStep({ on: "part", part }, bug, walk);
    } else return await takeStep({ on: key as "send" }, bug, walk);
  } catch (error) {
    if (!(error instanceof BtError) || context.io.signal.aborted) throw error;
    if (!(error instanceof PromptCancelled)) await showError(withFacts(error, { changed: undefined }), context);
  }
  return true;
}

/** The key that is pressed. Ctrl-D leaves, which is an error with a change that is not sent. */
async function askKey({ bug }: Shown, walk: Walk): Promise<string> {
  const { state, input, context } = walk;
  const { io, output } = context;
  await io.err(changeText(state.parts, bug, trackerWords(input), output.view));
  const message = `bug ${bug.id} (${state.at + 1} of ${state.ids.length})`;
  try {
    return await io.prompt({ kind: "key", message, choices: keysFor(state, bug) });
  } catch (error) {
    if (error instanceof BtError && Object.keys(pendingFlags(state.parts, bug)).length > 0) walk.failure ??= error;
    walk.state = { ...state, isOver: true };
    throw error;
  }
}

/** Takes a step, after its question if there is one, and sends what it says; false if the bug is to be shown anew. */
async function takeStep(event: Event, bug: Bug, walk: Walk): Promise<boolean> {
  const { context } = walk;
  let taken = step(walk.state, bug, event);
  if (taken.ask !== undefined) {
    if (!(await isConfirmed(taken.ask, context))) return true;
    taken = step(walk.state, bug, { ...event, isSure: true } as Event);
  }
  if (taken.say !== undefined) await note(context.io, taken.say);
  if (taken.send) return sendChange(taken.send, bug, walk);
  if (taken.undo === undefined) walk.state = taken.state;
  else {
    const undo = { ...NO_FLAGS, args: [String(taken.undo)], parameters: {} };
    const error = await undoBugs(undo, context).catch((thrown: unknown) => thrown);
    if (error !== undefined && !(error instanceof BtError)) throw error;
    if (error) await showError(error, context);
    walk.state = step(walk.state, bug, { on: error && error.kind !== "partial" ? "back" : "undone" }).state;
  }
  return true;
}

const NO_FLAGS = { dryRun: false, editor: false, yes: false, ifUnchanged: false };

async function isConfirmed(message: string, { io }: Context): Promise<boolean> {
  const choices = ["yes", "no"].map((value) => ({ key: value.charAt(0), value, name: value }));
  return (await io.prompt({ kind: "key", message, choices, hasBack: true })) === "yes";
}

/** Sends a change, unless the bug was modified since it was shown: then it is shown anew. An error leaves the change, unless it may be applied. */
async function sendChange(parameters: UpdateFlags, bug: Bug, walk: Walk): Promise<boolean> {
  const { context, handled } = walk;
  const { dryRun } = walk.input;
  const update = { args: [String(bug.id)], parameters, dryRun, unchangedSince: bug.last_change_time ?? undefined };
  try {
    const [{ st = "unchanged", changed } = {}] = (await updateBugs(update, context)) ?? [];
    deleteSavedTexts(context);
    if (changed) handled.set(bug.id, changed.last_change_time);
    if (walk.failure?.facts.changed === "nothing") walk.failure = undefined;
    walk.state = step(walk.state, bug, { on: "sent", outcome: st }).state;
    return true;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    walk.failure = error;
    const isUnsent = error.facts.changed === "nothing";
    if (!isUnsent) walk.state = step(walk.state, bug, { on: "sent", outcome: "unknown" }).state;
    if (context.io.signal.aborted) throw error;
    if (isRefusedLogin(error.kind, error.facts.bugzillaCode)) context.session.raw.access?.forgetKey();
    await showError(error, context);
    return !(isUnsent && error.kind === "collision");
  }
}

/** Shows an error in the walk. */
async function showError(error: BtError, { io, output }: Context): Promise<void> {
  await io.err(errorText(errorRecord(error), output.view));
}
