import { bugsByMessage } from "../../api/bug-messages.ts";
import { writeKind } from "../../api/delivery/write-kinds.ts";
import type { Job } from "../../jobs/job.ts";
import { readNamedJob } from "../../jobs/job-files.ts";
import { bugOutcomes, type JobState, jobState, stateText } from "../../jobs/job-states.ts";
import { unreadableJobsError, updatedIds } from "../../jobs/job-text.ts";
import { type JobCard, jobCard } from "../../view/cards.ts";
import { timestamp } from "../../wire/time.ts";
import type { SharedInput } from "../input.ts";
import { columnsFor, isForCards, showCards, showList, wireColumns } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** A job as JSON, without the fingerprint of its credential: what its card shows, and the objects that it is about. */
type ShownJob = Omit<JobCard, "failures"> & {
  status: JobState;
  ids: string[];
};

/** `bt job show`: jobs as cards on a terminal. */
export async function showJobs(input: SharedInput, context: Context): Promise<void> {
  const jobs: ShownJob[] = [];
  const unreadable: string[] = [];
  for (const { name, job, isOpen } of input.args.map((word) => readNamedJob(word, context.io))) {
    if (job) jobs.push(shownJob(job, isOpen));
    else unreadable.push(name);
  }
  if (unreadable.length > 0) throw unreadableJobsError(unreadable);
  if (isForCards(context)) {
    return showCards(
      context,
      jobs.map((job) => {
        const failures = job.failed.map(({ id, message }) => ({ bug: String(id), message }));
        return jobCard({ ...job, failures: bugsByMessage(failures, (names) => names.join(", ")) }, context.output.view);
      }),
    );
  }
  await showList(context, { columns: columnsFor(jobs, wireColumns<ShownJob>(KEYS), context), pages: [jobs] });
}

const KEYS: readonly (keyof ShownJob)[] = ["job", "status", "state", "what", "started", "tracker"];

function shownJob(job: Job, isOpen: boolean): ShownJob {
  const { head, attempts } = job;
  const { method, path, body } = head.request;
  const { done, unchanged, failed, unknown, untried } = bugOutcomes(job);
  return {
    job: head.job,
    status: jobState(job, isOpen),
    state: stateText(job, isOpen),
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
    attempts: attempts.map(({ sent, end }) => ({
      time: timestamp(sent.at),
      result: end?.st ?? "UNKNOWN",
      ...(sent.ids ? { ids: sent.ids } : {}),
      ...(end && "message" in end ? { message: end.message } : {}),
    })),
  };
}
