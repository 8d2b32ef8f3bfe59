import { resolveBugNumbers } from "../../../api/bugs.ts";
import {
  type Catalog,
  type CatalogField,
  enterableProductLoader,
  findField,
  isSettable,
  legalNames,
  legalValue,
  requireField,
  type WithProduct,
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
import { usageError } from "../../../errors.ts";
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
export function importColumns(labels: readonly string[], catalog: Catalog): ImportColumn[] {
  const columns = labels.map((label) => importColumn(label, catalog));
  for (const [first, second] of grouped(columns, ({ name }) => name).values())
    if (second) throw lineError(1, usageError(`the columns ${first?.label} and ${second.label} are the same field`));
  return columns;
}

function importColumn(label: string, catalog: Catalog): ImportColumn {
  const field = findField(catalog, label);
  if (field?.isAdded && ROLES[label] === undefined) return customColumn(label, field);
  const name = [label, label.toLowerCase(), field?.api ?? ""].find((one) => KNOWN.includes(one));
  if (name === undefined) {
    const custom = catalog.fields.filter(({ isAdded }) => isAdded).map(({ api }) => api);
    const hint = suggestNames(label, [...KNOWN, ...custom]) ?? "bt field list shows the fields";
    throw lineError(1, usageError(`unknown column ${JSON.stringify(label)}`, hint));
  }
  const update = UPDATE_BUG.parameters.find((one) => one.name === name);
  const create = CREATE_BUG.parameters.find((one) => one.name === name);
  const role = ROLES[name] ?? (update || create ? "set" : "read-only");
  return { label, name, role, isList: update?.kind === "edit" || update?.kind === "links", update, create };
}

function customColumn(label: string, field: CatalogField): ImportColumn {
  const isOther = field.type === FIELD_TYPE.seeAlso || field.type === FIELD_TYPE.keywords; // lists that are edited in other ways
  const role = isOther || !isSettable(field) ? "read-only" : "set";
  return { label, name: field.api, role, isList: isListField(field), custom: field };
}

/** Columns that are no fields to set. The last are members of JSON lines. */
const ROLES: Readonly<Record<string, ImportColumn["role"]>> = {
  ...{ id: "id", last_change_time: "guard", flags: "read-only", description: "text", comment: "text" },
  ...{ tracker: "ignored", comments: "ignored", history: "ignored", attachments: "ignored" },
};

const KNOWN: readonly string[] = [...SHOWN_BUG_FIELDS, ...Object.keys(ROLES)];

/** A cell of a row, with its column. */
export type ColumnCell = { readonly column: ImportColumn; readonly cell: FileCell };

/** Metadata that cells are read with. */
export type CellContext = {
  readonly reading: ValueContext;
  readonly send: SendRequest;
  readonly withProduct: WithProduct;
};

/** The metadata for cells of these texts; the login is only looked up if one needs it. */
export async function readCellContext(texts: string[], catalog: Catalog, context: Context): Promise<CellContext> {
  const { send } = context.session;
  const reading = await readValueContext({ texts }, context, catalog);
  return { reading, send, withProduct: enterableProductLoader(send) };
}

/**
 * What the cells of a bug set, what its empty cells clear, and the columns that cannot be cleared.
 * @throws BtError of kind usage for a value that a field cannot have
 */
export async function readChanges(cells: readonly ColumnCell[], bug: Bug, context: CellContext) {
  const reading = await readingAfter(cells, bug, context);
  const body: Record<string, Json> = {};
  const cleared: Record<string, Json> = {};
  const kept: string[] = [];
  for (const one of cells) {
    const { label, name, role } = one.column;
    if (role === "read-only" && one.cell.length > 0 && !isHeldByBug(one, bug))
      throw usageError(`${label} cannot be changed by an import`, "restore the cell, or empty it");
    if (!isGiven(one, bug)) continue;
    const isEmpty = one.cell.length === 0;
    const value = isEmpty
      ? clearingValue(one.column, bug, reading)
      : await readCellChange(one, bug, { ...context, reading });
    if (value !== undefined) (isEmpty ? cleared : body)[name] = value;
    else if (isEmpty) kept.push(name);
  }
  return { body, cleared, kept };
}

/** True for a comment, and a cell that its bug does not hold. */
export function isGiven({ column, cell }: ColumnCell, bug: Bug): boolean {
  return column.role === "text" ? cell.length > 0 : column.role === "set" && !isHeldByBug({ column, cell }, bug);
}

/** How values are read for the product that a bug gets or has. */
async function readingAfter(
  cells: readonly ColumnCell[],
  bug: Bug,
  { reading, withProduct }: CellContext,
): Promise<ValueContext> {
  const cell = String(cells.find(({ column }) => column.name === "product")?.cell ?? "");
  if (cell === "" || cell === bug.product) return { ...reading, product: bug.product ?? undefined };
  const catalog = await withProduct(reading.catalog, cell);
  return { ...reading, catalog, product: legalValue(requireField(catalog, "product"), cell) };
}

/** True if the bug holds what a cell says, whatever its line breaks and the order of a list. */
function isHeldByBug({ column, cell }: ColumnCell, bug: Bug): boolean {
  const value = heldValue(column, bug);
  if (Array.isArray(value)) {
    const [held, items] = [bugFileItems(column.name, value), cellItems(cell)];
    return held.length === items.length && held.every((item) => items.includes(item));
  }
  const textOf = column.custom?.type === FIELD_TYPE.date ? dayText : withUnixBreaks;
  const forms = [value, value === undefined ? undefined : stableJson(value, column.name)]; // of an object, as it is and as exported
  return typeof cell === "string" && forms.some((form) => textOf(cell) === textOf(exactText(form)));
}

function withUnixBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function heldValue({ name }: ImportColumn, bug: Bug): Json | undefined {
  return (bug as JsonObject)[name];
}

/** The value of an update that empties a field; undefined if it is empty, or cannot be. */
function clearingValue(column: ImportColumn, bug: Bug, reading: ValueContext): Json | undefined {
  const { name, custom, update, isList } = column;
  const held = heldValue(column, bug) ?? "";
  if (isList) return itemsIn(held).length > 0 ? { add: [], remove: itemsIn(held) } : undefined;
  const isPossible = custom
    ? custom.type !== FIELD_TYPE.select || legalNames(custom)?.includes("---")
    : update && (update.clears || CLEARED_KINDS.has(update.kind)) && name !== "summary";
  const cleared = custom && isPossible ? readItem(custom, "", reading) : "";
  return isPossible && held !== "" && held !== cleared ? cleared : undefined;
}

const CLEARED_KINDS: ReadonlySet<string> = new Set(["text", "tokens", "date"]);

/**
 * Value of an update by which a bug gets the value of a cell; undefined if it has that value. Lists are added to and
 * removed from.
 */
async function readCellChange(given: ColumnCell, bug: Bug, context: CellContext): Promise<Json | undefined> {
  const { name, label, role, update, custom, isList } = given.column;
  if (!update && !custom) throw usageError(`${label} can only be set on a new bug`);
  if (role === "text") return { body: checkedText(name, String(given.cell)), is_private: false };
  const held = heldValue(given.column, bug);
  if (held === undefined) throw usageError(`the tracker does not return ${name} of bug ${bug.id}`);
  const value = await readCellValue(given, context);
  if (!isList) return value === held ? undefined : value;
  const [items, before] = [itemsIn(value), itemsIn(held)];
  const [add, remove] = [itemsWithout(items, before), itemsWithout(before, items)];
  return add.length + remove.length === 0 ? undefined : { add, remove };
}

function itemsWithout(items: readonly Json[], others: readonly Json[]): Json[] {
  const keys = new Set(others.map((one) => String(one).toLowerCase()));
  return items.filter((item) => !keys.has(String(item).toLowerCase()));
}

/** The value of a cell, as a new bug gets it. */
export async function readCellValue({ column, cell }: ColumnCell, { reading, send }: CellContext): Promise<Json> {
  const { name, label, custom, update = column.create, isList } = column;
  if (isList) {
    const items = [...new Set(cellItems(cell))];
    if (custom) return items.map((item) => readItem(custom, item, reading));
    const read = items.map((item) => update && readListItem(item, update, reading));
    return (await resolveBugNumbers({ [name]: read as Json }, send))[name] as Json;
  }
  if (typeof cell !== "string") throw usageError(`${label} takes one value, not a list`);
  if (custom) return readItem(custom, cell, reading);
  return update && update.kind !== "tokens" ? readParameterValue(update, [cell], reading) : checkedText(name, cell);
}
