import { readFile } from "node:fs/promises";
import type { Catalog } from "../../../api/catalog/catalog.ts";
import { splitQuotedItems } from "../../../api/catalog/legal-values.ts";
import { type BugResult, bulkError } from "../../../api/delivery/bulk.ts";
import { firstNames } from "../../../api/lists.ts";
import { expectedChanges } from "../../../api/write/preview.ts";
import { BtError, fileError, usageError } from "../../../errors.ts";
import { earlierJobs } from "../../../jobs/earlier-jobs.ts";
import { note } from "../../../session/note.ts";
import { withCatalog } from "../../../session/session.ts";
import { RESULT_LINE, type ResultRow } from "../../../view/change-rows.ts";
import type { ChangedThing } from "../../../view/changes.ts";
import { exactText } from "../../../view/column.ts";
import { countText, plain } from "../../../view/text.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Changes } from "../../../wire/resources.ts";
import { confirmChange } from "../../shared/changes/confirm-change.ts";
import { confirmExposure } from "../../shared/changes/move-groups.ts";
import { expectedThing, readLabels, resultColumns } from "../../shared/changes/show-changes.ts";
import { showList } from "../../shared/output/print.ts";
import type { Context } from "../../verb.ts";
import { bugFileForm } from "./bug-file.ts";
import { type BugFile, type FileRow, readBugFile } from "./file.ts";
import type { ImportInput } from "./flags.ts";
import {
  type ImportPlan,
  type ImportRow,
  laterChangesOf,
  type PlannedRow,
  planImport,
  type UpdateRow,
} from "./plan.ts";
import { planRestart, type Restart } from "./restart.ts";
import { checkResultsName, type ImportLog, readImportEntries, withImportLog } from "./results-file.ts";
import { EXPORT_AGAIN, sendRows } from "./send-rows.ts";

/** `bt bug import`: checks the rows of a file as a whole, previews them, and files and updates bugs. */
export async function importBugs(input: ImportInput, context: Context): Promise<void> {
  const [source = ""] = input.args;
  const form = bugFileForm({ ...input, format: input.inputFormat }, source);
  if (form.format === "ndjson" && (input.raw || input.separator !== undefined))
    throw usageError("--raw and --separator cannot be used with JSON lines", "JSON lines have exact texts and arrays");
  if (input.new && input.empty !== undefined)
    throw usageError("--new and --empty cannot be used together", "a new bug has no field to clear");
  const results = resultsFile(source, input);
  const bytes = source === "-" ? await context.io.input() : await readBytes(source);
  const file = readBugFile(bytes, form, source === "-" ? "stdin" : source);
  if (results === undefined || input.dryRun) {
    const entries = results === undefined ? new Map() : readImportEntries(results);
    return importFile(file, form.separator, { name: results ?? "", entries }, input, context);
  }
  return withImportLog(results, context.io, (log) =>
    importFile(file, form.separator, { name: results, entries: log.entries, log }, input, context),
  );
}

function readBytes(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error) => {
    throw fileError("read", file, error);
  });
}

/** The results file; undefined if a dry run of stdin has none. */
function resultsFile(source: string, { results: given, dryRun }: ImportInput): string | undefined {
  checkResultsName(given);
  if (given !== undefined || source !== "-") return given ?? `${source}.results.jsonl`;
  if (dryRun) return undefined;
  throw usageError("an import from stdin requires --results FILE", "the results file prevents sending a row twice");
}

/** The results file of an import: what earlier runs wrote to it, and the way to write to it. */
type ResultsFile = {
  name: string;
  entries: ImportLog["entries"];
  log?: ImportLog; // absent: a dry run
};

async function importFile(
  file: BugFile,
  separator: string, // of lists
  { name: results, entries, log }: ResultsFile,
  input: ImportInput,
  context: Context,
): Promise<void> {
  const { session, io } = context;
  const isNew = input.new;
  const known = earlierJobs(session, io);
  const restart = planRestart(file.rows, {
    entries,
    results,
    address: session.address,
    wasNotApplied: known.wasNotApplied,
    undoneBy: known.undoneBy,
    isNew,
  });
  const skipped = input.skipColumns.flatMap(splitQuotedItems);
  const style = { separator, clears: input.empty === "clears", isNew, skipped };
  const wasCommented = ({ number }: FileRow, bug: number, text: string) => {
    const { job = "" } = entries.get(number) ?? {};
    return known.undoneBy(job, bug) !== undefined && known.commentOf(job) === text;
  };
  const planRows = (chosen: BugFile["rows"]) =>
    withCatalog(session, (catalog) =>
      planImport({ ...file, rows: chosen }, style, { catalog, equalTimes: known.equalTimes, wasCommented, context }),
    );
  const plan = await planRows(restart.rest);
  const copies = isNew ? (await planRows(restart.started.map(({ row }) => row))).rows : [];
  const started = restart.started.map((one, at) => ({ ...one, copy: laterChangesOf(copies[at]) }));
  await io.err(omissionsText(plan));
  if (!plan.isGuarded && plan.rows.some(setsFields)) await note(io, UNGUARDED);
  const rows = duplicatesLast([...started, ...plan.rows]);
  const again = plan.isGuarded ? "export the bugs again to change them" : "--results FILE imports them again";
  const before = `imported before, by ${plain(results)}: ${countText(restart.done, "row")}`;
  if (restart.done > 0) await io.err(`${before}; ${again}\n`);
  const isDone = rows.every(({ kind }) => kind === "unchanged");
  if (isDone && restart.updated.length > 0) await refuseSkipped(await planRows(restart.updated), context);
  if (log === undefined) {
    await showDryRun(rows, isNew, context);
    if (io.terminal.stderr) await io.err(`${planSentence(plan, restart, WOULD_BE)}\n`);
    return refuseCollisions(rows);
  }
  await confirmImport(plan, restart, input, context);
  const parts = plan.rows.filter((row) => row.kind === "update").map(({ part }) => part);
  await confirmExposure(parts, input, context);
  await sendRows({ rows, isNew, log, readOutcome: known.readOutcome }, context);
}

/** @throws BtError of kind collision if bugs of rows that were imported before have other values now */
async function refuseSkipped({ rows }: ImportPlan, { session }: Context): Promise<void> {
  const catalog = await session.metadata.catalog();
  const updates = rows.filter((row) => row.kind === "update");
  const changed = updates.filter(({ bug, part }) => Object.keys(expectedChanges(bug, part, catalog)).length > 0);
  if (changed.length === 0) return;
  const names = firstNames(changed.map(({ bug }) => `bug ${bug.id}`));
  throw new BtError("collision", `nothing imported: changed since an earlier import: ${names}`, {
    hint: "--results FILE imports them again",
    changed: "nothing",
  });
}

/** Note on a file whose rows overwrite values, whoever has changed them since. */
const UNGUARDED =
  "without a column last_change_time, changes by others since the export are overwritten; bt bug export has it, unless --fields leaves it out";

/** True for an update that overwrites fields, not one that only adds a comment. */
function setsFields(planned: PlannedRow): boolean {
  return planned.kind === "update" && Object.keys(planned.part.body).some((name) => name !== "comment");
}

/** Lines about what is not imported. */
function omissionsText({ rows, ignored }: ImportPlan): string {
  const parts = ignored.map((name) => plain(name));
  let [secret, long, repeated] = [0, 0, 0];
  for (const row of rows) {
    if ("isCommented" in row && row.isCommented) repeated += 1;
    secret += laterChangesOf(row)?.omitted.private ?? 0;
    long += laterChangesOf(row)?.omitted.long ?? 0;
  }
  if (secret > 0) parts.push(countText(secret, "private comment"));
  if (long > 0) parts.push(`${countText(long, "comment")} too long for a description`);
  if (repeated > 0) parts.push(`${countText(repeated, "comment")} from an import that was undone, which stayed`);
  return parts.length > 0 ? `not imported: ${parts.join(", ")}\n` : "";
}

/** Rows as they are sent: duplicates after the others, which may be their originals. */
function duplicatesLast(rows: ImportRow[]): ImportRow[] {
  const isDuplicate = (one: ImportRow) => Number("copy" in one && one.copy?.dupeOf !== undefined);
  return rows.toSorted((a, b) => isDuplicate(a) - isDuplicate(b) || a.row.number - b.row.number);
}

/** Previews an import and prompts for confirmation; without a terminal `--yes` is required. */
async function confirmImport(plan: ImportPlan, restart: Restart, input: ImportInput, context: Context): Promise<void> {
  const changing = [...rowsOf("create", plan), ...rowsOf("update", plan)];
  if (input.yes || changing.length + restart.started.length === 0) return;
  const catalog = await context.session.metadata.catalog();
  const fields = await readLabels(context);
  const changed = changing.map((planned) => expectedOfRow(planned, catalog));
  await confirmChange({ sentence: planSentence(plan, restart), changed, fields, question: "import?" }, input, context);
}

function rowsOf(kind: PlannedRow["kind"], { rows }: ImportPlan): PlannedRow[] {
  return rows.filter((one) => one.kind === kind);
}

const TO_DO = { create: "to create", update: "to update", verify: "to verify" };
const WOULD_BE: typeof TO_DO = { create: "would be created", update: "would be updated", verify: "would be verified" };

/** Numbers of the bugs of a file by what is to be done with them. */
function planSentence(plan: ImportPlan, { started }: Restart, words = TO_DO): string {
  const counts = [
    [rowsOf("create", plan).length, words.create],
    [rowsOf("update", plan).length, words.update],
    [started.length, words.verify],
    [rowsOf("unchanged", plan).length, "unchanged"],
    [rowsOf("collision", plan).length, "modified in the meantime"],
  ] as const;
  const parts = counts.filter(([count]) => count > 0);
  const texts = parts.map(([count, what], at) => `${at > 0 ? count : countText(count, "bug")} ${what}`);
  return texts.join(", ") || "no bugs to file or update";
}

/** A bug as it would be changed, or the line of one that would be created. */
function expectedOfRow(planned: PlannedRow, catalog: Catalog): ChangedThing {
  if (planned.kind === "update")
    return expectedThing(planned.bug, planned.part, expectedChanges(planned.bug, planned.part, catalog));
  const { summary, product, component } = planned.kind === "create" ? planned.body : {};
  return { name: `line ${planned.row.line}`, title: String(summary), missed: `new bug of ${product}, ${component}` };
}

/** Prints a line for each row that would be sent, or not. */
async function showDryRun(rows: readonly ImportRow[], isNew: boolean, context: Context): Promise<void> {
  const columns = resultColumns(context, isNew ? ["old_id", ...RESULT_LINE] : RESULT_LINE);
  const catalog = await context.session.metadata.catalog();
  await showList(context, { columns, pages: [rows.map((planned) => dryRow(planned, catalog))] });
}

/** @throws BtError of kind collision for rows that would not be sent, as the import itself does */
function refuseCollisions(rows: ImportRow[]): void {
  const failed: BugResult[] = [];
  for (const one of rows)
    if (one.kind === "collision") failed.push({ bug: String(one.bug.id), st: "would fail", error: one.error });
  const unchanged = rows.filter(({ kind }) => kind === "unchanged").length;
  const tally = {
    total: rows.length,
    succeeded: rows.length - failed.length,
    unchanged,
    failed,
    word: "would be imported",
  };
  const error = bulkError(tally, EXPORT_AGAIN);
  if (error) throw error;
}

function dryRow(planned: ImportRow, catalog: Catalog): ResultRow {
  if (planned.kind === "update")
    return { id: String(planned.bug.id), result: "would change", changes: changesOf(planned, catalog) };
  const line = `line ${planned.row.line}`;
  const old_id = "copy" in planned ? planned.copy?.oldId : undefined;
  if (planned.kind === "create")
    return { id: line, old_id, result: "would create", changes: newBugChanges(planned.body) };
  if (planned.kind === "started") return { id: line, old_id, result: "would verify" };
  const id = String(planned.bug.id);
  if (planned.kind === "unchanged") return { id, result: planned.kind };
  const { kind, message } = planned.error;
  return { id, result: "would fail", error: { kind, message } };
}

function changesOf({ bug, part }: UpdateRow, catalog: Catalog): Changes {
  const comment = part.body["comment"] as JsonObject | undefined;
  const added = comment ? { comment: { removed: "", added: exactText(comment["body"]) } } : {};
  return { ...expectedChanges(bug, part, catalog), ...added };
}

function newBugChanges(body: JsonObject): Changes {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, { removed: "", added: exactText(value) }]),
  );
}
