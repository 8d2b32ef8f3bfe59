import { isBugId } from "../../api/bug-ref.ts";
import { describeWrite } from "../../api/delivery/write-rows.ts";
import { grouped } from "../../api/lists.ts";
import { requestBody, writeTargets } from "../../api/write/changes.ts";
import { readSettings } from "../../config/settings.ts";
import { BtError, usageError } from "../../errors.ts";
import { createdIdsOf, damagedJobError, isUnknown, type Job, type JobWrite, jobState } from "../../jobs/job.ts";
import { dropJob, findJob, newestJobs, openJobs, type StoredJob } from "../../jobs/job-files.ts";
import { note } from "../../session/note.ts";
import { type CardRow, cardBody, cardTitle } from "../../view/card.ts";
import { type Column, columnsNamed, exactText } from "../../view/column.ts";
import { columnMaker } from "../../view/field-kinds.ts";
import { countText } from "../../view/text.ts";
import { shortRelativeTime, timeText } from "../../view/times.ts";
import type { View } from "../../view/view.ts";
import { timestamp } from "../../wire/time.ts";
import type { SharedInput } from "../input.ts";
import { chosenColumns, isForCards, showListOrNone, showObjects, wireColumns } from "../shared/output/print.ts";
import { confirmTask } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";

/** `bt job list`: unfinished jobs, or the last commands that wrote, newest first. */
export async function listJobs({ last }: { readonly last: boolean }, context: Context): Promise<void> {
  const { io } = context;
  const stored = last ? [...newestJobs(io)] : openJobs(io);
  const rows = stored.flatMap(({ job }) => (job ? [jobRow(job)] : [])).slice(0, last ? LAST : undefined);
  const damaged = last ? [] : stored.filter(({ job }) => job === undefined);
  const none = last ? "no writes in the journal" : "no open jobs";
  const columns = isForCards(context) ? columnsNamed(COLUMNS, ...SHOWN) : chosenColumns(COLUMNS, context);
  await showListOrNone(context, { columns, pages: [rows] }, none);
  if (damaged.length > 0) throw damagedJobError(damaged.map(({ name }) => name).join(" "));
}

const LAST = 50;

type JobRow = ReturnType<typeof jobRow>;

/** Programs know the state of a job as `status`, the results of its writes as `state`. */
function jobRow(job: Job) {
  const { head, writes } = job;
  const created = writes.flatMap(createdIdsOf);
  return {
    job: head.job,
    status: jobState(job),
    state: resultText(job),
    operation: head.command,
    what: jobText(job),
    started: timestamp(head.at),
    tracker: head.tracker,
    ids: updatedIds(writes),
    created: created.length > 1 ? created : (created[0] ?? null),
  };
}

/** Short description of a job, without its content but for the summary of a draft. */
function jobText(job: Job): string {
  const [first, second] = job.writes;
  if (!first || second) return `${job.writes.length} requests`;
  const { summary } = requestBody(first.request);
  if (jobState(job) === "draft" && summary) return `new bug: ${summary}`;
  return describeWrite(first.request).replace(/^the /, "");
}

/** What became of the writes of a job, in words. */
function resultText(job: Job): string {
  if (job.isDamaged) return "damaged journal";
  const counts = [...grouped(job.writes.map(writeResult), (result) => result)];
  return counts.map(([result, { length }]) => (job.writes.length === 1 ? result : `${length} ${result}`)).join(", ");
}

function writeResult(write: JobWrite): string {
  if (isUnknown(write)) return "unknown outcome";
  return write.st === "planned" ? "not sent" : write.st;
}

/** Ids of the bugs, groups or comments that writes update; none for a new bug or group. */
function updatedIds(writes: readonly JobWrite[]): (number | string)[] {
  const updates = writes.filter(({ request }) => !["Create Bug", "Create Group"].includes(request.operation ?? ""));
  const targets = updates.flatMap(({ request }) => writeTargets(request));
  return [...new Set(targets)].map((target) => (isBugId(target) ? Number(target) : target));
}

/** Columns on a terminal. */
const SHOWN = ["job", "state", "what", "ids", "created", "started", "tracker"];

const column = columnMaker<JobRow>();

/** Columns for programs. */
const COLUMNS: readonly Column<JobRow>[] = [
  column("job", "Job", "text", { shrink: "never" }),
  column("status", "Status"),
  column("state", "Result", "text", { shrink: "never" }),
  column("operation", "Operation", "text", { shrink: "never" }),
  column("what", "What"),
  column("ids", "IDs", "lines", { optional: 3 }),
  column("created", "Created", "lines", { optional: 2 }),
  column("started", "Time", "text", { cell: ({ started }, view) => shortRelativeTime(started, view), optional: 4 }),
  column("tracker", "Tracker", "lines", { optional: 1 }),
];

/** `bt job show`: jobs as cards on a terminal. */
export async function showJobs(input: SharedInput, context: Context): Promise<void> {
  const shown = input.args.map((word) => shownJob(findJob(word, context.io)));
  await showObjects(context, shown, wireColumns<ShownJob>(KEYS), jobCard);
}

type ShownJob = ReturnType<typeof shownJob>;

const KEYS: readonly (keyof ShownJob)[] = ["job", "status", "state", "what", "started", "tracker", "writes"];

function shownJob({ name, job, state, isOpen }: StoredJob) {
  if (job === undefined) throw damagedJobError(name);
  const writes = job.writes.map((write) => {
    const { at, error, request } = write;
    const { method, path, body } = request;
    return {
      request: { method, path, ...(body !== undefined && { body }) },
      result: writeResult(write),
      ...(at !== undefined && { time: timestamp(at) }),
      ...(error && { message: error.message }),
    };
  });
  const next = isOpen && state !== "done" ? `bt job send ${name}` : undefined;
  return { ...jobRow(job), next, user: job.head.user ?? null, writes };
}

function jobCard({ job, what, status, state, started, user, tracker, writes, next }: ShownJob, view: View): string {
  const title = cardTitle(job, what, view);
  const [only, second] = writes;
  const values = only && !second ? Object.entries(requestBody(only.request)) : [];
  const role = ({ unknown: "failed", unfinished: "warn" } as const)[String(status)];
  const lines = writes.map(({ request, result, message }) =>
    [`${request.method} ${request.path}: ${result}`, message].filter(Boolean).join(": "),
  );
  const rows: CardRow[] = [
    ["Status", [{ text: `${status} (${state})`, role }]],
    ["Started", timeText(started, view)],
    ["By", user ?? ""],
    ["Tracker", tracker],
    ...values.filter(([name]) => name !== "ids").map(([label, value]) => [label, exactText(value)] as const),
    ["Requests", lines.map((line) => ({ text: line }))],
    ["Next", next ?? ""],
  ];
  return `${title}\n${cardBody(rows, view)}`;
}

/** `bt job drop`: removes jobs, after saying what would be lost. */
export async function dropJobs(input: SharedInput & { readonly yes: boolean }, context: Context): Promise<void> {
  const { io } = context;
  const jobs = input.args.map((word) => findJob(word, io));
  for (const { name, isOpen } of jobs)
    if (!isOpen) throw usageError(`job ${name} is finished, or was dropped`, `bt job show ${name} shows it`);
  const task = `drop ${countText(jobs.length, "job")}`;
  const losses = jobs.map(({ name, job }) => `${name}: ${job ? `${jobText(job)} (${resultText(job)})` : "damaged"}`);
  if (!input.yes && !(await confirmTask(task, losses, input, { io, settings: readSettings(io) })))
    throw new BtError("guard", "nothing dropped");
  for (const job of jobs) {
    await dropJob(job, io);
    await note(io, `dropped job ${job.name}`);
  }
}
