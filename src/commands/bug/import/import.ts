import { createHash } from "node:crypto";
import { requestAll } from "../../../api/batch.ts";
import { isBugId } from "../../../api/bug-ref.ts";
import { bugPlan } from "../../../api/bugs.ts";
import type { Catalog } from "../../../api/catalog/catalog.ts";
import { type BugMessage, bugsByMessage } from "../../../api/lists.ts";
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
import { changeBugs } from "../../shared/change/change.ts";
import { firstLines } from "../../shared/change/output.ts";
import { type Edit, guard } from "../../shared/change/plan.ts";
import { reportNoTargets } from "../../shared/targets.ts";
import { readSourceBytes } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { ImportInput } from "../flags.ts";
import {
  type CellContext,
  type ColumnCell,
  type ImportColumn,
  importColumns,
  isGiven,
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
    const filed = filedIn(sent);
    const edits = editsOf(plan, filed);
    await noteRows(plan, context);
    const rest = restText(plan, filed, Math.max(...sent.map(({ at = 0 }) => at)));
    if (edits.length === 0) return void (await reportNoTargets(context, rest || "no rows"));
    if (rest) await note(io, rest);
    const options = { command: "bug import", isConfirmed: true, areNamesChecked: true, key };
    await changeBugs(edits, { ...input, ...options }, context);
  });
}

/** A row of a file, and the change of its bug, the new bug, or neither. */
type PlannedRow = {
  readonly row: FileRow;
  readonly edit?: Edit | undefined;
  readonly create?: JsonObject;
  readonly copy?: LaterChanges;
};

/** A file as it is understood, and what its rows do. */
type ImportPlan = {
  readonly columns: readonly ImportColumn[];
  readonly isNew: boolean; // every row is a new bug
  readonly commented: ReadonlySet<number>; // bugs that an earlier run commented on
  readonly catalog: Catalog;
  readonly cells: CellContext;
  readonly rows: PlannedRow[];
  readonly cleared: BugMessage[]; // by empty cells
  idle: number; // other empty cells
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
  const columns = importColumns(names, catalog);
  const texts = rows.flatMap(({ cells }) => [...cells.values()].flat());
  const plan: ImportPlan = {
    columns,
    isNew,
    commented: commentedIn(sent),
    catalog,
    cells: await readCellContext(texts, catalog, context),
    rows: [],
    cleared: [],
    idle: 0,
  };
  const { found, errors } = await readRowBugs(rows, plan);
  for (const row of rows.filter((one) => !errors.has(one))) {
    try {
      plan.rows.push({ row, ...(await planRow(row, found.get(row), plan)) });
    } catch (error) {
      if (!isKind(error, "usage", "missing")) throw error;
      errors.set(row, error);
    }
  }
  const wrong = await findWrongReferences(plan.rows.map(bodyOf), catalog, plan.cells.send);
  for (const [at, { row }] of plan.rows.entries()) if (wrong[at]) errors.set(row, wrong[at]);
  if (errors.size > 0) throw invalidRowsError(errors, rows.length);
  return plan;
}

/** What a row sends; empty if nothing. */
function bodyOf({ create, edit }: PlannedRow): JsonObject {
  return create ?? (edit && "body" in edit ? edit.body : {});
}

type RowErrors = Map<FileRow, BtError>;

/** The errors of rows, by line; of one kind if all have it. */
function invalidRowsError(found: RowErrors, total: number): BtError {
  const inOrder = [...found].toSorted(([one], [other]) => one.line - other.line);
  const errors = inOrder.map(([{ line }, error]) => lineError(line, error));
  const [kind = "usage", ...otherKinds] = new Set(errors.map((error) => error.kind));
  const lines = errors.flatMap(({ message, facts: { hint, details = [] } }) => [
    hint ? `${message} (${hint})` : message,
    ...details,
  ]);
  const sentence = `${found.size} of ${total} rows ${found.size === 1 ? "is" : "are"} invalid`;
  return new BtError(otherKinds.length > 0 ? "usage" : kind, sentence, { details: firstLines(lines) });
}

/** The bugs that rows name, in few requests, and what is wrong with the others. */
async function readRowBugs(rows: readonly FileRow[], { columns, isNew, cells }: ImportPlan) {
  const named = new Map<string, FileRow>();
  const errors: RowErrors = new Map();
  const found = new Map<FileRow, Bug>();
  for (const row of rows) {
    const id = cellText(row, "id", columns).replace(/^#/, "");
    const twin = named.get(id);
    if (twin) errors.set(row, usageError(`bug ${id} is also in line ${twin.line}`));
    else if (isBugId(id)) named.set(id, row);
    else if (id !== "")
      errors.set(row, usageError(`${JSON.stringify(id)} is not a bug number`, "empty it for a new bug"));
  }
  if (isNew) return { found, errors };
  for (const outcome of await requestAll([...named.keys()], bugPlan(["_default"]), cells.send)) {
    const row = named.get(outcome.ref);
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

/** @throws BtError of kind usage or missing for a row that is wrong */
async function planRow(row: FileRow, bug: Bug | undefined, plan: ImportPlan): Promise<Omit<PlannedRow, "row">> {
  const cells = plan.columns.flatMap((column): ColumnCell[] => {
    const cell = row.cells.get(column.label); // which a JSON line may lack
    const isBlank = typeof cell === "string" && (column.isList ? /^[\s,]*$/ : /^\s*$/).test(cell);
    return cell === undefined ? [] : [{ column, cell: isBlank ? "" : cell }];
  });
  if (bug) return { edit: await planUpdate(bug, cells, readChangeTime(cellText(row, "guard", plan.columns)), plan) };
  return plan.isNew ? planCopy(cells, plan.cells) : { create: await newBugFromCells(cells, plan.cells) };
}

/** The edit of a bug that has not been modified since a moment; undefined if the row changes nothing. */
async function planUpdate(
  bug: Bug,
  cells: readonly ColumnCell[],
  since: string | undefined,
  plan: ImportPlan,
): Promise<Edit | undefined> {
  const stale = since === undefined ? undefined : guard(bug, since);
  if (stale && cells.some((one) => isGiven(one, bug)))
    return { ref: String(bug.id), bug, error: withFacts(stale, { hint: EXPORT_AGAIN }) };
  if (stale) return undefined;
  const given = plan.commented.has(bug.id) ? cells.filter(({ column }) => column.name !== "comment") : cells;
  const { body, cleared } = await readChanges(given, bug, plan.cells);
  const names = Object.keys(cleared);
  if (since === undefined) plan.idle += names.length;
  else plan.cleared.push(...names.map((name) => ({ bug: String(bug.id), message: `${name} is cleared` })));
  const changes = since === undefined ? body : { ...body, ...cleared };
  if (Object.keys(changes).length === 0) return undefined;
  const error = bugCheckError(bug, changes, plan.catalog);
  if (error) throw error;
  return { bug, body: changes, since };
}

/** Hint for rows whose bugs were modified after the file was exported. */
const EXPORT_AGAIN = "export these bugs again, or empty their last_change_time to overwrite the changes";

function readChangeTime(text: string): string | undefined {
  if (text === "") return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return text;
  const message = `last_change_time ${JSON.stringify(text)} is not a time as exported`;
  throw usageError(message, "for example: 2026-10-03T14:00:00Z");
}

/** Bugs that earlier runs filed, by the number of the row, with bodies of applied updates. */
type FiledBugs = ReadonlyMap<string, { readonly id: number; readonly updates: ReadonlySet<string> }>;

function filedIn(sent: readonly JobWrite[]): FiledBugs {
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
function commentedIn(sent: readonly JobWrite[]): Set<number> {
  const applied = sent.filter(({ request, st }) => st === "applied" && Object(request.body)["comment"]);
  return new Set(applied.flatMap(({ before = [] }) => before.map(({ id }) => Number(id))));
}

/** The edits of rows that are neither unchanged nor complete, duplicates after their originals. */
function editsOf({ rows }: ImportPlan, filed: FiledBugs): Edit[] {
  const newIds = new Map<number, number>(); // by the ids in the file
  const isDuplicate = ({ copy }: PlannedRow) => Number(copy?.moves.some(({ dupe_of }) => dupe_of) === true);
  const inOrder = rows.toSorted((one, other) => isDuplicate(one) - isDuplicate(other));
  return inOrder.flatMap(({ row, edit, create, copy }): Edit[] => {
    if (create === undefined) return edit ? [edit] : [];
    const { number, line } = row;
    const { id, updates } = filed.get(String(number)) ?? {};
    const complete = (given: number) => {
      if (copy?.oldId !== undefined) newIds.set(copy.oldId, given);
      const isSent = (body: JsonObject) => updates?.has(JSON.stringify(updateRequest([given], body).body));
      return copy ? laterUpdates(copy, newIds).filter((body) => !isSent(body)) : [];
    };
    if (id !== undefined && complete(id).length === 0) return [];
    return [{ line, create, key: String(number), id, oldId: copy?.oldId, complete }];
  });
}

/** Notes about what is not imported, cleared or overwritten. */
async function noteRows({ columns, isNew, rows, cleared, idle }: ImportPlan, { io }: Context): Promise<void> {
  const isIgnored = ({ name, role }: ImportColumn) =>
    isNew ? NOT_COPIED.includes(name) : ["read-only", "ignored"].includes(role);
  const parts = columns.filter(isIgnored).map(({ label }) => label);
  const omitted = rows.reduce((sum, { copy }) => sum + (copy?.omitted ?? 0), 0);
  if (omitted > 0) parts.push(`${countText(omitted, "comment")} (private or too long)`);
  if (parts.length > 0) await note(io, `not imported: ${parts.join(", ")}`);
  if (idle > 0)
    await note(io, `${countText(idle, "empty cell")} without effect: only rows with last_change_time clear fields`);
  for (const line of bugsByMessage(cleared)) await note(io, line);
  const isSet = ({ edit }: PlannedRow) =>
    edit && "body" in edit && Object.keys(edit.body).some((name) => name !== "comment");
  if (!columns.some(({ role }) => role === "guard") && rows.some(isSet))
    await note(io, "no last_change_time column: newer changes by others are overwritten");
}

/** How many rows are left out, and why. */
function restText({ rows }: ImportPlan, filed: FiledBugs, time: number): string {
  const unchanged = rows.filter(({ edit, create }) => !edit && !create).length;
  const before = rows.filter(({ row, create }) => create && filed.has(String(row.number))).length;
  const parts = [
    unchanged > 0 && `${countText(unchanged, "row")} unchanged`,
    before > 0 && `${countText(before, "row")} imported before, at ${timestamp(time)}`,
  ];
  return parts.filter(Boolean).join(", ");
}
