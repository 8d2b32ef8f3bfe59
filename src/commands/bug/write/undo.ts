import { type BugMessage, bugsByMessage } from "../../../api/lists.ts";
import { undoWrites } from "../../../api/undo/undo.ts";
import { BtError, usageError, withDetails } from "../../../errors.ts";
import type { Io } from "../../../io.ts";
import { type BugWrites, newestWrites, type Owner, writesOfJob } from "../../../jobs/bug-writes.ts";
import { createdBug } from "../../../jobs/job.ts";
import { loginOrFail } from "../../../session/session.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Edit } from "../../shared/change/plan.ts";
import type { Context } from "../../verb.ts";
import type { UndoInput } from "../flags.ts";

/** `bt bug undo`: undoes the last change of each bug in this machine's journal, or a job. */
export async function undoBugs(input: UndoInput, context: Context): Promise<void> {
  const { session, io } = context;
  if ((input.job === undefined) === (input.args.length === 0))
    throw usageError("name bugs, or a job with --job", "bt job list --last shows the last jobs");
  const owner = { tracker: session.address, me: await loginOrFail(session) };
  const ofJob = input.job === undefined ? undefined : undoableJob(input.job, owner, io);
  const args = ofJob ? [...ofJob.writes.keys()].reverse().map(String) : input.args;
  const { named, comment } = await readBugsAndComment({ ...input, args }, context);
  const ids = named.bugs.map(({ id }) => id);
  const past = ofJob ? new Map(ids.map((id) => [id, ofJob])) : newestWrites(ids, owner, io);
  const catalog = await session.catalog();
  const kept = ofJob ? filedBugs(ofJob) : [];
  const idle: BugMessage[] = [];
  const edits = editsOf(named, (bug): Edit => {
    const { id } = bug;
    const found = writesToUndo(id, past.get(id), ofJob !== undefined, owner);
    if (typeof found === "string") idle.push({ bug: String(id), message: found });
    const undo = undoWrites(typeof found === "string" ? [] : found, { bug, catalog, comment });
    kept.push(
      ...undo.kept.map(({ field, reason }) => ({ bug: String(id), message: `${field} not undone: ${reason}` })),
    );
    if (Object.keys(undo.body).length === 0) return { bug, why: "nothing to undo" };
    return { bug, body: { ...undo.body, ...comment }, next: undo.next };
  });
  const details = bugsByMessage([...kept, ...idle]);
  if (edits.length > 0 && edits.every((edit) => "why" in edit))
    throw new BtError(kept.length > 0 ? "partial" : "no", "nothing to undo", { details, changed: "nothing" });
  await sendUndo(edits, details, { ...input, args }, context);
}

/** A job of updates of bugs. @throws BtError of kind usage for any other */
function undoableJob(word: string, owner: Owner, io: Io): BugWrites {
  const found = writesOfJob(word, owner, io);
  if (found.writes.size > 0) return found;
  const { job, command } = found.job.head;
  throw usageError(`job ${job} (${command}) changed no bug`, `bt job show ${job} shows what was sent`);
}

function filedBugs({ job }: BugWrites): BugMessage[] {
  const ids = job.writes.flatMap((write) => createdBug(write) ?? []);
  return ids.map((id) => ({ bug: String(id), message: "filed by the job, and left as is" }));
}

/** The writes to undo, or why there are none; an undo is only undone by the name of its job. */
function writesToUndo(id: number, past: BugWrites | undefined, isByJob: boolean, { me }: Owner) {
  if (past === undefined) return `this machine's journal has no change by you (${me})`;
  const { command, job } = past.job.head;
  if (command === UNDO && !isByJob) return `the last change is an undo; bt bug undo --job ${job} redoes it`;
  return past.writes.get(id) ?? [];
}

/** The command by which the journal knows an undo. */
const UNDO = "bug undo";

/** Sends an undo. @throws BtError of kind partial that lists what is not undone */
async function sendUndo(edits: readonly Edit[], details: string[], input: UndoInput, context: Context): Promise<void> {
  await changeBugs(edits, { ...input, command: UNDO }, context).catch((error: unknown) => {
    throw error instanceof BtError && details.length > 0 ? withDetails(error, details) : error;
  });
  if (details.length === 0) return;
  const message = input.dryRun ? "the change would only be partly undone" : "the change was only partly undone";
  throw new BtError("partial", message, { details, changed: input.dryRun ? "nothing" : "some" });
}
