import { isBugId } from "../../../api/bug-ref.ts";
import { type Catalog, requireField } from "../../../api/catalog/catalog.ts";
import { enterableProductLoader, type WithProduct } from "../../../api/catalog/enterable-products.ts";
import { legalValue } from "../../../api/catalog/legal-values.ts";
import { refusedBugs } from "../../../api/write/checks.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { aliasForm, type WithAliasForm } from "../../../api/write/new-alias.ts";
import { checkProductMove } from "../../../api/write/product-move.ts";
import { findWrongReferences } from "../../../api/write/references.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { STATUS_FIELDS } from "../../../api/write/write-state.ts";
import { BtError, isKind, usageError } from "../../../errors.ts";
import { countText } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { completePart } from "../../shared/changes/move-groups.ts";
import { readValueContext } from "../../shared/changes/write-body.ts";
import { readTargetBugs } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import {
  type CellContext,
  type ColumnCell,
  InvalidRow,
  isEmptyCell,
  isHeldByBug,
  type RowValues,
  readCellChange,
  readInto,
} from "./cells.ts";
import { type ImportColumn, importColumns } from "./columns.ts";
import { COPIED_COLUMNS, type LaterChanges, planNewBug } from "./copy.ts";
import { type BugFile, type FileCell, type FileRow, lineError } from "./file.ts";
import { newBugFromCells } from "./new.ts";
import type { StartedRow } from "./restart.ts";

/** A row of a file and what is to be done with it. */
export type PlannedRow = { readonly row: FileRow } & (
  | { readonly kind: "create"; readonly body: JsonObject; readonly copy?: LaterChanges }
  | {
      readonly kind: "update";
      readonly bug: Bug;
      readonly part: UpdatePart;
      seen: string | undefined;
      isCommented: boolean;
    }
  | { readonly kind: "unchanged"; readonly bug: Bug; isCommented: boolean } // by an import before
  | { readonly kind: "collision"; readonly bug: Bug; readonly error: BtError }
);

/** A row that updates a bug. */
export type UpdateRow = Extract<PlannedRow, { kind: "update" }>;

/** A row to import: planned now, or begun by an earlier run. */
export type ImportRow = PlannedRow | StartedRow;

/** The changes that a new bug gets after it is filed; undefined for other rows. */
export function laterChangesOf(planned: ImportRow | undefined): LaterChanges | undefined {
  return planned && "copy" in planned ? planned.copy : undefined;
}

/** Options of reading rows: the list separator, whether an empty cell clears its field, and whether all bugs are new. */
export type ImportStyle = {
  readonly separator: string;
  readonly clears: boolean;
  readonly isNew: boolean;
  skipped: string[]; // columns that are left out
};

/** The rows to import, the columns that are not imported, and whether rows may tell as of when they are. */
export type ImportPlan = {
  rows: PlannedRow[];
  ignored: string[];
  isGuarded: boolean;
};

/**
 * Checks every row against the tracker's metadata and the bugs, and plans what is to be sent.
 * @throws BtError of kind usage with the line of every row that is wrong
 */
export async function planImport(
  { names, rows }: BugFile,
  style: ImportStyle,
  { catalog, equalTimes, wasCommented, context }: PlanContext,
): Promise<ImportPlan> {
  const columns = importColumns(names, catalog, style.skipped);
  const { send } = context.session;
  const tools = { withProduct: enterableProductLoader(send), withAliasForm: aliasForm(send) };
  const sheet = { columns, style, catalog, equalTimes, wasCommented, context, ...tools };
  const { found, errors } = await readRowBugs(rows, sheet);
  const reading = await readSheetContext(rows, sheet);
  const planned: PlannedRow[] = [];
  const bodies: { row: FileRow; body: JsonObject }[] = []; // as far as their cells are valid
  for (const row of rows) {
    if (errors.has(row)) continue;
    try {
      const plan = await planRow(row, found.get(row), { ...sheet, reading });
      planned.push(plan);
      bodies.push({ row, body: sentBody(plan) });
    } catch (error) {
      const values = valuesOfInvalid(error);
      errors.set(row, [...values.errors.values()]);
      bodies.push({ row, body: values.body });
    }
  }
  const values = bodies.flatMap(({ row, body }) =>
    Object.entries(body).map(([name, value]) => ({ row, body: { [name]: value } })),
  );
  const wrong = await findWrongReferences(
    values.map(({ body }) => body),
    catalog,
    send,
  );
  for (const [at, { row }] of values.entries()) {
    const error = wrong[at];
    if (error) errors.set(row, [...(errors.get(row) ?? []), error]);
  }
  if (errors.size > 0) throw invalidRowsError(errors, rows.length);
  const isUsed = ({ name }: ImportColumn) => style.isNew && COPIED_COLUMNS.has(name);
  const ignored = columns.filter((one) => (one.role === "read-only" || one.role === "ignored") && !isUsed(one));
  const isGuarded = columns.some(({ role }) => role === "guard");
  return { rows: planned, ignored: ignored.map(({ label }) => label), isGuarded };
}

/** @throws any error that is not about a row */
function valuesOfInvalid(error: unknown): RowValues {
  if (error instanceof InvalidRow) return error.values;
  if (!isKind(error, "usage", "missing")) throw error;
  return { body: {}, errors: new Map([["", error]]) };
}

/** @throws InvalidRow, or BtError of kind usage or missing, for a row that is wrong */
function planRow(row: FileRow, bug: Bug | undefined, sheet: ReadSheet): Promise<PlannedRow> {
  return bug ? planUpdate(row, bug, sheet) : planCreate(row, sheet);
}

function sentBody(planned: PlannedRow): JsonObject {
  if (planned.kind === "create") return planned.body;
  return planned.kind === "update" ? planned.part.body : {};
}

/**
 * Data that rows are compared with: the tracker's metadata, times at which a bug was as it is since its last change, and whether a
 * bug has the comment of a row from an import that was undone.
 */
type PlanContext = {
  catalog: Catalog;
  equalTimes: (bug: number, last: string) => string[];
  wasCommented: (row: FileRow, bug: number, text: string) => boolean;
  context: Context;
};

type Sheet = PlanContext & {
  columns: ImportColumn[];
  style: ImportStyle;
  withProduct: WithProduct;
  withAliasForm: WithAliasForm;
};

type ReadSheet = Sheet & { reading: CellContext["reading"] };

function invalidRowsError(found: RowErrors, total: number): BtError {
  const inOrder = [...found].toSorted(([one], [other]) => one.number - other.number);
  const errors = inOrder.flatMap(([{ line }, all]) => all.map((error) => lineError(line, error)));
  const [kind = "usage", ...otherKinds] = new Set(errors.map((error) => error.kind));
  const shown = errors.slice(0, MAX_SHOWN).flatMap(({ message, facts }) => {
    return [facts.hint ? `${message} (${facts.hint})` : message, ...(facts.details ?? [])];
  });
  if (errors.length > MAX_SHOWN) shown.push(`and ${countText(errors.length - MAX_SHOWN, "more error")}`);
  const sentence = `${found.size} of ${total} rows ${found.size === 1 ? "is" : "are"} invalid`;
  return new BtError(otherKinds.length > 0 ? "usage" : kind, sentence, { details: shown, changed: "nothing" });
}

const MAX_SHOWN = 20;

type RowErrors = Map<FileRow, BtError[]>;

type RowBugs = { found: ReadonlyMap<FileRow, Bug>; errors: RowErrors };

/** The bugs that rows name, in few requests, and what is wrong with the others. */
async function readRowBugs(rows: readonly FileRow[], sheet: Sheet): Promise<RowBugs> {
  const { named, errors } = rowsById(rows, sheet);
  if (sheet.style.isNew) return { found: new Map(), errors };
  const { bugs, unreadable } = await readTargetBugs([...named.keys()], sheet.context);
  const bugOf = new Map(bugs.map((bug) => [String(bug.id), bug]));
  const errorOf = new Map(unreadable.map(({ ref, error }) => [ref, error]));
  const found = new Map<FileRow, Bug>();
  for (const [id, row] of named) {
    const bug = bugOf.get(id);
    if (bug) found.set(row, bug);
    else errors.set(row, [errorOf.get(id) ?? new BtError("missing", `bug ${id} was not found`)]);
  }
  return { found, errors };
}

function rowsById(rows: readonly FileRow[], { columns }: Sheet) {
  const column = columns.find(({ role }) => role === "id");
  const named = new Map<string, FileRow>();
  const errors: RowErrors = new Map();
  for (const row of rows) {
    const id = cellText(row, column).replace(/^#/, "");
    const error = row.error ?? idError(id, named);
    if (error) errors.set(row, [error]);
    else if (id !== "") named.set(id, row);
  }
  return { named, errors };
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

/**
 * Metadata that values are read with; the login and the zone are only found out if a cell needs them, as a flag of its
 * value would.
 */
async function readSheetContext(rows: readonly FileRow[], sheet: Sheet): Promise<CellContext["reading"]> {
  const texts = rows.flatMap(({ cells }) => [...cells.values()].flat());
  const isMine = texts.some((text) => text.includes("@me"));
  const custom = sheet.columns.filter((column) => column.custom && isColumnUsed(column, rows));
  const equivalentFlags = { field: custom.map(({ name }) => `${name}=`), "assigned-to": isMine ? ["@me"] : [] };
  return readValueContext(equivalentFlags, sheet.context, sheet.catalog);
}

function isColumnUsed({ label }: ImportColumn, rows: readonly FileRow[]): boolean {
  return rows.some(({ cells }) => !isEmptyCell(cells.get(label) ?? ""));
}

/** The cells of a row with their columns; a JSON line may lack some. */
function cellsOf({ cells }: FileRow, columns: ImportColumn[]): ColumnCell[] {
  const found: ColumnCell[] = [];
  for (const column of columns) {
    const cell = cells.get(column.label);
    if (cell !== undefined) found.push({ column, cell });
  }
  return found;
}

async function planCreate(row: FileRow, sheet: ReadSheet): Promise<PlannedRow> {
  const { context, columns, catalog, style, reading, withProduct, withAliasForm } = sheet;
  const values = { reading: { ...reading, catalog }, separator: style.separator, send: context.session.send };
  const newBug = { values, withProduct, withAliasForm, settings: context.session.settings };
  const cells = cellsOf(row, columns);
  if (style.isNew) return { row, kind: "create", ...(await planNewBug(cells, newBug)) };
  return { row, kind: "create", body: await newBugFromCells(cells, newBug) };
}

async function planUpdate(row: FileRow, bug: Bug, sheet: ReadSheet): Promise<PlannedRow> {
  const seen = changeTimeOf(row, sheet);
  const last = bug.last_change_time ?? "";
  const isOther = seen !== undefined && Date.parse(seen) !== Date.parse(last);
  const isModified = isOther && !sheet.equalTimes(bug.id, last).includes(seen);
  const values = await readUpdate(row, bug, isModified, sheet);
  const { comment, ...others } = values.body;
  const isCommented = comment !== undefined && sheet.wasCommented(row, bug.id, Object(comment).body);
  const { body, errors } = isCommented ? { ...values, body: others } : values;
  if (!STATUS_FIELDS.some((name) => errors.has(name)) && !errors.has("product") && !isModified)
    await readInto(values, "", async () => checkUpdate(bug, body, sheet));
  if (errors.size > 0) throw new InvalidRow(values);
  if (Object.keys(body).length === 0) return { row, kind: "unchanged", bug, isCommented };
  if (isModified) {
    const message = `bug ${bug.id} was modified in the meantime (${bug.last_change_time})`;
    const hint = "export it again, or empty its last_change_time to overwrite the change";
    return { row, kind: "collision", bug, error: new BtError("collision", message, { hint, changed: "nothing" }) };
  }
  const part = await completePart({ bugs: [bug], body }, sheet.context);
  return { row, kind: "update", bug, part, seen: seen && last, isCommented };
}

/** @throws BtError of kind usage or missing for a change that the bug cannot be given */
function checkUpdate(bug: Bug, body: JsonObject, { catalog, context }: Sheet): undefined {
  checkProductMove([bug], body, catalog);
  const [refused] = refusedBugs([bug], body, { catalog, address: context.session.address });
  if (refused) throw refused.error;
}

/** The changes of a row, and what is wrong with its cells. */
async function readUpdate(row: FileRow, bug: Bug, isModified: boolean, sheet: ReadSheet): Promise<RowValues> {
  const { separator, clears } = sheet.style;
  const values: RowValues = { body: {}, errors: new Map() };
  let at: UpdateContext = { bug, separator, send: sheet.context.session.send, reading: sheet.reading };
  await readInto(values, "product", async () => {
    at = { ...at, reading: { ...at.reading, ...(await readProductAfter(row, bug, sheet)) } };
    return undefined;
  });
  for (const { column, cell } of cellsOf(row, sheet.columns)) {
    const isCleared = clears && column.role === "set";
    if ((isEmptyCell(cell) && !isCleared) || values.errors.has(column.name)) continue;
    await readInto(values, column.name, () => readUpdateCell({ column, cell }, isModified, at));
  }
  return values;
}

async function readUpdateCell({ column, cell }: ColumnCell, isModified: boolean, at: UpdateContext) {
  if (column.role === "guard") return checkChangeTime(cell);
  if (column.role === "text") return commentChange(column, cell);
  const isField = column.role === "set" || column.role === "read-only";
  if (!isField || isHeldByBug(column, cell, at)) return undefined;
  if (column.role === "set") return readCellChange(column, cell, at);
  if (isModified) return undefined;
  throw usageError(`${column.label} cannot be changed by an import`, "restore the cell, or empty it");
}

type UpdateContext = CellContext & { bug: Bug };

/** A comment; a description is part of new bugs only. */
function commentChange({ label, name, update }: ImportColumn, cell: FileCell): JsonObject {
  if (!update) throw usageError(`the ${label} can only be set on a new bug`, "add a comment in a column named comment");
  return { body: checkedText(name, String(cell)), is_private: false };
}

/** The product that a bug gets or has, and a catalog that knows it. */
async function readProductAfter(row: FileRow, bug: Bug, { columns, catalog, withProduct }: ReadSheet) {
  const cell = cellText(
    row,
    columns.find(({ name }) => name === "product"),
  );
  if (cell === "" || cell === bug.product) return { product: bug.product ?? undefined };
  const known = await withProduct(catalog, cell);
  return { catalog: known, product: legalValue(requireField(known, "product"), cell) };
}

/** The time of the last change that the file knows of; undefined if it knows of none. */
function changeTimeOf(row: FileRow, { columns }: Sheet): string | undefined {
  const cell = cellText(
    row,
    columns.find(({ role }) => role === "guard"),
  );
  return cell === "" ? undefined : cell;
}

function checkChangeTime(cell: FileCell): undefined {
  const text = String(cell).trim();
  if (/^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?$/.test(text)) return undefined;
  throw usageError(
    `last_change_time ${JSON.stringify(text)} is not a time as exported`,
    "for example: 2026-10-03T14:00:00Z",
  );
}
