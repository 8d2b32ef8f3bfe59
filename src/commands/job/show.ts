import { damagedJobError } from "../../jobs/job.ts";
import { findJob, type StoredJob } from "../../jobs/job-files.ts";
import { jobText, resultText, updatedIds, writeResult } from "../../jobs/job-text.ts";
import { type JobCard, jobCard } from "../../view/job-card.ts";
import { timestamp } from "../../wire/time.ts";
import type { SharedInput } from "../input.ts";
import { columnsFor, isForCards, showCards, showList, wireColumns } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** A job as JSON. */
type ShownJob = JobCard & { ids: (number | string)[] };

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

/** How an open job goes on. */
const NEXT: Readonly<Record<string, string>> = {
  unknown: "bt job send JOB looks for it",
  unfinished: "bt job send JOB continues it",
  draft: "bt job send JOB opens it",
};

function shownJob({ name, job, state, isOpen }: StoredJob): ShownJob {
  if (job === undefined) throw damagedJobError(name);
  const { head, writes } = job;
  return {
    job: head.job,
    status: state,
    next: isOpen ? NEXT[state]?.replace("JOB", name) : undefined,
    state: resultText(job),
    what: jobText(job),
    started: timestamp(head.at),
    tracker: head.tracker,
    user: head.user ?? null,
    ids: updatedIds(writes),
    writes: writes.map((write) => {
      const { method, path, body } = write.request;
      const { at, error } = write;
      return {
        request: { method, path, ...(body === undefined ? {} : { body }) },
        result: writeResult(write),
        ...(at === undefined ? {} : { time: timestamp(at) }),
        ...(error && { message: error.message }),
      };
    }),
  };
}
