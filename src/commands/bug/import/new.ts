import type { Catalog } from "../../../api/catalog/catalog.ts";
import type { WithProduct } from "../../../api/catalog/enterable-products.ts";
import { partition } from "../../../api/lists.ts";
import { commandFlagName, type Parameter } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { checkInitialStatus } from "../../../api/write/checks.ts";
import { textValueIn } from "../../../api/write/moves.ts";
import type { WithAliasForm } from "../../../api/write/new-alias.ts";
import { flagValues } from "../../../command-flag.ts";
import { usageError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { withDefaults } from "../write/new-bug.ts";
import {
  type CellContext,
  type ColumnCell,
  InvalidRow,
  isEmptyCell,
  type RowValues,
  readCellValue,
  readInto,
} from "./cells.ts";
import { type ImportColumn, importColumns } from "./columns.ts";

/** Metadata that the cells of new bugs are read with, and the defaults of the configuration. */
export type NewBugContext = {
  values: CellContext;
  withProduct: WithProduct;
  withAliasForm: WithAliasForm;
  settings: Session["settings"];
};

/**
 * Body of a new bug from the cells of a row, validated against the tracker's metadata. Empty cells get the defaults of the
 * configuration, else of the tracker.
 * @throws InvalidRow for missing fields, and for cells that a new bug cannot have
 */
export async function newBugFromCells(
  given: ColumnCell[],
  { values, withProduct, withAliasForm, settings }: NewBugContext,
): Promise<JsonObject> {
  const own = given.filter(({ column, cell }) => !isEmptyCell(cell) && ALWAYS[column.name] !== cell);
  const cells = [...defaultCells(own, settings, values.reading.catalog), ...own];
  const name = String(cells.find(isProduct)?.cell ?? "");
  const catalog = await withProduct(values.reading.catalog, name || undefined);
  const row: RowValues = { body: {}, errors: new Map() };
  for (const { column, cell } of partition(cells, isProduct).flat()) {
    const reading = { ...values.reading, catalog, product: textValueIn(row.body, "product") };
    const read = async () => (isForNewBug(column) ? readCellValue(column, cell, { ...values, reading }) : undefined);
    await readInto(row, column.name, read);
  }
  const isMissing = (one: string) => row.body[one] === undefined && !row.errors.has(one);
  const missing = CREATE_BUG.parameters.filter((one: Parameter) => one.required && isMissing(one.name));
  if (missing.length > 0)
    row.errors.set("", usageError(`a new bug requires ${missing.map((one) => one.name).join(", ")}`));
  await readInto(row, "initial status", async () => {
    checkInitialStatus(row.body, catalog);
    return undefined;
  });
  if (row.errors.size > 0) throw new InvalidRow(row);
  return withAliasForm(row.body);
}

function isProduct({ column }: ColumnCell): boolean {
  return column.name === "product";
}

/** True for a column of new bugs; false for one that is not imported. @throws BtError of kind usage for any other */
function isForNewBug({ name, label, role, create, custom }: ImportColumn): boolean {
  if ((create || (custom && role === "set")) && name !== "flags") return true;
  if (role === "text") throw usageError("a new bug has no comment", "add a description in a column named description");
  if (role !== "set" && name !== "flags") return false;
  throw usageError(`${label} cannot be set on a new bug by an import`, "empty the cell");
}

/** Values that a new bug has anyway. */
const ALWAYS: Readonly<Record<string, string>> = {
  is_cc_accessible: "true",
  is_creator_accessible: "true",
  remaining_time: "0",
};

/** Cells of the defaults of the configuration that the row lacks. */
function defaultCells(cells: ColumnCell[], settings: Session["settings"], catalog: Catalog): ColumnCell[] {
  const defaults = withDefaults({}, settings, catalog);
  const added: ColumnCell[] = [];
  for (const pair of flagValues(defaults.field)) {
    const [, name = "", cell = ""] = /^(\w+)=(.*)$/s.exec(pair) ?? [];
    for (const column of importColumns([name], catalog))
      if (!cells.some((one) => one.column.name === name)) added.push({ column, cell });
  }
  const standard = CREATE_BUG.parameters.flatMap((create) => {
    const cell = defaults[commandFlagName(create.name)];
    const { name } = create;
    if (cell === undefined || cells.some(({ column }) => column.name === name)) return [];
    return [{ column: { label: name, name, role: "set", isList: false, create } as const, cell: String(cell) }];
  });
  return [...standard, ...added];
}
