import { writeKind } from "../../api/delivery/write-kinds.ts";
import { outcomeResponse } from "../../api/delivery/writer.ts";
import { readChangedItems } from "../../api/response/response-objects.ts";
import { BtError, EXIT_CODES, usage, withDetails, withFacts } from "../../errors.ts";
import { finishedJob, jobMeant, storedJob } from "../../jobs/files.ts";
import { isBulk, isJobFinished, isUnsent, type Job, jobState } from "../../jobs/job.ts";
import { trackerJobs } from "../../jobs/journal.ts";
import type { ResendDecision } from "../../jobs/resume.ts";
import { completeJob, endOutcome } from "../../jobs/resume.ts";
import { stateText } from "../../jobs/stored.ts";
import { errorText } from "../../view/messages.ts";
import { keysInOrder, stableJson } from "../../view/stable.ts";
import { escapeJson, plain } from "../../view/text.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { ChangedBug } from "../../wire/resources.ts";
import { showNumber } from "../bug/write/create.ts";
import { showChanges } from "../shared/changes.ts";
import { isJson } from "../shared/output.ts";
import { confirmationPrompt } from "../shared/prompts.ts";
import { assertTagsApplied } from "../tag/verbs.ts";
import type { Context } from "../verb.ts";
import type { JobSendInput } from "./input.ts";
import { resumeMany } from "./resume-many.ts";
import { sendReviewed } from "./send-draft.ts";

/** `bt job send`: sends or completes a job, and prints what the original command would have printed. */
export async function sendJob(input: JobSendInput, context: Context): Promise<void> {
  const jobs = await trackerJobs(context.session);
  const name = jobMeant(input.args[0] ?? "", context.io);
  const past = finishedJob(name, context.io);
  if (past) return showPast(past, context);
  const mayResend = resendDecision(input, context);
  const send = () =>
    jobs.resume(name, async (job, kept) => {
      if (isBulk(kept)) {
        return resumeMany(job, kept, mayResend, context);
      }
      await show(outcomeResponse(await completeJob(job, kept, mayResend)), kept, context);
    });
  await sendReviewed(name, send, context).catch((error) => {
    throw stillOpen(error, name, context);
  });
}

/** Resends writes that are not found with `--resend`, or if the user says so on a terminal. */
function resendDecision(input: JobSendInput, { io, session, output }: Context): ResendDecision {
  return async ({ error, isChecked }) => {
    if (!isChecked) return false;
    const isTold = input.resend;
    const confirm = isTold ? undefined : confirmationPrompt(input, io, session.settings);
    if (!isTold && confirm === undefined) return false;
    const message = isTold ? `${error.message}; resending it` : error.message;
    const seen = { kind: error.kind, exit_code: EXIT_CODES.unknown.code, message, details: error.facts.details };
    await io.err(errorText(seen, output.view));
    return confirm === undefined || confirm("resend it?");
  };
}

/** The error of a tracker that cannot be reached, or refuses a draft, with the state of the job and the way on. */
function stillOpen(error: unknown, name: string, { io }: Context): unknown {
  if (!(error instanceof BtError) || error.facts.changed !== "nothing") return error;
  const stored = storedJob(name, io);
  const job = stored?.job;
  if (error.kind === "network") {
    const explained = withDetails(error, job ? [`nothing was sent; the job stays ${jobState(job)}`] : []);
    return withFacts(explained, { hint: `when the tracker can be reached: bt job send ${name}` });
  }
  const isRefusal = error.facts.bugzillaCode !== undefined;
  if (!isRefusal || !stored?.isOpen || job === undefined || jobState(job) !== "draft") return error;
  const fields =
    job.head.request.operation === "Create Bug" ? `; bt job send ${name} on a terminal edits its fields` : "";
  return withFacts(withDetails(error, ["the job stays draft"]), {
    hint: `bt job edit ${name} edits its text${fields}`,
  });
}

/** Reports the result of a finished job; sends nothing. */
async function showPast(past: Job, context: Context): Promise<void> {
  const { head, attempts } = past;
  if (isUnsent(past)) throw usage(`job ${head.job} was dropped and not sent`, "run the command again");
  if (!isJobFinished(past)) {
    throw usage(`job ${head.job} was dropped: ${stateText(past)}`, "check the tracker, and run the command again");
  }
  const end = attempts.at(-1)?.end;
  await context.io.err(`job ${head.job} is already complete\n`);
  if (isBulk(past) || end === undefined) return;
  await show(outcomeResponse(endOutcome(end, wayOn(past))), past, context);
}

/** Hint for a job that ended in an error. */
function wayOn({ head, attempts }: Job): string | undefined {
  if (EDITABLE.has(head.request.operation)) return `bt job edit ${head.job} makes a draft of its text`;
  const end = attempts.at(-1)?.end;
  return end?.st === "FAILED" && end.kind === "network" ? "it was not sent: run the command again" : undefined;
}

/** Operations of which `bt job edit` makes a draft after a refusal. */
const EDITABLE: ReadonlySet<string | undefined> = new Set(["Create Bug", "Create Comments"]);

async function show(answer: Json, { head }: Job, context: Context): Promise<void> {
  if (isObject(answer) && Array.isArray(answer["bugs"])) {
    return showChanges(
      readChangedItems<ChangedBug>(answer, "bugs"),
      [{ bugs: [], body: head.request.body as JsonObject }],
      context,
    );
  }
  if (Array.isArray(answer)) assertTagsApplied(head.request, answer);
  if (isJson(context) || !isObject(answer)) return context.io.out(`${escapeJson(JSON.stringify(ordered(answer)))}\n`);
  if (head.request.operation === "Create Bug") {
    return showNumber(Number(answer["id"]), context);
  }
  if (context.io.terminal.stdout)
    await context.io.err(`${plain(writeKind(head.request).describe(head.request))} was applied\n`);
  const [created = answer] = [answer["id"] ?? answer["ids"] ?? []].flat();
  await context.io.out(`${escapeJson(JSON.stringify(created))}\n`);
}

function ordered(answer: Json): Json {
  if (!isObject(answer)) return stableJson(answer);
  return stableJson(
    Object.fromEntries(keysInOrder(Object.keys(answer), ["id"]).map((key) => [key, answer[key] ?? null])),
  );
}
