import { isSameLogin } from "../../../api/people.ts";
import { readChangedItems } from "../../../api/response/response-objects.ts";
import { type BugWrite, planUndo } from "../../../api/undo/undo.ts";
import { requestBody, writeTargets } from "../../../api/write/changes.ts";
import { BtError, usageError, withDetails } from "../../../errors.ts";
import type { Io } from "../../../io.ts";
import { checkOwner, createdBug, damagedJobError, isUnknown, type Job, type JobWrite } from "../../../jobs/job.ts";
import { findJob, newestJobs } from "../../../jobs/job-files.ts";
import { loginOrFail } from "../../../session/session.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import { type BugMessage, bugsByMessage } from "../../shared/bug-messages.ts";
import { changeBugs } from "../../shared/change/change.ts";
import { editsOf, readBugsAndComment } from "../../shared/change/edits.ts";
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
  const past = ofJob ? new Map(ids.map((id) => [id, ofJob])) : newestJobsOf(ids, owner, io);
  const catalog = await session.catalog();
  const notUndone = ofJob ? messagesOfFiledBugs(ofJob) : [];
  const notFound: BugMessage[] = [];
  const edits = editsOf(named, (bug): Edit => {
    const { id } = bug;
    const found = writesToUndo(id, past.get(id), ofJob !== undefined, owner);
    if (typeof found === "string") {
      notFound.push({ bug: String(id), message: found });
      return { bug, why: "nothing to undo" };
    }
    const undo = planUndo(found, { bug, catalog, comment });
    notUndone.push(
      ...undo.kept.map(({ field, reason }) => ({ bug: String(id), message: `${field} not undone: ${reason}` })),
    );
    if (Object.keys(undo.body).length === 0) return { bug, why: "nothing to undo" };
    return { bug, body: { ...undo.body, ...comment }, next: undo.next };
  });
  const details = bugsByMessage([...notUndone, ...notFound]);
  if (edits.length > 0 && edits.every((edit) => "why" in edit))
    throw new BtError(notUndone.length > 0 ? "partial" : "no", "nothing to undo", { details, changed: "nothing" });
  await sendUndo(edits, details, { ...input, args }, context);
}

/** A user of a tracker, whose jobs are read. */
type Owner = { readonly tracker: string; readonly me: string };

/** A job with what it did to bugs, by their ids, in the order of its writes. */
type PastJob = { readonly job: Job; readonly writes: ReadonlyMap<number, readonly BugWrite[]> };

/** A job of updates of bugs. @throws BtError of kind usage for any other, or with an unknown outcome */
function undoableJob(word: string, { tracker, me }: Owner, io: Io): PastJob {
  const { name, job, isOpen } = findJob(word, io);
  if (!job) throw damagedJobError(name);
  checkOwner(job.head, tracker, me);
  checkKnown(job, isOpen);
  const writes = writesOf(job);
  if (writes.size > 0) return { job, writes };
  throw usageError(`job ${name} (${job.head.command}) changed no bug`, `bt job show ${name} shows what was sent`);
}

/** The newest job of the user for each bug. @throws BtError of kind usage for an unknown outcome */
function newestJobsOf(ids: readonly number[], { tracker, me }: Owner, io: Io): ReadonlyMap<number, PastJob> {
  const found = new Map<number, PastJob>();
  for (const { job, isOpen } of newestJobs(io)) {
    if (job?.head.tracker !== tracker || !isSameLogin(job.head.user ?? me, me)) continue;
    const past = { job, writes: writesOf(job) };
    const missing = ids.filter((id) => !found.has(id));
    checkKnown(job, isOpen, missing);
    for (const id of missing.filter((one) => past.writes.has(one))) found.set(id, past);
    if (found.size === ids.length) break;
  }
  return found;
}

/** @throws BtError of kind usage for an open job with a write, to one of the bugs, of unknown outcome */
function checkKnown({ head, writes }: Job, isOpen: boolean, ids?: readonly number[]): void {
  const isMeant = ({ request }: JobWrite) => !ids || writeTargets(request).some((id) => ids.includes(Number(id)));
  if (isOpen && writes.some((write) => isUnknown(write) && isMeant(write)))
    throw usageError(`job ${head.job} is not complete: unknown outcome`, `bt job send ${head.job}`);
}

function writesOf({ writes }: Job): Map<number, BugWrite[]> {
  const byBug = new Map<number, BugWrite[]>();
  for (const { request, st, response = null, before = [] } of writes) {
    const isUpdate = request.operation === "Update Bug";
    if (st !== "applied" || !(isUpdate || request.operation === "Create Comments")) continue;
    const body = requestBody(request);
    const changed = isUpdate ? readChangedItems<ChangedBug>(response, "bugs") : [];
    for (const id of writeTargets(request).map(Number)) {
      const { changes = {}, last_change_time: time = "" } = changed.find((one) => one.id === id) ?? {};
      const read = before.find((one) => Number(one["id"]) === id) ?? {};
      byBug.set(id, [...(byBug.get(id) ?? []), { before: read, body, changes, time }]);
    }
  }
  return byBug;
}

function messagesOfFiledBugs({ job }: PastJob): BugMessage[] {
  const ids = job.writes.flatMap((write) => createdBug(write) ?? []);
  return ids.map((id) => ({ bug: String(id), message: "filed by the job, and left as is" }));
}

/** The writes to undo, or why there are none; an undo is only undone by the name of its job. */
function writesToUndo(id: number, past: PastJob | undefined, isByJob: boolean, { me }: Owner) {
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
