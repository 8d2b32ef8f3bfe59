import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { fetchComments } from "../../../api/bugs/bug-texts.ts";
import type { Catalog } from "../../../api/catalog/catalog.ts";
import { requestOptional } from "../../../api/facts/optional.ts";
import { collectPages } from "../../../api/lists.ts";
import { BUG_HISTORY } from "../../../api/operations/bugs.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import { readHistories } from "../../../api/response/response-objects.ts";
import { findBugs } from "../../../api/search/found-bugs.ts";
import { BtError, EXIT_CODES, isNotFound, usageError, withFacts } from "../../../errors.ts";
import { keyLineCount } from "../../../prompt/keys.ts";
import { isCancelled, type KeyChoice } from "../../../prompt/question.ts";
import { addReadMarks } from "../../../session/memory/read-marks.ts";
import { readTriaged, storeTriaged } from "../../../session/memory/triaged.ts";
import { bugBrief, bugCard } from "../../../view/bug-card.ts";
import { commentProse } from "../../../view/comments.ts";
import { bugPage } from "../../../view/links.ts";
import { errorText, noticeText, warningText } from "../../../view/messages.ts";
import { plain } from "../../../view/text.ts";
import { threadText } from "../../../view/thread.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Comment, Field } from "../../../wire/resources.ts";
import { criteriaTexts, unlimitedCriteriaFlags } from "../../shared/criteria-flags.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { showText } from "../../shared/output/print.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import { searchTools } from "../../shared/search-tools.ts";
import { discardDrafts } from "../../shared/text/drafts.ts";
import type { Context } from "../../verb.ts";
import { readCriteria } from "../search/criteria.ts";
import { updateBugs } from "../write/update.ts";
import type { TriageInput } from "./flags.ts";
import { type TriageStep, updateLine, updateParameters } from "./step-flags.ts";
import { STEP_KEYS } from "./steps.ts";

/** `bt bug triage`: shows the bugs that match one by one, and sends the change that keys make to each. */
export async function triageBugs(input: TriageInput, context: Context): Promise<void> {
  const { io, session } = context;
  if (!io.terminal.stdout || !mayPrompt(io, session.settings)) throw noTerminalError();
  const criteria = await readCriteria(input, context, "triage");
  const wanted = { include: ["id"], limit: undefined, offset: 0 };
  const ids = (await collectPages(findBugs(criteria, wanted, searchTools(context)))).map(({ id }) => id);
  if (ids.length === 0) return io.err("no bugs match\n");
  const walk = await beginWalk(ids, input, context);
  try {
    await continueWalk(walk);
  } finally {
    await showTally(walk);
  }
  if (walk.failures[0]) throw walk.failures[0];
}

function noTerminalError(): BtError {
  const script = "in scripts: bt bug search is:open --format ids | bt bug update - --priority High";
  return usageError("bug triage requires a terminal with prompts", script);
}

async function beginWalk(all: number[], input: TriageInput, context: Context): Promise<Walk> {
  const { session, io, output } = context;
  const criteria = criteriaKey(input);
  const before = new Set(input.restart ? [] : await readTriaged(criteria, session.facts.own()));
  const left = all.filter((id) => !before.has(id));
  const [ids, handled] = left.length === 0 ? [all, []] : [left, [...before]];
  const passed = all.length - ids.length;
  const note = `${passed} of ${all.length} bugs were handled before; --restart starts over`;
  if (passed > 0) await io.err(noticeText(note, output.view));
  if (session.access && (await session.access.key()) === undefined)
    await io.err(warningText("you are not logged in, so changes will be refused", output.view, "bt auth login"));
  void session.login().catch(() => undefined); // for the lists of people
  const catalog = await session.metadata.catalog();
  const fields = await session.metadata.fields();
  const counts = { failures: [], updated: 0, sent: undefined, skipped: 0 };
  const walk: Walk = { input, context, catalog, fields, criteria, ids, handled, screen: undefined, ...counts };
  walk.context = walkContext(walk);
  return walk;
}

/** The context with prompts that show the bug again, and a view as wide as the terminal is at the time. */
function walkContext(walk: Walk): Context {
  const { io, output } = walk.context;
  return {
    ...walk.context,
    io: { ...io, prompt: (question) => io.prompt({ ...question, above: () => aboveKeys(walk) }) },
    output: {
      ...output,
      get view() {
        return { ...output.view, width: io.size().columns };
      },
    },
  };
}

/** The criteria of a command line as a text that is equal for equal ones. */
function criteriaKey(input: TriageInput): string {
  const texts = criteriaTexts(input);
  const given = unlimitedCriteriaFlags().filter(({ name }) => texts.has(name));
  const flags = given.map(({ name }) => [name, texts.get(name)]);
  return JSON.stringify([input.args, flags, input.sort]);
}

/** Shows the bugs of a walk; the next one is read while the user decides. */
async function continueWalk(walk: Walk): Promise<void> {
  const { ids, context } = walk;
  let ahead: Promise<Shown> | undefined;
  for (const [at, id] of ids.entries()) {
    const shown = await (ahead ?? readBugAndComments(id, context)).catch((error) => reportUnreadable(error, walk));
    const next = ids[at + 1];
    ahead = next === undefined ? undefined : readBugAndComments(next, context);
    ahead?.catch(() => undefined); // reported when it is shown
    if (!shown) continue;
    if ((await triageBug({ walk, shown, at, steps: [], failure: undefined, isListed: false })) === "leave") return;
    walk.handled.push(id);
    if (!walk.input.dryRun) await storeTriaged(walk, context.session.facts.own());
  }
}

/** Reports a bug that is missing or hidden by now. */
async function reportUnreadable(error: unknown, { context }: Walk): Promise<undefined> {
  if (!isNotFound(error)) throw error;
  await reportError(error, context);
}

/** Shows what was sent and what was not, however the walk ended. */
async function showTally(walk: Walk): Promise<void> {
  const { context, input, criteria, ids, handled, failures, screen } = walk;
  const { io, session, output } = context;
  const own = session.facts.own();
  const done = new Set(handled);
  const left = ids.filter((id) => !done.has(id)).length;
  if (left === 0) await storeTriaged({ criteria, handled: [] }, own);
  const isKept = left > 0 && (await readTriaged(criteria, own)).length > 0;
  const unknown = failures.filter((failure) => !isUnsent(failure)).length;
  const parts = [
    `${walk.updated} ${input.dryRun ? "would be updated" : "updated"}`,
    unknown > 0 ? `${unknown} with an unknown outcome` : "",
    `${walk.skipped} skipped`,
    `${left} left${isKept ? "; run it again with the same criteria to continue" : ""}`,
  ];
  if (screen && screen.steps.length > 0) await io.err(`not sent: ${changeLine(screen)}`);
  await io.err(noticeText(parts.filter(Boolean).join(", "), output.view));
}

/** A walk over bugs; `failures` may have changed bugs. */
type Walk = {
  input: TriageInput;
  context: Context;
  catalog: Catalog;
  fields: readonly Field[];
  criteria: string;
  ids: number[]; // not handled before
  handled: number[];
  failures: BtError[];
  screen: OnScreen | undefined; // the bug that is being handled
  updated: number;
  sent: number | undefined; // the last bug that was updated
  skipped: number;
};

/** A bug as it is shown. */
type Shown = { bug: Bug; comments: readonly Comment[] };

/** Reads a bug and its comments. */
async function readBugAndComments(id: number, { session }: Context): Promise<Shown> {
  const [bug, comments] = await Promise.all([
    readBug(String(id), ["_default"], session.send),
    fetchComments(id, session.send),
  ]);
  return { bug, comments };
}

/** A bug on the screen, with the keys so far. */
type OnScreen = {
  walk: Walk;
  at: number;
  shown: Shown;
  steps: readonly TriageStep[];
  failure: BtError | undefined; // of the last attempt to send the change
  isListed: boolean; // all keys were shown below the bug
};

/** Continuation after a key: the next bug, the end, or another key. */
type After = "next" | "leave" | undefined;

/** Shows a bug and handles keys until the next bug, or the end. */
async function triageBug(screen: OnScreen): Promise<After> {
  const { walk } = screen;
  walk.screen = screen;
  await showBug(screen);
  let after: After;
  while (after === undefined) after = await runAction(await askKey(screen), screen);
  const { failure } = screen;
  if (after === "leave" && failure && !walk.failures.includes(failure)) walk.failures.push(failure);
  if (after === "next") walk.screen = undefined;
  return after;
}

async function askKey(screen: OnScreen): Promise<string> {
  const { context, ids } = screen.walk;
  const { io } = context;
  await io.err(changeLine(screen));
  const message = `bug ${screen.shown.bug.id} (${screen.at + 1} of ${ids.length})`;
  const isBrief = screen.isListed;
  screen.isListed = true;
  try {
    return await io.prompt({ kind: "key", message, choices: choicesFor(screen), isBrief });
  } catch (error) {
    if (!(error instanceof BtError) || io.signal.aborted) throw error;
    if (screen.failure || screen.steps.length > 0) throw screen.failure ?? error;
    return "leave"; // Ctrl-D
  }
}

function choicesFor({ steps, shown }: OnScreen): KeyChoice[] {
  const own = STEP_KEYS.filter(({ isFor }) => isFor?.(shown.bug) ?? true);
  const sends = { key: "", value: "send", name: steps.length > 0 ? "send, next bug" : "next bug", isMain: true };
  const others = Object.entries(ACTIONS).map(([value, { key, name }]) => ({ key, value, name, isMain: key === "u" }));
  return [...own.map(({ key, name }) => ({ key, value: name, name })), ...others, sends];
}

/** The command of the change so far, on lines of its own; empty without one. */
function changeLine({ steps, shown }: OnScreen): string {
  if (steps.length === 0) return "";
  return `${plain(updateLine(shown.bug.id, updateParameters(steps, shown.bug)), { lines: true })}\n`;
}

/** Keys about the walk. */
const ACTIONS: Readonly<Record<string, { key: string; name: string; act: (screen: OnScreen) => Promise<After> }>> = {
  undo: { key: "u", name: "undo the last key", act: undoStep },
  skip: { key: "s", name: "skip", act: skipBug },
  comments: { key: "v", name: "all fields and comments", act: showComments },
  browser: { key: "w", name: "browser", act: openPage },
  leave: { key: "q", name: "leave", act: leaveWalk },
};

/** Runs the action of a key; reports an error that the user can correct, and stays on the bug. */
async function runAction(action: string, screen: OnScreen): Promise<After> {
  if (action === "send") return sendChange(screen);
  const { context, catalog } = screen.walk;
  const step = STEP_KEYS.find(({ name }) => name === action);
  try {
    if (!step) return await ACTIONS[action]?.act(screen);
    const { steps, shown } = screen;
    screen.steps = [...steps, await step.ask({ ...shown, steps, catalog, context })];
  } catch (error) {
    if (!(error instanceof BtError) || context.io.signal.aborted) throw error;
    if (!isCancelled(error)) await reportError(withFacts(error, { changed: undefined }), context);
  }
  return undefined;
}

/** Sends the change as one request, if there is one. After an error the bug stays on the screen. */
async function sendChange(screen: OnScreen): Promise<After> {
  const { walk, shown, steps } = screen;
  const { id = 0, last_change_time } = shown.bug;
  if (steps.length === 0) return skipBug(screen);
  const { dryRun } = walk.input;
  const parameters = updateParameters(steps, shown.bug);
  try {
    await updateBugs(
      { args: [String(id)], parameters, dryRun, unchangedSince: last_change_time ?? undefined },
      walk.context,
    );
  } catch (error) {
    return stayAfterError(error, screen);
  }
  discardDrafts(walk.context);
  walk.updated += 1;
  walk.sent = id ?? undefined;
  return "next";
}

/** True for an error after which a change was certainly not applied. */
function isUnsent({ facts }: BtError): boolean {
  return facts.changed === "nothing";
}

/** Keeps an unsent change; one that may have been applied is not sent again. */
async function stayAfterError(error: unknown, screen: OnScreen): Promise<After> {
  const { walk, shown } = screen;
  if (!(error instanceof BtError)) throw error;
  screen.failure = error;
  if (!isUnsent(error)) {
    walk.failures.push(error);
    screen.steps = [];
  }
  if (walk.context.io.signal.aborted) throw error;
  const isModified = error.kind === "collision" && isUnsent(error);
  const seen = isModified
    ? new BtError(error.kind, error.message, { details: ["your change is kept; the bug is shown again"] })
    : error;
  await reportError(seen, walk.context);
  if (isModified) {
    screen.shown = await readBugAndComments(shown.bug.id, walk.context);
    screen.isListed = false;
    await showBug(screen);
    await showNews(shown.bug.last_change_time ?? "", screen);
  }
  return undefined;
}

/** Shows who changed and said what on a bug since a moment. */
async function showNews(since: string, { shown, walk }: OnScreen): Promise<void> {
  const { context, fields } = walk;
  const { view } = context.output;
  const { id } = shown.bug;
  const request = requestFor(BUG_HISTORY, { ids: [id], new_since: since });
  const histories = readHistories((await requestOptional(request, context.session.send)) ?? { bugs: [] });
  const history = histories.flatMap((one) => one.history).filter(({ when }) => when > since);
  const comments = shown.comments.filter(({ creation_time }) => (creation_time ?? "") > since);
  if (history.length + comments.length === 0) return;
  await context.io.err(`${threadText({ comments, history: { id, alias: [], history }, fields, folds: [] }, view)}\n`);
}

async function undoStep(screen: OnScreen): Promise<After> {
  const { io, output } = screen.walk.context;
  const { sent } = screen.walk;
  const note =
    sent === undefined ? "nothing to undo" : `nothing to undo here; for the last change: bt bug undo ${sent}`;
  if (screen.steps.length === 0) await io.err(noticeText(note, output.view));
  screen.steps = screen.steps.slice(0, -1);
  return undefined;
}

async function skipBug({ steps, walk, failure }: OnScreen): Promise<After> {
  if (steps.length > 0 && !(await promptToConfirm("skip without sending the change?", walk))) return undefined;
  if (!failure || isUnsent(failure)) walk.skipped += 1;
  return "next";
}

async function promptToConfirm(message: string, { context }: Walk): Promise<boolean> {
  return (await context.io.prompt({ kind: "confirm", message, hasBack: true })) === "yes";
}

async function showComments({ shown, walk }: OnScreen): Promise<After> {
  const { context, fields } = walk;
  const { bug, comments } = shown;
  const { view } = context.output;
  const thread = threadText({ comments, fields, folds: context.session.settings.fold_authors ?? [] }, view);
  await showText(context, `${bugCard({ bug, fields }, view)}\n${thread}`);
  return undefined;
}

async function openPage({ shown, walk }: OnScreen): Promise<After> {
  await openInBrowser(bugPage(await readWebAddress(walk.context), shown.bug.id), walk.context);
  return undefined;
}

async function leaveWalk({ steps, walk }: OnScreen): Promise<After> {
  return steps.length === 0 || (await promptToConfirm("leave without sending the change?", walk)) ? "leave" : undefined;
}

/** Shows a bug, which counts as read. */
async function showBug(screen: OnScreen): Promise<void> {
  const { io, session } = screen.walk.context;
  await io.err(bugText(screen));
  const { id, last_change_time } = screen.shown.bug;
  if (id && last_change_time) await addReadMarks(new Map([[id, last_change_time]]), session.facts.memory);
}

/** The bug and its change so far, which are printed above the keys. */
function aboveKeys({ screen }: Walk): string {
  return screen ? `${bugText(screen)}${changeLine(screen)}` : "";
}

/** A bug: its summary, as much of the description as fits on the screen, and two lines of facts. */
function bugText(screen: OnScreen): string {
  const { shown, walk } = screen;
  const { context, fields } = walk;
  const { bug, comments } = shown;
  const { view } = context.output;
  const description = comments.find(({ count }) => count === 0);
  const others = comments.filter((comment) => comment !== description).length;
  const { title, facts } = bugBrief({ bug, fields }, others, view);
  const lines = description ? commentProse(description, view).trimEnd().split("\n") : [];
  const { rows, columns } = context.io.size();
  const rest = REST + keyLineCount(choicesFor(screen), columns) + title.split("\n").length;
  const most = Math.max(MIN_LINES, rows - rest);
  const cut =
    lines.length > most
      ? [...lines.slice(0, most - 1), `... ${lines.length - most + 1} more lines; v shows all`]
      : lines;
  return `\n${title}\n${cut.map((line) => `${line}\n`).join("")}\n${facts}\n`;
}

const MIN_LINES = 3;
const REST = 7; // the facts, the prompt, and empty lines

/** Shows an error in the walk. */
async function reportError({ kind, message, facts }: BtError, { io, output }: Context): Promise<void> {
  const { hint, details, changed } = facts;
  const record = { kind, exit_code: EXIT_CODES[kind].code, message: plain(message), hint, details, changed };
  await io.err(errorText(record, output.view));
}
