import { isFinished, type Job, progressOf, readJob, uncertain } from "../../api/delivery/job.ts";
import { kindOf } from "../../api/delivery/kinds.ts";
import { openJobs } from "../../config/jobs.ts";
import { BtError } from "../../errors.ts";
import type { Column } from "../../view/column.ts";
import { ago } from "../../view/times.ts";
import type { Context } from "../context.ts";
import { chosenColumns, showAny } from "../show.ts";
import type { Input } from "../verb.ts";

/** `bt jobs`: every job that is open, with what is known of it. */
export async function listJobs(input: Input, context: Context): Promise<void> {
  if (input.flags["last"]) return (await import("./last-jobs.ts")).listLast(context);
  const kept = openJobs(context.io).map(({ job, lines }) => ({ name: job, lines, job: readJob(lines) }));
  const jobs = kept.flatMap(({ job }) => job ?? []).filter((job) => job.attempts.length === 0 || !isFinished(job));
  const rows = jobs.map((job) => ({
    job: job.head.job,
    started: `${new Date(job.head.at).toISOString().slice(0, 19)}Z`,
    tracker: job.head.origin,
    what: kindOf(job.head.request).what(job.head.request),
    state: stateOf(job),
  }));
  const list = { columns: chosenColumns(COLUMNS, context), pages: [rows] };
  // a file without a whole line was left before anything was sent
  const damaged = kept.filter(({ lines, job }) => lines.length > 0 && job === undefined);
  const settled = damaged.length === 0 ? "no job is open: every write is settled" : "no other job is open";
  const shown = await showAny(context, list, settled);
  if (shown > 0) await context.io.err("bt resume JOB settles one of them\n");
  if (damaged.length > 0) throw unreadable(damaged.map(({ name }) => name));
}

function unreadable(jobs: readonly string[]): BtError {
  return new BtError("local", `the journal of job ${jobs.join(", ")} cannot be read: damaged, or of a newer bt`, {
    details: ["what it has written may be on the tracker or not"],
    hint: `look at the tracker, then remove ${jobs.length === 1 ? "the file" : "the files"} from the folder jobs of bt's state`,
  });
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
