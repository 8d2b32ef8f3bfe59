import type { Job } from "../../jobs/job.ts";
import { jobState } from "../../jobs/job.ts";
import { findJob, readCommandJobs } from "../../jobs/job-files.ts";
import { jobText, resultText, updatedIds, writeResult } from "../../jobs/job-text.ts";
import { damagedJobError } from "../../jobs/journal.ts";
import { type JobCard, jobCard } from "../../view/cards.ts";
import { timestamp } from "../../wire/time.ts";
import type { SharedInput } from "../input.ts";
import { columnsFor, isForCards, showCards, showList, wireColumns } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** A job as JSON. */
type ShownJob = Omit<JobCard, "next"> & { ids: (number | string)[] };

/** `bt job show`: jobs as cards on a terminal; the first job of a command shows all of it. */
export async function showJobs(input: SharedInput, context: Context): Promise<void> {
  const { io } = context;
  const jobs = new Map<string, Job>();
  for (const word of input.args) {
    const { name, job } = findJob(word, io);
    if (job === undefined) throw damagedJobError(name);
    const own = job.head.of ? [job] : readCommandJobs(job, io);
    for (const one of own) jobs.set(one.head.job, one);
  }
  const shown = [...jobs.values()].map(shownJob);
  if (isForCards(context)) {
    const cardOf = (one: ShownJob) => {
      const next = findJob(one.job, io).isOpen ? NEXT[one.status] : undefined;
      return jobCard({ ...one, next: next?.replace("JOB", one.job) }, context.output.view);
    };
    return showCards(context, shown.map(cardOf));
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

function shownJob(job: Job): ShownJob {
  const { head, writes } = job;
  return {
    job: head.job,
    status: jobState(job),
    state: resultText(job),
    what: jobText(job),
    started: timestamp(head.at),
    tracker: head.tracker,
    user: head.user ?? null,
    ids: updatedIds(writes),
    writes: writes.map((write) => {
      const { method, path, body } = write.request;
      const { outcome, at } = write;
      return {
        request: { method, path, ...(body === undefined ? {} : { body }) },
        result: writeResult(write),
        ...(at === undefined ? {} : { time: timestamp(at) }),
        ...(outcome && "error" in outcome ? { message: outcome.error.message } : {}),
      };
    }),
  };
}
