import { isUnsent } from "../../api/delivery/job-state.ts";
import { type Job, readJob } from "../../api/delivery/journal.ts";
import { requestBody } from "../../api/delivery/write.ts";
import { storedJob, withJob } from "../../config/jobs.ts";
import { usage } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { formChecks } from "../bug/create.ts";
import { fillForm } from "../bug/create-form.ts";
import { flagsOfBody, missingFields } from "../bug/new-bug.ts";
import { mayPrompt } from "../prompts.ts";
import type { Context } from "../verb.ts";

/**
 * Prompts for what the draft of a bug lacks, and stores it; other jobs are left as they are. False if the user keeps it
 * as a draft.
 * @throws BtError of kind usage without a prompt, naming all missing fields
 */
export async function completeDraft(name: string, context: Context): Promise<boolean> {
  const { io, session } = context;
  const job = bugDraft(name, context);
  if (job === undefined) return true;
  const flags = flagsOfBody(requestBody(job.head.request));
  const missing = missingFields(flags).map((parameter) => parameter.name);
  if (missing.length === 0) return true;
  if (!mayPrompt(io, session.settings)) {
    throw usage(`draft ${name} lacks required fields: ${missing.join(", ")}`, "send it on a terminal, with prompts");
  }
  const keep = async (body: JsonObject) => {
    await storeBody(job, body, context);
    return name;
  };
  const steps = { ...formChecks(context), submit: keep, keep, isReviewed: true };
  return (await fillForm(flags, steps, context)) !== undefined;
}

/** The job if it is the draft of a bug on this tracker. */
function bugDraft(name: string, { io, session }: Context): Job | undefined {
  const stored = storedJob(name, io);
  const job = stored?.isOpen ? readJob(stored.lines) : undefined;
  const isDraft = job?.head.draft === true && job.head.request.operation === "Create Bug" && isUnsent(job);
  return isDraft && job.head.origin === session.address ? job : undefined;
}

async function storeBody({ head }: Job, body: JsonObject, { io }: Context): Promise<void> {
  await withJob({ job: head.job, isNew: false }, io, async ({ replace, lines }) => {
    if (lines.length > 1) throw usage(`job ${head.job} was sent in the meantime`);
    replace([JSON.stringify({ ...head, request: { ...head.request, body } })]);
  });
}
