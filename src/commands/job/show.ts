import { bugsByMessage } from "../../api/bug-messages.ts";
import { writeKind } from "../../api/delivery/write-kinds.ts";
import { commandName, type Job } from "../../jobs/job.ts";
import { isOpenJob, readCommandJobs, readNamedJob } from "../../jobs/job-files.ts";
import { bugOutcomes, type JobState, jobState, nextStep, stateText } from "../../jobs/job-states.ts";
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
  const stored = [...found.values()].map((job) => {
    const isOpen = isOpenJob(job, io);
    return { shown: shownJob(job, isOpen, undone), next: isOpen ? nextStep(job) : undefined };
  });
  if (isForCards(context))
    return showCards(
      context,
      stored.map(({ shown, next }) => cardOf(shown, next, context)),
    );
  const jobs = stored.map(({ shown }) => shown);
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

function cardOf(shown: ShownJob, next: string | undefined, context: Context): string {
  const failed = shown.failed.map(({ id, ...why }) => ({ bug: String(id), ...why }));
  const failures = bugsByMessage(failed, (names) => names.join(", "));
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
    failed: failed.map(({ id, message, hint }) => ({ id, message, ...(hint !== undefined && { hint }) })),
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
