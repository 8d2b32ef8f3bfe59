import { isDeepStrictEqual } from "node:util";
import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { fetchComments } from "../../../api/bugs/bug-parts.ts";
import type { Catalog } from "../../../api/catalog/catalog.ts";
import { unlessNotOffered } from "../../../api/facts/optional.ts";
import { collectPages } from "../../../api/lists.ts";
import { BUG_HISTORY } from "../../../api/operations/bugs.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import { readHistories } from "../../../api/response/response-objects.ts";
import { lastingStatuses, UNCONFIRMED } from "../../../api/write/moves.ts";
import type { FlagValues } from "../../../command-flag.ts";
import { BtError, EXIT_CODES, isNotFound, LOG_IN, usageError, withFacts } from "../../../errors.ts";
import { isCancelled, type KeyChoice } from "../../../prompt/question.ts";
import { addReadMarks } from "../../../session/memory/read-marks.ts";
import { readTriaged, storeTriaged } from "../../../session/memory/triaged.ts";
import { note } from "../../../session/note.ts";
import { bugBrief, bugCard } from "../../../view/bug-card.ts";
import { commentProse } from "../../../view/comments.ts";
import { bugPage } from "../../../view/links.ts";
import { errorText } from "../../../view/messages.ts";
import { countText, plain } from "../../../view/text.ts";
import { threadText } from "../../../view/thread.ts";
import { width } from "../../../view/wrap.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Comment, Field } from "../../../wire/resources.ts";
import { type Criteria, readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts, unlimitedCriteriaFlags } from "../../shared/criteria/flags.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { showText } from "../../shared/output/print.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import { brokenCommand, trackerWords } from "../../shared/shell-word.ts";
import { deleteSavedTexts } from "../../shared/text/saved-texts.ts";
import type { Context } from "../../verb.ts";
import { undoBugs } from "../undo/undo.ts";
import { updateBugs } from "../write/update.ts";
import type { TriageInput } from "./flags.ts";
import { type KeyName, TRIAGE_KEYS } from "./keys.ts";
import { flagLine, stepLine, type TriageStep, type UpdateFlags, updateLine, updateParameters } from "./step-flags.ts";
import { type AskStep, STEPS } from "./steps.ts";

/** `bt bug triage`: shows the bugs that match one by one, and sends the change that keys make to each. */
export async function triageBugs(input: TriageInput, context: Context): Promise<void> {
  const { io, session } = context;
  if (!io.terminal.stdout || !mayPrompt(io, session.settings)) throw noTerminalError();
  const criteria = await readCriteria(input, context, "triage");
  const ids =
    numbersOf(criteria, input) ??
    (await collectPages(context.session.searches.pages(criteria, { include: ["id"], ...criteria.page }))).map(
      ({ id }) => id,
    );
  if (ids.length === 0) return note(io, "no bugs match");
  const walk = await beginWalk(ids, input, context);
  try {
    await continueWalk(walk);
  } finally {
    await showTally(walk);
  }
  if (walk.failures[0]) throw walk.failures[0];
}

/** The bugs of criteria that are only their numbers, in the order typed; undefined for others, and with an order. */
function numbersOf({ query }: Criteria, { sort }: TriageInput): number[] | undefined {
  const isById = query.kind === "test" && query.field.chart === "bug_id" && query.op === "=";
  return isById && sort.length === 0 ? [...new Set(query.values.map(Number))] : undefined;
}

function noTerminalError(): BtError {
  const script = "in scripts: bt bug search is:open --format ids | bt bug update - --priority High";
  return usageError("bug triage requires a terminal with prompts", script);
}

async function beginWalk(all: number[], input: TriageInput, context: Context): Promise<Walk> {
  const { session, io } = context;
  const criteria = criteriaKey(input);
  const before = new Set(input.restart ? [] : await readTriaged(criteria, session.facts.memory));
  const left = all.filter((id) => !before.has(id));
  const [open, handled] = left.length === 0 ? [all, []] : [left, [...before]];
  const ids = open.slice(0, input.limit);
  const passed = all.length - open.length;
  if (passed > 0) {
    const which = passed === 1 ? "it" : "them";
    await note(io, `skipping ${countText(passed, "bug")} that you handled before (--restart shows ${which})`);
  }
  if ((await session.account()).state === "anonymous")
    await note(io, `you are not logged in, so changes will be refused; ${LOG_IN}`);
  void session.login().catch(() => undefined); // for the lists of people
  const catalog = await session.metadata.catalog();
  const fields = await session.metadata.fields();
  const counts = { failures: [], past: [], outcomes: new Map(), beyond: open.length - ids.length };
  const texts = { isRead: false, left: "", print: io.err };
  const walk: Walk = {
    input,
    context,
    catalog,
    fields,
    criteria,
    ids,
    passed,
    handled,
    screen: undefined,
    ...counts,
    ...texts,
  };
  walk.context = walkContext(walk);
  return walk;
}

/** The context with prompts below the bug, and a view as wide as the terminal is at the time. */
function walkContext(walk: Walk): Context {
  const { io, output } = walk.context;
  return {
    ...walk.context,
    io: {
      ...io,
      prompt: async (question) => {
        walk.left = "";
        const start = question.kind === "line" ? question.start : undefined;
        const leave = (typed: string) => (walk.left = typed === start ? "" : typed);
        const isInner = question.hasBack ?? false;
        return io.prompt({ ...question, ...(question.kind === "line" && { leave }), isInner });
      },
    },
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

/** Shows the bugs of a walk, and again those that the user goes back to; the next one is read while the user decides. */
async function continueWalk(walk: Walk): Promise<void> {
  const { context } = walk;
  const queue = [...walk.ids];
  let ahead: { id: number; read: Promise<Shown> } | undefined;
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    const read = ahead?.id === id ? ahead.read : readBugAndComments(id, context);
    const shown = await read.catch((error) => reportUnreadable(error, walk));
    const [next] = queue;
    ahead = next === undefined ? undefined : { id: next, read: readBugAndComments(next, context) };
    ahead?.read.catch(() => undefined); // reported when it is shown
    if (!shown) continue;
    const screen: OnScreen = { walk, shown, steps: [], failure: undefined };
    walk.screen = screen;
    await showBug(screen);
    const after = await triageBug(screen);
    if (after === "leave") return;
    if (typeof after === "number") {
      queue.unshift(after, id);
      walk.handled = walk.handled.filter((one) => one !== after);
    } else walk.handled.push(id);
    if (!walk.input.dryRun) await storeTriaged(walk, context.session.facts.memory);
  }
}

/** Reports a bug that is missing or hidden by now. */
async function reportUnreadable(error: unknown, { context }: Walk): Promise<undefined> {
  if (!isNotFound(error)) throw error;
  await showError(error, context);
}

/** Shows what was sent and what was not, however the walk ended. */
async function showTally(walk: Walk): Promise<void> {
  const { context, input, criteria, ids, handled, screen } = walk;
  const { io, session } = context;
  const own = session.facts.memory;
  const done = new Set(handled);
  const isOver = ids.every((id) => done.has(id)) && walk.beyond === 0;
  if (isOver) await storeTriaged({ criteria, handled: [] }, own);
  const isKept = !isOver && (await readTriaged(criteria, own)).length > 0;
  const outcomes = [...walk.outcomes.values()];
  const counted = (...wanted: Outcome["kind"][]) => outcomes.filter(({ kind }) => wanted.includes(kind));
  const [undone, partly, unknown] = [counted("undone"), counted("partly undone"), counted("unknown")];
  const unchanged = counted("unchanged");
  const hasComment = undone.some(({ stays }) => stays?.includes("comment"));
  const parts = [
    `${counted("sent", "kept").length} ${input.dryRun ? "would be updated" : "updated"}`,
    undone.length > 0 ? `${undone.length} undone${hasComment ? " except for comments" : ""}` : "",
    partly.length > 0 ? `${partly.length} partly undone` : "",
    unknown.length > 0 ? `${unknown.length} with an unknown outcome` : "",
    unchanged.length > 0 ? `${unchanged.length} unchanged` : "",
    `${counted("skipped").length} skipped`,
    `${ids.length - outcomes.length} left`,
    walk.beyond > 0 ? `${walk.beyond} beyond --limit` : "",
  ];
  const again = isKept ? "; run it again with the same criteria to continue" : "";
  if (screen && isPending(screen)) await io.err(pendingCommand(screen, NOT_SENT));
  await note(io, `${parts.filter(Boolean).join(", ")}${again}`);
}

/** A walk over bugs; `failures` may have changed bugs. */
type Walk = {
  input: TriageInput;
  context: Context;
  catalog: Catalog;
  fields: readonly Field[];
  criteria: string;
  ids: number[]; // to be shown, of those not handled before
  passed: number; // before these, in earlier runs
  beyond: number; // more of them, beyond --limit
  handled: number[];
  failures: BtError[];
  screen: OnScreen | undefined; // the bug that is being handled
  past: number[]; // bugs shown in this run to which one can go back, the last one last
  outcomes: Map<number, Outcome>; // of each bug of this run but those left
  isRead: boolean; // all comments are on the screen
  left: string; // what was typed into a line that was left
  print: Context["io"]["err"]; // for what is no note
};

/** Outcome for a bug of the walk. Of a change that is kept, nothing can be undone. */
type Outcome = {
  kind: "sent" | "kept" | "undone" | "partly undone" | "unchanged" | "skipped" | "unknown";
  stays?: string[]; // parts of the change that an undo leaves: its comment, and a status that does not lead back
  line?: string; // flags of the others
};

/** Outcomes that stay when one goes back to a bug, or skips it then. */
const LASTING: ReadonlySet<string | undefined> = new Set<Outcome["kind"]>([
  "kept",
  "undone",
  "partly undone",
  "unknown",
]);

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
  shown: Shown;
  steps: readonly TriageStep[];
  failure: BtError | undefined; // of the last attempt to send the change, unless part of it was taken back since
};

/** Continuation after a key: the next bug, the end, another key, or a bug before, by its number. */
type After = "next" | "leave" | number | undefined;

/** Handles keys until the next bug, or the end. */
async function triageBug(screen: OnScreen): Promise<After> {
  const { walk } = screen;
  let after: After;
  while (after === undefined) after = await runAction(await askKey(screen), screen);
  const { failure } = screen;
  if (after === "leave" && failure && isPending(screen) && !walk.failures.includes(failure))
    walk.failures.push(failure);
  if (after !== "leave") walk.screen = undefined;
  return after;
}

async function askKey(screen: OnScreen): Promise<string> {
  const { walk } = screen;
  const { context, ids, passed } = walk;
  const { io } = context;
  await walk.print(pendingCommand(screen));
  const { id = 0 } = screen.shown.bug;
  const message = `bug ${id} (${passed + ids.indexOf(id) + 1} of ${passed + ids.length})`;
  try {
    const key = await io.prompt({ kind: "key", message, choices: choicesFor(screen), reasons: REASONS });
    const isBack = walk.isRead && key === ("leave" satisfies KeyName); // as in a pager, which may have shown all
    walk.isRead = false;
    return isBack ? ("redraw" satisfies KeyName) : key;
  } catch (error) {
    if (!(error instanceof BtError) || io.signal.aborted) throw error;
    if (isPending(screen)) throw screen.failure ?? error;
    return "leave"; // Ctrl-D
  }
}

function choicesFor(screen: OnScreen): KeyChoice[] {
  const { steps, walk, shown } = screen;
  const hasChange = isPending(screen);
  const last = steps.length === 0 ? walk.past.at(-1) : undefined;
  const isUndoable = steps.length > 0 || last !== undefined;
  const undo = last ? `${isSent(last, walk) ? "undo" : "back to"} #${last}` : TRIAGE_KEYS.undo.name;
  const leave = walk.isRead ? "back to the bug" : TRIAGE_KEYS.leave.name;
  const names: Partial<Record<string, string>> = { undo, leave, send: hasChange ? TRIAGE_KEYS.send.name : "next" };
  return Object.entries(TRIAGE_KEYS)
    .filter(([value]) => value !== "confirm" || shown.bug.status === UNCONFIRMED)
    .filter(([value]) => value !== "undo" || isUndoable)
    .map(([value, { key, name }]) => ({ key, value, name: names[value] ?? name }));
}

/** Why keys are not offered that are for some bugs only. */
const REASONS = {
  [TRIAGE_KEYS.confirm.key]: `${TRIAGE_KEYS.confirm.key} confirms a bug that is ${UNCONFIRMED}`,
  [TRIAGE_KEYS.undo.key]: "nothing to undo here; bt bug undo undoes earlier changes",
};

/** True for a bug whose change can be undone. */
function isSent(bug: number, { input, outcomes }: Walk): boolean {
  return outcomes.get(bug)?.kind === "sent" && !input.dryRun;
}

/** Flags of `bt bug update` for the keys so far. */
function pendingFlags({ steps, shown }: OnScreen): UpdateFlags {
  return updateParameters(steps, shown.bug);
}

function isPending(screen: OnScreen): boolean {
  return Object.keys(pendingFlags(screen)).length > 0;
}

/** The command of the change so far behind some words, on lines of its own; empty without one. */
function pendingCommand(screen: OnScreen, before = ""): string {
  if (!isPending(screen)) return "";
  const { context, input } = screen.walk;
  const line = `${before}${updateLine(screen.shown.bug.id, pendingFlags(screen))}${trackerWords(input)}`;
  return `${brokenCommand(plain(line, { lines: true }), context.output.view.width)}\n`;
}

/** Keys about the walk. */
const ACTIONS = {
  all: showAll,
  browser: openPage,
  redraw: redrawBug,
  undo: undoKey,
  skip: skipBug,
  leave: leaveWalk,
  send: sendChange,
} as const satisfies Partial<Record<KeyName, (screen: OnScreen) => Promise<After>>>;

/** Runs the action of a key; reports an error that the user can correct, and stays on the bug. */
async function runAction(name: string, screen: OnScreen): Promise<After> {
  const { context } = screen.walk;
  try {
    if (name in ACTIONS) return await ACTIONS[name as keyof typeof ACTIONS](screen);
    await addStep(STEPS[name as keyof typeof STEPS], screen);
  } catch (error) {
    if (!(error instanceof BtError) || context.io.signal.aborted) throw error;
    if (!isCancelled(error)) {
      await showError(withFacts(error, { changed: undefined }), context);
    } else if (screen.walk.left.trim() !== "") await showNotice(`dropped: ${screen.walk.left}`, context);
  }
  return undefined;
}

/** Adds a step that changes something; a value that the bug has, or gets already, is reported. */
async function addStep(ask: AskStep, screen: OnScreen): Promise<void> {
  const { shown, steps, walk } = screen;
  const { catalog, context } = walk;
  const before = pendingFlags(screen);
  const step = await ask({ ...shown, steps, pending: before, catalog, context });
  const after = updateParameters([...steps, step], shown.bug);
  if (!isDeepStrictEqual(after, before)) screen.steps = [...steps, step];
  if (!("flags" in step)) return;
  const [now, was]: FlagValues[] = [after, before];
  const isNew = (name: string) => name in after && !isDeepStrictEqual(now?.[name], was?.[name]);
  const values = Object.values(step.flags);
  if (values.length === 0 || Object.keys(step.flags).some(isNew)) return;
  await showNotice(`no change: ${step.kind} is already ${values.join(" ") || "empty"}`, context);
}

async function showNotice(text: string, { io }: Context): Promise<undefined> {
  await note(io, text);
}

/** Sends the change as one request, if there is one. After an error the bug stays on the screen. */
async function sendChange(screen: OnScreen): Promise<After> {
  const { walk, shown } = screen;
  const { id = 0, last_change_time } = shown.bug;
  if (!isPending(screen)) return skipBug(screen);
  const { dryRun } = walk.input;
  const parameters = pendingFlags(screen);
  const input = { args: [String(id)], parameters, dryRun, unchangedSince: last_change_time ?? undefined };
  let updated: number | undefined;
  try {
    updated = await updateBugs(input, walk.context);
  } catch (error) {
    return stayAfterError(error, screen);
  }
  deleteSavedTexts(walk.context);
  const { comment, ...fields } = parameters;
  const changes = { status: { removed: shown.bug.status ?? "", added: fields.status ?? "" } };
  const isLasting = lastingStatuses([{ id, changes }], walk.catalog).length > 0;
  const { status, resolution, ...others } = fields;
  const undoable = isLasting ? others : fields;
  const hasComment = comment !== undefined || fields["dupe-of"] !== undefined; // to which the tracker adds one
  const stays = [isLasting ? "status" : "", hasComment ? "comment" : ""].filter(Boolean);
  const kind = Object.keys(undoable).length === 0 && !dryRun ? "kept" : "sent";
  walk.past.push(id);
  walk.outcomes.set(id, { kind: updated === 0 ? "unchanged" : kind, stays, line: flagLine(undoable) });
  return "next";
}

const NOT_SENT = "not sent: ";

/** True for an error after which a change was certainly not applied. */
function isCertainlyUnsent({ facts }: BtError): boolean {
  return facts.changed === "nothing";
}

/** Keeps an unsent change; one that may have been applied is not sent again. */
async function stayAfterError(error: unknown, screen: OnScreen): Promise<After> {
  const { walk, shown } = screen;
  if (!(error instanceof BtError)) throw error;
  screen.failure = error;
  if (!isCertainlyUnsent(error)) {
    walk.failures.push(error);
    walk.outcomes.set(shown.bug.id, { kind: "unknown" });
    screen.steps = [];
  }
  if (walk.context.io.signal.aborted) throw error;
  const isModified = error.kind === "collision" && isCertainlyUnsent(error);
  const seen = isModified
    ? new BtError(error.kind, error.message, { details: ["your change is kept; the bug is shown again"] })
    : error;
  await showError(seen, walk.context);
  if (isModified) {
    screen.shown = await readBugAndComments(shown.bug.id, walk.context);
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
  const histories = readHistories((await unlessNotOffered(context.session.send(request))) ?? { bugs: [] });
  const history = histories.flatMap((one) => one.history).filter(({ when }) => when > since);
  const comments = shown.comments.filter(({ creation_time }) => (creation_time ?? "") > since);
  if (history.length + comments.length === 0) return;
  await context.io.err(`${threadText({ comments, history: { id, alias: [], history }, fields }, view)}\n`);
}

/** Takes the last key back; without one, goes back to the bug before, and undoes the change that was sent of it, as far as it can be. */
async function undoKey(screen: OnScreen): Promise<After> {
  const { steps, walk, shown } = screen;
  const step = steps.at(-1);
  if (step !== undefined) {
    Object.assign(screen, { steps: steps.slice(0, -1), failure: undefined });
    return showNotice(`taken back: ${stepLine(step, shown.bug)}`, walk.context);
  }
  const last = walk.past.at(-1);
  if (last === undefined) return undefined;
  const { kind, stays = [], line } = walk.outcomes.get(last) ?? {};
  const names = stays.join(" and ");
  if (isSent(last, walk)) {
    const part = stays.length > 0 ? `, except for its ${names}` : "";
    if (!(await promptToConfirm(plain(`undo the change of bug ${last}${part} (${line})?`), walk))) return undefined;
    const undo = undoBugs({ ...NO_FLAGS, args: [String(last)], parameters: {} }, walk.context);
    const outcome = await undo.catch(async (error: unknown) => {
      if (!(error instanceof BtError && error.kind === "partial")) throw error;
      await showError(error, walk.context);
      return "partly undone" as const;
    });
    walk.outcomes.set(last, { kind: outcome ?? "undone", stays });
  } else if (!LASTING.has(kind)) walk.outcomes.delete(last);
  if (kind === "kept") await showNotice(`bug ${last} keeps its ${names}`, walk.context);
  walk.past.pop();
  return last;
}

const NO_FLAGS = { dryRun: false, editor: false, yes: false, ifUnchanged: false };

async function skipBug(screen: OnScreen): Promise<After> {
  const { walk, shown } = screen;
  const { id } = shown.bug;
  if (isPending(screen) && !(await promptToConfirm("skip without sending the change?", walk))) return undefined;
  if (isPending(screen)) await walk.print(pendingCommand(screen, NOT_SENT));
  walk.past.push(id);
  if (!LASTING.has(walk.outcomes.get(id)?.kind)) walk.outcomes.set(id, { kind: "skipped" });
  return "next";
}

const YES_OR_NO = [
  { key: "y", value: "yes", name: "yes" },
  { key: "n", value: "no", name: "no" },
];

async function promptToConfirm(message: string, walk: Walk): Promise<boolean> {
  const answer = await walk.context.io.prompt({ kind: "key", message, choices: YES_OR_NO, hasBack: true });
  return answer === "yes";
}

async function showAll(screen: OnScreen): Promise<After> {
  const { shown, walk } = screen;
  const { context, fields } = walk;
  const { bug, comments } = shown;
  const { view } = context.output;
  const thread = threadText({ comments, fields }, view);
  await showText(context, `${bugCard({ bug, fields }, view)}\n${thread}`);
  walk.isRead = true;
  return undefined;
}

async function openPage({ shown, walk }: OnScreen): Promise<After> {
  await openInBrowser(bugPage(await readWebAddress(walk.context), shown.bug.id), walk.context);
  return undefined;
}

async function leaveWalk(screen: OnScreen): Promise<After> {
  const isLeft = !isPending(screen) || (await promptToConfirm("leave without sending the change?", screen.walk));
  return isLeft ? "leave" : undefined;
}

async function redrawBug(screen: OnScreen): Promise<After> {
  await showBug(screen);
  return undefined;
}

/** Shows a bug, which counts as read. */
async function showBug(screen: OnScreen): Promise<void> {
  const { walk } = screen;
  const { session } = walk.context;
  await walk.print(bugOnScreen(screen));
  const { id, last_change_time } = screen.shown.bug;
  if (id && last_change_time) await addReadMarks(new Map([[id, last_change_time]]), session.facts.memory);
}

/** A bug: its summary, as much of the description as fits on the screen, and two lines of facts. */
function bugOnScreen(screen: OnScreen): string {
  const { shown, walk } = screen;
  const { context, fields } = walk;
  const { bug, comments } = shown;
  const { view } = context.output;
  const description = comments.find(({ count }) => count === 0);
  const others = comments.filter((comment) => comment !== description).length;
  const { title, facts } = bugBrief({ bug, fields }, others, view);
  const lines = description ? commentProse(description, view).trimEnd().split("\n") : [];
  const { rows, columns } = context.io.size();
  const below = pendingCommand(screen)
    .split("\n")
    .map((line) => Math.ceil(width(line) / columns));
  const fixed = `${title}${facts}`.split("\n").length;
  const rest = REST + fixed + below.reduce((sum, count) => sum + count);
  const most = Math.max(MIN_LINES, rows - rest);
  const cut =
    lines.length > most
      ? [...lines.slice(0, most - 1), `... ${lines.length - most + 1} more lines; v shows all`]
      : lines;
  return `\n${title}\n${cut.map((line) => `${line}\n`).join("")}\n${facts}\n`;
}

const MIN_LINES = 2;
const REST = 6; // the keys, the prompt, and empty lines

/** Shows an error in the walk. */
async function showError({ kind, message, facts }: BtError, { io, output }: Context): Promise<void> {
  const { hint, details, changed } = facts;
  const record = { kind, exit_code: EXIT_CODES[kind].code, message: plain(message), hint, details, changed };
  await io.err(errorText(record, output.view));
}
