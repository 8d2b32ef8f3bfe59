import { BtError } from "../../errors.ts";
import { EXTRA_ORDER_COLUMNS } from "../../wire/search-names.ts";
import { type Catalog, findField } from "../catalog.ts";
import { suggestNames } from "../nearest.ts";

/** A sort key: API name of the field, column to sort by, and direction. */
export type SortKey = { readonly field: string; readonly column: string; readonly isDescending: boolean };

/**
 * Parses sort keys: `updated:desc`, `-updated`, `updated-desc`, `updated desc`, comma-separated.
 * @throws BtError of kind usage for a name that the server would ignore
 */
export function readSort(texts: readonly string[], catalog: Catalog): SortKey[] {
  const keys = texts.flatMap((text) => text.split(",")).map((text) => readKey(text.trim(), catalog));
  return keys.filter((key, index) => keys.findIndex(({ column }) => column === key.column) === index);
}

/** `order` parameter for sort keys; ends with the id, so that pages are consistent. */
export function orderParameter(keys: readonly SortKey[]): string {
  const isUnique = keys.some(({ column }) => column === "bug_id");
  const columns = keys.map(({ column, isDescending }) => (isDescending ? `${column} DESC` : column));
  return [...columns, ...(isUnique ? [] : ["bug_id"])].join(",");
}

function readKey(text: string, catalog: Catalog): SortKey {
  const [, minus, name = "", direction = ""] = /^([+-]?)(.+?)(?:[:\s-](asc|desc))?$/i.exec(text) ?? [];
  if (name === "") throw new BtError("usage", "empty sort key", { hint: EXAMPLE });
  const isDescending = (minus === "-") !== (direction.toLowerCase() === "desc");
  return { ...columnOf(name, catalog), isDescending };
}

const EXAMPLE = "for example: --sort updated:desc,id";

function columnOf(name: string, catalog: Catalog): { field: string; column: string } {
  const extra = EXTRA_ORDER_COLUMNS.find((column) => column === name.toLowerCase());
  if (extra !== undefined) return { field: extra, column: extra };
  const field = findField(catalog, name) ?? catalog.fields.find(({ order }) => order === name.toLowerCase());
  if (field?.order !== undefined) return { field: field.api, column: field.order };
  const [, key = "", direction = ""] = /^(.+):(.+)$/.exec(name) ?? [];
  if (findField(catalog, key)?.order !== undefined) {
    throw new BtError("usage", `unknown sort direction "${direction}"`, { hint: `use ${key}:asc or ${key}:desc` });
  }
  const sortable = catalog.fields.filter(({ order }) => order !== undefined);
  const names = sortable.flatMap(({ api, also = [] }) => [api, ...also]);
  throw new BtError("usage", `the tracker cannot sort by "${name}"`, {
    hint: suggestNames(name, names) ?? `valid values: ${sortable.map(({ api }) => api).join(", ")}`,
  });
}
