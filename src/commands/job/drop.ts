import { readSettings } from "../../config/settings.ts";
import { BtError, usageError } from "../../errors.ts";
import type { JobState } from "../../jobs/job.ts";
import { dropJob, findJob, type StoredJob } from "../../jobs/job-files.ts";
import { jobText, resultText } from "../../jobs/job-text.ts";
import { note } from "../../session/note.ts";
import { countText, plain } from "../../view/text.ts";
import { confirmationPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";

/** Input of `bt job drop`. */
type JobDropInput = { args: string[]; readonly yes: boolean };

/** `bt job drop`: removes jobs, after saying what would be lost. */
export async function dropJobs(input: JobDropInput, context: Context): Promise<void> {
  const { io } = context;
  const jobs = new Map(input.args.map((word) => findJob(word, io)).map((one) => [one.name, one]));
  for (const { name, isOpen } of jobs.values())
    if (!isOpen) throw usageError(`job ${name} is finished, or was dropped`, `bt job show ${name} shows it`);
  await confirmDrop([...jobs.values()], input, context);
  for (const name of jobs.keys()) {
    await dropJob(name, io);
    await note(io, `dropped job ${name}`);
  }
}

async function confirmDrop(jobs: StoredJob[], input: JobDropInput, { io }: Context): Promise<void> {
  if (input.yes) return;
  const sentence = `this would drop ${countText(jobs.length, "job")}`;
  const details = jobs.map(lossText);
  const confirm = confirmationPrompt(input, io, readSettings(io));
  if (!confirm) throw new BtError("guard", sentence, { details, hint: "--yes skips the prompt", changed: "nothing" });
  await io.err(`${[`${sentence}:`, ...details.map((line) => `    ${plain(line)}`)].join("\n")}\n`);
  if (!(await confirm("drop?"))) throw new BtError("guard", "nothing dropped", { changed: "nothing" });
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
