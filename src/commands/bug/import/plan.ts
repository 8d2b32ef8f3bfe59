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
import { BtError, usageError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { completePart } from "../../shared/changes/move-groups.ts";
import { readValueContext } from "../../shared/changes/write-body.ts";
import { readTargetBugs } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import { type CellContext, type ColumnCell, isEmptyCell, isHeldByBug, readCellChange } from "./cells.ts";
import { type ImportColumn, importColumns } from "./columns.ts";
import { COPIED_COLUMNS, type LaterChanges, planNewBug } from "./copy.ts";
import { type BugFile, type FileCell, type FileRow, lineError } from "./file.ts";
import { newBugFromCells } from "./new.ts";

/** A row of a file and what is to be done with it. */
export type PlannedRow = { readonly row: FileRow } & (
  | { readonly kind: "create"; readonly body: JsonObject; readonly copy?: LaterChanges }
  | { readonly kind: "update"; readonly bug: Bug; readonly part: UpdatePart; readonly seen: string | undefined }
  | { readonly kind: "unchanged"; readonly bug: Bug }
  | { readonly kind: "collision"; readonly bug: Bug; readonly error: BtError }
);

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
  { catalog, context }: { catalog: Catalog; context: Context },
): Promise<ImportPlan> {
  const columns = importColumns(names, catalog, style.skipped);
  const { send } = context.session;
  const tools = { withProduct: enterableProductLoader(send), withAliasForm: aliasForm(send) };
  const sheet = { columns, style, catalog, context, ...tools };
  const { found, errors } = await readRowBugs(rows, sheet);
  const reading = await readSheetContext(rows, sheet);
  const planned: PlannedRow[] = [];
  for (const row of rows) {
    if (errors.has(row)) continue;
    try {
      planned.push(await planRow(row, found.get(row), { ...sheet, reading }));
    } catch (error) {
      if (!(error instanceof BtError) || (error.kind !== "usage" && error.kind !== "missing")) throw error;
      errors.set(row, error);
    }
  }
  const wrong = await findWrongReferences(planned.map(sentBody), catalog, send);
  for (const [at, { row }] of planned.entries()) {
    const error = wrong[at];
    if (error) errors.set(row, error);
  }
  if (errors.size > 0) throw invalidRowsError(errors, rows.length);
  const isUsed = ({ name }: ImportColumn) => style.isNew && COPIED_COLUMNS.has(name);
  const ignored = columns.filter((one) => (one.role === "read-only" || one.role === "ignored") && !isUsed(one));
  const isGuarded = columns.some(({ role }) => role === "guard");
  return { rows: planned, ignored: ignored.map(({ label }) => label), isGuarded };
}

/** @throws BtError of kind usage or missing for a row that is wrong */
function planRow(row: FileRow, bug: Bug | undefined, sheet: ReadSheet): Promise<PlannedRow> {
  return bug ? planUpdate(row, bug, sheet) : planCreate(row, sheet);
}

function sentBody(planned: PlannedRow): JsonObject {
  if (planned.kind === "create") return planned.body;
  return planned.kind === "update" ? planned.part.body : {};
}

type Sheet = {
  columns: ImportColumn[];
  style: ImportStyle;
  catalog: Catalog;
  context: Context;
  withProduct: WithProduct;
  withAliasForm: WithAliasForm;
};

type ReadSheet = Sheet & { reading: CellContext["reading"] };

function invalidRowsError(errors: ReadonlyMap<FileRow, BtError>, total: number): BtError {
  const inOrder = [...errors].toSorted(([one], [other]) => one.number - other.number);
  const kinds = new Set(inOrder.map(([, error]) => error.kind));
  const [kind = "usage"] = kinds.size === 1 ? kinds : [];
  const shown = inOrder.slice(0, MAX_SHOWN).flatMap(([{ line }, error]) => {
    const { message, facts } = lineError(line, error);
    const texts = [facts.hint ? `${message} (${facts.hint})` : message, ...(facts.details ?? [])];
    return texts.map((text) => text.replace(FLAG_OF_COLUMN, (_, name: string) => name.replaceAll("-", "_")));
  });
  if (errors.size > MAX_SHOWN) shown.push(`and ${errors.size - MAX_SHOWN} more`);
  const sentence = `${errors.size} of ${total} rows ${errors.size === 1 ? "is" : "are"} invalid`;
  return new BtError(kind, sentence, { details: shown, changed: "nothing" });
}

const MAX_SHOWN = 20;

/** Matches a flag, for which a file has a column; not one of a command to type. */
const FLAG_OF_COLUMN = /(?<!\bbt [^()]*)--(?:add-|remove-|set-)?([a-z]+(?:-[a-z]+)*)/g;

type RowBugs = { found: ReadonlyMap<FileRow, Bug>; errors: Map<FileRow, BtError> };

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
    else errors.set(row, errorOf.get(id) ?? new BtError("missing", `bug ${id} was not found`));
  }
  return { found, errors };
}

function rowsById(rows: readonly FileRow[], { columns }: Sheet) {
  const column = columns.find(({ role }) => role === "id");
  const named = new Map<string, FileRow>();
  const errors = new Map<FileRow, BtError>();
  for (const row of rows) {
    const id = cellText(row, column).replace(/^#/, "");
    if (id === "") continue;
    const error = idError(id, named);
    if (error) errors.set(row, error);
    else named.set(id, row);
  }
  return { named, errors };
}

function idError(id: string, named: ReadonlyMap<string, FileRow>): BtError | undefined {
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
  const body = await updateBody(row, bug, sheet);
  const seen = changeTimeOf(row, sheet);
  if (Object.keys(body).length === 0) return { row, kind: "unchanged", bug };
  if (seen !== undefined && Date.parse(seen) !== Date.parse(bug.last_change_time ?? "")) {
    const message = `bug ${bug.id} was modified in the meantime (${bug.last_change_time})`;
    const hint = "export it again, or empty its last_change_time to overwrite the change";
    return { row, kind: "collision", bug, error: new BtError("collision", message, { hint, changed: "nothing" }) };
  }
  checkReadOnly(row, bug, sheet);
  checkProductMove([bug], body, sheet.catalog);
  const { address } = sheet.context.session;
  const [refused] = refusedBugs([bug], body, { catalog: sheet.catalog, address });
  if (refused) throw refused.error;
  const part = await completePart({ bugs: [bug], body }, sheet.context);
  return { row, kind: "update", bug, part, seen: seen && (bug.last_change_time ?? "") };
}

async function updateBody(row: FileRow, bug: Bug, sheet: ReadSheet): Promise<JsonObject> {
  const { separator, clears } = sheet.style;
  const product = await readProductAfter(row, bug, sheet);
  const at = { bug, separator, send: sheet.context.session.send, reading: { ...sheet.reading, ...product } };
  const body: Record<string, Json> = {};
  for (const { column, cell } of cellsOf(row, sheet.columns)) {
    if (column.role === "text") Object.assign(body, commentChange(column, cell));
    const isGiven = column.role === "set" && (clears || !isEmptyCell(cell));
    const change = isGiven && !isHeldByBug(column, cell, at) ? await readCellChange(column, cell, at) : undefined;
    if (change !== undefined) body[column.name] = change;
  }
  return body;
}

/** A comment; a description is part of new bugs only. */
function commentChange({ label, name, update }: ImportColumn, cell: FileCell): JsonObject {
  if (isEmptyCell(cell)) return {};
  if (!update) throw usageError(`the ${label} can only be set on a new bug`, "add a comment in a column named comment");
  return { [name]: { body: checkedText(name, String(cell)), is_private: false } };
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

/** The time of the last change that the file knows of. */
function changeTimeOf(row: FileRow, { columns }: Sheet): string | undefined {
  const cell = cellText(
    row,
    columns.find(({ role }) => role === "guard"),
  );
  if (cell === "") return undefined;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(cell)) return cell;
  throw usageError(
    `last_change_time ${JSON.stringify(cell)} is not a time as exported`,
    "for example: 2026-10-03T14:00:00Z",
  );
}

/** A changed cell of a column that cannot be set would be lost without a word. */
function checkReadOnly(row: FileRow, bug: Bug, { columns, style }: Sheet): void {
  for (const { column, cell } of cellsOf(row, columns)) {
    if (column.role !== "read-only" || isEmptyCell(cell)) continue;
    if (!isHeldByBug(column, cell, { bug, separator: style.separator }))
      throw usageError(`${column.label} cannot be changed by an import`, "restore the cell, or empty it");
  }
}
