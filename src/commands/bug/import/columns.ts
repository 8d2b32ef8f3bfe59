import { resolveBugNumbers } from "../../../api/bugs.ts";
import {
  type Catalog,
  type CatalogField,
  findField,
  isSettable,
  legalNames,
  legalValue,
  requireField,
  withEnterableProduct,
} from "../../../api/catalog/catalog.ts";
import { grouped } from "../../../api/lists.ts";
import { suggestNames } from "../../../api/nearest.ts";
import type { Parameter, SendRequest } from "../../../api/operations/operation.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import {
  checkedText,
  isListField,
  readItem,
  readListItem,
  readParameterValue,
  type ValueContext,
} from "../../../api/write/values.ts";
import { type BtError, usageError } from "../../../errors.ts";
import { exactText, stableJson } from "../../../view/column.ts";
import { bugFileItems } from "../../../view/listing.ts";
import { dayText } from "../../../view/times.ts";
import { type Bug, SHOWN_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { itemsIn } from "../../../wire/json.ts";
import { readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import { cellItems, type FileCell, lineError } from "./file.ts";

/**
 * A column of an imported file. `id` names the bug, `guard` is the time of the last change that the file knows of, `set`
 * columns are set, `text` are added to bugs, and the others are not imported.
 */
export type ImportColumn = {
  readonly label: string; // as in the file
  readonly name: string; // of the field or parameter
  readonly role: "id" | "guard" | "set" | "text" | "read-only" | "ignored";
  readonly isList: boolean;
  readonly update?: Parameter | undefined; // absent: cannot be set on existing bugs
  readonly create?: Parameter | undefined; // absent: cannot be set on new bugs
  readonly custom?: CatalogField | undefined;
};

/**
 * The columns of a file by the names of their fields, which may be labels or synonyms.
 * @throws BtError of kind usage for an unknown name, with the nearest, and for two columns of one field
 */
export function findColumns(labels: readonly string[], catalog: Catalog): ImportColumn[] {
  const columns = labels.map((label) => findColumn(label, catalog));
  for (const [first, second] of grouped(columns, ({ name }) => name).values())
    if (second) throw lineError(1, usageError(`the columns ${first?.label} and ${second.label} are the same field`));
  return columns;
}

function findColumn(label: string, catalog: Catalog): ImportColumn {
  const field = findField(catalog, label);
  if (field?.isAdded && ROLES[label] === undefined) return customColumn(label, field);
  const spellings = [label, label.toLowerCase(), field?.api ?? ""];
  const name = spellings.find((spelling) => COLUMN_NAMES.includes(spelling));
  if (name === undefined) throw unknownColumnError(label, catalog);
  const update = UPDATE_BUG.parameters.find((parameter) => parameter.name === name);
  const create = CREATE_BUG.parameters.find((parameter) => parameter.name === name);
  const role = ROLES[name] ?? (update || create ? "set" : "read-only");
  return { label, name, role, isList: update?.kind === "edit" || update?.kind === "links", update, create };
}

function customColumn(label: string, field: CatalogField): ImportColumn {
  const isEditedOtherwise = field.type === FIELD_TYPE.seeAlso || field.type === FIELD_TYPE.keywords;
  const role = isSettable(field) && !isEditedOtherwise ? "set" : "read-only";
  return { label, name: field.api, role, isList: isListField(field), custom: field };
}

function unknownColumnError(label: string, catalog: Catalog): BtError {
  const custom = catalog.fields.filter(({ isAdded }) => isAdded).map(({ api }) => api);
  const hint = suggestNames(label, [...COLUMN_NAMES, ...custom]) ?? "bt field list shows the fields";
  return lineError(1, usageError(`unknown column ${JSON.stringify(label)}`, hint));
}

/** Roles of columns that are not set. The ignored columns are members of JSON lines. */
const ROLES: Readonly<Record<string, ImportColumn["role"]>> = {
  id: "id",
  last_change_time: "guard",
  flags: "read-only",
  description: "text",
  comment: "text",
  tracker: "ignored",
  comments: "ignored",
  history: "ignored",
  attachments: "ignored",
};

const COLUMN_NAMES: readonly string[] = [...SHOWN_BUG_FIELDS, ...Object.keys(ROLES)];

/** A cell of a row, with its column. */
export type ColumnCell = { readonly column: ImportColumn; readonly cell: FileCell };

/** Metadata that cells are read with. */
export type CellContext = {
  readonly valueContext: ValueContext;
  readonly send: SendRequest;
};

/** The metadata for cells with these texts; the login is only looked up if a text needs it. */
export async function readCellContext(texts: string[], catalog: Catalog, context: Context): Promise<CellContext> {
  const valueContext = await readValueContext({ texts }, context, catalog);
  return { valueContext, send: context.session.send };
}

/**
 * What the cells of a bug set (`body`), what its empty cells clear (`cleared`), and the columns of empty cells that cannot
 * be cleared (`kept`).
 * @throws BtError of kind usage for a value that a field cannot have
 */
export async function readChanges(cells: readonly ColumnCell[], bug: Bug, context: CellContext) {
  const valueContext = await contextOfProduct(cells, bug, context);
  const body: Record<string, Json> = {};
  const cleared: Record<string, Json> = {};
  const kept: string[] = [];
  for (const columnCell of cells) {
    checkReadOnly(columnCell, bug);
    if (!isChange(columnCell, bug)) continue;
    const { column, cell } = columnCell;
    if (cell.length > 0) {
      const value = await readCellChange(columnCell, bug, { ...context, valueContext });
      if (value !== undefined) body[column.name] = value;
    } else {
      const empty = clearingValue(column, bug, valueContext);
      if (empty === undefined) kept.push(column.name);
      else cleared[column.name] = empty;
    }
  }
  return { body, cleared, kept };
}

/** @throws BtError of kind usage for a read-only cell that was changed */
function checkReadOnly(columnCell: ColumnCell, bug: Bug): void {
  const { column, cell } = columnCell;
  if (column.role === "read-only" && cell.length > 0 && !hasValueOfBug(columnCell, bug))
    throw usageError(`${column.label} cannot be changed by an import`, "restore the cell, or empty it");
}

/** True for a comment, and for a cell with another value than the bug. */
export function isChange(columnCell: ColumnCell, bug: Bug): boolean {
  const { column, cell } = columnCell;
  if (column.role === "text") return cell.length > 0;
  return column.role === "set" && !hasValueOfBug(columnCell, bug);
}

/** The metadata for values of the product that a bug gets or has. */
async function contextOfProduct(
  cells: readonly ColumnCell[],
  bug: Bug,
  { valueContext, send }: CellContext,
): Promise<ValueContext> {
  const cell = String(cells.find(({ column }) => column.name === "product")?.cell ?? "");
  if (cell === "" || cell === bug.product) return { ...valueContext, product: bug.product ?? undefined };
  const catalog = await withEnterableProduct(valueContext.catalog, cell, send);
  return { ...valueContext, catalog, product: legalValue(requireField(catalog, "product"), cell) };
}

/** True if a cell has the value of the bug; line breaks and the order of a list do not count. */
function hasValueOfBug({ column, cell }: ColumnCell, bug: Bug): boolean {
  const value = valueOfBug(column, bug);
  if (Array.isArray(value)) {
    const current = bugFileItems(column.name, value);
    const items = cellItems(cell);
    return current.length === items.length && current.every((item) => items.includes(item));
  }
  const normalize = column.custom?.type === FIELD_TYPE.date ? dayText : withUnixBreaks;
  const texts = [exactText(value), exactText(stableJson(value ?? null, column.name))]; // as received, as exported
  return typeof cell === "string" && texts.some((text) => normalize(text) === normalize(cell));
}

function valueOfBug({ name }: ImportColumn, bug: Bug): Json | undefined {
  return (bug as JsonObject)[name];
}

function withUnixBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The value of an update that empties a field; undefined if the field is empty, or cannot be. */
function clearingValue(column: ImportColumn, bug: Bug, valueContext: ValueContext): Json | undefined {
  const current = valueOfBug(column, bug) ?? "";
  if (column.isList) return { add: [], remove: itemsIn(current) };
  if (!canBeEmpty(column)) return undefined;
  const empty = column.custom ? readItem(column.custom, "", valueContext) : "";
  return current === empty ? undefined : empty;
}

function canBeEmpty({ name, custom, update }: ImportColumn): boolean {
  if (custom) return custom.type !== FIELD_TYPE.select || legalNames(custom)?.includes("---") === true;
  return update !== undefined && name !== "summary" && (update.clears === true || CLEARED_KINDS.has(update.kind));
}

const CLEARED_KINDS: ReadonlySet<string> = new Set(["text", "tokens", "date"]);

/**
 * Value of an update by which a bug gets the value of a cell; undefined if it has that value. Lists are added to and
 * removed from.
 */
async function readCellChange(columnCell: ColumnCell, bug: Bug, context: CellContext): Promise<Json | undefined> {
  const { column, cell } = columnCell;
  const { name } = column;
  if (!column.update && !column.custom) throw usageError(`${column.label} can only be set on a new bug`);
  if (column.role === "text") return { body: checkedText(name, String(cell)), is_private: false };
  const current = valueOfBug(column, bug);
  if (current === undefined) throw usageError(`the tracker does not return ${name} of bug ${bug.id}`);
  const value = await readCellValue(columnCell, context);
  if (!column.isList) return value === current ? undefined : value;
  const add = itemsWithout(itemsIn(value), itemsIn(current));
  const remove = itemsWithout(itemsIn(current), itemsIn(value));
  return add.length + remove.length === 0 ? undefined : { add, remove };
}

/** Items that are not in another list; letter case does not count. */
function itemsWithout(items: readonly Json[], others: readonly Json[]): Json[] {
  const names = new Set(others.map((item) => String(item).toLowerCase()));
  return items.filter((item) => !names.has(String(item).toLowerCase()));
}

/** The value of a cell, as a new bug gets it; a list is whole, also for an update. */
export async function readCellValue({ column, cell }: ColumnCell, { valueContext, send }: CellContext): Promise<Json> {
  const { name, label, custom, isList } = column;
  const parameter = column.update ?? column.create;
  if (isList) {
    const texts = [...new Set(cellItems(cell))];
    if (custom) return texts.map((text) => readItem(custom, text, valueContext));
    const items = texts.map((text) => parameter && readListItem(text, parameter, valueContext));
    const body = await resolveBugNumbers({ [name]: items as Json }, send);
    return body[name] as Json;
  }
  if (typeof cell !== "string") throw usageError(`${label} takes one value, not a list`);
  if (custom) return readItem(custom, cell, valueContext);
  if (!parameter || parameter.kind === "tokens") return checkedText(name, cell);
  return readParameterValue(parameter, [cell], valueContext);
}
