import type { Job } from "../../jobs/job.ts";
import { jobState } from "../../jobs/job.ts";
import { findJob, readCommandJobs } from "../../jobs/job-files.ts";
import { jobText, resultText, updatedIds, writeResult } from "../../jobs/job-text.ts";
import { damagedJobError } from "../../jobs/journal.ts";
import { jobsUndone, readUndoneChanges, type UndoneChanges } from "../../jobs/past-changes.ts";
import { type JobCard, jobCard } from "../../view/cards.ts";
import { timestamp } from "../../wire/time.ts";
import type { SharedInput } from "../input.ts";
import { columnsFor, isForCards, showCards, showList, wireColumns } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** A job as JSON. */
type ShownJob = Omit<JobCard, "next"> & { ids: (number | string)[]; undone_by: string[] };

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
  const undone = readUndoneChanges({ oldest: [...jobs.keys()].sort()[0] }, io);
  const shown = [...jobs.values()].map((job) => shownJob(job, undone));
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

function shownJob(job: Job, changes: UndoneChanges): ShownJob {
  const { head, writes } = job;
  const undone = jobsUndone([job], changes);
  return {
    job: head.job,
    status: jobState(job),
    state: `${resultText(job)}${undone.text}`,
    what: jobText(job),
    started: timestamp(head.at),
    tracker: head.tracker,
    user: head.user ?? null,
    ids: updatedIds(writes),
    undone_by: undone.by,
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
