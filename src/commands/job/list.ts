import { profileAddress } from "../../config/choose-tracker.ts";
import { readSettings } from "../../config/settings.ts";
import { createdIdsOf, damagedJobError, type Job, jobState } from "../../jobs/job.ts";
import { listJobs as listOpenJobs, newestJobs, type StoredJob } from "../../jobs/job-files.ts";
import { jobText, resultText, updatedIds, writesText } from "../../jobs/job-text.ts";
import { note } from "../../session/note.ts";
import { type Column, columnsNamed } from "../../view/column.ts";
import { shortRelativeTime } from "../../view/times.ts";
import { timestamp } from "../../wire/time.ts";
import { parsedUrl } from "../../wire/url.ts";
import { chosenColumns, isForCards, showListOrNone } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** `bt job list`: unfinished jobs, or the last commands that wrote, newest first. */
export async function listJobs(
  { last, profile }: { readonly last: boolean; readonly profile?: string | undefined },
  context: Context,
): Promise<void> {
  const { io } = context;
  const tracker = profile === undefined ? undefined : profileAddress(profile, readSettings(io));
  const isWanted = ({ job }: StoredJob) => tracker === undefined || !job || job.head.tracker === tracker;
  const stored = (last ? [...newestJobs(io)] : listOpenJobs(io)).filter(isWanted);
  const jobs = stored.flatMap(({ job }) => job ?? []).slice(0, last ? LAST : undefined);
  const rows = jobs.map((job) => ({ ...jobRow(job), ...(last && { what: writesText(job.writes) }) }));
  const names = last ? ["started", "operation", "ids", "created", "state", "job"] : ["job", "state", "what", "started"];
  const damaged = last ? [] : stored.filter(({ job }) => job === undefined);
  const none = last ? "no writes in the journal" : `no ${damaged.length > 0 ? "other " : ""}open jobs`;
  const shown = await showListOrNone(context, { columns: shownColumns(names, rows, context), pages: [rows] }, none);
  if (!last && shown > 0 && io.terminal.stdout)
    await note(io, "bt job send JOB sends or resumes one of them; bt job drop JOB drops it");
  if (damaged.length > 0) throw damagedJobError(damaged.map(({ name }) => name).join(" "));
}

const LAST = 50;

type JobRow = ReturnType<typeof jobRow>;

function jobRow(job: Job) {
  const { head, writes } = job;
  const created = writes.flatMap(createdIdsOf);
  return {
    job: head.job,
    started: timestamp(head.at),
    operation: head.command,
    what: jobText(job),
    ids: updatedIds(writes),
    created: created.length > 1 ? created : (created[0] ?? null),
    state: resultText(job),
    tracker: head.tracker,
    status: jobState(job),
  };
}

/** Columns for programs; a terminal shows some of them in another order. */
const COLUMNS: readonly Column<JobRow>[] = [
  { name: "job", heading: "Job", value: ({ job }) => job, shrink: "never" },
  { name: "status", heading: "Status", value: ({ status }) => status },
  {
    name: "state",
    heading: "State",
    value: ({ state }) => state,
    cell: ({ state }) => state.replaceAll(/ \(code [^)]*\)/g, ""), // bt job show has all
    shrink: "never",
  },
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
