import { bugsByMessage } from "../../../api/bug-messages.ts";
import { addResults, type BugResult, type BulkTally, bulkError } from "../../../api/delivery/bulk.ts";
import type { CommandJobs } from "../../../api/delivery/writer.ts";
import { lastingStatuses } from "../../../api/write/moves.ts";
import { overwrittenLines } from "../../../api/write/overwritten.ts";
import { expectedChanges } from "../../../api/write/preview.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { partForBug } from "../../../api/write/update-request.ts";
import { STATUS_FIELDS } from "../../../api/write/write-state.ts";
import { BtError, withDetails } from "../../../errors.ts";
import { writeOutputError } from "../../../io.ts";
import { note } from "../../../session/note.ts";
import type { PagedOutput } from "../../../session/pager.ts";
import { changeLines, namesWidth } from "../../../view/changes.ts";
import type { Listing } from "../../../view/column.ts";
import { listing } from "../../../view/listing.ts";
import { NO_PROGRESS, progressLine, progressNote } from "../../../view/messages.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { isForCards, isJson } from "../output/print.ts";
import { type CheckedResults, type ReadBack, verifyResults } from "./bulk-read-back.ts";
import { ignoredLines, refuseIgnored } from "./ignored-fields.ts";
import { refuseOverwritten, reportOverwritten } from "./precondition.ts";
import {
  expectedThing,
  readLabels,
  reportTally,
  resultColumns,
  type ShownChange,
  shownResult,
} from "./show-changes.ts";

/** Many bugs whose results are printed as they come. */
type ManyReport = ReadBack & {
  readonly total: number;
  readonly done: number; // by earlier runs
  unchanged?: number; // of these
  readonly bugs: readonly Bug[]; // as read
  readonly parts: readonly UpdatePart[]; // of all bugs, also of unchanged ones
  created?: ReadonlyMap<number, number>; // ids of the bugs that are filed, as they come
  readonly isNew?: boolean; // all are filed as new bugs, and shown with their old numbers
  readonly isGuarded: boolean; // changes of others that were overwritten are an error
  readonly hint: (failed: readonly BugResult[]) => string | undefined; // how to continue, if bugs are left
  readonly command: CommandJobs; // by which the changes can be undone
  readonly checkTimes: () => Promise<void>;
};

/**
 * Prints the results of many bugs, how many there were, and what was not applied, overwritten or failed.
 * @throws BtError with the tally if any bug failed, of kind partial or collision if values were not applied, or replaced
 * those of others
 */
export async function reportMany(
  results: AsyncIterable<readonly BugResult[]>,
  report: ManyReport,
  context: Context,
): Promise<void> {
  const shown = await showResults(verifyResults(results, report, context), report, context);
  try {
    await checkResults(shown, report, context);
    const { total, created: { size: created } = NONE } = report;
    const { unchanged } = shown.tally;
    await reportTally({ created, updated: total - created - unchanged, unchanged }, context);
  } finally {
    const isCertain = !shown.tally.failed.some(({ st }) => st === "unknown"); // else the job has to be sent first
    if (isCertain) await reportUndo(report.command, shown.changed, context);
  }
}

const NONE: ReadonlyMap<number, number> = new Map();

/** Names the command that undoes changes, if there are any, and the bugs whose status it cannot restore; not in JSON. */
export async function reportUndo({ first }: CommandJobs, changed: ChangedBug[], context: Context): Promise<void> {
  if (!first || isJson(context)) return;
  const catalog = await context.session.metadata.catalog().catch(() => undefined);
  const lasting = lastingStatuses(changed, catalog);
  const stays = (id: number, field: string) =>
    [...STATUS_FIELDS, "is_confirmed"].includes(field) && lasting.some(({ bug }) => bug === String(id));
  const isUndoable = changed.some(({ id, changes }) => Object.keys(changes).some((field) => !stays(id, field)));
  if (isUndoable) await note(context.io, `undo: bt bug undo --job ${first}`);
  for (const line of bugsByMessage(lasting)) await context.io.err(`${line}\n`);
}

/** @throws BtError for what failed, was not applied, or was overwritten */
async function checkResults(shown: ShownResults, report: ManyReport, context: Context): Promise<void> {
  const { tally, ignored, failure } = shown;
  const read = report.bugs.map((bug) => report.newest.get(bug.id) ?? bug);
  const overwritten = overwrittenLines(shown.changed, read, (id) => partForBug(report.parts, id)?.body);
  const error = bulkError(tally, report.hint(tally.failed));
  if (error) throw withDetails(error, [...overwritten, ...ignoredLines(ignored)]);
  try {
    if (report.isGuarded) refuseOverwritten(overwritten);
    else await reportOverwritten(overwritten, context);
    if (failure !== undefined) throw withUpdateCount(failure, report.total);
    await report.checkTimes();
  } catch (thrown) {
    throw thrown instanceof BtError ? withDetails(thrown, ignoredLines(ignored)) : thrown;
  }
  refuseIgnored(ignored);
}

/** Adds the number of updated bugs to an output error, so the user does not repeat the update. */
function withUpdateCount(failure: unknown, total: number): unknown {
  const error = writeOutputError(failure);
  return error instanceof BtError ? withDetails(error, [`already applied: all ${total} bugs`]) : error;
}

/** What the results of a bulk update come to, and why they could not be printed. */
type ShownResults = {
  tally: BulkTally;
  changed: ChangedBug[];
  ignored: Map<number, readonly string[]>; // fields that the tracker ignored, by bug
  failure: unknown;
};

/**
 * Prints the results of a bulk update, a line each, with a progress bar on a terminal. If the output fails, the update
 * continues and the failure is returned at the end.
 */
async function showResults(
  pages: AsyncIterable<CheckedResults>,
  report: ManyReport,
  context: Context,
): Promise<ShownResults> {
  const { format } = context.output;
  const { total, done, unchanged = 0 } = report;
  const list = await resultListing(report, context);
  const scope = { ...report, read: new Map(report.bugs.map((bug) => [bug.id, bug])) };
  const write = persistentOutput(
    format === "json" ? context.output.open() : { write: context.io.out, end: async () => undefined },
  );
  const bar = bulkProgress(context);
  let tally: BulkTally = { total, succeeded: done, unchanged, failed: [], isTouched: done > unchanged };
  const changed: ChangedBug[] = [];
  const ignored = new Map<number, readonly string[]>();
  let isFirst = true;
  for await (const page of pages) {
    const { results } = page;
    tally = addResults(tally, results);
    for (const result of results) if (result.changed) changed.push(result.changed);
    for (const [id, names] of page.ignored) ignored.set(id, names);
    await bar.away();
    const shown = results.map((result) => shownResult(result, scope, context));
    const listed = shown.filter(({ isChanged }) => isChanged || format !== "ids");
    await write.out((isFirst ? list.head(listed) : "") + list.page(listed));
    isFirst = false;
    await bar.draw(tally);
  }
  await bar.away();
  await write.out((isFirst ? list.head([]) : "") + list.tail());
  await write.end();
  return { tally, changed, ignored, failure: write.failure() };
}

/** Results as an update of few bugs prints them: lines on a terminal, unless bugs are filed, else rows. */
async function resultListing({ parts, isNew }: ManyReport, context: Context): Promise<Listing<ShownChange>> {
  const { format, view } = context.output;
  const names = isNew ? CREATED_LINE : undefined;
  if (names || !isForCards(context)) return listing(format, resultColumns(context, names), view);
  const fields = await readLabels(context);
  const catalog = await context.session.metadata.catalog();
  const all = parts.flatMap((part) =>
    part.bugs.map((bug) => expectedThing(bug, part, expectedChanges(bug, part, catalog), true)),
  );
  const columns = namesWidth(all);
  const page = (shown: readonly ShownChange[]) => {
    const changed = shown.filter(({ error }) => error === undefined); // the error at the end names the others
    return changeLines({ changed, fields }, view, columns);
  };
  return { head: () => "", page, tail: () => "" };
}

/** Columns of bugs that are filed with their old numbers. */
const CREATED_LINE = ["old_id", "id", "result", "error"];

/** Output that remembers its first failure and ignores further text. */
function persistentOutput(sheet: Pick<PagedOutput, "write" | "end">) {
  let failure: unknown;
  const attempt = async (write: () => Promise<void>) => {
    if (failure !== undefined) return;
    await write().catch((error) => {
      failure = error;
    });
  };
  return {
    out: (text: string) => attempt(() => sheet.write(text)),
    end: () => attempt(sheet.end),
    failure: () => failure,
  };
}

/** Progress on a terminal: a bar that is redrawn, or, where nothing can be redrawn, a line every 30 s. */
function bulkProgress({ io, output }: Context) {
  if (!io.terminal.stderr) return { draw: async () => undefined, away: async () => undefined };
  if (output.view.isAscii) return { draw: linesOfProgress(io), away: async () => undefined };
  return {
    draw: (tally: BulkTally) => io.err(progressLine(triedIn(tally), tally.total)),
    away: () => io.err(NO_PROGRESS),
  };
}

function linesOfProgress({ ticks, err }: Context["io"]) {
  let last = ticks();
  return async (tally: BulkTally) => {
    if (ticks() - last < LINE_MS) return;
    last = ticks();
    await err(progressNote(triedIn(tally), tally.total));
  };
}

function triedIn({ succeeded, failed }: BulkTally): number {
  return succeeded + failed.filter(({ st }) => st !== "not tried").length;
}

const LINE_MS = 30_000;
