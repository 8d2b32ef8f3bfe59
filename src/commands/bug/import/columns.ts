import { resolveBugNumbers } from "../../../api/bugs.ts";
import {
  type Catalog,
  type CatalogField,
  findField,
  isSettable,
  requireField,
  type WithProduct,
} from "../../../api/catalog/catalog.ts";
import { legalNames, legalValue } from "../../../api/catalog/legal-values.ts";
import { grouped } from "../../../api/lists.ts";
import { suggestNames } from "../../../api/nearest.ts";
import type { Parameter, SendRequest } from "../../../api/operations/operation.ts";
import { CREATE_BUG, UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import { customBody, isListField, readItem } from "../../../api/write/custom-fields.ts";
import { readListItem, readParameterValue, type ValueContext } from "../../../api/write/parameter-values.ts";
import { checkedText } from "../../../api/write/texts.ts";
import { BtError, usageError } from "../../../errors.ts";
import { exactText, stableJson } from "../../../view/column.ts";
import { bugFileItems } from "../../../view/listing.ts";
import { dayText } from "../../../view/times.ts";
import { type Bug, DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { itemsIn } from "../../../wire/json.ts";
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
  if (OTHER_MEMBERS.has(label)) return { label, name: label, role: "ignored", isList: label !== "tracker" };
  const text = TEXTS[label.toLowerCase()];
  if (text) return { label, name: label.toLowerCase(), role: "text", isList: false, ...text };
  const field = findField(catalog, label);
  if (field?.isAdded) return customColumn(label, field);
  const name = SHOWN.has(label) ? label : (field?.api ?? "");
  const role = ROLE_BY_COLUMN[name];
  if (role) return { label, name, role, isList: false };
  if (SHOWN.has(name)) return fieldColumn(label, name);
  const custom = catalog.fields.filter(({ isAdded }) => isAdded).map(({ api }) => api);
  const hint = suggestNames(label, [...SHOWN, ...custom, ...Object.keys(TEXTS)]) ?? "bt field list shows the fields";
  throw lineError(1, usageError(`unknown column ${JSON.stringify(label)}`, hint));
}

/** Members of JSON lines that are no fields of the bug. */
const OTHER_MEMBERS: ReadonlySet<string> = new Set(["tracker", "comments", "history", "attachments"]);

const SHOWN: ReadonlySet<string> = new Set([...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS]);
const ROLE_BY_COLUMN: Readonly<Record<string, ImportColumn["role"]>> = { id: "id", last_change_time: "guard" };

const TEXTS: Readonly<Record<string, Pick<ImportColumn, "update" | "create">>> = {
  description: { create: CREATE_BUG.parameters.find(({ name }) => name === "description") },
  comment: { update: UPDATE_BUG.parameters.find(({ name }) => name === "comment") },
};

function fieldColumn(label: string, name: string): ImportColumn {
  const update = UPDATE_BUG.parameters.find((one) => one.name === name);
  const create = CREATE_BUG.parameters.find((one) => one.name === name);
  const isSet = name !== "flags" && (update ?? create) !== undefined;
  const isList = update !== undefined && ["edit", "links"].includes(update.kind);
  return { label, name, role: isSet ? "set" : "read-only", isList, update, create };
}

function customColumn(label: string, field: CatalogField): ImportColumn {
  const isOther = field.type === FIELD_TYPE.seeAlso || field.type === FIELD_TYPE.keywords; // lists that are edited in other ways
  const role = isOther || !isSettable(field) ? "read-only" : "set";
  return { label, name: field.api, role, isList: isListField(field), custom: field };
}

/** Metadata that the cells of a row are read with. */
export type CellContext = { readonly reading: ValueContext; readonly send: SendRequest };

/** A cell of a row, with its column. */
export type ColumnCell = { readonly column: ImportColumn; readonly cell: FileCell };

/** Metadata that the cells of a bug are read with. */
export type ChangeContext = {
  readonly catalog: Catalog;
  readonly values: CellContext;
  readonly withProduct: WithProduct;
};

/**
 * What the cells of a bug set, what its empty cells clear, and the columns that cannot be cleared.
 * @throws BtError of kind usage for a value that a field cannot have
 */
export async function readChanges(cells: readonly ColumnCell[], bug: Bug, { values, ...known }: ChangeContext) {
  const at = { ...values, bug, reading: { ...values.reading, ...(await readProductAfter(cells, bug, known)) } };
  const body: Record<string, Json> = {};
  const cleared: Record<string, Json> = {};
  const kept: string[] = [];
  for (const one of cells) {
    const { label, name, role } = one.column;
    if (role === "read-only" && one.cell.length > 0 && !isHeldByBug(one, bug))
      throw usageError(`${label} cannot be changed by an import`, "restore the cell, or empty it");
    if (!isGiven(one, bug)) continue;
    const isEmpty = one.cell.length === 0;
    const value = isEmpty ? clearingValue(one.column, bug) : await readCellChange(one, at);
    if (value !== undefined) (isEmpty ? cleared : body)[name] = value;
    else if (isEmpty) kept.push(name);
  }
  return { body, cleared, kept };
}

/** True for a comment, and a cell that its bug does not hold. */
export function isGiven({ column, cell }: ColumnCell, bug: Bug): boolean {
  return column.role === "text" ? cell.length > 0 : column.role === "set" && !isHeldByBug({ column, cell }, bug);
}

/** The product that a bug gets or has, and a catalog that knows it. */
async function readProductAfter(
  cells: readonly ColumnCell[],
  bug: Bug,
  { catalog, withProduct }: { readonly catalog: Catalog; readonly withProduct: WithProduct },
) {
  const cell = String(cells.find(({ column }) => column.name === "product")?.cell ?? "");
  if (cell === "" || cell === bug.product) return { product: bug.product ?? undefined };
  const known = await withProduct(catalog, cell);
  return { catalog: known, product: legalValue(requireField(known, "product"), cell) };
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
function clearingValue(column: ImportColumn, bug: Bug): Json | undefined {
  const { name, custom, update, isList } = column;
  const held = heldValue(column, bug) ?? "";
  if (isList) return itemsIn(held).length > 0 ? { add: [], remove: itemsIn(held) } : undefined;
  if (custom) {
    const cleared = CLEARED_CUSTOM[custom.type] ?? "";
    const isPossible = custom.type !== FIELD_TYPE.select || legalNames(custom)?.includes("---");
    return isPossible && held !== "" && held !== cleared ? cleared : undefined;
  }
  const isPossible = update && (update.clears || CLEARED_KINDS.has(update.kind)) && name !== "summary";
  return isPossible && held !== "" ? "" : undefined;
}

const CLEARED_KINDS: ReadonlySet<string> = new Set(["text", "tokens", "date"]);
const CLEARED_CUSTOM: Readonly<Record<number, Json>> = {
  [FIELD_TYPE.select]: "---",
  [FIELD_TYPE.extension]: "---",
  [FIELD_TYPE.integer]: 0, // which is how a tracker stores no number
};

/**
 * Value of an update by which a bug gets the value of a cell; undefined if it has that value. Lists are added to and
 * removed from.
 */
async function readCellChange(given: ColumnCell, at: CellContext & { readonly bug: Bug }): Promise<Json | undefined> {
  const { column } = given;
  if (!column.update && !column.custom) throw usageError(`${column.label} can only be set on a new bug`);
  if (column.role === "text") return { body: checkedText(column.name, String(given.cell)), is_private: false };
  const held = heldValue(column, at.bug);
  if (held === undefined) throw usageError(`the tracker does not return ${column.name} of bug ${at.bug.id}`);
  const value = await readCellValue(given, at);
  if (!column.isList) return value === held ? undefined : value;
  const [items, before] = [itemsIn(value), itemsIn(held)];
  const [add, remove] = [itemsWithout(items, before), itemsWithout(before, items)];
  return add.length + remove.length === 0 ? undefined : { add, remove };
}

function itemsWithout(items: readonly Json[], others: readonly Json[]): Json[] {
  const keys = new Set(others.map((one) => String(one).toLowerCase()));
  return items.filter((item) => !keys.has(String(item).toLowerCase()));
}

/** The value of a cell, as a new bug gets it. */
export async function readCellValue({ column, cell }: ColumnCell, at: CellContext): Promise<Json> {
  const { name, label, custom, update = column.create, isList } = column;
  if (isList) return readList(column, cell, at);
  if (typeof cell !== "string") throw usageError(`${label} takes one value, not a list`);
  if (custom) {
    const value = custom.type === FIELD_TYPE.date ? cell.replace(/T00:00:00Z$/, "") : cell; // as trackers return a day
    return customBody([`${name}=${value}`], at.reading)[name] ?? null;
  }
  if (!update) throw new BtError("internal", `the column ${name} cannot be set`);
  return update.kind === "tokens" ? checkedText(name, cell) : readParameterValue(update, [cell], at.reading);
}

async function readList(
  { name, custom, update }: ImportColumn,
  cell: FileCell,
  { reading, send }: CellContext,
): Promise<Json[]> {
  const items = [...new Set(cellItems(cell))];
  if (custom) {
    const torn = legalNames(custom)?.find((one) => one.includes(",") && !items.includes(one) && cell.includes(one));
    if (torn !== undefined) throw usageError(`${JSON.stringify(torn)} is one value`, "quote it, or each part of it");
    return items.map((item) => readItem(custom, item, reading));
  }
  if (!update) throw new BtError("internal", `the list ${name} cannot be set`);
  const read = { [name]: items.map((item) => readListItem(item, update, reading)) };
  return (await resolveBugNumbers(read, send))[name] as Json[];
}
