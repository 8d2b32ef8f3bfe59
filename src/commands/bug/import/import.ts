import { readFile } from "node:fs/promises";
import { previewChanges } from "../../../api/write/preview.ts";
import { groupsAfter } from "../../../api/write/product-move.ts";
import { BtError, fileError, usage } from "../../../errors.ts";
import { wasNotApplied } from "../../../jobs/resume.ts";
import { withCatalog } from "../../../session/session.ts";
import { OLD_ID_COLUMN, RESULT_COLUMNS, type ResultRow, SHOWN_RESULT_COLUMNS } from "../../../view/change-rows.ts";
import { exactText } from "../../../view/column.ts";
import { countText, plain } from "../../../view/text.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Changes } from "../../../wire/resources.ts";
import { changesLine } from "../../shared/change-many.ts";
import { confirmExposure } from "../../shared/move-groups.ts";
import { chosenColumns, outputFormat, showList } from "../../shared/output.ts";
import { confirmationPrompt } from "../../shared/prompts.ts";
import type { Context } from "../../verb.ts";
import { bugFileForm } from "./bug-file.ts";
import type { BugCopy } from "./copy.ts";
import { type BugFile, readBugFile } from "./file.ts";
import type { ImportInput } from "./input.ts";
import { type ImportPlan, type PlannedRow, planImport } from "./plan.ts";
import { type Restart, restartOf, type StartedRow } from "./restart.ts";
import { checkResultsName, type ImportLog, importEntries, withImportLog } from "./results-file.ts";
import { sendRows } from "./send.ts";

/** `bt bug import`: checks the rows of a file as a whole, previews them, and files and updates bugs. */
export async function importBugs(input: ImportInput, context: Context): Promise<void> {
  const [source = ""] = input.args;
  const form = bugFileForm({ ...input, format: input.inputFormat }, source);
  if (form.format === "ndjson" && (input.raw || input.separator !== undefined))
    throw usage("--raw and --separator cannot be used with JSON lines", "JSON lines have exact texts and arrays");
  if (input.new && input.empty !== undefined)
    throw usage("--new and --empty cannot be used together", "a new bug has no field to clear");
  const results = resultsFile(source, input);
  const bytes = source === "-" ? await context.io.input() : await bytesOf(source);
  const file = readBugFile(bytes, form, source === "-" ? "stdin" : source);
  if (results === undefined || input.dryRun) {
    const entries = results === undefined ? new Map() : importEntries(results);
    return importFile(file, form.separator, { name: results ?? "", entries }, input, context);
  }
  return withImportLog(results, context.io, (log) =>
    importFile(file, form.separator, { name: results, entries: log.entries, log }, input, context),
  );
}

function bytesOf(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error) => {
    throw fileError("read", file, error);
  });
}

/** The results file; undefined if a dry run of stdin has none. */
function resultsFile(source: string, { results: given, dryRun }: ImportInput): string | undefined {
  checkResultsName(given);
  if (given !== undefined || source !== "-") return given ?? `${source}.results.jsonl`;
  if (dryRun) return undefined;
  throw usage("an import from stdin requires --results FILE", "the results file prevents sending a row twice");
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
  const restart = restartOf(file.rows, {
    entries,
    results,
    address: session.address,
    wasNotApplied: (job) => wasNotApplied(job, io),
    isNew,
  });
  const style = { separator, clears: input.empty === "clears", isNew };
  const planRows = (rows: BugFile["rows"]) =>
    withCatalog(session, (catalog) => planImport({ ...file, rows }, style, { catalog, context }));
  const plan = await planRows(restart.rest);
  const copies = isNew ? (await planRows(restart.started.map(({ row }) => row))).rows : [];
  const started = restart.started.map((one, at) => ({ ...one, copy: copyIn(copies[at]) }));
  await io.err(noticesOf(plan));
  if (restart.done > 0) await io.err(`imported before, by ${plain(results)}: ${countText(restart.done, "row")}\n`);
  const rows = inOrder([...started, ...plan.rows]);
  if (log === undefined) return showDryRun(rows, isNew, context);
  await confirmImport(plan, restart, input, context);
  const parts = plan.rows.flatMap((one) => (one.kind === "update" ? [one.part] : []));
  await confirmExposure(parts, input, context);
  await sendRows({ rows, done: restart.done, isNew, log }, context);
}

function copyIn(planned: PlannedRow | undefined): BugCopy | undefined {
  return planned?.kind === "create" ? planned.copy : undefined;
}

/** Lines about what is not imported. */
function noticesOf({ rows, ignored }: ImportPlan): string {
  const parts = ignored.map((name) => plain(name));
  let [secret, long] = [0, 0];
  for (const row of rows) {
    secret += copyIn(row)?.omitted.private ?? 0;
    long += copyIn(row)?.omitted.long ?? 0;
  }
  if (secret > 0) parts.push(countText(secret, "private comment"));
  if (long > 0) parts.push(`${countText(long, "comment")} too long for a description`);
  return parts.length > 0 ? `not imported: ${parts.join(", ")}\n` : "";
}

/** Rows as they are sent: duplicates after the others, which may be their originals. */
function inOrder(rows: (PlannedRow | StartedRow)[]): (PlannedRow | StartedRow)[] {
  const isDuplicate = (one: PlannedRow | StartedRow) => Number("copy" in one && one.copy?.dupeOf !== undefined);
  return rows.toSorted((a, b) => isDuplicate(a) - isDuplicate(b) || a.row.number - b.row.number);
}

/** Previews an import and prompts for confirmation; without a terminal `--yes` is required. */
async function confirmImport(plan: ImportPlan, restart: Restart, input: ImportInput, context: Context): Promise<void> {
  const of = (kind: PlannedRow["kind"]) => plan.rows.filter((one) => one.kind === kind);
  const [news, updates] = [of("create"), of("update")];
  if (input.yes || news.length + updates.length + restart.started.length === 0) return;
  const counts = [
    [news.length, "to file"],
    [updates.length, "to update"],
    [restart.started.length, "to verify"],
    [of("unchanged").length, "unchanged"],
    [of("collision").length, "modified by another user"],
  ] as const;
  const parts = counts.filter(([count]) => count > 0);
  const sentence = parts.map(([count, what], at) => `${at > 0 ? count : countText(count, "bug")} ${what}`).join(", ");
  const lines = [...news, ...updates].map(lineOf);
  const shown = lines.length > SAMPLE ? [...lines.slice(0, SAMPLE), `and ${lines.length - SAMPLE} more`] : lines;
  const { io, session } = context;
  const confirm = confirmationPrompt(input, io, session.settings);
  if (!confirm) throw new BtError("guard", sentence, { details: shown, hint: HINT, changed: "nothing" });
  await io.err(`${[`${sentence}:`, ...shown.map((line) => `    ${plain(line)}`)].join("\n")}\n`);
  if (!(await confirm("import?"))) throw new BtError("guard", "no changes made", { changed: "nothing" });
}

const HINT = "--yes skips the prompt; --dry-run shows every change";
const SAMPLE = 8;

function lineOf(planned: PlannedRow): string {
  if (planned.kind === "update") return changesLine(planned.bug, planned.part);
  const { summary, product, component } = planned.kind === "create" ? planned.body : {};
  return `line ${planned.row.line}: ${summary} (${product}, ${component})`;
}

/** Prints a line for each row that would be sent, or not. */
async function showDryRun(rows: readonly (PlannedRow | StartedRow)[], isNew: boolean, context: Context): Promise<void> {
  const usual = outputFormat(context) === "table" ? SHOWN_RESULT_COLUMNS : RESULT_COLUMNS;
  const columns = chosenColumns(isNew ? [OLD_ID_COLUMN, ...usual] : usual, context);
  await showList(context, { columns, pages: [rows.map(dryRow)] });
}

function dryRow(planned: PlannedRow | StartedRow): ResultRow {
  if (planned.kind === "update")
    return { id: String(planned.bug.id), result: "to update", changes: changesOf(planned) };
  const line = `line ${planned.row.line}`;
  const old_id = "copy" in planned ? planned.copy?.oldId : undefined;
  if (planned.kind === "create") return { id: line, old_id, result: "to file", changes: fieldsOf(planned.body) };
  if (planned.kind === "started") return { id: line, old_id, result: "to verify" };
  const error = planned.kind === "collision" ? { kind: "collision", message: planned.error.message } : undefined;
  return { id: String(planned.bug.id), result: planned.kind, error };
}

function changesOf({ bug, part }: Extract<PlannedRow, { kind: "update" }>): Changes {
  const { body, moments, target } = part;
  const comment = body["comment"] as JsonObject | undefined;
  const told = comment ? { comment: { removed: "", added: exactText(comment["body"]) } } : {};
  return { ...previewChanges(bug, { ...body, ...moments }, groupsAfter(bug, body, target)), ...told };
}

function fieldsOf(body: JsonObject): Changes {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, { removed: "", added: exactText(value) }]),
  );
}
