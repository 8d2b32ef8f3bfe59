import { profileAddress } from "../../config/choose-tracker.ts";
import { readSettings } from "../../config/settings.ts";
import { createdIdsOf, damagedJobError, type Job, jobState } from "../../jobs/job.ts";
import { findJob, newestJobs, openJobs, type StoredJob } from "../../jobs/job-files.ts";
import { jobText, resultText, updatedIds, writeResult } from "../../jobs/job-text.ts";
import { type Column, columnsNamed } from "../../view/column.ts";
import { type JobCard, jobCard } from "../../view/job-card.ts";
import { shortRelativeTime } from "../../view/times.ts";
import { parsedUrl } from "../../wire/exchange.ts";
import { timestamp } from "../../wire/time.ts";
import type { SharedInput } from "../input.ts";
import {
  chosenColumns,
  columnsFor,
  isForCards,
  showCards,
  showList,
  showListOrNone,
  wireColumns,
} from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** `bt job list`: unfinished jobs, or the last commands that wrote, newest first. */
export async function listJobs(
  { last, profile }: { readonly last: boolean; readonly profile?: string | undefined },
  context: Context,
): Promise<void> {
  const { io } = context;
  const tracker = profile === undefined ? undefined : profileAddress(profile, readSettings(io));
  const isWanted = ({ job }: StoredJob) => tracker === undefined || !job || job.head.tracker === tracker;
  const stored = (last ? [...newestJobs(io)] : openJobs(io)).filter(isWanted);
  const rows = stored.flatMap(({ job }) => (job ? [jobRow(job)] : [])).slice(0, last ? LAST : undefined);
  const names = last ? ["started", "operation", "ids", "created", "state", "job"] : ["job", "state", "what", "started"];
  const damaged = last ? [] : stored.filter(({ job }) => job === undefined);
  const none = last ? "no writes in the journal" : "no open jobs";
  await showListOrNone(context, { columns: shownColumns(names, rows, context), pages: [rows] }, none);
  if (damaged.length > 0) throw damagedJobError(damaged.map(({ name }) => name).join(" "));
}

const LAST = 50;

type JobRow = ReturnType<typeof jobRow>;

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

/** Columns for programs; a terminal shows some of them in another order. */
const COLUMNS: readonly Column<JobRow>[] = [
  { name: "job", heading: "Job", value: ({ job }) => job, shrink: "never" },
  { name: "status", heading: "Status", value: ({ status }) => status },
  { name: "state", heading: "State", value: ({ state }) => state, shrink: "never" },
  { name: "operation", heading: "Operation", value: ({ operation }) => operation, shrink: "never" },
  { name: "what", heading: "What", value: ({ what }) => what },
  {
    name: "ids",
    heading: "IDs",
    value: ({ ids }) => ids,
    text: ({ ids }) => ids.join(", "),
    shrink: "first",
    optional: 3,
  },
  {
    name: "created",
    heading: "Created",
    value: ({ created }) => created,
    text: ({ created }) => [created ?? []].flat().join(", "),
    shrink: "first",
    optional: 2,
  },
  {
    name: "started",
    heading: "Time",
    value: ({ started }) => started,
    cell: ({ started }, view) => shortRelativeTime(started, view),
    optional: 4,
  },
  {
    name: "tracker",
    heading: "Tracker",
    value: ({ tracker }) => tracker,
    cell: ({ tracker }) => parsedUrl(tracker)?.host || tracker, // "bugs.example.org", "local:team"
    optional: 5,
  },
];

/** The chosen columns; a terminal shows these, and the tracker if there are several. */
function shownColumns(names: string[], rows: JobRow[], context: Context): readonly Column<JobRow>[] {
  if (!isForCards(context) || context.output.fields) return chosenColumns(COLUMNS, context);
  const isOneTracker = new Set(rows.map(({ tracker }) => tracker)).size <= 1;
  return columnsNamed(COLUMNS, ...(isOneTracker ? names : [...names, "tracker"]));
}

type ShownJob = JobCard & JobRow;

/** `bt job show`: jobs as cards on a terminal. */
export async function showJobs(input: SharedInput, context: Context): Promise<void> {
  const shown = input.args.map((word) => shownJob(findJob(word, context.io)));
  if (isForCards(context)) {
    const cards = shown.map((one) => jobCard(one, context.output.view));
    return showCards(context, cards);
  }
  await showList(context, { columns: columnsFor(shown, wireColumns<ShownJob>(KEYS), context), pages: [shown] });
}

const KEYS: readonly (keyof ShownJob)[] = ["job", "status", "state", "what", "started", "tracker", "writes"];

function shownJob({ name, job, state, isOpen }: StoredJob): ShownJob {
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
