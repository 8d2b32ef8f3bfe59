import { bugsByMessage } from "../../../api/bug-messages.ts";
import { fetchComments } from "../../../api/bugs/bug-parts.ts";
import { type Catalog, findField } from "../../../api/catalog/catalog.ts";
import { firstNames, grouped } from "../../../api/lists.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { readBugTitles } from "../../../api/search/searches.ts";
import type { NotUndone } from "../../../api/undo/undo.ts";
import { isDerived, keptByOriginal, type Undo, undoChange } from "../../../api/undo/undo.ts";
import type { BugsToChange, Change } from "../../../api/write/change.ts";
import type { PastChange, UnsentRest } from "../../../api/write/past-change.ts";
import { type LeftFields, partsByBody, type UndoNote, type UpdatePart } from "../../../api/write/update-part.ts";
import { BtError, usageError, withDetails, withFacts } from "../../../errors.ts";
import { findLastChanges, readUndoableChanges } from "../../../jobs/past-changes.ts";
import { findByCatalog, loginOrFail } from "../../../session/session.ts";
import { fieldFacts } from "../../../view/field-facts.ts";
import { plain } from "../../../view/text.ts";
import { relativeTime } from "../../../view/times.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { itemsIn } from "../../../wire/json.ts";
import { DAY_MS } from "../../../wire/time.ts";
import { pickBug } from "../../shared/bug-picker.ts";
import { applyChange } from "../../shared/changes/apply-change.ts";
import { byWhom, lastChangeOf, readLaterChanges } from "../../shared/changes/later-changes.ts";
import { readCommentBody } from "../../shared/changes/write-body.ts";
import { isJson } from "../../shared/output/print.ts";
import { confirmationPrompt } from "../../shared/prompts.ts";
import { readBugsToChange, readTargetBugs, readTargets, reportNoTargets } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { UndoInput } from "./flags.ts";

/** `bt bug undo`: undoes the last change of each bug that this machine's journal has, or what a job changed. */
export async function undoBugs(input: UndoInput, context: Context): Promise<void> {
  const { job } = input;
  if (job !== undefined && input.args.length > 0) throw usageError("--job and bugs cannot be used together");
  const undoing = job === undefined ? await readLastChanges(input, context) : await readJobChanges(job, context);
  await sendUndo(undoing, input, context);
}

/** Bugs with the change of each that is to be undone, and the user who undoes. */
type Undoing = BugsToChange & {
  changes: ReadonlyMap<number, PastChange>; // by bug; bugs without one stay unchanged
  filed: { bug: string; message: string }[]; // bugs that the same command filed, and why they stay
  rest?: UnsentRest; // what the command has not sent, which the undo drops
  me: string;
};

/**
 * The user's last change of each bug, as far as this machine's journal has one; without bugs, what the user picks.
 * @throws BtError of kind no if there is none, or if the user only commented after it and may have that in mind
 */
async function readLastChanges(input: UndoInput, context: Context): Promise<Undoing> {
  const isNamed = input.args.length > 0;
  const named = isNamed ? await readBugsToChange(await readTargets(input.args, context), context) : undefined;
  const me = isNamed ? await loginOrFail(context.session) : "";
  const ids = named?.bugs.map(({ id }) => id);
  const { changes, comments: stays, bugs: lately = [] } = await findLastChanges(ids, context);
  if (named === undefined) {
    const inOrder = [...changes.values()].sort((one, other) => one.bug - other.bug);
    return pickChanges(inOrder, { stays, lately }, input, context);
  }
  const { bugs, unreadable } = named;
  const isInDoubt = changes.size === 0 || stays.length > 0;
  if (bugs.length > 0 && isInDoubt) throw noLastChangeError(ids ?? [], [...changes.values()][0], stays, me);
  return { bugs, unreadable, changes, filed: [], me };
}

/** Error for bugs without a change of the user, or with comments after it. */
function noLastChangeError(ids: number[], before: PastChange | undefined, stays: string[], me: string): BtError {
  const facts = { details: stays, changed: "nothing" } as const;
  if (before) {
    const effect = before.isUndo ? "redoes what you undid before" : "undoes the change before";
    const hint = `bt bug undo --job ${before.command} ${effect}`;
    return new BtError("no", "you commented after your last change, and a comment cannot be undone", {
      ...facts,
      hint,
    });
  }
  const name = ids.length > 1 ? `the ${ids.length} bugs` : `bug ${ids[0]}`;
  const but = stays.length > 0 ? " but comments" : "";
  const hint = "bt job list --last shows the last writes; bt bug history shows all changes of a bug";
  const reason = `nothing to undo: this machine's journal has no change of ${name} by you (${me})${but}`;
  return new BtError("no", reason, { ...facts, hint });
}

/** The last command, or a bug that was changed lately, as the user picks. @throws BtError of kind usage where no prompt may be shown */
async function pickChanges(
  [first, ...more]: PastChange[],
  { stays, lately }: { stays: string[]; lately: number[] },
  input: UndoInput,
  context: Context,
): Promise<Undoing> {
  const message = "name bugs, or a job with --job";
  const readPicked = (bug: string) => readLastChanges({ ...input, args: [bug] }, context);
  if (first === undefined) return readPicked(await pickBug(context, usageError(message)));
  const { command, when, bug: id, isUndo } = first;
  const others = more.length > 0 ? lately : lately.filter((bug) => bug !== id);
  const titles = await readBugTitles([id, ...others], context.session.searches);
  const titleOf = (bug: number) => plain(`#${bug} ${titles.get(bug) ?? ""}`.trimEnd());
  const title = titleOf(id);
  const bugs = more.length > 0 ? `${more.length + 1} bugs: ${title} and ${more.length} more` : title;
  const about = `${bugs}, ${relativeTime(when, context.output.view)}`;
  const hint = `your last change (${about})${isUndo ? " is an undo; to redo" : ""}: bt bug undo --job ${command}`;
  const refusal = new BtError("usage", message, { details: stays.slice(0, 1), hint, changed: "nothing" });
  const picked = await pickBug(context, refusal, [
    { value: command, name: `${isUndo ? "redo what you undid last" : "the last change"}: ${about}` },
    ...others.map((bug) => ({ value: String(bug), name: titleOf(bug) })),
  ]);
  return picked === command ? readJobChanges(picked, context) : readPicked(picked);
}

/** Changes of all bugs of a job. */
async function readJobChanges(word: string, context: Context): Promise<Undoing> {
  const found = await readUndoableChanges(word, () => loginOrFail(context.session), context);
  const refs = [...found.changes.keys()].map(String);
  const { bugs, unreadable } = await readBugsToChange({ refs }, context);
  return { ...found, bugs, unreadable, me: await loginOrFail(context.session) };
}

/**
 * Undoes a change of each bug by an update, which is sent, previewed and verified like any other; bugs that get equal
 * values share a request. What is not undone is reported.
 * @throws BtError of kind partial if a part is not undone; of kind collision or no if nothing is
 */
async function sendUndo(undoing: Undoing, input: UndoInput, context: Context): Promise<void> {
  if (undoing.bugs.length + undoing.unreadable.length === 0) return reportNoTargets(context);
  const comment = await readCommentBody(input, context);
  const undos = await withoutTakenAliases(await undoEach(undoing, comment, context), context);
  const ofBugs = notUndoneLines(undos, () => true);
  if (undos.every(({ body }) => hasNoMembers(body))) throw nothingUndoneError(undoing, undos, ofBugs);
  const lines = [...ofBugs, ...bugsByMessage(undoing.filed)];
  const rest = [...undoneLines(undoing, undos), ...(undoing.rest?.lines ?? []), ...detourLines(undos)];
  await confirmChanges(undos, { rest, lines }, input, context);
  const parts = undoParts(undos, comment, undoing.me);
  await applyUndo({ ...undoing, parts, isConditional: true }, undoing.rest, input, context).catch((error) => {
    throw error instanceof BtError ? withDetails(withRetryHint(error), lines) : error;
  });
  const details = [...notUndoneLines(undos, isOfField), ...bugsByMessage(undoing.filed)];
  const message = input.dryRun ? "the change would only be partly undone" : "the change was only partly undone";
  const changed = input.dryRun ? "nothing" : "some";
  if (!isJson(context)) {
    if (input.dryRun)
      await printLines(
        notUndoneLines(undos, (part) => !isOfField(part)),
        context.io,
      );
    else await reportComments(undos, undoing.me, context);
  }
  if (details.length > 0) throw new BtError("partial", message, { details, changed });
}

/** Sends an undo, and drops what is left of the jobs that it undoes once anything of it may be sent. */
async function applyUndo(
  change: Change,
  rest: UnsentRest | undefined,
  input: UndoInput,
  context: Context,
): Promise<void> {
  try {
    await applyChange(change, input, context);
  } catch (error) {
    if (error instanceof BtError && error.facts.changed !== "nothing") await dropRest(rest, context);
    throw error;
  }
  if (!input.dryRun) await dropRest(rest, context);
}

async function dropRest(rest: UnsentRest | undefined, context: Context): Promise<void> {
  for (const job of (await rest?.drop()) ?? []) {
    if (!isJson(context)) await context.io.err(`dropped job ${job}\n`);
  }
}

/** A collision before anything was sent: the bugs have to be read again. */
function withRetryHint(error: BtError): BtError {
  const isUnsent = error.kind === "collision" && error.facts.changed === "nothing";
  return isUnsent ? withFacts(error, { hint: "run the command again" }) : error;
}

/** A line for the bugs that get their status back by two updates. */
function detourLines(undos: BugUndo[]): string[] {
  const detours = undos.filter(({ finish }) => finish);
  return bugsByMessage(
    detours.map(({ bug, body, finish }) => {
      const [by, to] = [body["status"], finish?.["status"]];
      const message = `${bug.status} does not lead to ${to}, so that two updates set ${by}, then ${to}`;
      return { bug: String(bug.id), message };
    }),
  );
}

/** Undos without the aliases that other bugs have now. */
async function withoutTakenAliases(undos: BugUndo[], context: Context): Promise<BugUndo[]> {
  const added = ({ body }: BugUndo) => itemsIn((body["alias"] as JsonObject | undefined)?.["add"]).map(String);
  const aliases = undos.flatMap(added);
  if (aliases.length === 0) return undos;
  const { bugs } = await readTargetBugs(aliases, context);
  return undos.map((undo) => {
    const taken = added(undo).filter((name) =>
      bugs.some(({ id, alias }) => id !== undo.bug.id && alias?.includes(name)),
    );
    if (taken.length === 0) return undo;
    const { alias: edit, ...body } = undo.body;
    const kept = { ...(edit as JsonObject), add: added(undo).filter((name) => !taken.includes(name)) };
    const isEmpty = Object.values(kept).every((items) => itemsIn(items).length === 0);
    const reasons = taken.map((name) => {
      const id = bugs.find((bug) => bug.alias?.includes(name))?.id;
      return {
        field: "alias",
        reason: `bug ${id} has "${name}" now; bt bug update ${id} --remove-alias ${name} frees it`,
      };
    });
    return { ...undo, body: isEmpty ? body : { ...body, alias: kept }, notUndone: [...undo.notUndone, ...reasons] };
  });
}

/** The undo of a bug; without a change if it has none, or none that is not undone already. */
type BugUndo = Undo & { bug: Bug; change: PastChange | undefined };

async function undoEach({ bugs, changes, me }: Undoing, comment: JsonObject, context: Context): Promise<BugUndo[]> {
  const { session } = context;
  const make = async (catalog: Catalog) => {
    const zones = setsHours(changes, catalog) ? (await session.facts.zone()).possible : [];
    return bugs.map((bug): BugUndo => {
      const change = changes.get(bug.id);
      const undo = change && undoChange(change, { bug, catalog, zones, me, comment });
      if (undo === undefined || change?.undoneBy === undefined) return { bug, change, ...(undo ?? NOTHING) };
      const { left = [] } = change.undoneBy;
      const open = undo.notUndone.filter(({ field }) => left.includes(field));
      if (hasNoMembers(undo.body) && open.length === 0) return { bug, change: undefined, body: {}, notUndone: [] };
      const comments = undo.notUndone.filter(({ field }) => field === "comment");
      return { bug, change, ...undo, notUndone: [...open, ...comments] };
    });
  };
  const undos = await findByCatalog(session, make, ({ notUndone }) => notUndone.length > 0);
  return withAuthors(undos, context);
}

/** Undos with the users who changed what cannot be undone, as far as histories tell. */
async function withAuthors(undos: BugUndo[], context: Context): Promise<BugUndo[]> {
  const late = undos.filter(({ notUndone }) => notUndone.some(({ isCollision }) => isCollision));
  const later = await readLaterChanges(new Map(late.map(({ bug, change }) => [bug.id, change?.when ?? ""])), context);
  return undos.map((undo) => ({
    ...undo,
    notUndone: undo.notUndone.map((one) => {
      const author = one.isCollision ? byWhom(lastChangeOf(one.field, later.get(undo.bug.id))) : "";
      return { ...one, reason: `${one.reason}${author}` };
    }),
  }));
}

const NOTHING: Undo = { body: {}, notUndone: [{ field: "last change", reason: "not in this machine's journal" }] };

function setsHours(changes: Undoing["changes"], catalog: Catalog): boolean {
  const names = [...changes.values()].flatMap(({ fields }) => fields.map(({ field }) => field));
  return names.some((name) => name.startsWith("cf_") && findField(catalog, name)?.family === "moment");
}

/** An update for each set of equal values; bugs with nothing to restore stay unchanged. */
function undoParts(undos: BugUndo[], comment: JsonObject, me: string): UpdatePart[] {
  const notes = new Map(undos.map(({ bug, change, notUndone }) => [bug.id, undoNote(change, notUndone, me)]));
  const commands = new Map(undos.map(({ bug, change }) => [bug.id, change?.command]));
  const updates = undos.map(({ bug, body, finish }) => ({
    bug,
    body: hasNoMembers(body) ? {} : { ...body, ...comment },
    finish,
    notes,
  }));
  return partsByBody(updates).map((part) => {
    const undoes = part.bugs.map(({ id }) => commands.get(id)).filter((command) => command !== undefined);
    const leaves: LeftFields = {};
    for (const { bug, notUndone } of undos) {
      const left = new Set(notUndone.filter(isOfField).map(({ field }) => field));
      if (left.size > 0 && part.bugs.includes(bug)) leaves[bug.id] = [...left];
    }
    return { ...part, undoes: [...new Set(undoes)], leaves };
  });
}

/** The undone change and what is left of it, for JSON. */
function undoNote(change: PastChange | undefined, notUndone: readonly NotUndone[], me: string): UndoNote {
  return {
    undone: change ? { when: change.when, who: change.who ?? me, job: change.job } : null,
    not_undone: notUndone.map(({ field, reason }) => ({ field, reason })),
  };
}

/**
 * Names the jobs that are undone, since the user may have another one in mind, and prompts for the changes of several commands, for
 * one that the user may have forgotten, and for an undo whose job is not named: that redoes.
 * @throws BtError without a prompt of kind usage for changes of several commands, of kind no for an undo; of kind guard for what is
 * not confirmed
 */
async function confirmChanges(
  undos: BugUndo[],
  { rest, lines: stays }: { rest: string[]; lines: string[] },
  input: UndoInput,
  context: Context,
): Promise<void> {
  const { io, session } = context;
  const changes = undos.flatMap(({ change }) => change ?? []);
  const commands = [...grouped(changes, ({ command }) => command).values()];
  commands.sort((one, other) => other.length - one.length);
  const redone = input.job === undefined ? changes.filter(({ isUndo }) => isUndo) : [];
  const confirm = input.dryRun ? undefined : confirmationPrompt(input, io, session.settings);
  if (!input.dryRun && !confirm) checkUnasked(commands, redone);
  const [oldest = ""] = changes.map(({ when }) => when).sort();
  const isOld = !input.yes && io.now().getTime() - Date.parse(oldest) > DAY_MS;
  const isAsked = confirm && (commands.length > 1 || isOld || redone.length > 0);
  const isPreviewed = isAsked || (confirm && !input.yes && undos.length > MAX_ATOMIC_BUGS);
  const named = [...commands.map((some) => `${some[0]?.isUndo ? "redoing" : "undoing"} ${commandLine(some)}`), ...rest];
  const able = undos.filter(({ body }) => !hasNoMembers(body));
  const fields = bugsByMessage(
    able.map((undo) => ({ bug: String(undo.bug.id), message: `to restore: ${fieldNames(undo)}` })),
  );
  const shown = [...fields.slice(0, isAsked ? MAX_NOTES : 0), ...stays.slice(0, isPreviewed ? MAX_NOTES : 0)];
  if (!isJson(context) || isAsked) await printLines([...named, ...shown], io);
  if (isAsked && !(await confirm(questionAbout(commands, oldest))))
    throw new BtError("guard", "no changes made", { changed: "nothing" });
}

function questionAbout(commands: PastChange[][], oldest: string): string {
  if (commands.every(([change]) => change?.isUndo)) return "redo what was undone?";
  return commands.length > 1 ? `undo the changes of ${commands.length} jobs?` : `undo a change of ${plain(oldest)}?`;
}

/** @throws BtError of kind usage that names several commands, of kind no for changes that are undone */
function checkUnasked(commands: PastChange[][], redone: PastChange[]): void {
  if (commands.length > 1)
    throw new BtError("usage", `these bugs were last changed by ${commands.length} jobs`, {
      details: commands.map(commandLine),
      hint: `bt bug undo --job ${commands[0]?.[0]?.command} undoes the first, on all of its bugs`,
      changed: "nothing",
    });
  const [{ command, undoes = [] } = {}] = redone;
  if (command !== undefined) {
    const left = redone.flatMap((one) => (one.left ?? []).map((field) => ({ bug: String(one.bug), field })));
    const lines = bugsByMessage(left.map(({ bug, field }) => ({ bug, message: `${field} not undone` })));
    throw alreadyUndoneError(undoes, [command], lines);
  }
}

async function printLines(lines: string[], { err }: Context["io"]): Promise<void> {
  for (const line of lines) await err(`${plain(line)}\n`);
}

/** A command by its first job, with its bugs; an undo by what it undid. */
function commandLine(changes: PastChange[]): string {
  const [{ command = "", when = "" } = {}] = changes;
  const undone = changes.filter(({ isUndo }) => isUndo).flatMap(({ undoes = [] }) => undoes);
  const what =
    undone.length > 0 ? `${jobNames(undone)}, ${changes.some(({ left }) => left) ? "partly " : ""}undone by ` : "";
  const ids = firstNames(changes.map(({ bug }) => bug));
  return `${what}job ${command} of ${when}: ${changes.length === 1 ? "bug" : "bugs"} ${ids}`;
}

function jobNames(jobs: string[]): string {
  const names = [...new Set(jobs)];
  return `${names.length === 1 ? "job" : "jobs"} ${firstNames(names)}`;
}

const MAX_NOTES = 5;

/** A line for each bug whose change had a comment: what was undone, and which comment stays. */
async function reportComments(undos: BugUndo[], me: string, context: Context): Promise<void> {
  const commented = undos.filter(({ change }) => change?.hasComment);
  for (const undo of commented.slice(0, MAX_NOTES)) {
    const { bug, change } = undo;
    const undone = fieldNames(undo);
    const comments = await fetchComments(bug.id, context.session.send);
    const who = (change?.who ?? me).toLowerCase();
    const own = comments.findLast(({ time, creator }) => time === change?.when && creator.toLowerCase() === who);
    const name = undos.length > 1 ? `bug ${bug.id}: ` : "";
    const comment = own ? `comment ${own.count}` : "the comment";
    const facts: string[] = [];
    if (undone !== "") facts.push(`undone: ${undone}`);
    facts.push(`${comment} stays`);
    if (change) facts.push(...keptByOriginal(change));
    await context.io.err(`${plain(`${name}${facts.join("; ")}`)}\n`);
  }
  if (commented.length > MAX_NOTES)
    await context.io.err(`and ${commented.length - MAX_NOTES} more bugs, whose comments stay\n`);
}

/** The fields that an undo takes back. */
function fieldNames({ change, notUndone }: BugUndo): string {
  const kept = new Set(notUndone.map(({ field }) => field));
  const undone = (change?.fields ?? []).filter(({ field }) => !kept.has(field) && !isDerived(field));
  return undone.map(({ field }) => fieldFacts(field).label.toLowerCase()).join(", ");
}

/** Parts that are not undone and of interest, a line for each reason with its bugs. */
function notUndoneLines(undos: BugUndo[], isShown: (part: NotUndone) => boolean): string[] {
  const all = undos.flatMap(({ bug, notUndone }) =>
    notUndone
      .filter(isShown)
      .map(({ field, reason }) => ({ bug: String(bug.id), message: `${field} not undone: ${reason}` })),
  );
  return bugsByMessage(all);
}

/** Error for jobs that are undone, but for the parts of `left`. */
function alreadyUndoneError(jobs: string[], by: string[], left: string[]): BtError {
  const [is, it] = new Set(jobs).size === 1 ? ["is", "it"] : ["are", "them"];
  const again = [...new Set(by)].map((job) => `bt bug undo --job ${job}`).join(" && ");
  const message = `${jobNames(jobs)} ${is} ${left.length > 0 ? "partly" : "already"} undone by ${jobNames(by)}`;
  return new BtError("no", message, { details: left, hint: `to redo ${it}: ${again}`, changed: "nothing" });
}

/** A line for the bugs whose change is already undone. */
function undoneLines({ changes }: Undoing, undos: BugUndo[]): string[] {
  const open = new Set(undos.filter(({ change }) => change).map(({ bug }) => bug.id));
  const undone = [...changes.values()].filter(({ bug, undoneBy }) => undoneBy && !open.has(bug));
  return bugsByMessage(
    undone.map(({ bug, undoneBy }) => ({ bug: String(bug), message: `already undone by job ${undoneBy?.command}` })),
  );
}

function nothingUndoneError({ changes }: Undoing, undos: BugUndo[], lines: string[]): BtError {
  const all = [...changes.values()];
  const by = all.flatMap(({ undoneBy }) => undoneBy?.command ?? []);
  const names = all.map(({ command }) => command);
  if (by.length > 0) return alreadyUndoneError(names, by, notUndoneLines(undos, isOfField));
  const isCollision = undos.some(({ notUndone }) => notUndone.some((one) => one.isCollision));
  const [only, ...others] = changes.keys();
  const bugs = others.length > 0 ? `the ${changes.size} bugs already have` : `bug ${only} already has`;
  const back = `nothing to undo: ${bugs} the values from before the change`;
  const message = lines.length === 0 ? back : "no part of the change can be undone";
  return new BtError(isCollision ? "collision" : "no", message, { details: lines, changed: "nothing" });
}

/** True for a part that is no comment, which always stays. */
function isOfField({ field }: NotUndone): boolean {
  return field !== "comment";
}

function hasNoMembers(body: JsonObject): boolean {
  return Object.keys(body).length === 0;
}
