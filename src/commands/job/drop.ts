import { writeKind } from "../../api/delivery/write-kinds.ts";
import { readSettings } from "../../config/settings.ts";
import { BtError, usageError } from "../../errors.ts";
import { isBulk, isUnsent } from "../../jobs/job.ts";
import { dropJob, type NamedJob, readNamedJob, resolveJobName } from "../../jobs/job-files.ts";
import { isJobFinished, JOB_STATES, jobState, stateText } from "../../jobs/job-states.ts";
import { countText, plain } from "../../view/text.ts";
import { confirmationPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";
import type { JobDropInput } from "./flags.ts";

/** `bt job drop`: removes jobs from the queue, after saying what would be lost. */
export async function dropJobs(input: JobDropInput, context: Context): Promise<void> {
  const { io } = context;
  const jobs = [...new Set(input.args.map((word) => resolveJobName(word, io)))].map((name) => readNamedJob(name, io));
  const over = jobs.find(({ isOpen }) => !isOpen);
  if (over) {
    const isDropped = over.job !== undefined && (isUnsent(over.job) || !isJobFinished(over.job));
    const state = isDropped ? "was already dropped" : "is already complete";
    throw usageError(`job ${over.name} ${state}`, `bt job show ${over.name} shows it`);
  }
  const unsure = jobs.filter((one) => jobOutcome(one) === "unknown");
  if (unsure.length > 0 && !input.force) throw unknownOutcomeError(unsure);
  await confirmJobDrop(jobs, input, context);
  for (const job of jobs) {
    await dropJob(job.name, job.job, io);
    await io.err(`dropped job ${job.name}\n`);
  }
}

function jobOutcome({ job }: NamedJob): string {
  return job === undefined ? "unknown" : jobState(job);
}

function unknownOutcomeError(jobs: NamedJob[]): BtError {
  const names = jobs.map(({ name }) => name).join(" ");
  return new BtError("guard", `the outcome of job ${names} is unknown`, {
    details: jobs.map(lossText),
    hint: `bt job send ${jobs[0]?.name} verifies it; --force drops it unverified`,
    changed: "nothing",
  });
}

async function confirmJobDrop(jobs: NamedJob[], input: JobDropInput, { io }: Context): Promise<void> {
  if (input.yes) return;
  const sentence = `this would drop ${countText(jobs.length, "job")}`;
  const details = jobs.map(lossText);
  const confirm = confirmationPrompt(input, io, readSettings(io));
  if (!confirm) throw new BtError("guard", sentence, { details, hint: "--yes skips the prompt", changed: "nothing" });
  await io.err(`${[`${sentence}:`, ...details.map((line) => `    ${plain(line)}`)].join("\n")}\n`);
  if (!(await confirm("drop?"))) throw new BtError("guard", "nothing dropped", { changed: "nothing" });
}

/** One line on what dropping a job loses. */
function lossText({ name, job }: NamedJob): string {
  if (job === undefined) return `${name}: the journal cannot be read; its writes may or may not be applied`;
  const what = writeKind(job.head.request).describe(job.head.request);
  const progress = isBulk(job) && !isUnsent(job) ? ` (${stateText(job)})` : "";
  return `${name}: ${what}${progress} ${JOB_STATES[jobState(job)].loss}`;
}
