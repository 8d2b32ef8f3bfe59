import { requestBody } from "../../api/write/update-request.ts";
import { usage } from "../../errors.ts";
import { storedJob, withJob } from "../../jobs/files.ts";
import { isUnsent, type Job } from "../../jobs/job.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { formChecks } from "../bug/write/create.ts";
import { fillForm } from "../bug/write/create-form.ts";
import { missingFields, valuesOfBody } from "../bug/write/new-bug.ts";
import { mayPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";

/**
 * Sends a job by `send`. On a terminal the draft of a bug is completed by prompts and reviewed first, and stays a draft
 * if the user keeps it; other jobs are sent as they are.
 * @throws BtError of kind usage without a prompt, naming all that the draft of a bug lacks
 */
export async function sendReviewed(name: string, send: () => Promise<void>, context: Context): Promise<void> {
  const { io, session } = context;
  const job = bugDraft(name, context);
  if (job === undefined) return send();
  const values = valuesOfBody(requestBody(job.head.request));
  if (!io.terminal.stdout || !mayPrompt(io, session.settings)) {
    const missing = missingFields(values).map((parameter) => parameter.name);
    const lacks = values.description ? missing : [...missing, "description"];
    if (lacks.length === 0) return send();
    throw usage(`draft ${name} lacks ${lacks.join(", ")}`, "send it on a terminal, with prompts");
  }
  const keep = async (body: JsonObject) => {
    await storeBody(job, body, context);
    return name;
  };
  const submit = async (body: JsonObject) => {
    await storeBody(job, body, context);
    return send();
  };
  await fillForm(values, { ...formChecks(context), submit, keep, isReviewed: true }, context);
}

/** The job if it is the draft of a bug on this tracker. */
function bugDraft(name: string, { io, session }: Context): Job | undefined {
  const stored = storedJob(name, io);
  const job = stored?.isOpen ? stored.job : undefined;
  const isDraft = job?.head.draft === true && job.head.request.operation === "Create Bug" && isUnsent(job);
  return isDraft && job.head.origin === session.address ? job : undefined;
}

async function storeBody({ head }: Job, body: JsonObject, { io }: Context): Promise<void> {
  await withJob({ job: head.job, isNew: false }, io, async ({ replace, lines }) => {
    if (lines.length > 1) throw usage(`job ${head.job} was sent in the meantime`);
    replace([JSON.stringify({ ...head, request: { ...head.request, body } })]);
  });
}
