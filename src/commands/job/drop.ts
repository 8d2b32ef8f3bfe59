import { readSettings } from "../../config/settings.ts";
import { BtError, usageError } from "../../errors.ts";
import type { JobState } from "../../jobs/job.ts";
import { dropJob, findJob, type StoredJob } from "../../jobs/job-files.ts";
import { jobText, resultText } from "../../jobs/job-text.ts";
import { note } from "../../session/note.ts";
import { countText } from "../../view/text.ts";
import { confirmTask } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";

/** Input of `bt job drop`. */
type JobDropInput = { args: string[]; readonly yes: boolean };

/** `bt job drop`: removes jobs, after saying what would be lost. */
export async function dropJobs(input: JobDropInput, context: Context): Promise<void> {
  const { io } = context;
  const found = input.args.map((word) => findJob(word, io));
  const jobs = [...new Map(found.map((one) => [one.name, one])).values()];
  for (const { name, isOpen } of jobs)
    if (!isOpen) throw usageError(`job ${name} is finished, or was dropped`, `bt job show ${name} shows it`);
  const task = `drop ${countText(jobs.length, "job")}`;
  if (!input.yes && !(await confirmTask(task, jobs.map(lossText), input, { io, settings: readSettings(io) })))
    throw new BtError("guard", "nothing dropped", { changed: "nothing" });
  for (const job of jobs) {
    await dropJob(job, io);
    await note(io, `dropped job ${job.name}`);
  }
}

/** One line on what dropping a job loses. */
function lossText({ name, job, state }: StoredJob): string {
  if (job === undefined) return `${name}: the journal cannot be read; its writes may or may not be applied`;
  return `${name}: ${jobText(job)} (${resultText(job)}) ${LOSS[state]}`;
}

const LOSS: Readonly<Record<JobState, string>> = {
  unknown: "may or may not be applied, and bt can no longer look for it",
  unfinished: "would not be continued",
  draft: "would not be sent, and its text is lost",
  done: "is finished",
};
