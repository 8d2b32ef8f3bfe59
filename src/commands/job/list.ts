import { writeKind } from "../../api/delivery/write-kinds.ts";
import { grouped } from "../../api/lists.ts";
import { requestBody } from "../../api/write/update-request.ts";
import { commandName, createdId, isJobFinished, type Job, type JobHead } from "../../jobs/job.ts";
import { readNewestJobs, readOpenJobs } from "../../jobs/job-files.ts";
import { JOB_STATES, type JobState, jobState, stateText } from "../../jobs/job-states.ts";
import { unreadableJobsError, updatedIds } from "../../jobs/job-text.ts";
import { isUnverified } from "../../jobs/sent-parts.ts";
import type { Column } from "../../view/column.ts";
import { shortRelativeTime } from "../../view/times.ts";
import { timestamp } from "../../wire/time.ts";
import { parsedUrl } from "../../wire/url.ts";
import { chosenColumns, isForCards, showListOrNone } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";
import type { JobListInput } from "./flags.ts";

/** `bt job list`: all unfinished jobs. */
export async function listJobs(input: JobListInput, context: Context): Promise<void> {
  if (input.last) return listLastWrites(context);
  const stored = readOpenJobs(context.io);
  const open = stored.flatMap(({ job }) => job ?? []).filter(isUnfinished);
  const jobs = open.sort((one, other) => one.head.at - other.head.at);
  const rows = jobs.map((job) => ({
    job: job.head.job,
    started: timestamp(job.head.at),
    tracker: job.head.origin,
    what: shortText(job),
    state: stateText(job),
    status: jobState(job),
  }));
  const list = { columns: shownColumns(OPEN_JOB_COLUMNS, rows, context), pages: [rows] };
  const damaged = stored.filter(({ isEmpty, job }) => !isEmpty && job === undefined);
  const settled = damaged.length === 0 ? "no open jobs" : "no other open jobs";
  const shown = await showListOrNone(context, list, settled);
  const isRefused = rows.some(({ status }) => status === "partial" || status === "failed");
  const end = isRefused ? "; bt job drop JOB drops one that stays refused" : "";
  if (shown > 0) await context.io.err(`bt job send JOB sends or resumes one of them${end}\n`);
  if (damaged.length > 0) throw unreadableJobsError(damaged.map(({ name }) => name));
}

function isUnfinished(job: Job): boolean {
  return job.attempts.length === 0 || !isJobFinished(job) || isUnverified(job);
}

/** Short description of a job: a new bug by its summary. */
function shortText({ head: { request } }: Job): string {
  const { summary } = requestBody(request);
  if (request.operation === "Create Bug" && summary) return `new bug: ${summary}`;
  return writeKind(request).describe(request).replace(/^the /, "");
}

type OpenJobRow = Readonly<Record<"job" | "started" | "tracker" | "what" | "state", string>> & { status: JobState };

/** The tracker of a job; on a terminal its host: "bugs.example.org", "local:team". */
const TRACKER: Column<{ tracker: string }> = {
  name: "tracker",
  heading: "Tracker",
  value: ({ tracker }) => tracker,
  cell: ({ tracker }) => parsedUrl(tracker)?.host || tracker,
  gives: "first",
  leaves: 4,
};

const OPEN_JOB_COLUMNS: readonly Column<OpenJobRow>[] = [
  { name: "job", heading: "Job", value: ({ job }) => job, gives: "never" },
  { name: "state", heading: "State", value: ({ state }) => state, gives: "first", leaves: 3 },
  { name: "what", heading: "What", value: ({ what }) => what },
  {
    name: "started",
    heading: "Started",
    value: ({ started }) => started,
    cell: ({ started }, view) => shortRelativeTime(started, view),
    leaves: 2,
  },
  TRACKER,
  { name: "status", heading: "Status", value: ({ status }) => status },
];

/** The chosen columns; a table shows the state in words instead of the status, and the tracker if there are several. */
function shownColumns<Row extends { tracker: string }>(columns: readonly Column<Row>[], rows: Row[], context: Context) {
  if (!isForCards(context)) return chosenColumns(columns, context);
  const isOneTracker = new Set(rows.map(({ tracker }) => tracker)).size <= 1;
  const isShown = (name: string) => name !== "status" && !(name === "tracker" && isOneTracker);
  return chosenColumns(
    columns.filter(({ name }) => isShown(name)),
    context,
  );
}

/** `bt job list --last`: the last commands that wrote, newest first, with their results but without their content. */
export async function listLastWrites(context: Context): Promise<void> {
  const commands = new Map<string, [Job, ...Job[]]>();
  for (const job of readNewestJobs(context.io)) {
    const name = commandName(job.head);
    const known = commands.get(name);
    if (known) known.unshift(job);
    else if (commands.size < LAST) commands.set(name, [job]);
    else if ([...commands.keys()].every((first) => first > job.head.job)) break;
  }
  const open = new Set(readOpenJobs(context.io).map(({ name }) => name));
  const rows = [...commands].map(([name, jobs]) => lastWriteRow(name, jobs, open));
  const list = { columns: shownColumns(LAST_WRITE_COLUMNS, rows, context), pages: [rows] };
  await showListOrNone(context, list, "no writes in the journal");
}

const LAST = 50;

type LastWriteRow = {
  job: string; // the first of the command
  time: string;
  operation: string;
  ids: string[];
  created: number | number[] | null; // a list of several
  result: string;
  tracker: string;
  status: JobState;
};

function lastWriteRow(name: string, jobs: [Job, ...Job[]], open: ReadonlySet<string>): LastWriteRow {
  const [{ head }] = jobs;
  const created = jobs.flatMap((job) => createdId(job) ?? []);
  const results = [
    ...grouped(
      jobs.map((job) => stateText(job, open.has(job.head.job))),
      (text) => text,
    ),
  ];
  const states = jobs.map((job) => jobState(job, open.has(job.head.job)));
  return {
    job: name,
    time: timestamp(head.at),
    operation: [...new Set(jobs.map((job) => operationOf(job.head)))].join(", "),
    ids: [...new Set(jobs.flatMap(({ head: { request } }) => updatedIds(request)))],
    created: created.length > 1 ? created : (created[0] ?? null),
    result: results.map(([text, { length }]) => (results.length > 1 ? `${length} ${text}` : text)).join(", "),
    tracker: head.origin,
    status: WEIGHTED_STATES.find((state) => states.includes(state)) ?? "done",
  };
}

function operationOf({ request, undoes }: JobHead): string {
  if (undoes) return "bug undo";
  return writeKind(request).command ?? `${request.method} ${request.path}`;
}

const WEIGHTED_STATES = Object.keys(JOB_STATES) as JobState[];

const LAST_WRITE_COLUMNS: readonly Column<LastWriteRow>[] = [
  { name: "time", heading: "Time", value: ({ time }) => time, cell: ({ time }, view) => shortRelativeTime(time, view) },
  { name: "operation", heading: "Operation", value: ({ operation }) => operation, gives: "never" },
  {
    name: "ids",
    heading: "IDs",
    value: ({ ids }) => ids,
    text: ({ ids }) => ids.join(", "),
    gives: "first",
    leaves: 3,
  },
  {
    name: "created",
    heading: "Created",
    value: ({ created }) => created,
    text: ({ created }) => [created ?? []].flat().join(", "),
    gives: "first",
    leaves: 2,
  },
  {
    name: "result",
    heading: "Result",
    value: ({ result }) => result,
    cell: ({ result }) => result.replaceAll(/ \(code [^)]*\)/g, ""), // bt job show has it
    gives: "never",
  },
  { name: "job", heading: "Job", value: ({ job }) => job, gives: "never" },
  TRACKER,
  { name: "status", heading: "Status", value: ({ status }) => status },
];
