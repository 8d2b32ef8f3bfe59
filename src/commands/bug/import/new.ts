import { type Catalog, requireField } from "../../../api/catalog/catalog.ts";
import type { WithProduct } from "../../../api/catalog/enterable-products.ts";
import { legalValue } from "../../../api/catalog/legal-values.ts";
import { commandFlagName, type Parameter } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { checkInitialStatus } from "../../../api/write/checks.ts";
import type { WithAliasForm } from "../../../api/write/new-alias.ts";
import { flagValues } from "../../../command-flag.ts";
import { usageError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { withDefaults } from "../write/new-bug.ts";
import { type CellContext, type ColumnCell, isEmptyCell, readCellValue } from "./cells.ts";
import { importColumns } from "./columns.ts";

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
 * @throws BtError of kind usage for a missing field, and for a cell that a new bug cannot have
 */
export async function newBugFromCells(
  given: ColumnCell[],
  { values, withProduct, withAliasForm, settings }: NewBugContext,
): Promise<JsonObject> {
  const own = given.filter(isForNewBug);
  const cells = [...defaultCells(own, settings, values.reading.catalog), ...own];
  const name = String(cells.find(({ column }) => column.name === "product")?.cell ?? "");
  const catalog = await withProduct(values.reading.catalog, name || undefined);
  const product = name === "" ? undefined : legalValue(requireField(catalog, "product"), name);
  const at = { ...values, reading: { ...values.reading, catalog, product } };
  const body: Record<string, Json> = {};
  for (const { column, cell } of cells) body[column.name] = await readCellValue(column, cell, at);
  const missing = CREATE_BUG.parameters.filter((one: Parameter) => one.required && body[one.name] === undefined);
  if (missing.length > 0) throw usageError(`a new bug requires ${missing.map((one) => one.name).join(", ")}`);
  checkInitialStatus(body, catalog);
  return withAliasForm(body);
}

/** True for a cell that is part of the new bug; false for an empty one, or a value that every new bug has. */
function isForNewBug({ column, cell }: ColumnCell): boolean {
  if (isEmptyCell(cell)) return false;
  if (column.create || (column.custom && column.role === "set"))
    return column.name !== "flags" || refuseColumn(column.label);
  if (column.role === "text")
    throw usageError("a new bug has no comment", "add a description in a column named description");
  if (column.role !== "set" || ALWAYS[column.name] === cell) return false;
  return refuseColumn(column.label);
}

/** Values that a new bug has anyway. */
const ALWAYS: Readonly<Record<string, string>> = {
  is_cc_accessible: "true",
  is_creator_accessible: "true",
  remaining_time: "0",
};

function refuseColumn(label: string): never {
  throw usageError(`${label} cannot be set on a new bug by an import`, "empty the cell");
}

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
