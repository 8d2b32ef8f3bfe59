import { bugsByMessage } from "../../api/bug-messages.ts";
import { type BugResult, confirmedResults, failedResults } from "../../api/delivery/bulk.ts";
import type { RunningJob } from "../../api/delivery/running-job.ts";
import { createdIds } from "../../api/delivery/verify-attachment.ts";
import type { WriteAttempt } from "../../api/delivery/write.ts";
import { writeKind } from "../../api/delivery/write-kinds.ts";
import { outcomeResponse } from "../../api/delivery/writer.ts";
import { MAX_ATOMIC_BUGS } from "../../api/operations/write-bugs.ts";
import { readChangedItems, readTags } from "../../api/response/response-objects.ts";
import { assertTagsApplied } from "../../api/write/read-back.ts";
import type { UpdatePart } from "../../api/write/update-part.ts";
import { requestBody, writeTargets } from "../../api/write/update-request.ts";
import { BtError, EXIT_CODES, usageError, withDetails, withFacts } from "../../errors.ts";
import { findBugDraft } from "../../jobs/draft.ts";
import { attemptWrite, commandName, isBulk, isUnsent, type Job, jobBugs, unresolvedAttempts } from "../../jobs/job.ts";
import { findStoredJob, noSuchJobError, readFinishedJob, resolveJobName, withJob } from "../../jobs/job-files.ts";
import { bugOutcomes, isJobFinished, jobState, stateText } from "../../jobs/job-states.ts";
import { loadTrackerJobs } from "../../jobs/journal.ts";
import { completeJob, endOutcome, type ResendDecision } from "../../jobs/resume.ts";
import { journaledUnreported, sentParts } from "../../jobs/sent-parts.ts";
import { errorText } from "../../view/messages.ts";
import { stableJson } from "../../view/stable.ts";
import { escapeJson, plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { ChangedBug } from "../../wire/resources.ts";
import { formChecks } from "../bug/write/create.ts";
import { fillForm } from "../bug/write/create-form.ts";
import { missingFields, valuesOfBody } from "../bug/write/new-bug.ts";
import { confirmMany, type ManyPlan, planMany, runJobs } from "../shared/changes/bulk-change.ts";
import type { SentBefore } from "../shared/changes/bulk-read-back.ts";
import { readMoments } from "../shared/changes/date-times.ts";
import { withoutExposed } from "../shared/changes/move-groups.ts";
import { findChangedSince } from "../shared/changes/precondition.ts";
import {
  createdBugText,
  newCommentText,
  resultOf,
  showChanges,
  showCreated,
  shownResult,
  shownThing,
} from "../shared/changes/show-changes.ts";
import { confirmationPrompt, mayPrompt } from "../shared/prompts.ts";
import { readTargetBugs } from "../shared/targets.ts";
import { printTags } from "../tag/search.ts";
import type { Context } from "../verb.ts";
import type { JobSendInput } from "./flags.ts";

/** `bt job send`: sends or completes a job, and prints what the original command would have printed. */
export async function sendJob(input: JobSendInput, context: Context): Promise<void> {
  const jobs = await loadTrackerJobs(context.session);
  const name = resolveJobName(input.args[0] ?? "", context.io);
  const past = readFinishedJob(name, context.io);
  if (past) return reportFinished(past, context);
  if (!findStoredJob(name, context.io)) throw noSuchJobError(name);
  const mayResend = resendDecision(input, context);
  const send = () =>
    jobs.resume(name, async (job, stored) => {
      if (isBulk(stored)) {
        return resumeMany(job, stored, { input, mayResend }, context);
      }
      await printJobResponse(outcomeResponse(await completeJob(job, stored, mayResend)), stored, context);
    });
  await sendReviewed(name, send, context).catch((error) => {
    throw withJobState(error, name, context);
  });
}

/** Resends writes that are not found with `--resend`, or if the user says so on a terminal. */
function resendDecision(input: JobSendInput, { io, session, output }: Context): ResendDecision {
  return async ({ error, isChecked }) => {
    if (!isChecked) return false;
    const isAllowed = input.resend;
    const confirm = isAllowed ? undefined : confirmationPrompt(input, io, session.settings);
    if (!isAllowed && confirm === undefined) return false;
    const message = isAllowed ? `${error.message}; resending it` : error.message;
    const seen = { kind: error.kind, exit_code: EXIT_CODES.unknown.code, message, details: error.facts.details };
    await io.err(errorText(seen, output.view));
    return confirm === undefined || confirm("resend it?");
  };
}

/** The error of a tracker that cannot be reached, or refuses a draft, with the state of the job and the way on. */
function withJobState(error: unknown, name: string, { io }: Context): unknown {
  if (!(error instanceof BtError) || error.facts.changed !== "nothing") return error;
  const stored = findStoredJob(name, io);
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
async function reportFinished(past: Job, context: Context): Promise<void> {
  const { head, attempts } = past;
  if (isUnsent(past)) throw usageError(`job ${head.job} was dropped and not sent`, "run the command again");
  if (!isJobFinished(past)) throw closedJobError(past);
  const end = attempts.at(-1)?.end;
  await context.io.err(`job ${head.job} is already complete\n`);
  if (isBulk(past) || end === undefined) return;
  await printJobResponse(outcomeResponse(endOutcome(end, nextStepHint(past))), past, context);
}

/** Error for a job that was put aside with bugs left, or with unknown outcome. */
function closedJobError(past: Job): BtError {
  const { job } = past.head;
  const hint = isBulk(past)
    ? `bt job show ${job} lists the bugs that are left`
    : "check the tracker, and run the command again";
  const state = jobState(past, false);
  const dropped = state === "dropped" ? "was dropped" : `is ${state} and was dropped`;
  return usageError(`job ${job} ${dropped}: ${stateText(past, false)}`, hint);
}

/** Hint for a job that ended in an error. */
function nextStepHint({ head, attempts }: Job): string | undefined {
  if (EDITABLE.has(head.request.operation)) return `bt job edit ${head.job} makes a draft of its text`;
  const end = attempts.at(-1)?.end;
  return end?.st === "FAILED" && end.kind === "network" ? "it was not sent: run the command again" : undefined;
}

/** Operations of which `bt job edit` makes a draft after a refusal. */
const EDITABLE: ReadonlySet<string | undefined> = new Set(["Create Bug", "Create Comments"]);

async function printJobResponse(response: Json, { head }: Job, context: Context): Promise<void> {
  const { request } = head;
  if (Array.isArray(response)) {
    const tags = readTags(response);
    assertTagsApplied(request, tags);
    return printTags(tags, context);
  }
  const updated = UPDATED.find((name) => isObject(response) && Array.isArray(response[name]));
  if (updated !== undefined) {
    const items = readChangedItems<ChangedBug>(response, updated);
    const part = { bugs: items.map(({ id }) => ({ id })), body: requestBody(request) };
    const scope = { parts: [part], command: { first: commandName(head) } };
    const shown = items.map((changed) =>
      updated === "bugs"
        ? shownResult(resultOf(changed, part), scope, context)
        : shownThing({ ...changed, name: `${updated.replace(/s$/, "")} ${changed.id}` }),
    );
    return showChanges(shown, context);
  }
  const ids = isObject(response) && typeof response["id"] === "number" ? [response["id"]] : createdIds(response);
  if (ids.length === 0) return context.io.out(`${escapeJson(JSON.stringify(stableJson(response)))}\n`);
  const created = ids.map((id) => ({ id: String(id), result: "created" }));
  const textOf = (id: string) => {
    if (request.operation === "Create Bug") return createdBugText(id, `created bug ${id}`, context);
    if (request.operation === "Create Comments") return newCommentText(Number(writeTargets(request)[0]), id, context);
    return { sentence: `${plain(writeKind(request).describe(request))} was applied` };
  };
  await showCreated(created, textOf, context);
}

/** Names of what responses to updates report. */
const UPDATED = ["bugs", "attachments", "groups"] as const;

/** Resumes a bulk update: looks for attempts with unknown outcome first; finished bugs are not touched. */
async function resumeMany(
  job: RunningJob,
  stored: Job,
  { input, mayResend }: { input: JobSendInput; mayResend: ResendDecision },
  context: Context,
): Promise<void> {
  const { results: first, resent } = await checkAttempts(job, stored, mayResend);
  const { done, unchanged } = bugOutcomes(stored);
  const settled = new Set([...[...done, ...unchanged].map(String), ...first.map(({ bug }) => bug)]);
  const rest = jobBugs(stored.head)
    .map(String)
    .filter((id) => !settled.has(id));
  const planned = readPlan(rest, stored, context);
  const { untried, ...plan } = await planned.catch((error) => failedPlan(error, rest, first));
  await confirmResumed(plan, stored, input, context);
  for (const attempt of resent) job.discard(attempt);
  if (plan.unchanged.length > 0) job.markUnchanged(plan.unchanged.map(({ bug }) => Number(bug)));
  const again = new Set(plan.able.flatMap(({ bugs }) => bugs.map(({ id }) => id)));
  const before = await readSentBefore(stored, again, context);
  const earlier = { done: done.length + unchanged.length, unchangedBefore: unchanged.length };
  const results = { first: [...first, ...untried], ...earlier, before, command: { first: job.name } };
  await runJobs({ ...plan, ...results, jobs: [job], precondition: resumedPrecondition(stored) }, context);
}

/**
 * On a terminal previews what is sent and prompts for confirmation. Elsewhere bugs that were refused are sent as an update of so
 * many bugs is: more than one request takes require `--resend`.
 * @throws BtError of kind guard if it is not confirmed
 */
async function confirmResumed(plan: ManyPlan, stored: Job, input: JobSendInput, context: Context): Promise<void> {
  const { io, session } = context;
  const refusals = new Map(bugOutcomes(stored).failed.map(({ id, message }) => [String(id), message]));
  const again = plan.able.flatMap(({ bugs }) => bugs.filter(({ id }) => refusals.has(String(id))));
  const reasons = again.map(({ id }) => ({ bug: String(id), message: refusals.get(String(id)) ?? "" }));
  const lines = bugsByMessage(reasons).map((line) => `refused before: ${line}`);
  const notes =
    lines.length > MAX_REASONS ? [...lines.slice(0, MAX_REASONS), `and ${lines.length - MAX_REASONS} more`] : lines;
  const isAsked = confirmationPrompt(input, io, session.settings) !== undefined || again.length > MAX_ATOMIC_BUGS;
  const hint = "--resend sends them";
  await confirmMany(plan, { args: input.args, yes: input.resend || !isAsked }, context, { notes, hint });
}

const MAX_REASONS = 5;

type Plan = ManyPlan & { untried: BugResult[] };

async function readPlan(rest: string[], stored: Job, context: Context): Promise<Plan> {
  const { request, exposed, bulk } = stored.head;
  const { ids: _, ...body } = requestBody(request);
  const { bugs, unreadable } = await readTargetBugs(rest, context);
  const parts = [{ bugs, body }];
  const agreed = await withoutExposed(parts, exposed, context);
  const change = { bugs, unreadable: [...unreadable, ...agreed.withheld], parts: agreed.parts };
  const plan = await planMany(change, context);
  const refused = stored.refusals.flatMap((one) => one.bugs).filter(({ kind }) => kind !== "collision");
  const begun = { read: bulk?.read ?? [], refused: refused.map(({ id }) => id) };
  const due = plan.able.flatMap((part) => part.bugs);
  const collisions = await findChangedSince(due, body, begun, context);
  const isLeft = ({ id }: Bug) => !collisions.some(({ bug }) => bug === String(id));
  const able = plan.able.map((part) => ({ ...part, bugs: part.bugs.filter(isLeft) }));
  return { ...plan, able, refused: [...plan.refused, ...collisions], untried: [] };
}

/** Plan if the rest cannot be read: the outcomes of earlier attempts are still reported. */
function failedPlan(error: unknown, rest: string[], first: readonly BugResult[]): Plan {
  if (!(error instanceof BtError) || first.length === 0) throw error;
  return { able: [], refused: [], unchanged: [], untried: rest.map((bug) => ({ bug, st: "not tried", error })) };
}

/** Results of the attempts with unknown outcome, and those to resend. The bugs of these, and of refused ones, have no result. */
async function checkAttempts(
  job: RunningJob,
  stored: Job,
  mayResend: ResendDecision,
): Promise<{ results: BugResult[]; resent: WriteAttempt[] }> {
  const results: BugResult[] = [];
  const resent: WriteAttempt[] = [];
  for (const attempt of unresolvedAttempts(stored)) {
    const ids = attempt.sent.ids ?? jobBugs(stored.head);
    const outcome = await job.check(attempt, attemptWrite(stored, attempt));
    if (outcome.st === "DONE")
      results.push(...confirmedResults(ids, outcome.response, requestBody(stored.head.request)));
    if (outcome.st !== "UNKNOWN") continue;
    if (await mayResend(outcome)) resent.push(attempt);
    else results.push(...failedResults(ids, outcome));
  }
  return { results, resent };
}

/** The precondition of a resumed job, without the bugs that the job has written itself. */
function resumedPrecondition({ head }: Job) {
  if (!head.seen) return undefined;
  return { seen: new Map(Object.entries(head.seen).map(([id, time]) => [Number(id), time])), latest: head.latest };
}

/** Parts that a job has sent, by its journal, for bugs that are not sent again. */
async function readSentBefore(stored: Job, again: ReadonlySet<number>, context: Context): Promise<SentBefore> {
  const parts: UpdatePart[] = [];
  for (const part of sentParts(stored, again)) parts.push({ ...part, moments: await readMoments(part.body, context) });
  return { parts, unreported: journaledUnreported(stored, parts) };
}

/**
 * Sends a job by `send`. On a terminal the draft of a bug is completed by prompts and reviewed first, and stays a draft
 * if the user keeps it; other jobs are sent as they are.
 * @throws BtError of kind usage without a prompt, naming all that the draft of a bug lacks
 */
async function sendReviewed(name: string, send: () => Promise<void>, context: Context): Promise<void> {
  const { io, session } = context;
  const job = findBugDraft(name, session.address, io);
  if (job === undefined) return send();
  const values = valuesOfBody(requestBody(job.head.request));
  if (!io.terminal.stdout || !mayPrompt(io, session.settings)) {
    const missing = missingFields(values).map((parameter) => parameter.name);
    const lacks = values.description ? missing : [...missing, "description"];
    if (lacks.length === 0) return send();
    throw usageError(`draft ${name} lacks ${lacks.join(", ")}`, `bt bug create --template ${name} takes them as flags`);
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

async function storeBody({ head }: Job, body: JsonObject, { io }: Context): Promise<void> {
  await withJob({ job: head.job, isNew: false }, io, async ({ replace, lines }) => {
    if (lines.length > 1) throw usageError(`job ${head.job} was sent in the meantime`);
    replace([JSON.stringify({ ...head, request: { ...head.request, body } })]);
  });
}
