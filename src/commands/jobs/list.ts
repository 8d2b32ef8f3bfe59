import {
  isJobFinished,
  type Job,
  jobBugs,
  jobProgress,
  readJob,
  unresolvedAttempts,
} from "../../api/delivery/journal.ts";
import { writeTargets } from "../../api/delivery/write.ts";
import { writeKind } from "../../api/delivery/write-kinds.ts";
import { isObject } from "../../api/response/response-objects.ts";
import { newestJobs, openJobs } from "../../config/jobs.ts";
import { BtError } from "../../errors.ts";
import type { Column } from "../../view/column.ts";
import { shortRelativeTime } from "../../view/times.ts";
import { chosenColumns, showListOrNone } from "../output.ts";
import type { Context, Input } from "../verb.ts";

/** `bt jobs`: all unfinished jobs. */
export async function listJobs(input: Input, context: Context): Promise<void> {
  if (input.flags["last"]) return listLastWrites(context);
  const kept = openJobs(context.io).map(({ job, lines }) => ({ name: job, lines, job: readJob(lines) }));
  const jobs = kept.flatMap(({ job }) => job ?? []).filter((job) => job.attempts.length === 0 || !isJobFinished(job));
  const rows = jobs.map((job) => ({
    job: job.head.job,
    started: `${new Date(job.head.at).toISOString().slice(0, 19)}Z`,
    tracker: job.head.origin,
    what: writeKind(job.head.request).describe(job.head.request),
    state: stateOf(job),
  }));
  const list = { columns: chosenColumns(OPEN_JOB_COLUMNS, context), pages: [rows] };
  // without a complete line, nothing was sent
  const damaged = kept.filter(({ lines, job }) => lines.length > 0 && job === undefined);
  const settled = damaged.length === 0 ? "no open jobs" : "no other open jobs";
  const shown = await showListOrNone(context, list, settled);
  if (shown > 0) await context.io.err("bt resume JOB resumes one of them\n");
  if (damaged.length > 0) throw unreadable(damaged.map(({ name }) => name));
}

function unreadable(jobs: readonly string[]): BtError {
  return new BtError("local", `cannot read the journal of job ${jobs.join(", ")}: damaged, or written by a newer bt`, {
    details: ["its writes may or may not be applied"],
    hint: `check the tracker, then remove ${jobs.length === 1 ? "the file" : "the files"} from the folder jobs of bt's state`,
  });
}

type OpenJobRow = Readonly<Record<"job" | "started" | "tracker" | "what" | "state", string>>;

const OPEN_JOB_COLUMNS: readonly Column<OpenJobRow>[] = [
  { name: "job", heading: "Job", value: ({ job }) => job, gives: "never" },
  { name: "state", heading: "State", value: ({ state }) => state, gives: "never" },
  { name: "what", heading: "What", value: ({ what }) => what },
  {
    name: "started",
    heading: "Started",
    value: ({ started }) => started,
    cell: ({ started }, view) => shortRelativeTime(started, view),
  },
  { name: "tracker", heading: "Tracker", value: ({ tracker }) => tracker, gives: "first" },
];

function stateOf(job: Job): string {
  const { done, open } = jobProgress(job);
  const [last] = unresolvedAttempts(job);
  const outcome = last && (last.end?.st === "ABSENT" ? "not applied" : "unknown outcome");
  if (done.length + open.length <= 1) return outcome ?? "not sent";
  return [`${done.length} of ${done.length + open.length} done`, outcome].filter(Boolean).join(", ");
}

/** `bt jobs --last`: the last writes, newest first, with their results but without their content. */
export async function listLastWrites(context: Context): Promise<void> {
  const jobs = newestJobs(LAST, context.io).flatMap(({ lines }) => readJob(lines) ?? []);
  const list = { columns: chosenColumns(LAST_WRITE_COLUMNS, context), pages: [jobs.map(rowOf)] };
  await showListOrNone(context, list, "no writes in the journal");
}

const LAST = 50;

type LastWriteRow = {
  readonly job: string;
  readonly time: string;
  readonly operation: string;
  readonly ids: readonly string[];
  readonly created: number | null;
  readonly result: string;
  readonly tracker: string;
};

function rowOf(job: Job): LastWriteRow {
  const { head } = job;
  const { command = `${head.request.method} ${head.request.path}` } = writeKind(head.request);
  return {
    job: head.job,
    time: `${new Date(head.at).toISOString().slice(0, 19)}Z`,
    operation: command,
    ids: idsOf(job, command),
    created: createdBy(job),
    result: resultOf(job),
    tracker: head.origin,
  };
}

/** Ids of the updated bugs, groups or comment; empty for creations. */
function idsOf({ head: { request } }: Job, command: string): readonly string[] {
  return command.endsWith(" create") ? [] : writeTargets(request);
}

function createdBy({ attempts }: Job): number | null {
  const end = attempts.at(-1)?.end;
  const id = end?.st === "DONE" && isObject(end.answer) ? end.answer["id"] : undefined;
  return typeof id === "number" ? id : null;
}

/** Result of the last request, or progress of a bulk update. */
function resultOf(job: Job): string {
  const { done } = jobProgress(job);
  const count = jobBugs(job.head).length;
  const end = job.attempts.at(-1)?.end;
  if (job.attempts.length === 0) return "not sent";
  if (done.length > 0 && done.length < count) {
    return `${done.length} of ${count} applied${unresolvedAttempts(job).length > 0 ? ", others unknown" : ""}`;
  }
  if (end === undefined) return RESULTS.UNKNOWN;
  const code = "code" in end && end.code !== undefined ? ` (code ${end.code})` : "";
  return RESULTS[end.st] + code;
}

const RESULTS = {
  DONE: "applied",
  FAILED: "failed",
  ABSENT: "not applied",
  COLLISION: "collision",
  UNKNOWN: "unknown",
} as const;

const LAST_WRITE_COLUMNS: readonly Column<LastWriteRow>[] = [
  { name: "time", heading: "Time", value: ({ time }) => time, cell: ({ time }, view) => shortRelativeTime(time, view) },
  { name: "operation", heading: "Operation", value: ({ operation }) => operation, gives: "never" },
  { name: "ids", heading: "IDs", value: ({ ids }) => ids, text: ({ ids }) => ids.join(", ") },
  { name: "created", heading: "Created", value: ({ created }) => created },
  { name: "result", heading: "Result", value: ({ result }) => result, gives: "never" },
  { name: "job", heading: "Job", value: ({ job }) => job },
  { name: "tracker", heading: "Tracker", value: ({ tracker }) => tracker, gives: "first" },
];
