import { randomBytes } from "node:crypto";
import { writeKind } from "../../api/delivery/write-kinds.ts";
import { checkedText } from "../../api/write/limits.ts";
import { requestBody } from "../../api/write/update-request.ts";
import { type BtError, usageError } from "../../errors.ts";
import { isUnsent, type Job } from "../../jobs/job.ts";
import { readNamedJob, withJob } from "../../jobs/job-files.ts";
import { JOB_STATES, jobState } from "../../jobs/job-states.ts";
import { unreadableJobsError } from "../../jobs/job-text.ts";
import { ulid } from "../../jobs/ulid.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { SharedInput } from "../input.ts";
import { editText } from "../shared/text/editor.ts";
import type { Context } from "../verb.ts";

/** `bt job edit`: edits the text of a job that was never sent, or makes a draft of a refused bug or comment. */
export async function editJob(input: SharedInput, context: Context): Promise<void> {
  const { name, job, isOpen } = readNamedJob(input.args[0] ?? "", context.io);
  if (job === undefined) throw unreadableJobsError([name]);
  const text = editableText(job, isOpen);
  const instead = `run it in a terminal: bt job edit ${name}`;
  const written = await editText({ name: text.name, start: `${text.value}\n`, instead }, context);
  const edited = checkedText(text.name, written);
  const draft = isOpen ? name : ulid(context.io.now().getTime(), randomBytes(10));
  await withJob({ job: draft, isNew: !isOpen }, context.io, async ({ replace, append, lines }) => {
    if (lines.length > 1) throw notEditableError(job, "was sent in the meantime");
    const head = { ...job.head, job: draft, request: text.request(edited), draft: true };
    if (isOpen) replace([JSON.stringify(head)]);
    else append(JSON.stringify({ ...head, at: context.io.now().getTime() }));
  });
  await context.io.out(`${draft}\n`);
  if (context.io.terminal.stderr) await context.io.err(`bt job send ${draft} sends it\n`);
}

/** A text of a request, and the request with another text. */
type RequestText = {
  name: string;
  value: string;
  request: (text: string) => Request;
};

/**
 * The text of a job that may be edited.
 * @throws BtError of kind usage with the reason
 */
function editableText(job: Job, isOpen: boolean): RequestText {
  const { request } = job.head;
  const text = textInRequest(request, job.head.draft === true);
  if (text === undefined) throw notEditableError(job, `has no text: ${writeKind(request).describe(request)}`);
  const state = jobState(job, isOpen);
  if (isOpen ? isUnsent(job) : state === "failed" && request.operation !== "Update Bug") return text;
  throw notEditableError(job, (isOpen ? JOB_STATES[state].fixed : undefined) ?? "is already complete");
}

/** Text of a request; the description of a draft may be missing yet. */
function textInRequest(request: Request, isDraft: boolean): RequestText | undefined {
  const body = requestBody(request);
  const change = (values: JsonObject): Request => ({ ...request, body: { ...body, ...values } });
  const { description = isDraft ? "" : undefined, comment } = body;
  if (request.operation === "Create Bug" && typeof description === "string")
    return { name: "description", value: description, request: (text) => change({ description: text }) };
  if (request.operation === "Create Comments" && typeof comment === "string")
    return { name: "comment", value: comment, request: (text) => change({ comment: text }) };
  if (request.operation === "Update Bug" && isObject(comment) && typeof comment["body"] === "string")
    return {
      name: "comment",
      value: comment["body"],
      request: (text) => change({ comment: { ...comment, body: text } }),
    };
  return undefined;
}

function notEditableError({ head }: Job, why: string): BtError {
  return usageError(`job ${head.job} cannot be edited: it ${why}`, `bt job show ${head.job} shows it`);
}
