import { createHash } from "node:crypto";
import { requestAll } from "../../../api/batch.ts";
import { isBugId } from "../../../api/bug-ref.ts";
import { bugPlan } from "../../../api/bugs.ts";
import type { Catalog } from "../../../api/catalog/catalog.ts";
import { partition } from "../../../api/lists.ts";
import { updateRequest } from "../../../api/write/changes.ts";
import { bugCheckError, findWrongReferences } from "../../../api/write/checks.ts";
import { BtError, isKind, usageError, withFacts } from "../../../errors.ts";
import { createdBug, type JobWrite } from "../../../jobs/job.ts";
import { continueJobs } from "../../../jobs/resume.ts";
import { note } from "../../../session/note.ts";
import { withCatalog } from "../../../session/session.ts";
import { countText } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { timestamp } from "../../../wire/time.ts";
import { type BugMessage, bugsByMessage } from "../../shared/bug-messages.ts";
import { changeBugs } from "../../shared/change/change.ts";
import { firstLines } from "../../shared/change/output.ts";
import { type Edit, staleError } from "../../shared/change/plan.ts";
import { reportNoTargets } from "../../shared/targets.ts";
import { readSourceBytes } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { ImportInput } from "../flags.ts";
import {
  type CellContext,
  type ColumnCell,
  findColumns,
  type ImportColumn,
  isChange,
  readCellContext,
  readChanges,
} from "./columns.ts";
import { type BugFile, type FileRow, lineError, readBugFile } from "./file.ts";
import { type LaterChanges, laterUpdates, NOT_COPIED, newBugFromCells, planCopy } from "./new-bugs.ts";

/** `bt bug import`: checks all rows of a file, previews them, and files and updates bugs. */
export async function importBugs(input: ImportInput, context: Context): Promise<void> {
  const [source = ""] = input.args;
  const bytes = await readSourceBytes(source, context);
  const file = readBugFile(bytes, source);
  const key = createHash("sha256")
    .update(bytes)
    .update(input.new ? "new" : "")
    .digest("hex")
    .slice(0, 32);
  const { session, io } = context;
  await continueJobs(key, { session, io, isDryRun: input.dryRun }, async (sent) => {
    const plan = await withCatalog(session, (catalog) => planImport(file, input.new, sent, catalog, context));
    const filed = findFiledBugs(sent);
    const edits = editsOfRows(plan, filed);
    await noteLosses(plan, context);
    const skipped = skippedText(plan, filed, Math.max(...sent.map(({ at = 0 }) => at)));
    if (edits.length === 0) return void (await reportNoTargets(context, skipped || "no rows"));
    if (skipped) await note(io, skipped);
    const options = { command: "bug import", mustConfirm: true, areNamesChecked: true, key };
    await changeBugs(edits, { ...input, ...options }, context);
  });
}

/** A row of a file, with the edit of its bug, the body of a new bug, or neither if it changes nothing. */
type PlannedRow = {
  readonly row: FileRow;
  readonly edit?: Edit | undefined;
  readonly create?: JsonObject;
  readonly copy?: LaterChanges;
};

/** The columns of a file, and what its rows do; rows are added as they are checked. */
type ImportPlan = {
  readonly columns: readonly ImportColumn[];
  readonly isNew: boolean; // every row is a new bug
  readonly commented: ReadonlySet<number>; // bugs that an earlier run commented on
  readonly cellContext: CellContext;
  readonly rows: PlannedRow[];
  readonly cleared: BugMessage[]; // fields, by empty cells
  uncleared: number; // empty cells without effect
};

/**
 * Checks every row against the tracker's metadata and the bugs, and plans what is to be sent.
 * @throws BtError of kind usage with the line of every row that is wrong
 */
async function planImport(
  { names, rows }: BugFile,
  isNew: boolean,
  sent: readonly JobWrite[],
  catalog: Catalog,
  context: Context,
): Promise<ImportPlan> {
  const columns = findColumns(names, catalog);
  const texts = rows.flatMap(({ cells }) => [...cells.values()].flat());
  const plan: ImportPlan = {
    columns,
    isNew,
    commented: findCommentedBugs(sent),
    cellContext: await readCellContext(texts, catalog, context),
    rows: [],
    cleared: [],
    uncleared: 0,
  };
  const { found, errors } = await readBugsOfRows(rows, plan);
  for (const row of rows) {
    if (errors.has(row)) continue;
    try {
      plan.rows.push({ row, ...(await planRow(row, found.get(row), plan)) });
    } catch (error) {
      if (!isKind(error, "usage", "missing")) throw error;
      errors.set(row, error);
    }
  }
  const referenceErrors = await findWrongReferences(plan.rows.map(bodyOf), catalog, context.session.send);
  for (const [at, { row }] of plan.rows.entries()) if (referenceErrors[at]) errors.set(row, referenceErrors[at]);
  if (errors.size > 0) throw invalidRowsError(errors, rows.length);
  return plan;
}

/** The first request body of a row; empty if it sends nothing. */
function bodyOf({ create, edit }: PlannedRow): JsonObject {
  return create ?? (edit && "body" in edit ? edit.body : {});
}

type RowErrors = Map<FileRow, BtError>;

/** One error for all invalid rows, with a line for each; of their kind if they have the same, else usage. */
function invalidRowsError(found: RowErrors, total: number): BtError {
  const inOrder = [...found].toSorted(([one], [other]) => one.line - other.line);
  const errors = inOrder.map(([{ line }, error]) => lineError(line, error));
  const [kind = "usage", ...otherKinds] = new Set(errors.map((error) => error.kind));
  const details = errors.flatMap(({ message, facts }) => [
    facts.hint ? `${message} (${facts.hint})` : message,
    ...(facts.details ?? []),
  ]);
  const sentence = `${found.size} of ${total} rows ${found.size === 1 ? "is" : "are"} invalid`;
  return new BtError(otherKinds.length > 0 ? "usage" : kind, sentence, { details: firstLines(details) });
}

/** The bugs that rows name, in few requests, and the errors of rows whose bug is no number, repeated or not found. */
async function readBugsOfRows(rows: readonly FileRow[], { columns, isNew, cellContext }: ImportPlan) {
  const rowsById = new Map<string, FileRow>();
  const errors: RowErrors = new Map();
  const found = new Map<FileRow, Bug>();
  for (const row of rows) {
    const id = cellText(row, "id", columns).replace(/^#/, "");
    const earlier = rowsById.get(id);
    if (earlier) errors.set(row, usageError(`bug ${id} is also in line ${earlier.line}`));
    else if (isBugId(id)) rowsById.set(id, row);
    else if (id !== "")
      errors.set(row, usageError(`${JSON.stringify(id)} is not a bug number`, "empty it for a new bug"));
  }
  if (isNew) return { found, errors };
  for (const outcome of await requestAll([...rowsById.keys()], bugPlan(["_default"]), cellContext.send)) {
    const row = rowsById.get(outcome.ref);
    if (row && "thing" in outcome) found.set(row, outcome.thing);
    else if (row && "error" in outcome) errors.set(row, outcome.error);
  }
  return { found, errors };
}

/** Text of the cell of a row in the column of this role, "" if there is none. */
function cellText({ cells }: FileRow, role: ImportColumn["role"], columns: readonly ImportColumn[]): string {
  const label = columns.find((column) => column.role === role)?.label ?? "";
  return String(cells.get(label) ?? "").trim();
}

/** The edit or the new bug of a row. @throws BtError of kind usage or missing if the row is invalid */
async function planRow(row: FileRow, bug: Bug | undefined, plan: ImportPlan): Promise<Omit<PlannedRow, "row">> {
  const cells = plan.columns.flatMap((column): ColumnCell[] => {
    const cell = row.cells.get(column.label);
    if (cell === undefined) return []; // a JSON line may lack it
    const isBlank = typeof cell === "string" && (column.isList ? /^[\s,]*$/ : /^\s*$/).test(cell);
    return [{ column, cell: isBlank ? "" : cell }];
  });
  if (bug) return { edit: await planUpdate(bug, cells, readChangeTime(cellText(row, "guard", plan.columns)), plan) };
  return plan.isNew ? planCopy(cells, plan.cellContext) : { create: await newBugFromCells(cells, plan.cellContext) };
}

/** The edit of a bug, a refusal if it was modified after `since`; undefined if the row changes nothing. */
async function planUpdate(
  bug: Bug,
  cells: readonly ColumnCell[],
  since: string | undefined,
  plan: ImportPlan,
): Promise<Edit | undefined> {
  const stale = since === undefined ? undefined : staleError(bug, since);
  if (stale) {
    if (!cells.some((cell) => isChange(cell, bug))) return undefined;
    return { ref: String(bug.id), bug, error: withFacts(stale, { hint: EXPORT_AGAIN }) };
  }
  const isCommented = plan.commented.has(bug.id); // an earlier run did, and the comment is not repeated
  const given = isCommented ? cells.filter(({ column }) => column.name !== "comment") : cells;
  const { body, cleared } = await readChanges(given, bug, plan.cellContext);
  const names = Object.keys(cleared);
  if (since === undefined) plan.uncleared += names.length;
  else plan.cleared.push(...names.map((name) => ({ bug: String(bug.id), message: `${name} is cleared` })));
  const changes = since === undefined ? body : { ...body, ...cleared };
  if (Object.keys(changes).length === 0) return undefined;
  const error = bugCheckError(bug, changes, plan.cellContext.valueContext.catalog);
  if (error) throw error;
  return { bug, body: changes, since };
}

/** Hint for rows whose bugs were modified after the file was exported. */
const EXPORT_AGAIN = "export these bugs again, or empty their last_change_time to overwrite the changes";

/** The time in a cell of last_change_time; undefined for an empty cell. */
function readChangeTime(text: string): string | undefined {
  if (text === "") return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return text;
  const message = `last_change_time ${JSON.stringify(text)} is not a time as exported`;
  throw usageError(message, "for example: 2026-10-03T14:00:00Z");
}

/** Bugs that earlier runs filed, by the number of the row, with the bodies of their applied updates as JSON. */
type FiledBugs = ReadonlyMap<string, { readonly id: number; readonly updates: ReadonlySet<string> }>;

function findFiledBugs(sent: readonly JobWrite[]): FiledBugs {
  const filed = new Map<string, { id: number; updates: Set<string> }>();
  for (const write of sent) {
    const { key = "", request, st } = write;
    const id = createdBug(write);
    if (id !== undefined) filed.set(key, { id, updates: new Set() });
    else if (st === "applied") filed.get(key)?.updates.add(JSON.stringify(request.body));
  }
  return filed;
}

/** The bugs that earlier runs commented on. */
function findCommentedBugs(sent: readonly JobWrite[]): Set<number> {
  const applied = sent.filter(({ request, st }) => st === "applied" && Object(request.body)["comment"]);
  return new Set(applied.flatMap(({ before = [] }) => before.map(({ id }) => Number(id))));
}

/** The edits of rows that change a bug or file a bug, duplicates after their originals. */
function editsOfRows({ rows }: ImportPlan, filed: FiledBugs): Edit[] {
  const newIds = new Map<number, number>(); // by the ids in the file
  const [duplicates, others] = partition(rows, ({ copy }) => copy?.moves.some(({ dupe_of }) => dupe_of) === true);
  return [...others, ...duplicates].flatMap(({ row, edit, create, copy }): Edit[] => {
    if (create === undefined) return edit ? [edit] : [];
    const key = String(row.number);
    const earlier = filed.get(key);
    const complete = (id: number) => {
      if (copy?.oldId !== undefined) newIds.set(copy.oldId, id);
      const updates = copy ? laterUpdates(copy, newIds) : [];
      return updates.filter((body) => !earlier?.updates.has(JSON.stringify(updateRequest([id], body).body)));
    };
    if (earlier && complete(earlier.id).length === 0) return [];
    return [{ line: row.line, create, key, id: earlier?.id, oldId: copy?.oldId, complete }];
  });
}

/** Notes about what is not imported, cleared or overwritten. */
async function noteLosses({ columns, isNew, rows, cleared, uncleared }: ImportPlan, { io }: Context): Promise<void> {
  const isIgnored = ({ name, role }: ImportColumn) =>
    isNew ? NOT_COPIED.includes(name) : ["read-only", "ignored"].includes(role);
  const parts = columns.filter(isIgnored).map(({ label }) => label);
  const omitted = rows.reduce((sum, { copy }) => sum + (copy?.omitted ?? 0), 0);
  if (omitted > 0) parts.push(`${countText(omitted, "comment")} (private or too long)`);
  if (parts.length > 0) await note(io, `not imported: ${parts.join(", ")}`);
  if (uncleared > 0)
    await note(
      io,
      `${countText(uncleared, "empty cell")} without effect: only rows with last_change_time clear fields`,
    );
  for (const line of bugsByMessage(cleared)) await note(io, line);
  const setsFields = (row: PlannedRow) => row.edit && Object.keys(bodyOf(row)).some((name) => name !== "comment");
  if (!columns.some(({ role }) => role === "guard") && rows.some(setsFields))
    await note(io, "no last_change_time column: newer changes by others are overwritten");
}

/** How many rows are not sent, and why; `time` is when earlier runs ended (ms). */
function skippedText({ rows }: ImportPlan, filed: FiledBugs, time: number): string {
  const unchanged = rows.filter(({ edit, create }) => !edit && !create).length;
  const importedBefore = rows.filter(({ row, create }) => create && filed.has(String(row.number))).length;
  const parts = [
    unchanged > 0 && `${countText(unchanged, "row")} unchanged`,
    importedBefore > 0 && `${countText(importedBefore, "row")} imported before, at ${timestamp(time)}`,
  ];
  return parts.filter(Boolean).join(", ");
}
