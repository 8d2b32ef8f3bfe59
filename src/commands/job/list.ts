import { writeKind } from "../../api/delivery/write-kinds.ts";
import { grouped } from "../../api/lists.ts";
import { requestBody } from "../../api/write/update-request.ts";
import { profileAddress } from "../../config/choose-tracker.ts";
import { readSettings } from "../../config/settings.ts";
import { commandName, createdId, type Job, type JobHead } from "../../jobs/job.ts";
import { readNewestJobs, readOpenJobs } from "../../jobs/job-files.ts";
import { isJobFinished, JOB_STATES, type JobState, jobState, stateText } from "../../jobs/job-states.ts";
import { unreadableJobsError, updatedIds } from "../../jobs/job-text.ts";
import { jobsUndone, readUndoneChanges, type UndoneChanges } from "../../jobs/past-changes.ts";
import { isUnverified } from "../../jobs/sent-parts.ts";
import { type Column, columnsNamed } from "../../view/column.ts";
import { countText } from "../../view/text.ts";
import { shortRelativeTime } from "../../view/times.ts";
import { timestamp } from "../../wire/time.ts";
import { parsedUrl } from "../../wire/url.ts";
import { chosenColumns, isForCards, showListOrNone } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";
import type { JobListInput } from "./flags.ts";

/** `bt job list`: all unfinished jobs. */
export async function listJobs(input: JobListInput, context: Context): Promise<void> {
  const { io } = context;
  const origin = input.profile === undefined ? undefined : profileAddress(input.profile, readSettings(io));
  const isWanted = ({ head }: Job) => origin === undefined || head.origin === origin;
  if (input.last) return listLastWrites(isWanted, context);
  const stored = readOpenJobs(io);
  const open = stored.flatMap(({ job }) => job ?? []).filter((job) => isUnfinished(job) && isWanted(job));
  const jobs = open.sort((one, other) => one.head.at - other.head.at);
  const undone = readUndoneSince(jobs, context);
  const rows = jobs.map((job) => ({ ...jobRow([job], () => true, undone), what: shortText(job) }));
  const columns = shownColumns(["job", "state", "what", "started"], rows, context);
  const damaged = stored.filter(({ isEmpty, job }) => !isEmpty && job === undefined);
  const settled = damaged.length === 0 ? "no open jobs" : "no other open jobs";
  const shown = await showListOrNone(context, { columns, pages: [rows] }, settled);
  const isRefused = rows.some(({ status }) => status === "partial" || status === "failed");
  const end = isRefused ? "; bt job drop JOB drops one that stays refused" : "";
  if (shown > 0 && context.io.terminal.stdout)
    await context.io.err(`bt job send JOB sends or resumes one of them${end}\n`);
  if (damaged.length > 0) throw unreadableJobsError(damaged.map(({ name }) => name));
}

function isUnfinished(job: Job): boolean {
  return job.attempts.length === 0 || !isJobFinished(job) || isUnverified(job);
}

/** Short description of a job: a new bug by its summary. */
function shortText(job: Job): string {
  const { request } = job.head;
  const { summary } = requestBody(request);
  return request.operation === "Create Bug" && summary ? `new bug: ${summary}` : writeText(job);
}

/** Short description of a write, without its content. */
function writeText({ head: { request } }: Job): string {
  return writeKind(request).describe(request).replace(/^the /, "");
}

/** `bt job list --last`: the last commands that wrote, newest first, with their results but without their content. */
async function listLastWrites(isWanted: (job: Job) => boolean, context: Context): Promise<void> {
  const commands = new Map<string, [Job, ...Job[]]>();
  for (const job of readNewestJobs(context.io)) {
    if (!isWanted(job)) continue;
    const name = commandName(job.head);
    const known = commands.get(name);
    if (known) known.unshift(job);
    else if (commands.size < LAST) commands.set(name, [job]);
    else if ([...commands.keys()].every((first) => first > job.head.job)) break;
  }
  const open = new Set(readOpenJobs(context.io).map(({ name }) => name));
  const undone = readUndoneSince([...commands.values()].flat(), context);
  const rows = [...commands.values()].map((jobs) => jobRow(jobs, ({ head }) => open.has(head.job), undone));
  const columns = shownColumns(["started", "operation", "ids", "created", "state", "job"], rows, context);
  await showListOrNone(context, { columns, pages: [rows] }, "no writes in the journal");
}

const LAST = 50;

/** Changes of these jobs, and of all later ones, that were undone. */
function readUndoneSince(jobs: Job[], { io }: Context): UndoneChanges {
  const [oldest = "Z"] = jobs.map(({ head }) => head.job).sort(); // no job is later
  return readUndoneChanges({ oldest }, io);
}

/** A job, or the jobs of a command in one row. */
type JobRow = {
  job: string; // the first of the command
  started: string;
  operation: string;
  what: string;
  ids: (number | string)[];
  created: number | number[] | null; // a list of several
  state: string;
  undone: ReturnType<typeof jobsUndone>;
  tracker: string;
  status: JobState;
};

function jobRow(jobs: [Job, ...Job[]], isOpen: (job: Job) => boolean, undone: UndoneChanges): JobRow {
  const [first] = jobs;
  const created = jobs.flatMap((job) => createdId(job) ?? []);
  const states = [
    ...grouped(
      jobs.map((job) => stateText(job, isOpen(job))),
      (text) => text,
    ),
  ];
  const known = jobs.map((job) => jobState(job, isOpen(job)));
  return {
    job: commandName(first.head),
    started: timestamp(first.head.at),
    operation: [...new Set(jobs.map((job) => operationOf(job.head)))].join(", "),
    what: jobs.length > 1 ? countText(jobs.length, "request") : writeText(first),
    ids: [...new Set(jobs.flatMap(({ head: { request } }) => updatedIds(request)))],
    created: created.length > 1 ? created : (created[0] ?? null),
    state: states.map(([text, { length }]) => (states.length > 1 ? `${length} ${text}` : text)).join(", "),
    undone: jobsUndone(jobs, undone),
    tracker: first.head.origin,
    status: WEIGHTED_STATES.find((state) => known.includes(state)) ?? "done",
  };
}

function operationOf({ request, undoes }: JobHead): string {
  if (undoes) return "bug undo";
  return writeKind(request).command ?? `${request.method} ${request.path}`;
}

const WEIGHTED_STATES = Object.keys(JOB_STATES) as JobState[];

/** Columns for programs; a terminal shows some of them in another order. */
const COLUMNS: readonly Column<JobRow>[] = [
  { name: "job", heading: "Job", value: ({ job }) => job, gives: "never" },
  { name: "status", heading: "Status", value: ({ status }) => status },
  {
    name: "state",
    heading: "State",
    value: ({ state, undone }) => `${state}${undone.text}`,
    cell: ({ state, undone }) => `${state.replaceAll(/ \(code [^)]*\)/g, "")}${undone.text.replace(/ by .*/, "")}`, // bt job show has all
    gives: "first",
  },
  { name: "operation", heading: "Operation", value: ({ operation }) => operation, gives: "never" },
  { name: "what", heading: "What", value: ({ what }) => what },
  {
    name: "ids",
    heading: "IDs",
    value: ({ ids }) => ids,
    text: ({ ids }) => ids.join(", "),
    gives: "last",
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
    name: "started",
    heading: "Time",
    value: ({ started }) => started,
    cell: ({ started }, view) => shortRelativeTime(started, view),
    gives: "never",
  },
  {
    name: "tracker",
    heading: "Tracker",
    value: ({ tracker }) => tracker,
    cell: ({ tracker }) => parsedUrl(tracker)?.host || tracker, // "bugs.example.org", "local:team"
    leaves: 5,
  },
  { name: "undone_by", heading: "Undone by", value: ({ undone }) => undone.by },
];

/** The chosen columns; a terminal shows these, and the tracker if there are several. */
function shownColumns(names: string[], rows: JobRow[], context: Context): readonly Column<JobRow>[] {
  if (!isForCards(context) || context.output.fields) return chosenColumns(COLUMNS, context);
  const isOneTracker = new Set(rows.map(({ tracker }) => tracker)).size <= 1;
  return columnsNamed(COLUMNS, ...(isOneTracker ? names : [...names, "tracker"]));
}
