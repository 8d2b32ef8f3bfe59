import { resolveBugNumbers } from "../../../api/bugs/bug-numbers.ts";
import { legalNames } from "../../../api/catalog/legal-values.ts";
import type { SendRequest } from "../../../api/operations/operation.ts";
import { customBody, readItem } from "../../../api/write/custom-fields.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { readListItem, readParameterValue, type ValueContext } from "../../../api/write/parameter-values.ts";
import { BtError, usageError } from "../../../errors.ts";
import { bugFileItems } from "../../../view/bug-file.ts";
import { exactText } from "../../../view/column.ts";
import { stableMember } from "../../../view/stable.ts";
import { dayText } from "../../../view/times.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { itemsIn } from "../../../wire/json.ts";
import type { ImportColumn } from "./columns.ts";
import { cellItems, type FileCell } from "./file.ts";

/** Metadata that the cells of a row are read with. */
export type CellContext = { readonly reading: ValueContext; readonly send: SendRequest };

/** A cell of a row, with its column. */
export type ColumnCell = { readonly column: ImportColumn; readonly cell: FileCell };

/** True if the bug holds what a cell says, whatever its line breaks and the order of a list. */
export function isHeldByBug(column: ImportColumn, cell: FileCell, bug: Bug): boolean {
  const value = heldValue(column, bug);
  if (Array.isArray(value)) {
    const [held, items] = [bugFileItems(column.name, value), cellItems(cell)];
    return held.length === items.length && held.every((item) => items.includes(item));
  }
  const sameForm = column.custom?.type === FIELD_TYPE.date ? (text: string) => dayText(text) : withUnixBreaks;
  const forms = [value, value === undefined ? undefined : stableMember(value, column.name)]; // of an object, as it is and as exported
  return typeof cell === "string" && forms.some((form) => sameForm(cell) === sameForm(exactText(form)));
}

function withUnixBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function heldValue({ name }: ImportColumn, bug: Bug): Json | undefined {
  return (bug as JsonObject)[name];
}

/** The value of an update that empties a field; undefined if it is empty, or cannot be. */
export function clearingValue(column: ImportColumn, bug: Bug): Json | undefined {
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
export async function readCellChange(
  column: ImportColumn,
  cell: FileCell,
  at: CellContext & { readonly bug: Bug },
): Promise<Json | undefined> {
  if (!column.update && !column.custom) throw usageError(`${column.label} can only be set on a new bug`);
  const held = heldValue(column, at.bug);
  if (held === undefined) throw usageError(`the tracker does not return ${column.name} of bug ${at.bug.id}`);
  if (!column.isList) {
    const value = readScalar(column, requireText(column, cell), at.reading);
    return value === held ? undefined : value;
  }
  const items = await readList(column, cell, at);
  const [add, remove] = [itemsWithout(items, itemsIn(held)), itemsWithout(itemsIn(held), items)];
  return add.length + remove.length === 0 ? undefined : { add, remove };
}

function itemsWithout(items: readonly Json[], others: readonly Json[]): Json[] {
  const keys = new Set(others.map((one) => String(one).toLowerCase()));
  return items.filter((item) => !keys.has(String(item).toLowerCase()));
}

/** The value of a cell for a new bug. */
export async function readCellValue(column: ImportColumn, cell: FileCell, at: CellContext): Promise<Json> {
  return column.isList ? readList(column, cell, at) : readScalar(column, requireText(column, cell), at.reading);
}

function requireText({ label }: ImportColumn, cell: FileCell): string {
  if (typeof cell === "string") return cell;
  throw usageError(`${label} takes one value, not a list`);
}

function readScalar(column: ImportColumn, text: string, reading: ValueContext): Json {
  const { name, custom, update = column.create } = column;
  if (custom) {
    const value = custom.type === FIELD_TYPE.date ? text.replace(/T00:00:00Z$/, "") : text; // as trackers return a day
    return customBody([`${name}=${value}`], reading)[name] ?? null;
  }
  if (!update) throw new BtError("internal", `the column ${name} cannot be set`);
  return update.kind === "tokens" ? checkedText(name, text) : readParameterValue(update, [text], reading);
}

async function readList(column: ImportColumn, cell: FileCell, { reading, send }: CellContext): Promise<Json[]> {
  const { name, custom, update } = column;
  const items = [...new Set(cellItems(cell))];
  if (custom) {
    const torn = legalNames(custom)?.find((one) => one.includes(",") && !items.includes(one) && cell.includes(one));
    if (torn !== undefined) throw usageError(`${JSON.stringify(torn)} is one value`, "quote it, or each part of it");
    return items.map((item) => readItem(custom, item, reading));
  }
  if (!update) throw new BtError("internal", `the list ${name} cannot be set`);
  const { [name]: numbered } = await resolveBugNumbers(
    { [name]: items.map((item) => readListItem(item, update, reading)) },
    send,
  );
  return numbered as Json[];
}
