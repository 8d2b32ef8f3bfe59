import { readSettings } from "../../config/settings.ts";
import { BtError, usageError } from "../../errors.ts";
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
  const jobs = input.args.map((word) => findJob(word, io));
  for (const { name, isOpen } of jobs)
    if (!isOpen) throw usageError(`job ${name} is finished, or was dropped`, `bt job show ${name} shows it`);
  const task = `drop ${countText(jobs.length, "job")}`;
  if (!input.yes && !(await confirmTask(task, jobs.map(lossText), input, { io, settings: readSettings(io) })))
    throw new BtError("guard", "nothing dropped");
  for (const job of jobs) {
    await dropJob(job, io);
    await note(io, `dropped job ${job.name}`);
  }
}

/** A job in a line: what dropping it loses. */
function lossText({ name, job }: StoredJob): string {
  return `${name}: ${job ? `${jobText(job)} (${resultText(job)})` : "damaged journal"}`;
}
