import { fetchComments, readBug } from "../../../api/bugs.ts";
import { collectPages } from "../../../api/lists.ts";
import { BtError, isKind, usageError } from "../../../errors.ts";
import { PromptCancelled } from "../../../prompt/question.ts";
import { readTriaged, storeTriaged } from "../../../session/memory.ts";
import { note } from "../../../session/note.ts";
import { bugCard } from "../../../view/bug-card.ts";
import { threadText } from "../../../view/comments.ts";
import { errorText } from "../../../view/messages.ts";
import { countText } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { bugPage } from "../../../wire/exchange.ts";
import { readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts } from "../../shared/criteria/flags.ts";
import { trackerWords } from "../../shared/flags.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { errorRecord } from "../../shared/output/error-record.ts";
import { showText } from "../../shared/output/print.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import type { Context } from "../../verb.ts";
import { deleteSavedTexts } from "../../verb.ts";
import type { KeyName, TriageInput } from "../flags.ts";
import { undoBugs } from "../write/undo.ts";
import { updateBugs } from "../write/update.ts";
import { QUESTIONS } from "./questions.ts";
import { bugOnScreen, changeText, keysFor, type Shown, walkText } from "./screen.ts";
import { back, next, pendingFlags, type State, settle, step, type UpdateFlags } from "./state.ts";

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
  const ids = open.slice(0, input.limit).map(({ id }) => id);
  const prompt: typeof io.prompt = (asked) => io.prompt({ ...asked, isInner: asked.hasBack ?? false }); // Ctrl-C leaves it
  const inner = { ...context, io: { ...io, prompt } };
  const state: State = { ids, at: 0, changes: [], outcomes: new Map(), isOver: false };
  const walk: Walk = { input, criteria, before, context: inner, state };
  try {
    while (!walk.state.isOver) await goOn(walk);
  } finally {
    await io.err(changeText(walk.state, trackerWords(input), "not sent: "));
    await note(io, walkText(walk.state, input.dryRun));
  }
  for (const { error } of walk.state.outcomes.values()) if (error) throw error;
}

type Walk = {
  readonly input: TriageInput;
  readonly criteria: string; // equal for equal ones
  readonly before: ReadonlyMap<number, string>; // bugs that earlier walks handled, with the time of their last change
  readonly context: Context;
  state: State;
  shown?: Shown | undefined;
};

/** Shows the next bug, or does what a key says. */
async function goOn(walk: Walk): Promise<void> {
  const { context, state } = walk;
  const id = state.ids[state.at] ?? 0;
  if (walk.shown?.bug.id !== id) return show(id, walk);
  const key = (await askKey(walk)) as KeyName;
  try {
    await act(key, walk.shown, walk);
  } catch (error) {
    if (!(error instanceof BtError) || context.io.signal.aborted) throw error;
    if (!(error instanceof PromptCancelled)) await showError(error, context);
  } finally {
    if (walk.state.outcomes !== state.outcomes) await remember(walk);
  }
}

/** Shows a bug and its comments; reports one that is missing or hidden by now. */
async function show(id: number, walk: Walk): Promise<void> {
  const { io, output, session } = walk.context;
  const { rows, columns } = io.size();
  const view = { ...output.view, width: columns };
  try {
    const [bug, comments] = await Promise.all([
      readBug(String(id), ["_default"], session.send),
      fetchComments(id, session.send),
    ]);
    walk.shown = { bug, comments, fields: (await session.catalog()).received };
    await io.err(bugOnScreen(walk.shown, changeText(walk.state, trackerWords(walk.input)), view, rows));
  } catch (error) {
    if (!isKind(error, "missing", "auth")) throw error;
    await showError(error, walk.context);
    walk.state = next(walk.state);
  }
}

/** The key that is pressed. Ctrl-D leaves, which is an error with a change that is not sent. */
async function askKey({ state, input, context: { io } }: Walk): Promise<string> {
  await io.err(changeText(state, trackerWords(input)));
  const message = `bug ${state.ids[state.at]} (${state.at + 1} of ${state.ids.length})`;
  return io.prompt({ kind: "key", message, choices: keysFor(state) }).catch((error: unknown) => {
    if (io.signal.aborted || state.changes.length > 0 || !(error instanceof PromptCancelled)) throw error;
    return "quit";
  });
}

/** Does what a key says, after its question if there is one. */
async function act(key: KeyName, { bug, comments, fields }: Shown, walk: Walk): Promise<void> {
  const { context, state } = walk;
  const { view } = context.output;
  if (key === "web") return openInBrowser(bugPage(await readWebAddress(context), bug.id), context);
  if (key === "view all")
    return showText(context, `${bugCard({ bug, fields }, view)}\n${threadText({ comments, fields }, view)}`);
  const catalog = await context.session.catalog();
  const flags = await QUESTIONS[key]?.({ bug, comments, pending: pendingFlags(state), catalog, context });
  const taken = step(state, bug, flags ?? (key as "send"));
  const asked = taken.ask && (await context.io.prompt({ kind: "confirm", message: taken.ask, hasBack: true }));
  if (asked === "no") return;
  if (taken.send) return sendChange(taken.send, bug, walk);
  if (taken.undo !== undefined) return undoChange(taken.undo, walk);
  walk.state = taken.state;
}

/** Sends a change, unless the bug was modified since it was shown: then it is shown anew. */
async function sendChange(parameters: UpdateFlags, bug: Bug, walk: Walk): Promise<void> {
  const { context, input } = walk;
  const time = bug.last_change_time ?? "";
  const update = { args: [String(bug.id)], parameters, dryRun: input.dryRun, unchangedSince: time || undefined };
  try {
    const [{ st = "unchanged", changed } = {}] = (await updateBugs(update, context)) ?? [];
    deleteSavedTexts(context);
    walk.state = next(walk.state, { st, time: changed?.last_change_time ?? time });
  } catch (error) {
    if (error instanceof BtError) noteFailure(error, time, walk);
    throw error;
  }
}

/** An error leaves the change as it is, unless it may be applied. */
function noteFailure(error: BtError, time: string, walk: Walk): void {
  const { changed } = error.facts;
  const isUnsent = changed === "nothing";
  const st = changed === "some" ? "applied" : "unknown";
  walk.state = settle(walk.state, isUnsent ? { st: "refused", error } : { st, time, error });
  if (isUnsent && error.kind === "collision") walk.shown = undefined;
}

/** Undoes the change of the bug before, and goes back to it. */
async function undoChange(id: number, walk: Walk): Promise<void> {
  const flags = { dryRun: false, editor: false, yes: false, ifUnchanged: false, allowNoGroups: false };
  const input = { ...flags, args: [String(id)], parameters: {} };
  const error = await undoBugs(input, walk.context).catch((thrown: unknown) => thrown);
  const isUndone = error === undefined || (error instanceof BtError && error.facts.changed === "some");
  walk.state = back(walk.state, isUndone ? { st: "undone" } : undefined);
  if (error) throw error;
}

/** Stores the bugs that were handled, with the time of their last change. */
async function remember({ input, criteria, before, state, context }: Walk): Promise<void> {
  const handled = new Map(before);
  for (const [id, { time }] of state.outcomes) if (time !== undefined) handled.set(id, time);
  if (!input.dryRun) await storeTriaged(criteria, handled, context.session.memory);
}

async function showError(error: BtError, { io, output }: Context): Promise<void> {
  await io.err(errorText(errorRecord(error), output.view));
}
