import type { BugResult } from "../../api/delivery/bulk.ts";
import { isBulk, readJob } from "../../api/delivery/journal.ts";
import { grouped, partition } from "../../api/lists.ts";
import type { KeptJob } from "../../api/offline/kept-write.ts";
import { storedJob } from "../../config/jobs.ts";
import { BtError, type ErrorKind } from "../../errors.ts";
import { keptJob, type OfflineJob, openOfflineJobs } from "../../session/offline/kept-jobs.ts";
import type { Column } from "../../view/column.ts";
import { countText, plain } from "../../view/text.ts";
import { loginOrFail } from "../bug/moves.ts";
import { chosenColumns, isForCards, mapPages, showListOrNone, showPages } from "../output.ts";
import type { Context } from "../verb.ts";
import { type Blockers, blockersOf } from "./blockers.ts";
import { shortText } from "./list.ts";
import { isOfJob, renameAll, sendKept } from "./send-kept.ts";
import { type SentMany, sendMany } from "./send-many.ts";
import {
  bulkChanged,
  bulkChanges,
  changesOf,
  changesSentence,
  type Effect,
  effectOf,
  jobCards,
  type ShownJob,
} from "./sent-kept.ts";

/** `bt job send --all`: sends what was written from mirrors of this tracker, in order. */
export async function sendAll(context: Context): Promise<void> {
  const { io, session } = context;
  await session.writer(); // a mirror has none
  const me = (await loginOrFail(context)).toLowerCase();
  await renameAll(io);
  const [drafts, open] = partition(openOfflineJobs(io), ({ head }) => head.draft === true);
  const own = open.filter(({ head }) => head.origin === session.address && head.user?.toLowerCase() === me);
  await reportOthers(
    open.filter((job) => !own.includes(job)),
    context,
  );
  const results: JobResult[] = [];
  const pages = resultsOf({ jobs: own, drafts }, results, context);
  if (isForCards(context) && own.length > 0) await showPages(context, mapPages(pages, cardOf), await jobCards(context));
  else await showListOrNone(context, { columns: chosenColumns(COLUMNS, context), pages }, "no jobs to send");
  const verdict = verdictOf(results);
  if (verdict) throw verdict;
}

/** Result of a job of the queue. */
type JobResult = {
  readonly job: string;
  readonly what: string;
  readonly status: "done" | "collision" | "failed" | "unknown" | "waiting";
  readonly id: number | null; // of a new bug or comment
  readonly note: string;
  readonly error?: BtError | undefined; // of one that is done, if not everything was applied
  readonly effect?: Effect;
  readonly bulk?: SentMany; // of a bulk update
  readonly head: OfflineJob["head"];
};

const COLUMNS: readonly Column<JobResult>[] = [
  { name: "job", heading: "Job", value: ({ job }) => job, gives: "never" },
  { name: "status", heading: "Status", value: ({ status }) => status, gives: "never" },
  { name: "id", heading: "New", value: ({ id }) => id },
  { name: "what", heading: "What", value: ({ what }) => what },
  { name: "note", heading: "Note", value: ({ note }) => note, gives: "first" },
  {
    name: "changes",
    heading: "Changes",
    value: ({ effect, bulk }) => (bulk ? bulkChanges(bulk) : effect && changesOf(effect)),
    text: ({ effect, bulk, head: { request } }) =>
      effect || bulk ? changesSentence(effect?.changed ?? bulkChanged(bulk), request) : "",
  },
  {
    name: "not_applied",
    heading: "Not applied",
    value: ({ effect }) => effect?.notApplied,
    leaves: 1,
  },
];

function cardOf(results: readonly JobResult[]): readonly ShownJob[] {
  return results.map(({ head: { request, offline }, status, note, effect, bulk }) => ({
    ...{ request, name: offline.name, effect, bulk },
    failure: [...(status === "done" ? [] : [status]), note].filter(Boolean).join(": ") || undefined,
  }));
}

/** Jobs to send, and drafts, which are not sent and may describe bugs that the jobs need. */
type Queue = { readonly jobs: readonly OfflineJob[]; readonly drafts: readonly OfflineJob[] };

/** Results as they come; the first error that concerns the tracker ends the sending. */
async function* resultsOf({ jobs, drafts }: Queue, results: JobResult[], context: Context) {
  const stuck = drafts.filter(({ head }) => head.origin === context.session.address).map(keptJob);
  let isEnded = false;
  for (const job of jobs) {
    const blockers = blockersOf(job, stuck);
    const result = await sentOrLeft(job, { ...blockers, isEnded: isEnded || context.io.signal.aborted }, context);
    if (result.status !== "done") stuck.push(stuckJob(job, result));
    isEnded ||= result.error !== undefined && !isOfJob(result.error);
    results.push(result);
    yield [result];
  }
}

/** The blockers of a job; `isEnded` if no more jobs are sent. */
type Sendable = Blockers & { readonly isEnded: boolean };

async function sentOrLeft(job: OfflineJob, blockers: Sendable, context: Context): Promise<JobResult> {
  const { blocker, waiting, isEnded } = blockers;
  if (blocker === undefined && !isEnded) return resultOf(job, waiting, context);
  const note = blocker === undefined ? "not tried" : `waits for job ${blocker}`;
  return { ...factsOf(job), status: "waiting", id: null, note };
}

/** A job that was not sent, or not in full. */
function stuckJob(job: OfflineJob, { bulk }: JobResult): KeptJob {
  return { ...keptJob(job), ...(bulk ? { open: openIn(bulk) } : {}) };
}

function factsOf({ head }: OfflineJob): Pick<JobResult, "job" | "what" | "head"> {
  return { job: head.job, what: shortText({ head }), head };
}

async function resultOf(job: OfflineJob, waiting: ReadonlyMap<string, string>, context: Context): Promise<JobResult> {
  const facts = factsOf(job);
  try {
    if (isBulk(job)) return bulkResult(job, await sendMany(job, { isForced: false, waiting, context }));
    const sent = await sendKept(job, { isForced: false, context });
    const effect = await effectOf(sent, false, context);
    const { head } = sent.job; // with numbers in place of temporary names
    const { id, error } = effect;
    return {
      ...facts,
      head: { ...job.head, request: head.request },
      what: shortText({ head }),
      status: "done",
      id,
      note: error?.message ?? "",
      error,
      effect,
    };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    if (isSentByOther(job, context)) return { ...facts, status: "done", id: null, note: "already sent by another bt" };
    return { ...facts, status: statusOf(error), id: null, note: error.message, error };
  }
}

/** True for a job that another process has sent since the list of open jobs was read. */
function isSentByOther({ head }: OfflineJob, { io }: Context): boolean {
  const stored = storedJob(head.job, io);
  const job = stored?.isOpen === false ? readJob(stored.lines) : undefined;
  return job !== undefined && job.attempts.at(-1)?.end?.st === "DONE";
}

/** The result of a bulk update; that bugs wait for other jobs is no error of its own. */
function bulkResult(job: OfflineJob, bulk: SentMany): JobResult {
  const { results, error } = bulk;
  const [status = "done"] = BULK_STATUSES.filter(([, states]) => results.some(({ st }) => states.includes(st)));
  const texts = error ? [error.message, ...(error.facts.details ?? [])] : [];
  const common = { ...factsOf(job), id: null, note: texts.join("; "), bulk };
  if (status === "done") return { ...common, status, error };
  return { ...common, status: status[0], error: status[0] === "waiting" && !isEnding(results) ? undefined : error };
}

const BULK_STATUSES: readonly (readonly [JobResult["status"], readonly BugResult["st"][]])[] = [
  ["unknown", ["unknown"]],
  ["collision", ["collision"]],
  ["failed", ["failed"]],
  ["waiting", ["waiting", "not tried"]],
];

function isEnding(results: readonly BugResult[]): boolean {
  return results.some(({ st }) => st === "not tried");
}

/** Bugs of a bulk update that are still to be updated. */
function openIn({ results }: SentMany): readonly string[] {
  return results.filter(({ st }) => st !== "done" && st !== "unchanged").map(({ bug }) => bug);
}

function statusOf(error: BtError): JobResult["status"] {
  if (error.kind === "collision") return "collision";
  if (error.facts.changed === "unknown") return "unknown";
  return isOfJob(error) ? "failed" : "waiting";
}

/** The error of a queue of which not all could be sent. */
function verdictOf(results: readonly JobResult[]): BtError | undefined {
  const left = results.filter(({ status, error }) => status !== "done" || error);
  const [first] = left;
  if (first === undefined) return undefined;
  const sent = results.filter(({ status }) => status === "done").length;
  const errors = left.flatMap(({ error }) => error ?? []);
  const flawed = left.filter(({ status }) => status === "done").length;
  const but = flawed === 0 ? "" : `, ${flawed} not fully applied`;
  return new BtError(verdictKind(errors, sent), `${sent} of ${results.length} jobs sent${but}`, {
    details: left.map(({ job, what, note }) => `${job}: ${what}: ${note}`),
    hint: hintFor(left),
    changed: changedBy(errors, results),
  });
}

function verdictKind(errors: readonly BtError[], sent: number): ErrorKind {
  if (errors.some(({ facts }) => facts.changed === "unknown")) return "unknown";
  const [only = "partial", ...others] = new Set(errors.map(({ kind }) => kind));
  return others.length === 0 && (sent === 0 || only === "collision") ? only : "partial";
}

function changedBy(errors: readonly BtError[], results: readonly JobResult[]): "nothing" | "some" | "unknown" {
  if (errors.some(({ facts }) => facts.changed === "unknown")) return "unknown";
  const isChange = ({ status, bulk }: JobResult) => status === "done" || bulk?.results.some(({ st }) => st === "done");
  return results.some(isChange) ? "some" : "nothing";
}

function hintFor(left: readonly JobResult[]): string | undefined {
  const [flawed] = left.flatMap(({ error }) => error ?? []);
  if (left.every(({ status }) => status === "done")) return flawed?.facts.hint;
  const collided = left.find(({ status }) => status === "collision")?.job;
  if (collided === undefined) return "bt job send --all sends what is left; bt job drop JOB drops it";
  return `bt job show ${collided} shows both values; then bt job send ${collided} --force, or bt job drop ${collided}`;
}

/** Names jobs that this login cannot send, or that belong to another tracker. */
async function reportOthers(others: readonly OfflineJob[], { io }: Context): Promise<void> {
  const groups = grouped(others, ({ head }) => `of ${head.user ?? "an anonymous user"} for ${head.origin}`);
  for (const [whose, { length }] of groups)
    await io.err(`${plain(`not sent: ${countText(length, "job")} ${whose}`)}\n`);
}
