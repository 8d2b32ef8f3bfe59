import type { Outcome } from "../../api/delivery/deliver.ts";
import { isUnsent } from "../../api/delivery/job-state.ts";
import { isBulk, type Job, type JobHead, jobBugs, readJob } from "../../api/delivery/journal.ts";
import { stateBefore } from "../../api/delivery/write-state.ts";
import { attemptWrite, completeJob, outcomeResponse, type RunningJob } from "../../api/delivery/writer.ts";
import { basisOf, fieldConflicts, lastKnownChange } from "../../api/offline/field-conflicts.ts";
import type { KeptProblem } from "../../api/offline/kept-write.ts";
import {
  mentionedNames,
  temporaryNamesIn,
  withNumbersInText,
  withRealIds,
  withRealNumbers,
} from "../../api/offline/temporary-names.ts";
import { withWholeValues } from "../../api/write/body.ts";
import { checkBugs } from "../../api/write/checks.ts";
import { requestBody, type UpdatePart, updateRequest } from "../../api/write/update-request.ts";
import { noSuchJob, withJob } from "../../config/jobs.ts";
import { BtError, usage } from "../../errors.ts";
import type { Io } from "../../io.ts";
import {
  allOfflineJobs,
  appliedUpdates,
  createdNumbers,
  keptJob,
  type OfflineJob,
  openOfflineJobs,
} from "../../session/offline/kept-jobs.ts";
import { exactText } from "../../view/column.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import type { FieldConflict } from "../../wire/mirror.ts";
import { withoutExposed } from "../bug/move-groups.ts";
import { bugsLeft } from "../bug/update.ts";
import type { Context } from "../verb.ts";
import { type Blockers, blockersOf } from "./blockers.ts";

/** A job that was sent: its request, the response, and of an update the bugs as they were before. */
export type SentKept = { readonly job: Job; readonly answer: Json; readonly part: UpdatePart | undefined };

/** `isForced`: over the changes of others. */
type Sending = { readonly isForced: boolean; readonly context: Context };

/**
 * Sends a write that was made from a mirror, or verifies its outcome. Temporary names become numbers first, in this job
 * before it is sent, and in all others after their bug is created.
 * @throws BtError of kind collision if a field that it sets was changed since, unless `isForced`
 */
export async function sendKept({ head }: OfflineJob, { isForced, context }: Sending): Promise<SentKept> {
  const { io } = context;
  const writing = await context.session.writer();
  await withNumbers(head.job, io);
  const sent = writing.resume(head.job, async (job, kept) => {
    const { outcome, part } = await outcomeOf(job, kept, { isForced, context });
    return { job: kept, answer: outcomeResponse(outcome), part };
  });
  const done = await sent.catch(async (error) => {
    await noteProblem(head.job, error, io);
    throw error;
  });
  if (head.offline.name !== undefined) await renameAll(io);
  return done;
}

/** A job that can be sent by itself, and the jobs that single bugs of a bulk update wait for. */
export type ReadyJob = Pick<Blockers, "waiting"> & { readonly job: OfflineJob };

/**
 * An open job made from a mirror that can be sent by itself, at least for some of its bugs.
 * @throws BtError of kind usage if all of it depends on an earlier one that is not sent
 */
export async function readyJob(name: string, io: Io): Promise<ReadyJob> {
  await renameAll(io);
  const open = openOfflineJobs(io);
  const job = open.find(({ head }) => head.job === name);
  if (job === undefined) throw noSuchJob(name);
  const { place } = job.head.offline;
  const before = open.filter(({ head }) => head.offline.place < place && head.origin === job.head.origin);
  const { blocker, waiting } = blockersOf(job, before.map(keptJob));
  if (blocker === undefined) return { job, waiting };
  const isDraft = before.some(({ head }) => head.job === blocker && head.draft === true);
  const hint = isDraft ? `it is a draft: bt job send ${blocker}` : "bt job send --all sends both";
  throw usage(`job ${name} depends on job ${blocker}, which is not sent`, hint);
}

/** Stores the numbers of created bugs in all jobs that refer to them by temporary names. */
export async function renameAll(io: Io): Promise<void> {
  for (const { head } of openOfflineJobs(io)) await withNumbers(head.job, io);
}

type Attempted = { readonly outcome: Outcome; readonly part?: UpdatePart | undefined };

async function outcomeOf(job: RunningJob, kept: Job, sending: Sending): Promise<Attempted> {
  if (!isUnsent(kept))
    return { outcome: await completeJob(job, kept, async ({ isChecked = false }) => isChecked), part: sentPart(kept) };
  refuseUncreated(kept.head);
  if (kept.head.request.operation !== "Update Bug")
    return { outcome: await job.attempt({ request: kept.head.request }) };
  const bugs = await checkedBugs(kept.head, sending);
  const ids = jobBugs(kept.head);
  const edits = editsOf(kept.head.request);
  const body = withWholeValues(edits, bugs[0] as JsonObject | undefined);
  const outcome = await job.attempt({ request: updateRequest(ids, body), before: stateBefore(bugs, edits) }, ids);
  return { outcome, part: { bugs, body } };
}

/**
 * Refuses a job that still has a temporary name, which would be sent as it is.
 * @throws BtError of kind usage
 */
export function refuseUncreated({ job, request }: JobHead): void {
  const [missing] = mentionedNames(request);
  if (missing === undefined) return;
  const isInText = !temporaryNamesIn(request).includes(missing);
  throw usage(
    `${missing}${isInText ? ", which the text mentions," : ""} was not created`,
    isInText ? `bt job edit ${job} changes the text; bt job drop ${job}` : `bt job drop ${job}`,
  );
}

/** An update that an earlier run sent, with the state that it kept of the bugs. */
function sentPart(kept: Job): UpdatePart | undefined {
  const attempt = kept.attempts.at(-1);
  if (kept.head.request.operation !== "Update Bug" || attempt === undefined) return undefined;
  const { request, before = [] } = attemptWrite(kept, attempt);
  return { bugs: before as readonly Bug[], body: editsOf(request) };
}

function editsOf(request: Request): JsonObject {
  const { ids: _, ...body } = requestBody(request);
  return body;
}

/** The bugs of an update as they are now, if it can be applied to them. */
async function checkedBugs(head: JobHead, { isForced, context }: Sending): Promise<readonly Bug[]> {
  const { bugs, lost } = await bugsLeft(jobBugs(head).map(String), context);
  const body = editsOf(head.request);
  const conflicts = isForced ? [] : bugs.flatMap(conflictFinder(head, context.io));
  if (conflicts.length > 0) throw collision(head, conflicts);
  const agreed = await withoutExposed([{ bugs, body }], head.exposed, context);
  const [first] = [...lost, ...agreed.lost];
  if (first) throw first.error;
  const { address } = context.session;
  checkBugs([{ bugs, body }], bugs, { catalog: await context.session.catalog(), address });
  return bugs;
}

/** Finds the fields of a bug that a kept write sets and that were changed since, by what the bug is now. */
export function conflictFinder(head: JobHead, io: Io): (bug: Bug) => readonly FieldConflict[] {
  const { offline, origin, request, seen } = head;
  if (offline === undefined) return () => [];
  const applied = appliedUpdates(allOfflineJobs(io, origin));
  const body = requestBody(request);
  return (bug) => {
    const id = bug.id ?? 0;
    const conflicts = fieldConflicts(bug as JsonObject, body, basisOf(offline, id, applied));
    const known = seen?.[id] && lastKnownChange(id, { seen: seen[id] ?? "", place: offline.place }, applied);
    const now = bug.last_change_time ?? "";
    if (!known || now <= known) return conflicts;
    return [...conflicts, { bug: id, field: "last_change_time", based: known, now, wanted: null }];
  };
}

/** The error of a collision; its cause is the list of conflicts. */
function collision({ job }: JobHead, conflicts: readonly FieldConflict[]): BtError {
  const [first] = conflicts;
  return new BtError("collision", conflicts.map(collisionText).join("; "), {
    hint: `bt job show ${job} shows both values; bt job send ${job} --force ${
      first?.wanted === null ? "sends it anyway" : `sets "${exactText(first?.wanted ?? null)}"`
    }`,
    changed: "nothing",
    cause: conflicts,
  });
}

/** A field that was changed since, as a sentence. */
export function collisionText({ bug, field, based, now }: FieldConflict): string {
  if (field === "last_change_time") return `bug ${bug} was modified since ${exactText(based)} (${exactText(now)})`;
  return `bug ${bug}: ${field} was changed from "${exactText(based)}" to "${exactText(now)}"`;
}

/** Stores the numbers of created bugs in a job that refers to them by temporary names. */
export async function withNumbers(job: string, io: Io): Promise<void> {
  await withHead(job, io, (head) => {
    const numbers = createdNumbers(allOfflineJobs(io, head.origin));
    if (!mentionedNames(head.request).some((name) => numbers.has(name))) return head;
    const exposed = Array.isArray(head.exposed) ? withRealIds(head.exposed, numbers) : head.exposed;
    return { ...head, request: withNumbersInText(withRealNumbers(head.request, numbers), numbers), exposed };
  });
}

/** Stores why a job was not sent; a tracker that cannot be reached is no reason. */
async function noteProblem(job: string, error: unknown, io: Io): Promise<void> {
  if (!(error instanceof BtError) || error.facts.changed !== "nothing" || !isOfJob(error)) return;
  const { kind, message, facts } = error;
  const conflicts = kind === "collision" ? (facts.cause as readonly FieldConflict[]) : undefined;
  await noteKeptProblem(job, { st: conflicts ? "COLLISION" : "FAILED", kind, message, conflicts }, io);
}

/** Stores why a job was not sent, or not in full. */
export async function noteKeptProblem(job: string, problem: KeptProblem | undefined, io: Io): Promise<void> {
  await withHead(job, io, (head) => (head.offline ? { ...head, offline: { ...head.offline, problem } } : head));
}

/** True for an error that concerns one job, so that others can be sent. */
export function isOfJob({ kind, facts }: BtError): boolean {
  if (kind === "auth") return facts.bugzillaCode !== undefined && !LOGIN_CODES.has(facts.bugzillaCode);
  return !PASSING.has(kind);
}

/** Error codes of rejected keys, disabled accounts, and requests without a login. */
const LOGIN_CODES: ReadonlySet<number> = new Set([300, 301, 305, 306, 410]);

const PASSING: ReadonlySet<string> = new Set(["network", "busy", "local", "reply", "unknown", "internal"]);

/** Changes the head of a job that is still unsent, or of a bulk update; leaves others as they are. */
async function withHead(job: string, io: Io, change: (head: JobHead) => JobHead): Promise<void> {
  const act = withJob({ job, isNew: false }, io, async ({ lines, replace }) => {
    const kept = readJob(lines);
    if (kept === undefined || (lines.length > 1 && !isBulk(kept))) return;
    const head = change(kept.head);
    if (head !== kept.head) replace([JSON.stringify(head), ...lines.slice(1)]);
  });
  await act.catch((error) => {
    if (!(error instanceof BtError) || error.kind !== "usage") throw error; // it is finished
  });
}
