import { isBugId } from "../../../api/bug-ref.ts";
import { type Catalog, requireField } from "../../../api/catalog/catalog.ts";
import { enterableProductLoader } from "../../../api/catalog/enterable-products.ts";
import { legalValue } from "../../../api/catalog/legal-values.ts";
import { bugCheckError, findWrongReferences } from "../../../api/write/checks.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { BtError, isKind, usageError, withFacts } from "../../../errors.ts";
import { countText } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { guard } from "../../shared/change/guard.ts";
import { readTargetBugs } from "../../shared/targets.ts";
import { readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import { type CellContext, type ColumnCell, clearingValue, isHeldByBug, readCellChange } from "./cells.ts";
import { type ImportColumn, importColumns } from "./columns.ts";
import { type BugFile, type FileRow, lineError } from "./file.ts";
import { COPIED_COLUMNS, type LaterChanges, type NewBugContext, newBugFromCells, planCopy } from "./new-bugs.ts";

/** A row of a file and what is to be done about it. */
export type PlannedRow = { readonly row: FileRow } & (
  | { readonly kind: "create"; readonly body: JsonObject; readonly copy?: LaterChanges }
  | {
      readonly kind: "update";
      readonly bug: Bug;
      readonly body: JsonObject;
      readonly since: string | undefined;
      readonly hasTime: boolean; // its file has a column for it
    }
  | { readonly kind: "unchanged"; readonly bug: Bug }
  | { readonly kind: "stale"; readonly bug: Bug; readonly error: BtError }
);

/** Rows, ignored columns, and empty cells: those that clear a field, a count of the others. */
export type ImportPlan = {
  readonly rows: readonly PlannedRow[];
  readonly ignored: readonly string[];
  readonly cleared: readonly Cleared[];
  readonly idle: number;
};

type Cleared = { readonly bug: Bug; readonly name: string; readonly label: string };

/** Whether all rows are new bugs, and bugs that an earlier run commented on. */
export type ImportOptions = { readonly isNew: boolean; readonly commented: ReadonlySet<number> };

type Sheet = ImportOptions & {
  readonly columns: readonly ImportColumn[];
  readonly catalog: Catalog;
  readonly context: Context;
  readonly newBug: NewBugContext;
  readonly cleared: Cleared[];
  idle: number;
};

/**
 * Checks every row against the tracker's metadata and the bugs, and plans what is to be sent.
 * @throws BtError of kind usage with the line of every row that is wrong
 */
export async function planImport(
  { names, rows }: BugFile,
  options: ImportOptions,
  { catalog, context }: { catalog: Catalog; context: Context },
): Promise<ImportPlan> {
  const columns = importColumns(names, catalog);
  const sheet = await readSheet(rows, { ...options, columns, catalog, context });
  const { found, errors } = await readRowBugs(rows, sheet);
  const planned: PlannedRow[] = [];
  for (const row of rows.filter((one) => !errors.has(one))) {
    try {
      planned.push(await planRow(row, found.get(row), sheet));
    } catch (error) {
      if (!isKind(error, "usage", "missing")) throw error;
      errors.set(row, error);
    }
  }
  const bodies = planned.map((one) => ("body" in one ? one.body : {}));
  const wrong = await findWrongReferences(bodies, catalog, context.session.send);
  for (const [at, { row }] of planned.entries()) if (wrong[at]) errors.set(row, wrong[at]);
  if (errors.size > 0) throw invalidRowsError(errors, rows.length);
  const isUsed = ({ name }: ImportColumn) => options.isNew && COPIED_COLUMNS.has(name);
  const updated = new Set(planned.flatMap((one) => (one.kind === "update" ? one.bug : [])));
  const cleared = sheet.cleared.filter(({ bug }) => updated.has(bug));
  const ignored = columns.filter((one) => ["read-only", "ignored"].includes(one.role) && !isUsed(one));
  return { rows: planned, ignored: ignored.map(({ label }) => label), cleared, idle: sheet.idle };
}

/** Metadata that rows are read with; login and zone are only looked up if a cell needs them. */
async function readSheet(rows: readonly FileRow[], parts: Omit<Sheet, "newBug" | "cleared" | "idle">): Promise<Sheet> {
  const { columns, catalog, context } = parts;
  const { send, settings } = context.session;
  const isMine = rows.some(({ cells }) => [...cells.values()].flat().some((text) => text.includes("@me")));
  const isUsed = ({ label }: ImportColumn) => rows.some(({ cells }) => (cells.get(label) ?? "").length > 0);
  const custom = columns.filter((column) => column.custom && isUsed(column));
  const flags = { field: custom.map(({ name }) => `${name}=`), "assigned-to": isMine ? ["@me"] : [] };
  const values = { reading: await readValueContext(flags, context, catalog), send };
  const newBug = { values, withProduct: enterableProductLoader(send), settings };
  return { ...parts, newBug, cleared: [], idle: 0 };
}

type RowErrors = Map<FileRow, BtError>;

function invalidRowsError(found: RowErrors, total: number): BtError {
  const inOrder = [...found].toSorted(([one], [other]) => one.number - other.number);
  const errors = inOrder.map(([{ line }, error]) => lineError(line, error));
  const [kind = "usage", ...otherKinds] = new Set(errors.map((error) => error.kind));
  const shown = errors.slice(0, MAX_SHOWN).flatMap(({ message, facts }) => {
    return [facts.hint ? `${message} (${facts.hint})` : message, ...(facts.details ?? [])];
  });
  if (errors.length > MAX_SHOWN) shown.push(`and ${countText(errors.length - MAX_SHOWN, "more error")}`);
  const sentence = `${found.size} of ${total} rows ${found.size === 1 ? "is" : "are"} invalid`;
  return new BtError(otherKinds.length > 0 ? "usage" : kind, sentence, { details: shown });
}

const MAX_SHOWN = 20;

/** The bugs that rows name, in few requests, and what is wrong with the others. */
async function readRowBugs(rows: readonly FileRow[], { columns, isNew, context }: Sheet) {
  const column = columns.find(({ role }) => role === "id");
  const named = new Map<string, FileRow>();
  const errors: RowErrors = new Map();
  for (const row of rows) {
    const id = cellText(row, column).replace(/^#/, "");
    const error = row.error ?? idError(id, named);
    if (error) errors.set(row, error);
    else if (id !== "") named.set(id, row);
  }
  const found = new Map<FileRow, Bug>();
  if (isNew) return { found, errors };
  const { bugs, unreadable } = await readTargetBugs([...named.keys()], context);
  const bugOf = new Map(bugs.map((bug) => [String(bug.id), bug]));
  const errorOf = new Map(unreadable.map(({ ref, error }) => [ref, error]));
  for (const [id, row] of named) {
    const bug = bugOf.get(id);
    if (bug) found.set(row, bug);
    else errors.set(row, errorOf.get(id) ?? new BtError("missing", `bug ${id} was not found`));
  }
  return { found, errors };
}

function idError(id: string, named: ReadonlyMap<string, FileRow>): BtError | undefined {
  if (id === "") return undefined;
  const twin = named.get(id);
  if (twin) return usageError(`bug ${id} is also in line ${twin.line}`);
  return isBugId(id) ? undefined : usageError(`${JSON.stringify(id)} is not a bug number`, "empty it for a new bug");
}

/** Text of the cell of a row in a column, "" if it has none. */
function cellText({ cells }: FileRow, column: ImportColumn | undefined): string {
  return String((column && cells.get(column.label)) ?? "").trim();
}

/** @throws BtError of kind usage or missing for a row that is wrong */
async function planRow(row: FileRow, bug: Bug | undefined, sheet: Sheet): Promise<PlannedRow> {
  if (bug) return planUpdate(row, bug, sheet);
  const cells = cellsOf(row, sheet);
  if (sheet.isNew) return { row, kind: "create", ...(await planCopy(cells, sheet.newBug)) };
  return { row, kind: "create", body: await newBugFromCells(cells, sheet.newBug) };
}

/** The cells of a row with their columns; a JSON line may lack some. */
function cellsOf({ cells }: FileRow, { columns }: Sheet): ColumnCell[] {
  return columns.flatMap((column) => {
    const cell = cells.get(column.label);
    const isBlank = typeof cell === "string" && (column.isList ? /^[\s,]*$/ : /^\s*$/).test(cell);
    return cell === undefined ? [] : [{ column, cell: isBlank ? "" : cell }];
  });
}

async function planUpdate(row: FileRow, bug: Bug, sheet: Sheet): Promise<PlannedRow> {
  const { catalog, columns, commented } = sheet;
  const time = columns.find(({ role }) => role === "guard");
  const since = readChangeTime(cellText(row, time));
  const stale = since === undefined ? undefined : guard(bug, since);
  if (stale && cellsOf(row, sheet).some((one) => isGiven(one, bug)))
    return { row, kind: "stale", bug, error: withFacts(stale, { hint: EXPORT_AGAIN }) };
  if (stale) return { row, kind: "unchanged", bug };
  const { comment, ...fields } = await readUpdate(row, { bug, since }, sheet);
  const body = comment === undefined || commented.has(bug.id) ? fields : { ...fields, comment };
  if (Object.keys(body).length === 0) return { row, kind: "unchanged", bug };
  const error = bugCheckError(bug, body, catalog);
  if (error) throw error;
  return { row, kind: "update", bug, body, since, hasTime: time !== undefined };
}

/** True for a comment, and a cell that its bug does not hold. */
function isGiven({ column, cell }: ColumnCell, bug: Bug): boolean {
  return column.role === "text" ? cell.length > 0 : column.role === "set" && !isHeldByBug(column, cell, bug);
}

/** Hint for rows whose bugs were modified after the file was exported. */
const EXPORT_AGAIN = "export these bugs again, or empty their last_change_time to overwrite the changes";

/** The changes of a row; an empty cell clears its field in a row with a time. */
async function readUpdate(
  row: FileRow,
  { bug, since }: { readonly bug: Bug; readonly since: string | undefined },
  sheet: Sheet,
): Promise<JsonObject> {
  const { values } = sheet.newBug;
  const at = { ...values, bug, reading: { ...values.reading, ...(await readProductAfter(row, bug, sheet)) } };
  const body: Record<string, Json> = {};
  for (const { column, cell } of cellsOf(row, sheet)) {
    const { name, label, role } = column;
    if (cell.length > 0) {
      const value = await readUpdateCell({ column, cell }, at);
      if (value !== undefined) body[name] = value;
      continue;
    }
    const cleared = role === "set" && !isHeldByBug(column, cell, bug) ? clearingValue(column, bug) : undefined;
    if (cleared === undefined) continue;
    if (since === undefined) sheet.idle += 1;
    else {
      body[name] = cleared;
      sheet.cleared.push({ bug, name, label });
    }
  }
  return body;
}

async function readUpdateCell({ column, cell }: ColumnCell, at: CellContext & { readonly bug: Bug }) {
  const { role, label, name, update } = column;
  if (role === "text" && update) return { body: checkedText(name, String(cell)), is_private: false };
  if (NO_FIELDS.has(role) || isHeldByBug(column, cell, at.bug)) return undefined;
  if (role !== "read-only") return readCellChange(column, cell, at);
  throw usageError(`${label} cannot be changed by an import`, "restore the cell, or empty it");
}

const NO_FIELDS: ReadonlySet<ImportColumn["role"]> = new Set(["id", "guard", "ignored"]);

/** The product that a bug gets or has, and a catalog that knows it. */
async function readProductAfter(row: FileRow, bug: Bug, { columns, catalog, newBug }: Sheet) {
  const cell = cellText(
    row,
    columns.find(({ name }) => name === "product"),
  );
  if (cell === "" || cell === bug.product) return { product: bug.product ?? undefined };
  const known = await newBug.withProduct(catalog, cell);
  return { catalog: known, product: legalValue(requireField(known, "product"), cell) };
}

function readChangeTime(text: string): string | undefined {
  if (text === "") return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return text;
  const message = `last_change_time ${JSON.stringify(text)} is not a time as exported`;
  throw usageError(message, "for example: 2026-10-03T14:00:00Z");
}
