import { bugsOf, type Job, progressOf, readJob, uncertain } from "../../api/delivery/job.ts";
import { kindOf } from "../../api/delivery/kinds.ts";
import { targetsOf } from "../../api/delivery/write.ts";
import { isObject } from "../../api/read.ts";
import { newestJobs } from "../../config/jobs.ts";
import type { Column } from "../../view/column.ts";
import { ago } from "../../view/times.ts";
import type { Context } from "../context.ts";
import { chosenColumns, showAny } from "../show.ts";

/** `bt jobs --last`: the last writes, newest first, each with its result; what they said is not shown. */
export async function listLast(context: Context): Promise<void> {
  const jobs = newestJobs(LAST, context.io).flatMap(({ lines }) => readJob(lines) ?? []);
  const list = { columns: chosenColumns(COLUMNS, context), pages: [jobs.map(rowOf)] };
  await showAny(context, list, "no writes in the journal");
}

const LAST = 50;

type Row = {
  readonly job: string;
  readonly time: string;
  readonly operation: string;
  readonly ids: readonly string[];
  readonly created: number | null;
  readonly result: string;
  readonly tracker: string;
};

function rowOf(job: Job): Row {
  const { head } = job;
  const { operation = `${head.request.method} ${head.request.path}` } = kindOf(head.request);
  return {
    job: head.job,
    time: `${new Date(head.at).toISOString().slice(0, 19)}Z`,
    operation,
    ids: idsOf(job, operation),
    created: createdBy(job),
    result: resultOf(job),
    tracker: head.origin,
  };
}

/** What was written to: bugs, groups or a comment; nothing for what was to be created. */
function idsOf({ head: { request } }: Job, operation: string): readonly string[] {
  if (operation === "tag update") return /\d+(?=\/tags$)/.exec(request.path) ?? [];
  return operation.endsWith(" create") ? [] : targetsOf(request);
}

function createdBy({ attempts }: Job): number | null {
  const end = attempts.at(-1)?.end;
  const id = end?.st === "DONE" && isObject(end.answer) ? end.answer["id"] : undefined;
  return typeof id === "number" ? id : null;
}

/** The result of the last request, or of a bulk update how many of its bugs are done. */
function resultOf(job: Job): string {
  const { done } = progressOf(job);
  const count = bugsOf(job.head).length;
  const end = job.attempts.at(-1)?.end;
  if (job.attempts.length === 0) return "not sent";
  if (done.length > 0 && done.length < count) {
    return `${done.length} of ${count} applied${uncertain(job).length > 0 ? ", others unknown" : ""}`;
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

const COLUMNS: readonly Column<Row>[] = [
  { name: "time", heading: "Time", value: ({ time }) => time, cell: ({ time }, view) => ago(time, view) },
  { name: "operation", heading: "Operation", value: ({ operation }) => operation, gives: "never" },
  { name: "ids", heading: "IDs", value: ({ ids }) => ids, text: ({ ids }) => ids.join(", ") },
  { name: "created", heading: "Created", value: ({ created }) => created },
  { name: "result", heading: "Result", value: ({ result }) => result, gives: "never" },
  { name: "job", heading: "Job", value: ({ job }) => job },
  { name: "tracker", heading: "Tracker", value: ({ tracker }) => tracker, gives: "first" },
];
