import { requestEach } from "../../api/batch.ts";
import { bugPlan } from "../../api/bug-numbers.ts";
import { addResults, type BugResult } from "../../api/delivery/bulk.ts";
import type { Job } from "../../api/delivery/journal.ts";
import type { RunningJob } from "../../api/delivery/writer.ts";
import { setFields } from "../../api/offline/field-conflicts.ts";
import { requestBody, type UpdatePart } from "../../api/write/update-request.ts";
import { BtError, withFacts } from "../../errors.ts";
import type { OfflineJob } from "../../session/offline/kept-jobs.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { FieldConflict } from "../../wire/mirror.ts";
import { resumedRun } from "../bug/resume-many.ts";
import { type BulkRun, bugsIn, concludeRun, runJobs, startRun } from "../bug/run-jobs.ts";
import { bulkProgress } from "../bug/show-results.ts";
import type { Context } from "../verb.ts";
import { collisionText, conflictFinder, isOfJob, noteKeptProblem, refuseUncreated, withNumbers } from "./send-kept.ts";

/** A bulk update made from a mirror that was sent, with the result of each bug that was not done before. */
export type SentMany = {
  readonly results: readonly BugResult[];
  readonly parts: readonly UpdatePart[];
  readonly bugs: readonly Bug[];
  readonly error: BtError | undefined;
};

/** `isForced`: over the changes of others; `waiting`: jobs that bugs wait for. */
type SendingMany = {
  readonly isForced: boolean;
  readonly waiting?: ReadonlyMap<string, string>;
  readonly context: Context;
};

/**
 * Sends a bulk update made from a mirror, and prints a line per bug. A bug of which a field was changed since is held back.
 * @throws BtError with the tally if any bug failed
 */
export async function sendOneMany({ head }: OfflineJob, sending: SendingMany): Promise<void> {
  const { error } = await withRun(head.job, sending, async (run) => {
    return { error: await errorOf(runJobs(run, sending.context)) };
  });
  if (error) throw error;
}

/** Sends a bulk update made from a mirror, as far as its bugs do not wait for other jobs. */
export async function sendMany({ head }: OfflineJob, sending: SendingMany): Promise<SentMany> {
  const { context } = sending;
  return withRun(head.job, sending, async (run) => {
    const started = startRun(run, context);
    const bar = bulkProgress(context);
    const results: BugResult[] = [];
    let tally = started.start;
    for await (const page of started.pages) {
      results.push(...page);
      tally = addResults(tally, page);
      await bar.draw(tally);
    }
    await bar.away();
    const error = await errorOf(concludeRun(run, { ...started, tally }, context));
    return { results, parts: run.able, bugs: bugsIn(run.able), error };
  });
}

/** Uses the rest of a job, ready to send, and stores why not all of it was sent. */
async function withRun<Sent extends { readonly error: BtError | undefined }>(
  name: string,
  sending: SendingMany,
  use: (run: BulkRun) => Promise<Sent>,
): Promise<Sent> {
  const { io, session } = sending.context;
  const conflicts = new Map<string, FieldConflict>();
  const writing = await session.writer();
  await withNumbers(name, io);
  const sent = await writing.resume(name, async (job, kept) => use(await runOf(job, kept, { ...sending, conflicts })));
  const all = [...conflicts.values()];
  const error = sent.error && withFacts(sent.error, { hint: wayOn(name, all, sending) ?? sent.error.facts.hint });
  await noteKeptProblem(name, problemOf(error, all), io);
  return { ...sent, error };
}

async function runOf(
  job: RunningJob,
  kept: Job,
  { conflicts, ...sending }: SendingMany & { readonly conflicts: Map<string, FieldConflict> },
): Promise<BulkRun> {
  const { isForced, waiting = new Map<string, string>(), context } = sending;
  const { head } = kept;
  refuseUncreated(head);
  const conflictsOf = isForced ? () => [] : conflictFinder(head, context.io);
  const collisionOf = (bug: Bug) => {
    const found = conflictsOf(bug);
    for (const one of found) conflicts.set(`${one.bug} ${one.field}`, one);
    return found.length === 0 ? [] : [collisionResult(found)];
  };
  const holdBack = (bugs: readonly Bug[]) =>
    bugs.flatMap((bug) => {
      const blocker = waiting.get(String(bug.id));
      return blocker === undefined ? collisionOf(bug) : [waitingResult(String(bug.id), blocker)];
    });
  const fields = [...setFields(requestBody(head.request)), ...(head.seen ? ["last_change_time"] : [])];
  const held = async (ids: readonly number[]) => {
    const results: BugResult[] = [];
    for await (const outcomes of requestEach(ids.map(String), bugPlan(fields), context.session.ask)) {
      for (const outcome of outcomes) {
        if ("error" in outcome) results.push({ bug: outcome.ref, st: "failed", error: outcome.error });
        else results.push(...collisionOf(outcome.thing));
      }
    }
    return results;
  };
  return resumedRun(job, kept, {
    context,
    mayResend: async ({ isChecked = false }) => isChecked,
    holdBack,
    held: isForced || fields.length === 0 ? undefined : held,
  });
}

function collisionResult(conflicts: readonly FieldConflict[]): BugResult {
  const texts = conflicts.map((one) => collisionText(one).replace(/^bug \d+:? /, ""));
  const error = new BtError("collision", texts.join("; "), { changed: "nothing" });
  return { bug: String(conflicts[0]?.bug), st: "collision", error };
}

function waitingResult(bug: string, job: string): BugResult {
  return { bug, st: "waiting", error: new BtError("partial", `waits for job ${job}`, { changed: "nothing" }) };
}

/** Hint for the bugs that were held back; undefined if there are none. */
function wayOn(name: string, conflicts: readonly FieldConflict[], { waiting }: SendingMany): string | undefined {
  if (conflicts.length > 0) return `bt job show ${name} shows both values; bt job send ${name} --force sets its own`;
  return waiting && waiting.size > 0 ? "bt job send --all sends the jobs in order" : undefined;
}

/** The problem to store; a tracker that cannot be reached is none. */
function problemOf(error: BtError | undefined, conflicts: readonly FieldConflict[]) {
  if (error === undefined) return undefined;
  const { kind, message } = error;
  if (conflicts.length > 0) return { st: "COLLISION" as const, kind, message, conflicts };
  return isOfJob(error) ? { st: "FAILED" as const, kind, message } : undefined;
}

async function errorOf(act: Promise<void>): Promise<BtError | undefined> {
  try {
    await act;
    return undefined;
  } catch (error) {
    if (error instanceof BtError) return error;
    throw error;
  }
}
