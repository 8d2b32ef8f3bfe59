import {
  type BugResult,
  confirmedResults,
  endingError,
  failedResult,
  type ItemResult,
  isCollision,
  readUnlessEnded,
} from "../../../api/delivery/bulk.ts";
import { type FailedOutcome, type Outcome, responseOf } from "../../../api/delivery/outcome.ts";
import type { CommandJobs, RoleWrite, Writer } from "../../../api/delivery/writer.ts";
import { firstNames } from "../../../api/lists.ts";
import { GET_BUG } from "../../../api/operations/bugs.ts";
import { requestFor, type SendRequest } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { readBugs, unexpectedShapeError } from "../../../api/response/response-objects.ts";
import { fieldsSentWhole, withInitialValues, withWholeValues } from "../../../api/write/body.ts";
import { updateRequest } from "../../../api/write/update-request.ts";
import { stateBefore } from "../../../api/write/write-state.ts";
import { BtError, isDenied } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { exactText } from "../../../view/column.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { isObject } from "../../../wire/json.ts";
import { reportMany } from "../../shared/changes/bulk-report.ts";
import { checkStoredTimes, readMoments } from "../../shared/changes/date-times.ts";
import { readNotApplied } from "../../shared/changes/ignored-fields.ts";
import {
  editsNewest,
  findConflictingValues,
  findModified,
  readNewestValuesOrFail,
} from "../../shared/changes/precondition.ts";
import type { Context } from "../../verb.ts";
import { hasLaterUpdates, laterUpdates } from "./copy.ts";
import { type ImportRow, laterChangesOf, type PlannedRow, type UpdateRow } from "./plan.ts";
import { isFiled, lostRowError, type StartedRow } from "./restart.ts";
import type { ImportEntry, ImportLog } from "./results-file.ts";

/** Rows to send, whether all are filed as new bugs, and where results are written. */
type ImportRun = {
  readonly rows: readonly ImportRow[];
  readonly isNew: boolean;
  readonly log: ImportLog;
  readOutcome: (job: string) => Promise<Outcome>; // of a job of one row, which is completed if it is open
};

/**
 * Sends rows one by one, each as a job of its own, and prints a line for each. Every step is written to the results file
 * first, so that no row is sent twice.
 * @throws BtError with the tally if any row failed
 */
export async function sendRows(run: ImportRun, context: Context): Promise<void> {
  const writer = await context.session.writes.writer();
  const { rows, isNew } = run;
  const bugs = rows.filter((row) => "bug" in row).map(({ bug }) => bug);
  const parts = rows.filter((row) => row.kind === "update").map(({ part }) => part);
  const running: RunningImport = {
    ...run,
    writer,
    context,
    created: new Map(),
    newIds: newIdsIn(run.log),
    newest: new Map(),
    jobs: new Map(),
    applied: new Map(),
    command: {},
  };
  await reportMany(
    sendEachRow(running),
    {
      total: rows.length,
      done: 0,
      bugs,
      parts,
      able: parts,
      newest: running.newest,
      created: running.created,
      isNew,
      isGuarded: rows.some((one) => one.kind === "update" && one.seen !== undefined),
      isResumable: false,
      command: running.command,
      onVerified: () => undefined,
      hint: (failed) => resumeImportHint(running.jobs.values(), failed),
      checkTimes: () => checkTimes(running),
    },
    context,
  );
}

function resumeImportHint(names: Iterable<string>, failed: readonly BugResult[]): string {
  const jobs = [...names].map((job) => `bt job send ${job}`);
  const wrong = failed.filter((result) => isRowRefused(result, failed)).map(({ line }) => String(line));
  const correction = wrong.length > 0 ? `correct line${wrong.length > 1 ? "s" : ""} ${firstNames(wrong)}, then ` : "";
  const again = [...jobs, `${correction}run the same command again: it continues with the others`].join("; or ");
  if (failed.every(isCollision)) return EXPORT_AGAIN;
  return failed.some(isCollision) ? `${again}; ${EXPORT_AGAIN}` : again;
}

/** True if the tracker refused a row, and would again; not if that ended the import, or if a part of the row was applied. */
function isRowRefused({ st, error }: BugResult, failed: readonly BugResult[]): boolean {
  const endsImport = failed.some((other) => other.st === "not tried" && other.error === error);
  return st === "failed" && isDenied(error) && error.facts.changed !== "some" && !endsImport;
}

/** Hint for rows whose bugs were modified after the file was exported. */
export const EXPORT_AGAIN = "export modified bugs again, or empty their last_change_time to overwrite the changes";

type RunningImport = ImportRun & {
  writer: Writer;
  context: Context;
  created: Map<number, number>; // ids of new bugs by row
  newIds: Map<number, number>; // by the ids in the file
  newest: Map<number, Bug>; // bugs whose lists were edited on newer values
  jobs: Map<number, string>; // jobs without an outcome, by row
  applied: Map<number, string>; // jobs of applied updates, by row
  command: CommandJobs; // of the rows; what a new bug lacks is set by jobs of their own
};

function newIdsIn({ entries }: ImportLog): Map<number, number> {
  const newIds = new Map<number, number>();
  for (const { old_id, id } of entries.values()) if (old_id !== undefined && id !== undefined) newIds.set(old_id, id);
  return newIds;
}

type SentRow = Extract<PlannedRow, { kind: "create" | "update" }> | StartedRow;

async function* sendEachRow(run: RunningImport): AsyncGenerator<readonly BugResult[]> {
  const { rows, context } = run;
  const idle = rows.filter((one) => one.kind === "unchanged" || one.kind === "collision");
  if (idle.length > 0) yield logResults(idle.map(idleResult), run);
  const queue = rows.filter(isSent);
  const tried: ItemResult[] = [];
  for (let planned = queue.shift(); planned !== undefined; planned = queue.shift()) {
    const next = planned;
    const refused = await readUnlessEnded(
      () => findRefusal(next, run),
      () => context.io.signal.aborted,
    );
    if (refused instanceof BtError) return yield logResults([planned, ...queue].map(notTriedRow(refused)), run);
    const { result, failure } = refused ? { result: refused } : await sendRow(planned, run);
    tried.push(result);
    const checked = await addNotApplied(planned, result, run);
    yield logResults([{ planned, result: await completeNewBug(planned, checked, run) }], run);
    const ending = endingError(tried, failure);
    if (ending && queue.length > 0) return yield logResults(queue.map(notTriedRow(ending)), run);
  }
}

/** A row with its result. */
type RowResult = { planned: ImportRow; result: ItemResult };

function notTriedRow(error: BtError): (planned: SentRow) => RowResult {
  return (planned) => ({ planned, result: { st: "not tried", error } });
}

function idleResult(planned: ImportRow): RowResult {
  if (planned.kind === "collision") return { planned, result: { st: "failed", error: planned.error } };
  return { planned, result: { st: "unchanged" } };
}

function isSent(one: ImportRow): one is SentRow {
  return one.kind === "create" || one.kind === "update" || one.kind === "started";
}

/** Sends a row, or completes the job that has begun to. */
async function sendRow(planned: SentRow, run: RunningImport): Promise<{ result: ItemResult; failure?: FailedOutcome }> {
  const outcome = await rowOutcome(planned, run);
  if (outcome.st === "applied") return { result: confirmedRow(planned, outcome.response, run) };
  return { result: failedResult(outcome), failure: outcome };
}

async function rowOutcome(planned: SentRow, run: RunningImport): Promise<Outcome> {
  try {
    if (planned.kind === "started") return await completeStarted(planned, run);
    if (planned.kind === "update") return await sendEdit(planned, run);
    return await sendWrite(planned, writeOf(planned, run), run);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: "refused", error };
  }
}

/** Sends an update as a row of its own; edits apply to the values right before, unless the row says how old it may be. */
async function sendEdit(planned: UpdateRow, run: RunningImport): Promise<Outcome> {
  if (!editsNewest(planned.part.body, rowPrecondition(planned))) return sendWrite(planned, writeOf(planned, run), run);
  const newest = await readNewestValuesOrFail(planned.part, run.context);
  const [bug = planned.bug] = newest.bugs;
  run.newest.set(bug.id, bug);
  return sendWrite(planned, writeOf({ ...planned, bug, part: newest }, run), run);
}

async function sendWrite(planned: SentRow, write: RoleWrite, run: RunningImport): Promise<Outcome> {
  const { writer, log, jobs, applied } = run;
  return writer.begin(write, async (job) => {
    const name = job.isJournaled ? job.name : undefined;
    log.write([entryOf(planned, { result: "sending", job: name }, run)]);
    const outcome = await job.attempt(write);
    if (name !== undefined && outcome.st === "unknown") jobs.set(planned.row.number, name);
    if (planned.kind === "update" && outcome.st === "applied") applied.set(planned.row.number, job.name);
    return outcome;
  });
}

/** Outcome of the job of a started row. For a bug that is filed, the job only tells if it still waits for an update. */
async function completeStarted({ row, entry }: StartedRow, run: RunningImport): Promise<Outcome> {
  const filed: Outcome | undefined = isFiled(entry) ? { st: "applied", response: { id: entry.id } } : undefined;
  if (filed && entry.job === undefined) return filed;
  const name = entry.job ?? "";
  const outcome = await run.readOutcome(name);
  if (outcome.st !== "unknown") return filed ?? outcome;
  run.jobs.set(row.number, name);
  return outcome;
}

function writeOf(planned: Exclude<SentRow, StartedRow>, { command }: RunningImport): RoleWrite {
  if (planned.kind === "create") return { request: requestFor(CREATE_BUG, withInitialValues(planned.body)), command };
  const { bug, part } = planned;
  const body = withWholeValues(part.body, bug as JsonObject);
  return {
    request: updateRequest([bug.id], body),
    command,
    edits: fieldsSentWhole(part.body),
    before: stateBefore([bug], part.body),
  };
}

function rowPrecondition({ bug, seen }: UpdateRow) {
  return seen === undefined ? undefined : { seen: new Map([[bug.id, seen]]), latest: undefined };
}

/** Result of a row that must not be sent now: its bug was modified, or its outcome is unknown. */
async function findRefusal(planned: SentRow, { context }: RunningImport): Promise<ItemResult | undefined> {
  if (planned.kind === "started") {
    const isLost = planned.entry.job === undefined && !isFiled(planned.entry);
    return isLost ? { st: "unknown", error: lostRowError(planned) } : undefined;
  }
  if (planned.kind === "create") return undefined;
  const precondition = rowPrecondition(planned);
  if (precondition === undefined) return undefined;
  const [modified] = await findModified([planned.bug.id], precondition, context);
  return modified ?? (await findConflictingValues([planned.bug], planned.part.body, context))[0];
}

function confirmedRow(planned: SentRow, response: Json, { created, newIds }: RunningImport): ItemResult {
  if (operationOf(planned) === "create") {
    const id = Number(isObject(response) ? response["id"] : undefined);
    const oldId = laterChangesOf(planned)?.oldId;
    created.set(planned.row.number, id);
    if (oldId !== undefined) newIds.set(oldId, id);
    return { st: "done", note: "created" };
  }
  const id = (planned.kind === "update" ? planned.bug.id : (planned as StartedRow).entry.id) ?? 0;
  const body = planned.kind === "update" ? planned.part.body : { comment: "" };
  const [result] = confirmedResults([id], response, body);
  return result ?? { st: "done" };
}

/** The result of a new bug with the fields that were not applied. */
async function addNotApplied(
  planned: SentRow,
  result: ItemResult,
  { created, context }: RunningImport,
): Promise<ItemResult> {
  const id = created.get(planned.row.number);
  if (planned.kind !== "create" || id === undefined || result.st !== "done") return result;
  const missing = (await readNotApplied(id, planned.body, context)) ?? [];
  if (planned.copy && missing.includes("groups")) {
    const error = new BtError("partial", "filed, but not restricted to its groups", { changed: "some" });
    return { ...result, st: "failed", error };
  }
  if (missing.length === 0) return result;
  return { ...result, ignored: missing, note: `created, not applied: ${missing.join(", ")}` };
}

/** The result of a bug that is filed as a new one, after the updates that it lacks; the next run sends those that fail. */
async function completeNewBug(planned: SentRow, result: ItemResult, run: RunningImport): Promise<ItemResult> {
  const copy = laterChangesOf(planned);
  const id = run.created.get(planned.row.number);
  if (!copy || id === undefined || result.st !== "done" || !hasLaterUpdates(copy)) return result;
  try {
    const { session } = run.context;
    const filed = await readWholeBug(id, session.send);
    for (const [at, body] of laterUpdates(filed, copy, run.newIds).entries()) {
      const bug = at === 0 ? filed : await readWholeBug(id, session.send);
      const write = { request: updateRequest([id], body), before: stateBefore([bug], body) };
      responseOf(await sendWrite(planned, write, run));
    }
    return result;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    const { kind, message, facts } = error;
    const st = kind === "unknown" ? "unknown" : "failed";
    return { st, error: new BtError(kind, `filed, but not complete: ${message}`, { ...facts, changed: "some" }) };
  }
}

async function readWholeBug(id: number, send: SendRequest): Promise<Bug> {
  const response = await send(requestFor(GET_BUG, { id_or_alias: id }));
  const bug = readBugs(response).find((one) => one.id === id);
  if (bug === undefined) throw unexpectedShapeError(`bug ${id}`);
  return bug;
}

function operationOf(planned: ImportRow): ImportEntry["operation"] {
  if (planned.kind === "started") return planned.entry.operation;
  return planned.kind === "create" ? "create" : "update";
}

/** Results under the numbers of their bugs, or the lines of their rows, after they were written down. */
function logResults(found: RowResult[], run: RunningImport): BugResult[] {
  const tried = found.filter(({ result }) => result.st !== "not tried");
  try {
    if (tried.length > 0) run.log.write(tried.map((one) => resultEntry(one, run)));
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    void note(run.context.io, `${error.message}; the next run verifies these rows`);
  }
  return found.map(({ planned, result }) => {
    const id = bugIdOf(planned, run);
    const bug = id === undefined ? { line: planned.row.line } : String(id);
    const title = planned.kind === "create" ? exactText(planned.body["summary"]) : undefined;
    return { ...result, bug, title, line: planned.row.line, oldId: laterChangesOf(planned)?.oldId };
  });
}

function bugIdOf(planned: ImportRow, { created }: RunningImport): number | undefined {
  if ("bug" in planned) return planned.bug.id ?? undefined;
  return created.get(planned.row.number) ?? (planned.kind === "started" ? planned.entry.id : undefined);
}

function resultEntry({ planned, result }: RowResult, run: RunningImport): ImportEntry {
  const word = result.st === "done" ? DONE[operationOf(planned)] : result.st;
  const own = run.jobs.get(planned.row.number) ?? run.applied.get(planned.row.number);
  const job = own ?? (planned.kind === "started" ? planned.entry.job : undefined);
  return entryOf(planned, { result: word, job, error: result.error?.message }, run);
}

const DONE = { create: "created", update: "changed" } as const;

function entryOf(
  planned: ImportRow,
  outcome: Pick<ImportEntry, "result" | "job" | "error">,
  run: RunningImport,
): ImportEntry {
  const { number: row, line, checksum } = planned.row;
  const old_id = laterChangesOf(planned)?.oldId;
  const id = bugIdOf(planned, run);
  const operation = operationOf(planned);
  const { session, io } = run.context;
  const time = io.now().toISOString();
  return { row, line, checksum, tracker: session.address, time, operation, ...outcome, old_id, id };
}

/** Checks the time of the first bug that got one, since trackers read times in a zone of their own. */
async function checkTimes({ rows, created, context }: RunningImport): Promise<void> {
  for (const one of rows) {
    const id = one.kind === "update" ? one.bug.id : created.get(one.row.number);
    if (id === undefined || (one.kind !== "update" && one.kind !== "create")) continue;
    const moments = one.kind === "update" ? one.part.moments : await readMoments(one.body, context);
    if (moments) return checkStoredTimes(id, moments, context);
  }
}
