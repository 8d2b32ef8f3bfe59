import { type BugResult, bulkError, confirmedResults, deliverBulk } from "../../api/delivery/bulk.ts";
import type { Outcome } from "../../api/delivery/deliver.ts";
import type { Write } from "../../api/delivery/write.ts";
import { stateBefore } from "../../api/delivery/write-state.ts";
import { completeJob, endOutcome, type Writer } from "../../api/delivery/writer.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { CREATE_BUG } from "../../api/operations/write-bugs.ts";
import { isObject } from "../../api/response/response-objects.ts";
import { withWholeValues } from "../../api/write/body.ts";
import { updateRequest } from "../../api/write/update-request.ts";
import { BtError, withDetails } from "../../errors.ts";
import type { ImportEntry, ImportLog } from "../../session/results/import-log.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../verb.ts";
import { withIgnoredValues } from "./bulk-read-back.ts";
import { checkStoredTimes, momentsOf } from "./changes.ts";
import { ignoredLines, withIgnoredLines } from "./ignored-fields.ts";
import type { PlannedRow } from "./import-plan.ts";
import { lostRow, type StartedRow } from "./import-restart.ts";
import { changedSince, collectOverwritten, conflictingStarts, matchOf, reportOverwritten } from "./precondition.ts";
import { withUpdateCount } from "./run-jobs.ts";
import { showResults } from "./show-results.ts";

/** Rows to send, the number of those that earlier runs have sent, and where results are written. */
export type ImportRun = {
  readonly rows: readonly (PlannedRow | StartedRow)[];
  readonly done: number;
  readonly log: ImportLog;
};

/**
 * Sends rows one by one, each as a job of its own, and prints a line for each. Every step is written to the results file
 * first, so that no row is sent twice.
 * @throws BtError with the tally if any row failed
 */
export async function sendRows(run: ImportRun, context: Context): Promise<void> {
  const writer = await context.session.writer();
  const { rows, done } = run;
  const bugs = rows.flatMap((one) => ("bug" in one ? [one.bug] : []));
  const parts = rows.flatMap((one) => (one.kind === "update" ? [one.part] : []));
  const sending: Sending = { ...run, writer, context, created: new Map(), jobs: new Map() };
  const lines: string[] = [];
  const total = done + rows.length;
  const readBack = { able: parts, isResumable: false, onVerified: () => undefined };
  const ignored = new Map<number, readonly string[]>();
  const { tally, failure } = await showResults(
    withIgnoredValues(collectOverwritten(resultsOf(sending), bugs, lines), { ...readBack, ignored }, context),
    { start: { total, succeeded: done, failed: [] }, bugs, parts },
    context,
  );
  const verdict = bulkError(tally, wayOn(sending.jobs.values()));
  if (verdict) throw withDetails(verdict, [...lines, ...ignoredLines(ignored)]);
  const isGuarded = rows.some((one) => one.kind === "update" && one.seen !== undefined);
  const report = async () => {
    await reportOverwritten(lines, isGuarded, context);
    if (failure !== undefined) throw withUpdateCount(failure, total);
    await checkTimes(sending);
  };
  await withIgnoredLines(report, ignored);
}

function wayOn(names: Iterable<string>): string {
  const jobs = [...names].map((job) => `bt job send ${job}`);
  return [...jobs, "run the same command again: it continues with the others"].join("; or ");
}

type Sending = ImportRun & {
  readonly writer: Writer;
  readonly context: Context;
  readonly created: Map<number, number>; // ids of new bugs by row
  readonly jobs: Map<number, string>; // jobs without an outcome, by row
};

type SentRow = Extract<PlannedRow, { readonly kind: "create" | "update" }> | StartedRow;

async function* resultsOf(sending: Sending): AsyncGenerator<readonly BugResult[]> {
  const { rows, context } = sending;
  const idle = rows.filter((one) => one.kind === "unchanged" || one.kind === "collision");
  if (idle.length > 0) yield settled(idle.map(idleResult), sending);
  const sent = new Map(rows.flatMap((one) => (isSent(one) ? [[one.row.number, one] as const] : [])));
  const rowOf = (number: number | string) => sent.get(Number(number)) as SentRow;
  const update = {
    body: {},
    groups: (all: readonly number[]) => all.map((number) => [number]),
    attempt: ([number = 0]: readonly number[]) => attempt(rowOf(number), sending),
    findRefused: ([number = 0]: readonly number[]) => refusedNow(rowOf(number), sending),
    confirmed: ([number = 0]: readonly number[], answer: Json) => confirmed(rowOf(number), answer, sending),
    isStopped: () => context.io.signal.aborted,
  };
  for await (const results of deliverBulk([...sent.keys()], update)) {
    const found: RowResult[] = [];
    for (const result of results) {
      const planned = rowOf(result.bug);
      found.push({ planned, result: await withMissing(planned, result, sending) });
    }
    yield settled(found, sending);
  }
}

/** A row with its result. */
type RowResult = { readonly planned: PlannedRow | StartedRow; readonly result: Omit<BugResult, "bug"> };

function idleResult(planned: PlannedRow | StartedRow): RowResult {
  if (planned.kind === "collision") return { planned, result: { st: "collision", error: planned.error } };
  return { planned, result: { st: "unchanged" } };
}

function isSent(one: PlannedRow | StartedRow): one is SentRow {
  return one.kind === "create" || one.kind === "update" || one.kind === "started";
}

/** Sends a row, or completes the job that has begun to. */
async function attempt(planned: SentRow, sending: Sending): Promise<Outcome> {
  const { writer, log, jobs } = sending;
  try {
    if (planned.kind === "started") return await complete(planned, sending);
    const write = writeOf(planned);
    return await writer.begin({ request: write.request }, async (job) => {
      const name = job.isJournaled ? job.name : undefined;
      log.write([entryOf(planned, { result: "sending", job: name }, sending)]);
      const outcome = await job.attempt(write);
      if (name !== undefined && outcome.st === "UNKNOWN") jobs.set(planned.row.number, name);
      return outcome;
    });
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: "FAILED", error };
  }
}

async function complete({ row, entry }: StartedRow, { writer, jobs }: Sending): Promise<Outcome> {
  const name = entry.job ?? "";
  const end = writer.finished(name)?.attempts.at(-1)?.end;
  if (end) return endOutcome(end);
  const outcome = await writer.resume(name, (job, kept) => completeJob(job, kept));
  if (outcome.st === "UNKNOWN") jobs.set(row.number, name);
  return outcome;
}

function writeOf(planned: Exclude<SentRow, StartedRow>): Write {
  if (planned.kind === "create") return { request: requestFor(CREATE_BUG, withWholeValues(planned.body)) };
  const { bug, part } = planned;
  const body = withWholeValues(part.body, bug as JsonObject);
  return {
    request: updateRequest([bug.id ?? 0], body),
    before: stateBefore([bug], part.body),
    ifMatch: matchOf([bug], preconditionOf(planned)),
  };
}

function preconditionOf({ bug, seen }: Extract<PlannedRow, { readonly kind: "update" }>) {
  return seen === undefined ? undefined : { seen: new Map([[bug.id ?? 0, seen]]), latest: undefined };
}

/** Results of a row that must not be sent now: its bug was modified, or its outcome is unknown. */
async function refusedNow(planned: SentRow, { context }: Sending): Promise<readonly BugResult[]> {
  const bug = String(planned.row.number);
  if (planned.kind === "started")
    return planned.entry.job === undefined ? [{ bug, st: "unknown", error: lostRow(planned) }] : [];
  if (planned.kind === "create") return [];
  const changed = await changedSince([planned.bug.id ?? 0], preconditionOf(planned), context);
  const found = changed.length > 0 ? changed : await conflictingStarts([planned.bug], planned.part.body, context);
  return found.map((one) => ({ ...one, bug }));
}

function confirmed(planned: SentRow, answer: Json, { created }: Sending): readonly BugResult[] {
  const bug = String(planned.row.number);
  if (operationOf(planned) === "create") {
    created.set(planned.row.number, Number(isObject(answer) ? answer["id"] : undefined));
    return [{ bug, st: "done", note: "created" }];
  }
  const id = (planned.kind === "update" ? planned.bug.id : (planned as StartedRow).entry.id) ?? 0;
  const body = planned.kind === "update" ? planned.part.body : { comment: "" };
  return confirmedResults([id], answer, body).map((one) => ({ ...one, bug }));
}

/** The result of a new bug with the fields that were not applied. */
async function withMissing(planned: SentRow, result: BugResult, { created, context }: Sending): Promise<BugResult> {
  const id = created.get(planned.row.number);
  if (planned.kind !== "create" || id === undefined || result.st !== "done") return result;
  const { readBack } = await import("./create.ts");
  const missing = (await readBack(id, planned.body, context)) ?? [];
  return missing.length === 0 ? result : { ...result, note: `created, not applied: ${missing.join(", ")}` };
}

function operationOf(planned: PlannedRow | StartedRow): ImportEntry["operation"] {
  if (planned.kind === "started") return planned.entry.operation;
  return planned.kind === "create" ? "create" : "update";
}

/** Results under the numbers of their bugs, or the lines of their rows, after they were written down. */
function settled(found: readonly RowResult[], sending: Sending): readonly BugResult[] {
  const told = found.filter(({ result }) => result.st !== "not tried");
  try {
    if (told.length > 0) sending.log.write(told.map((one) => resultEntry(one, sending)));
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    void sending.context.io.err(`bt: ${error.message}; the next run verifies these rows\n`);
  }
  return found.map(({ planned, result }) => {
    const id = idOf(planned, sending);
    return { ...result, bug: id === undefined ? `line ${planned.row.line}` : String(id) };
  });
}

function idOf(planned: PlannedRow | StartedRow, { created }: Sending): number | undefined {
  if ("bug" in planned) return planned.bug.id ?? undefined;
  return created.get(planned.row.number) ?? (planned.kind === "started" ? planned.entry.id : undefined);
}

function resultEntry({ planned, result }: RowResult, sending: Sending): ImportEntry {
  const word = result.st === "done" ? DONE[operationOf(planned)] : result.st;
  const job = sending.jobs.get(planned.row.number) ?? (planned.kind === "started" ? planned.entry.job : undefined);
  return entryOf(planned, { result: word, job, error: result.error?.message }, sending);
}

const DONE = { create: "created", update: "changed" } as const;

function entryOf(
  planned: PlannedRow | StartedRow,
  outcome: Pick<ImportEntry, "result" | "job" | "error">,
  sending: Sending,
): ImportEntry {
  const { number: row, line, checksum } = planned.row;
  const id = idOf(planned, sending);
  const operation = operationOf(planned);
  return { row, line, checksum, tracker: sending.context.session.address, operation, ...outcome, id };
}

/** Checks the time of the first bug that got one, since trackers read times in a zone of their own. */
async function checkTimes({ rows, created, context }: Sending): Promise<void> {
  for (const one of rows) {
    const body = one.kind === "update" ? one.part.body : one.kind === "create" && one.body;
    const id = one.kind === "update" ? one.bug.id : created.get(one.row.number);
    if (!body || Object.keys(await momentsOf(body, context)).length === 0) continue;
    return checkStoredTimes(id ?? 0, body, context);
  }
}
