import { bugsByMessage } from "../../api/bug-messages.ts";
import { writeKind } from "../../api/delivery/write-kinds.ts";
import { commandName, type Job } from "../../jobs/job.ts";
import { isOpenJob, readCommandJobs, readNamedJob } from "../../jobs/job-files.ts";
import { bugOutcomes, JOB_STATES, type JobState, jobState, stateText } from "../../jobs/job-states.ts";
import { unreadableJobsError, updatedIds } from "../../jobs/job-text.ts";
import { jobsUndone, readUndoneChanges, type UndoneChanges } from "../../jobs/past-changes.ts";
import { type JobCard, jobCard } from "../../view/cards.ts";
import { timestamp } from "../../wire/time.ts";
import type { SharedInput } from "../input.ts";
import { columnsFor, isForCards, showCards, showList, wireColumns } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** A job as JSON, without the fingerprint of its credential: what its card shows, and the objects that it is about. */
type ShownJob = Omit<JobCard, "failures" | "next"> & {
  status: JobState;
  ids: (number | string)[];
  undone_by: string[];
};

/** `bt job show`: jobs as cards on a terminal; the first job of a command, which names it, with all others of the command. */
export async function showJobs(input: SharedInput, context: Context): Promise<void> {
  const { io } = context;
  const found = new Map<string, Job>();
  const unreadable: string[] = [];
  for (const { name, job } of input.args.map((word) => readNamedJob(word, io))) {
    if (job === undefined) unreadable.push(name);
    else if (commandName(job.head) !== name) found.set(name, job);
    else for (const one of readCommandJobs(job, io)) found.set(one.head.job, one);
  }
  if (unreadable.length > 0) throw unreadableJobsError(unreadable);
  const [oldest] = [...found.keys()].sort();
  const undone = readUndoneChanges({ oldest }, io);
  const open = new Set([...found.values()].filter((job) => isOpenJob(job, io)).map(({ head }) => head.job));
  const jobs = [...found.values()].map((job) => shownJob(job, open.has(job.head.job), undone));
  if (isForCards(context))
    return showCards(
      context,
      jobs.map((shown) => cardOf(shown, open.has(shown.job), context)),
    );
  await showList(context, { columns: columnsFor(jobs, wireColumns<ShownJob>(KEYS), context), pages: [jobs] });
}

const KEYS: readonly (keyof ShownJob)[] = [
  "job",
  "status",
  "state",
  "what",
  "started",
  "tracker",
  "request",
  "attempts",
];

function cardOf(shown: ShownJob, isOpen: boolean, context: Context): string {
  const failed = shown.failed.map(({ id, message }) => ({ bug: String(id), message }));
  const failures = bugsByMessage(failed, (names) => names.join(", "));
  const next = isOpen ? JOB_STATES[shown.status].next?.replaceAll("JOB", shown.job) : undefined;
  return jobCard({ ...shown, failures, next }, context.output.view);
}

function shownJob(job: Job, isOpen: boolean, changes: UndoneChanges): ShownJob {
  const { head, attempts } = job;
  const { method, path, body } = head.request;
  const undone = jobsUndone([job], changes);
  const { done, unchanged, failed, unknown, untried } = bugOutcomes(job);
  return {
    job: head.job,
    status: jobState(job, isOpen),
    state: `${stateText(job, isOpen)}${undone.text}`,
    what: writeKind(head.request).describe(head.request),
    started: timestamp(head.at),
    tracker: head.origin,
    user: head.user ?? null,
    request: { method, path, ...(body === undefined ? {} : { body }) },
    ids: updatedIds(head.request),
    done,
    unchanged,
    failed: failed.map(({ id, message }) => ({ id, message })),
    open: [...failed.map(({ id }) => id), ...unknown, ...untried].sort((one, other) => one - other),
    undone_by: undone.by,
    attempts: attempts.map(({ sent, end }) => ({
      time: timestamp(sent.at),
      result: end?.st.toLowerCase() ?? "unknown",
      ...(sent.ids ? { ids: sent.ids } : {}),
      ...(end && "message" in end ? { message: end.message } : {}),
    })),
  };
}
