import { readBug } from "../../api/bugs.ts";
import { createdIds, textSent } from "../../api/delivery/find-stored.ts";
import type { Outcome, Write } from "../../api/delivery/outcome.ts";
import { type Sent, sendOrSplit } from "../../api/delivery/send-write.ts";
import { describeWrite } from "../../api/delivery/write-rows.ts";
import { requestBody, updatedFields, writeTargets } from "../../api/write/changes.ts";
import { mayBecomePublic } from "../../api/write/checks.ts";
import { BtError, usageError, withFacts } from "../../errors.ts";
import { isLeft, isUnknown, type Job, type JobHead, type JobWrite, openWrites } from "../../jobs/job.ts";
import { findJob } from "../../jobs/job-files.ts";
import { type ResumedJob, resumeJob } from "../../jobs/journal.ts";
import { lookForUnknown } from "../../jobs/resume.ts";
import { note } from "../../session/note.ts";
import { stableJson } from "../../view/column.ts";
import { countText, escapeJson, plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { NewBugValues } from "../bug/flags.ts";
import { sendDraft } from "../bug/write/create.ts";
import { createdBugText, firstLines, printResults, showCreated } from "../shared/change/output.ts";
import { staleError } from "../shared/change/plan.ts";
import { type ChangeResult, INTERRUPTED, updateResult } from "../shared/change/result.ts";
import { confirmTask, mayPrompt } from "../shared/prompts.ts";
import type { Context } from "../verb.ts";

/** Input of `bt job send`. */
type JobSendInput = { args: string[]; readonly yes: boolean };

/** `bt job send`: sends a draft, or completes a job, and prints the results of its writes. */
export async function sendJob(input: JobSendInput, context: Context): Promise<void> {
  const { io, session } = context;
  const { name, job, state, isOpen } = findJob(input.args[0] ?? "", io);
  const [draft] = state === "draft" && job?.head.tracker === session.address ? job.writes : [];
  if (isOpen && draft) return sendDraft(name, draft.request.body as NewBugValues, context);
  if (!isOpen && (job === undefined || openWrites(job).length > 0))
    throw usageError(`job ${name} was dropped`, "run the command again");
  if (!isOpen) return note(io, `job ${name} is already complete`);
  await resumeJob(name, session, io, async (held) => {
    if (!held.read().writes.some(isUnknown)) checkNoneLeftToImport(held.read(), "usage");
    await complete(held, input, context);
    checkNoneLeftToImport(held.read(), "partial");
  });
}

/** @throws BtError if new bugs are left that only `bt bug import` itself may file */
function checkNoneLeftToImport({ head, writes }: Job, kind: "usage" | "partial"): void {
  if (writes.some((write) => isLeftToImport(write, head)))
    throw new BtError(kind, "this import has new bugs to file", { hint: "the same bt bug import continues" });
}

/** True for a new bug of an import, unless it may be filed: only the import knows what the bug gets then. */
function isLeftToImport(write: JobWrite, { command }: JobHead): boolean {
  return command === "bug import" && write.request.operation === "Create Bug" && isLeft(write);
}

/** Looks for what is unknown, asks, and sends the rest once no earlier request can be applied. */
async function complete(held: ResumedJob, input: JobSendInput, context: Context): Promise<void> {
  const { io } = context;
  let looks = await lookForUnknown(held, io);
  const results = new Map(looks.outcomes);
  const maySend = !looks.hasFailedLook && (await confirmSending(writesToSend(held.read()), results, input, context));
  if (maySend && looks.waitMs > 0) {
    await io.sleep(looks.waitMs);
    looks = await lookForUnknown(held, io);
    for (const [n, one] of looks.outcomes) results.set(n, one);
  }
  const job = held.read();
  const open = writesToSend(job);
  if (maySend && !looks.hasFailedLook) {
    const sending = { job: held, unknowns: 0 };
    const fresh = (write: Write) => freshWrite(write, job.head, context);
    for (const write of open) {
      results.delete(write.n);
      for (const sent of await sendOrSplit(write.n, write, sending, fresh)) results.set(sent.n, sent);
    }
  } else {
    for (const write of open.filter(isLeft)) results.set(write.n, { n: write.n, write });
  }
  const inOrder = [...results.values()].sort((one, other) => one.n - other.n);
  await printSent(job.head, inOrder, context);
}

/** The open writes of a job, without new bugs that only their import files. */
function writesToSend(job: Job): JobWrite[] {
  return openWrites(job).filter((write) => !isLeftToImport(write, job.head));
}

/**
 * Asks before the rest is sent, with the texts and hours that it adds: a journal may be an old copy.
 * @throws BtError of kind guard if it is not confirmed
 */
async function confirmSending(
  open: readonly JobWrite[],
  looks: ReadonlyMap<number, Sent>,
  input: JobSendInput,
  context: Context,
): Promise<boolean> {
  const { io, session } = context;
  if (open.length === 0) return false;
  if (input.yes) return true;
  const areAllUnknown = open.every(isUnknown);
  if (areAllUnknown && !mayPrompt(io, session.settings)) return false;
  const lines = firstLines(open.map((write) => openText(write, looks.get(write.n)?.outcome)));
  const task = `send ${countText(open.length, "request")}`;
  if (await confirmTask(task, lines, input, { io, settings: session.settings })) return true;
  if (areAllUnknown) return false;
  throw new BtError("guard", "nothing sent");
}

/** The write in a line, with the text that it would add, and why it is open. */
function openText({ request, st, error }: JobWrite, look: Outcome | undefined): string {
  const refused = st === "refused" ? `refused before (${error?.message})` : "not sent";
  const { work_time: hours } = requestBody(request);
  const text = textSent(request);
  const added = text && JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
  const why = look?.st === "unknown" ? `unknown outcome (${look.error.facts.details?.join(", ")})` : refused;
  return [why, describeWrite(request), added, hours && `${hours} hours`].filter(Boolean).join(": ");
}

/** The update as it is sent now. @throws BtError if a bug, or a value that it sets, was changed by others */
async function freshWrite(write: Write, head: JobHead, { session }: Context): Promise<Write> {
  const { request, before = [] } = write;
  if (request.operation !== "Update Bug") return write;
  const { ids: _, ...body } = requestBody(request);
  const fields = ["id", "last_change_time", "product", "groups", ...updatedFields(body)];
  const bugs: JsonObject[] = [];
  for (const was of before) {
    const bug = await readBug(String(was["id"]), fields, session.send);
    const values = Object.entries(body).filter(([name, value]) => was[name] !== undefined && !isObject(value));
    const since = head.guarded ? String(was["last_change_time"]) : undefined;
    const modified = staleError(bug, since, { bug: was as Bug, body: Object.fromEntries(values) });
    if (modified) throw modified;
    const reason = "may become public: run the command again";
    if (!head.exposes && mayBecomePublic(bug, body)) throw new BtError("guard", `bug ${bug.id}: ${reason}`, { reason });
    bugs.push({ ...was, ...bug });
  }
  return { ...write, before: bugs };
}

/**
 * Prints the results of a job; results of bugs look as after any change of bugs.
 * @throws BtError of the write, or with the tally, if some were not applied
 */
async function printSent(head: JobHead, all: readonly Sent[], context: Context): Promise<void> {
  const failed: BtError[] = [];
  const bugs: ChangeResult[] = [];
  for (const sent of all) {
    const { outcome, error } = sent;
    const { request } = sent.write;
    const { ids: _, ...body } = requestBody(request);
    if (request.operation === "Update Bug")
      for (const ref of writeTargets(request)) bugs.push(await updateResult({ ref, body }, sent, context));
    else if (outcome?.st === "applied") await printResponse(request, outcome.response, context);
    else failed.push(outcome?.error ?? error ?? INTERRUPTED);
  }
  const subject = { refs: bugs.map(({ ref }) => ref), job: head.job, isGuarded: head.guarded === true };
  if (bugs.length > 0) await printResults(bugs, subject, context).catch((error: BtError) => failed.push(error));
  const worst = failed.find(({ kind }) => kind === "unknown") ?? failed[0];
  const isChanged = all.some(({ outcome }) => outcome?.st === "applied");
  if (worst) throw isChanged ? withFacts(worst, { changed: "some" }) : worst;
}

async function printResponse(request: Request, response: Json, context: Context): Promise<void> {
  const { operation } = request;
  if (!operation) return context.io.out(`${escapeJson(JSON.stringify(stableJson(response)))}\n`);
  const isNew = operation.startsWith("Create");
  const ids = isNew ? createdIds(response).map(String) : writeTargets(request);
  const rows = ids.map((id) => ({ id, result: isNew ? "created" : "applied" }) as const);
  const sentence = `applied: ${plain(describeWrite(request))}`;
  const textOf = (id: string) =>
    operation === "Create Bug" ? createdBugText(id, `created bug ${id}`, context) : { sentence };
  await showCreated(rows, textOf, context, ids.length > 1);
}
