import { foundThings, requestAll } from "../../api/batch.ts";
import { bugPlan } from "../../api/bugs/bug-numbers.ts";
import { responseOf, type Write } from "../../api/delivery/outcome.ts";
import { type Sent, sendAll, splitWrite } from "../../api/delivery/send-all.ts";
import { createdIds, textSent } from "../../api/delivery/stored.ts";
import { describeWrite } from "../../api/delivery/write-rows.ts";
import { partition } from "../../api/lists.ts";
import { readChangedItems, readTags } from "../../api/response/response-objects.ts";
import { assertTagsApplied } from "../../api/write/read-back.ts";
import { requestBody, writeTargets } from "../../api/write/update-request.ts";
import { isAsRequested, sameValue, stateFields } from "../../api/write/write-state.ts";
import { BtError, usageError, withFacts } from "../../errors.ts";
import { isUnknown, type Job, type JobWrite, writesLeft } from "../../jobs/job.ts";
import { findJob } from "../../jobs/job-files.ts";
import { resultText } from "../../jobs/job-text.ts";
import { type HeldJob, jobJournal } from "../../jobs/journal.ts";
import { type Left, settleJob } from "../../jobs/resume.ts";
import { note } from "../../session/note.ts";
import { stableJson } from "../../view/stable.ts";
import { countText, escapeJson, plain } from "../../view/text.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import type { ChangedBug } from "../../wire/resources.ts";
import {
  askMissing,
  type Filed,
  type Form,
  keepUnsent,
  newForm,
  reviewForm,
  submitForm,
} from "../bug/write/create-form.ts";
import { reportFiled } from "../bug/write/file-bug.ts";
import { missingFields, valuesOfBody } from "../bug/write/new-bug.ts";
import { openResults } from "../shared/change/output.ts";
import { sentResult } from "../shared/change/send.ts";
import { changedThing, createdBugText, newCommentText, showChanged, showCreated } from "../shared/change/written.ts";
import { confirmationPrompt, mayPrompt } from "../shared/prompts.ts";
import { printTags } from "../tag/search.ts";
import type { Context } from "../verb.ts";

/** Input of `bt job send`. */
type JobSendInput = { args: string[]; readonly yes: boolean };

/** `bt job send`: sends a draft, or completes a job, and prints what the original command would have printed. */
export async function sendJob(input: JobSendInput, context: Context): Promise<void> {
  const { io, session } = context;
  const { name, job, state, isOpen } = findJob(input.args[0] ?? "", io);
  if (!isOpen) return reportFinished(name, job, context);
  const [draft] = state === "draft" && job?.head.tracker === session.address ? job.writes : [];
  if (draft) return sendDraft(name, requestBody(draft.request), context);
  await (await jobJournal(session)).resume(name, (held, stored) => complete(held, stored, input, context));
}

/** Reports the result of a finished job; sends nothing. */
async function reportFinished(name: string, job: Job | undefined, context: Context): Promise<void> {
  const open = job ? [...writesLeft(job), ...job.writes.filter(isUnknown)] : [];
  if (job === undefined || open.length > 0)
    throw usageError(`job ${name} was dropped${job ? `: ${resultText(job)}` : ""}`, "run the command again");
  await note(context.io, `job ${name} is already complete`);
  await report(job, job.writes.map(sentBefore), context);
}

/** A write of the journal with its result. */
function sentBefore({ n, request, before, outcome }: JobWrite): Sent {
  const write = { request, before };
  if (outcome?.st === "applied") return { n, write, outcome };
  if (outcome === undefined) return { n, write };
  const { kind, message, code } = outcome.error;
  const changed = outcome.st === "refused" ? "nothing" : "unknown";
  return { n, write, outcome: { st: outcome.st, error: new BtError(kind, message, { bugzillaCode: code, changed }) } };
}

/** @throws BtError of kind usage for new bugs of an import, which knows what these get once they are filed */
function checkContinues(job: Job): void {
  const isFiling = writesLeft(job).some(({ request }) => request.operation === "Create Bug");
  if (job.head.command === "bug import" && isFiling)
    throw usageError("this import has new bugs to file", "the same bt bug import continues");
}

/** Looks for what is unknown, asks about the rest, and sends it once no earlier request can be applied any more. */
async function complete(held: HeldJob, stored: Job, input: JobSendInput, context: Context): Promise<void> {
  const { io, session } = context;
  checkContinues(stored);
  const { around } = await jobJournal(session);
  const settle = (job: Job) => settleJob(held, job, around, io.now().getTime());
  const first = await settle(stored);
  const mayGoOn = await mayBeSent(first, stored, input, context);
  const isSettled = !mayGoOn || first.waitMs === 0;
  if (!isSettled) await io.sleep(first.waitMs);
  const left = isSettled ? first : await settle(withFound(stored, first));
  const [missing, unseen] = partition(left.unknown, ({ isMissing }) => isMissing);
  const [down] = unseen; // the tracker cannot be read, so nothing is sent
  const open = [...left.unsent, ...missing.map(({ write }) => write)].sort((one, other) => one.n - other.n);
  const untried = left.unsent.map(({ n, ...write }) => ({ n, write, error: down?.error }));
  const sent =
    mayGoOn && !down ? await collectSent(open, held, stored, context) : [...missing.map(unknownResult), ...untried];
  const before = withFound(withFound(stored, first), left).writes.filter((write) => !isUnknown(write));
  const settled = before.filter((write) => !left.unsent.includes(write)).map(sentBefore);
  const all = [...settled, ...unseen.map(unknownResult), ...sent].sort((one, other) => one.n - other.n);
  await report(stored, all, context);
}

/** The job with the writes that were found. */
function withFound(job: Job, { found }: Left): Job {
  return { ...job, writes: job.writes.map((write) => found.find(({ n }) => n === write.n) ?? write) };
}

/** @throws BtError of kind guard if what is left is not confirmed */
async function mayBeSent(left: Left, stored: Job, input: JobSendInput, context: Context): Promise<boolean> {
  if (left.unknown.some(({ isMissing }) => !isMissing)) return false;
  const isFirst = left.adds.length === 0 && !stored.writes.some(({ isSent }) => isSent);
  return isFirst || left.unsent.length + left.unknown.length === 0 || confirmSending(left, input, context);
}

async function collectSent(open: readonly JobWrite[], held: HeldJob, { head }: Job, context: Context): Promise<Sent[]> {
  const writes = open.flatMap(({ n, request, before }) => {
    const write = { request, before };
    const singles = splitWrite(write).map((single) => ({ n: held.add(single), write: single }));
    if (singles.length > 0) held.skip(n);
    return singles.length > 0 ? singles : [{ n, write }]; // each bug is compared with what it was
  });
  const isStopped = () => context.io.signal.aborted;
  const sent: Sent[] = [];
  for await (const one of sendAll(writes, held, { isStopped, fresh: (write) => freshWrite(write, head, context) }))
    sent.push(one);
  return sent;
}

function unknownResult({ write, error }: Left["unknown"][number]): Sent {
  return { n: write.n, write, outcome: { st: "unknown", error } };
}

/**
 * Shows what is left, and asks whether to send it. False for a job whose writes are all unknown, without a prompt.
 * @throws BtError of kind guard if it is not confirmed
 */
async function confirmSending(left: Left, input: JobSendInput, { io, session }: Context): Promise<boolean> {
  const unknown = left.unknown.map(({ write }) => `not found on the tracker: ${writeText(write)}`);
  const unsent = left.unsent.map((write) => {
    const why = write.outcome?.st === "refused" ? `refused before (${write.outcome.error.message})` : "not sent";
    return `${why}: ${writeText(write)}`;
  });
  const details = [...unknown, ...unsent];
  const lines =
    details.length > MAX_LINES ? [...details.slice(0, MAX_LINES), `and ${details.length - MAX_LINES} more`] : details;
  const sentence = `this would send ${countText(details.length, "request")}`;
  if (input.yes) return true;
  const confirm = confirmationPrompt(input, io, session.settings);
  if (confirm === undefined) {
    if (unsent.length === 0) return false;
    throw new BtError("guard", sentence, { details: lines, hint: "--yes sends them", changed: "nothing" });
  }
  await io.err(`${[`${sentence}:`, ...lines.map((line) => `    ${plain(line)}`)].join("\n")}\n`);
  if (await confirm("send?")) return true;
  if (unsent.length === 0) return false;
  throw new BtError("guard", "nothing sent", { changed: "nothing" });
}

const MAX_LINES = 20;

/** The write in a line, with the text that it would add. */
function writeText({ request }: JobWrite): string {
  const { work_time } = requestBody(request);
  const text = textSent(request);
  const adds = text === undefined ? [] : [JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)];
  if (work_time !== undefined) adds.push(`${work_time} hours`);
  return [describeWrite(request), ...adds].join(": ");
}

/** The update as it is sent now; an error if the bug is missing, or if somebody else has changed a value that it sets. */
async function freshWrite(
  write: Write,
  { guarded, exposes }: Job["head"],
  { session }: Context,
): Promise<Write | BtError> {
  const { request, before: [was] = [] } = write;
  if (request.operation !== "Update Bug" || was === undefined) return write;
  const { ids: _, ...body } = requestBody(request);
  const fields = [...stateFields(body), "last_change_time", ...(body["product"] === undefined ? [] : ["groups"])];
  const [outcome] = await requestAll([String(was["id"])], bugPlan(fields), session.send);
  if (outcome && "error" in outcome) return outcome.error;
  const [bug] = foundThings(outcome ? [outcome] : []);
  const now = (bug ?? {}) as JsonObject;
  const refused = (kind: "collision" | "guard", why: string) =>
    new BtError(kind, `bug ${was["id"]}: ${why}`, { reason: why, changed: "nothing" });
  if (guarded && now["last_change_time"] !== was["last_change_time"])
    return refused("collision", "modified in the meantime");
  if (!exposes && body["product"] !== undefined && itemsIn(now["groups"]).length > 0)
    return refused("guard", "may lose groups by the move: run the command again");
  const isModified = ([name, value]: [string, Json]) =>
    was[name] !== undefined &&
    !isObject(value) &&
    !sameValue(was[name], now[name]) &&
    !isAsRequested(name, value, { before: was, now });
  const [modified] = Object.entries(body).find(isModified) ?? [];
  if (modified === undefined) return { ...write, before: [{ ...was, ...now }] };
  const reason = `${modified} changed in the meantime from "${was[modified]}" to "${now[modified]}"`;
  return new BtError("collision", `bug ${was["id"]}: ${reason}`, { reason, changed: "nothing" });
}

/**
 * Prints the results of a job.
 * @throws BtError of the write, or with the tally, if some were not applied
 */
async function report(job: Job, all: readonly Sent[], context: Context): Promise<void> {
  const updates = all.filter(({ write }) => write.request.operation === "Update Bug");
  const failed: BtError[] = [];
  for (const { write, outcome, error } of all.filter((one) => !updates.includes(one))) {
    if (outcome?.st === "applied") await printResponse(outcome.response, write.request, context);
    else failed.push(outcome?.error ?? error ?? new BtError("partial", "interrupted before it was sent", {}));
  }
  const results = updates.flatMap((sent) => {
    const { request } = sent.write;
    return writeTargets(request).map((ref) => sentResult({ ref, body: requestBody(request) }, sent));
  });
  const { head } = job;
  const isGuarded = head.guarded === true;
  const refs = results.map(({ ref }) => ref);
  const output = await openResults({ name: head.job, isBulk: refs.length > 1, isGuarded, refs }, context);
  for (const result of results) await output.add(result);
  if (results.length > 0) await output.end().catch((error: BtError) => failed.push(error));
  const worst = failed.find(({ kind }) => kind === "unknown") ?? failed[0];
  if (worst) throw all.length > failed.length ? withFacts(worst, { changed: "some" }) : worst;
}

async function printResponse(response: Json, request: Request, context: Context): Promise<void> {
  if (Array.isArray(response)) {
    const tags = readTags(response);
    assertTagsApplied(request, tags);
    return printTags(tags, context);
  }
  const updated = (["attachments", "groups"] as const).find((name) => Array.isArray(Object(response)[name]));
  if (updated !== undefined) {
    const items = readChangedItems<ChangedBug>(response, updated);
    return showChanged(
      items.map((changed) => changedThing({ ...changed, name: `${updated.replace(/s$/, "")} ${changed.id}` })),
      context,
    );
  }
  const { id } = Object(response) as { id?: Json };
  const ids = typeof id === "number" ? [id] : createdIds(response);
  if (ids.length === 0) return context.io.out(`${escapeJson(JSON.stringify(stableJson(response)))}\n`);
  const created = ids.map((one) => ({ id: String(one), result: "created" }));
  const textOf = (one: string) => {
    if (request.operation === "Create Bug") return createdBugText(one, `created bug ${one}`, context);
    if (request.operation === "Create Comments") return newCommentText(Number(writeTargets(request)[0]), one, context);
    return { sentence: `${plain(describeWrite(request))} was applied` };
  };
  await showCreated(created, textOf, context);
}

/**
 * Sends the draft of a bug: on a terminal it is completed by prompts and reviewed first, and stays a draft if the user keeps it.
 * @throws BtError of kind usage without a prompt, naming all that the draft lacks
 */
async function sendDraft(name: string, body: JsonObject, context: Context): Promise<void> {
  const { io, session } = context;
  const journal = await jobJournal(session);
  const send = async (request: Request) => {
    const outcome = await journal.resume(name, (held) => held.send(0, { request }));
    if (outcome.st !== "refused") return responseOf(outcome);
    throw withFacts(outcome.error, { hint: `the draft is kept: bt job send ${name} opens it` });
  };
  const keep = (request: Request) =>
    journal.resume(name, async (held) => {
      held.replace(0, { request });
      return name;
    });
  const form = newForm(valuesOfBody(body), { send, keep }, context);
  const filed =
    io.terminal.stdout && mayPrompt(io, session.settings) ? await finishDraft(form) : await sendWhole(name, form);
  await reportFiled(filed, context);
}

async function finishDraft(form: Form): Promise<Filed | undefined> {
  try {
    await askMissing(form);
    return await reviewForm(form);
  } catch (error) {
    await keepUnsent(form);
    throw error;
  }
}

async function sendWhole(name: string, form: Form): Promise<Filed> {
  const missing = missingFields(form.values).map((parameter) => parameter.name);
  const lacks = form.values.description ? missing : [...missing, "description"];
  if (lacks.length === 0) return submitForm(form);
  throw usageError(`draft ${name} lacks ${lacks.join(", ")}`, "on a terminal, bt job send asks for them");
}
