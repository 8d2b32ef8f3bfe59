import { type Job, progressOf, readJob, uncertain } from "../../api/delivery/job.ts";
import { kindOf } from "../../api/delivery/kinds.ts";
import { openJobs } from "../../config/jobs.ts";
import type { Column } from "../../view/column.ts";
import { ago } from "../../view/times.ts";
import type { Context } from "../context.ts";
import { chosenColumns, showAny } from "../show.ts";
import type { Input } from "../verb.ts";

/** `bt jobs`: every job that is open, with what is known of it. */
export async function listJobs(_: Input, context: Context): Promise<void> {
  const jobs = openJobs(context.io).flatMap(({ lines }) => readJob(lines) ?? []);
  const rows = jobs.map((job) => ({
    job: job.head.job,
    started: `${new Date(job.head.at).toISOString().slice(0, 19)}Z`,
    tracker: job.head.origin,
    what: kindOf(job.head.request).what(job.head.request),
    state: stateOf(job),
  }));
  const list = { columns: chosenColumns(COLUMNS, context), pages: [rows] };
  const shown = await showAny(context, list, "no job is open: every write is settled");
  if (shown > 0) await context.io.err("bt resume JOB settles one of them\n");
}

type Row = Readonly<Record<"job" | "started" | "tracker" | "what" | "state", string>>;

const COLUMNS: readonly Column<Row>[] = [
  { name: "job", heading: "Job", value: ({ job }) => job, gives: "never" },
  { name: "state", heading: "State", value: ({ state }) => state, gives: "never" },
  { name: "what", heading: "What", value: ({ what }) => what },
  {
    name: "started",
    heading: "Started",
    value: ({ started }) => started,
    cell: ({ started }, view) => ago(started, view),
  },
  { name: "tracker", heading: "Tracker", value: ({ tracker }) => tracker, gives: "first" },
];

function stateOf(job: Job): string {
  const { done, open } = progressOf(job);
  const [last] = uncertain(job);
  const outcome = last && (last.end?.st === "ABSENT" ? "not on the tracker" : "outcome unknown");
  if (done.length + open.length <= 1) return outcome ?? "not sent";
  return [`${done.length} of ${done.length + open.length} done`, outcome].filter(Boolean).join(", ");
}
