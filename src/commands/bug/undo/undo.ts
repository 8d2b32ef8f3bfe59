import { bugsByMessage } from "../../../api/bug-messages.ts";
import { firstNames } from "../../../api/lists.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { type Kept, type Undo, type UndoContext, undoWrites } from "../../../api/undo/undo.ts";
import { BtError, usageError, withDetails } from "../../../errors.ts";
import { type BugWrites, newestBugJob, newestWrites, type Owner, writesOfJob } from "../../../jobs/bug-writes.ts";
import { createdBug, writesLeft } from "../../../jobs/job.ts";
import { dropJob } from "../../../jobs/job-files.ts";
import { note } from "../../../session/note.ts";
import { loginOrFail } from "../../../session/session.ts";
import { timestamp } from "../../../wire/time.ts";
import { pickBug } from "../../shared/bug-picker.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Edit } from "../../shared/change/edit.ts";
import { isJson } from "../../shared/output/print.ts";
import type { Context } from "../../verb.ts";
import type { UndoInput } from "../write/flags.ts";

/** `bt bug undo`: undoes the last change of each bug in this machine's journal, or a job. */
export async function undoBugs(input: UndoInput, context: Context): Promise<void> {
  if (input.job !== undefined && input.args.length > 0) throw usageError("--job and bugs cannot be used together");
  const owner = { tracker: context.session.address, me: await loginOrFail(context.session) };
  const { job, args } = await namedOrPicked(input, owner, context);
  const ofJob = job === undefined ? undefined : undoableJob(job, owner, context);
  const refs = ofJob ? [...ofJob.writes.keys()].reverse().map(String) : args;
  const { named, comment } = await readBugsAndComment({ ...input, args: refs }, context);
  const ids = named.bugs.map(({ id }) => id);
  const past = ofJob ? new Map(ids.map((id) => [id, ofJob])) : newestWrites(ids, owner, context.io);
  const catalog = await context.session.catalog();
  const kept = ofJob ? filedBugs(ofJob) : [];
  const edits = editsOf(named, (bug): Edit => {
    const undo = undoOf(past.get(bug.id), ofJob !== undefined, { bug, catalog, me: owner.me, comment });
    kept.push(...undo.kept.map((one) => ({ ...one, bug: String(bug.id) })));
    if (Object.keys(undo.body).length === 0) return { bug, why: "nothing to undo" };
    return { bug, body: { ...undo.body, ...comment }, next: undo.next };
  });
  if (edits.length > 0 && edits.every((edit) => "why" in edit)) throw nothingUndoneError(kept, ids);
  await sendUndo(edits, { past: [...new Set(past.values())], kept }, { ...input, args: refs }, context);
  if (ofJob && !input.dryRun) await dropRest(ofJob, context);
}

/** A part of a bug's change that is not undone. */
type BugKept = Kept & { readonly bug: string };

/** The input, or what is picked. @throws BtError of kind usage that names the last job */
async function namedOrPicked(
  input: UndoInput,
  owner: Owner,
  context: Context,
): Promise<Pick<UndoInput, "job" | "args">> {
  if (input.job !== undefined || input.args.length > 0) return input;
  const last = newestBugJob(owner, context.io);
  const hint = last && `bt bug undo --job ${last.job.head.job} undoes ${textOf(last)}`;
  const others = last ? [{ value: last.job.head.job, name: textOf(last) }] : [];
  const picked = await pickBug(context, usageError("name bugs, or a job with --job", hint), others);
  return picked === last?.job.head.job ? { job: picked, args: [] } : { job: undefined, args: [picked] };
}

/** A job of updates of bugs. @throws BtError of kind usage for any other */
function undoableJob(word: string, owner: Owner, { io }: Context): BugWrites {
  const found = writesOfJob(word, owner, io);
  if (found.writes.size > 0) return found;
  const [{ bug } = {}] = filedBugs(found);
  const hint = bug ? `bt bug close ${bug} closes the bug` : `bt job show ${found.job.head.job} shows what was sent`;
  throw usageError(`job ${found.job.head.job} (${found.job.head.command}) changed no bug`, hint);
}

function filedBugs({ job }: BugWrites): BugKept[] {
  const ids = job.writes.flatMap((write) => createdBug(write) ?? []);
  return ids.map((id) => ({ bug: String(id), field: WHOLE, reason: "filed by the job, and left as is" }));
}

/** The undo of a bug's writes; an undo is only undone by the name of its job. */
function undoOf(past: BugWrites | undefined, isByJob: boolean, context: UndoContext): Undo {
  const keep = (reason: string): Undo => ({ body: {}, kept: [{ field: WHOLE, reason }] });
  if (past === undefined) return keep(`this machine's journal has no change by you (${context.me})`);
  const { command, job } = past.job.head;
  if (command === UNDO && !isByJob) return keep(`the last change is an undo; bt bug undo --job ${job} redoes it`);
  return undoWrites(past.writes.get(context.bug.id) ?? [], context);
}

/** The field of a reason that is about a whole change. */
const WHOLE = "last change";

/** The command by which the journal knows an undo. */
const UNDO = "bug undo";

/** Sends an undo. @throws BtError of kind partial that lists what is not undone */
async function sendUndo(
  edits: readonly Edit[],
  { past, kept }: { past: readonly BugWrites[]; kept: readonly BugKept[] },
  input: UndoInput,
  context: Context,
): Promise<void> {
  const { io } = context;
  const [stays, open] = [linesOf(kept.filter(isComment)), linesOf(kept.filter((one) => !isComment(one)))];
  const before = edits.length > MAX_ATOMIC_BUGS && !input.yes ? open : [];
  if (!isJson(context))
    for (const line of [...past.map((one) => `undoing ${textOf(one)}`), ...before]) await note(io, line);
  await changeBugs(edits, { ...input, command: UNDO }, context).catch((error: unknown) => {
    throw error instanceof BtError ? withDetails(error, open) : error;
  });
  if (!isJson(context)) for (const line of stays) await note(io, line);
  if (open.length === 0) return;
  const message = input.dryRun ? "the change would only be partly undone" : "the change was only partly undone";
  throw new BtError("partial", message, { details: open, changed: input.dryRun ? "nothing" : "some" });
}

/** A comment stays by its nature, and is no failure. */
function isComment({ field }: Kept): boolean {
  return field === "comment";
}

function linesOf(kept: readonly BugKept[]): string[] {
  const isPlain = ({ field }: Kept) => ["comment", WHOLE].includes(field);
  return bugsByMessage(
    kept.map((one) => ({
      bug: one.bug,
      message: isPlain(one) ? one.reason : `${one.field} not undone: ${one.reason}`,
    })),
  );
}

/** The error of an undo that sends nothing: partial if a change stays, else negative. */
function nothingUndoneError(kept: readonly BugKept[], ids: readonly number[]): BtError {
  const lines = linesOf(kept);
  const back = `${ids.length > 1 ? "the bugs already have" : `bug ${ids[0]} already has`} the values from before the change`;
  const [only = back, ...others] = lines;
  const details = others.length > 0 ? lines : [];
  const message = others.length > 0 ? "nothing to undo" : `nothing to undo: ${only}`;
  const hint = lines.length > 0 ? "bt job list --last shows the last writes" : undefined;
  const kind = kept.some(({ field }) => field !== WHOLE) ? "partial" : "no";
  return new BtError(kind, message, { details, hint });
}

/** A job with its bugs: `job 01KB... of 2026-10-03T14:00:00Z: bugs 44, 48`. */
function textOf({ job: { head }, writes }: BugWrites): string {
  const ids = firstNames([...writes.keys()]);
  return `job ${head.job} of ${timestamp(head.at)}: ${writes.size === 1 ? "bug" : "bugs"} ${ids}`;
}

/** Drops what a job has not sent. */
async function dropRest(own: BugWrites, { io }: Context): Promise<void> {
  const { job, name } = own;
  if (writesLeft(job).length === 0) return;
  await dropJob(own, io);
  await note(io, `dropped what job ${name} had not sent`);
}
