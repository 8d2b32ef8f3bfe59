import { BtError, usageError } from "../../errors.ts";
import { type Bug, bugFieldRow } from "../../wire/bug-fields.ts";
import { type Catalog, type CatalogField, findField, requireField, standardFields } from "../catalog/catalog.ts";
import { suggestNames } from "../nearest.ts";
import { jsonName, shownValue } from "../query/evaluate.ts";

/** A sort key; relevance, which only trackers know, has no field. */
export type SortKey = {
  readonly column: string; // its name in the parameter `order`
  readonly field: CatalogField | undefined;
  readonly isDescending: boolean;
};

export function lastChangedFirst(): readonly SortKey[] {
  return readSort(["last_change_time:desc"], standardFields());
}

/**
 * Sort keys such as `updated:desc`, `-updated`, `updated desc`, comma-separated; the id comes last, so that the order is one.
 * @throws BtError of kind usage for a name that the tracker would ignore
 */
export function readSort(texts: readonly string[], catalog: Catalog): readonly SortKey[] {
  const keys = texts.flatMap((text) => text.split(",")).map((text) => readKey(text.trim(), catalog));
  const id = { column: "bug_id", field: requireField(catalog, "id"), isDescending: false };
  return [...keys, id].filter(({ column }, at, all) => all.findIndex((other) => other.column === column) === at);
}

function readKey(text: string, catalog: Catalog): SortKey {
  const [, minus, name = "", direction = ""] = /^([+-]?)(.+?)(?:[:\s-](asc|desc))?$/i.exec(text) ?? [];
  const field = findField(catalog, name) ?? catalog.fields.find(({ order }) => order === name.toLowerCase());
  const column = field?.order ?? (name.toLowerCase() === "relevance" ? "relevance" : undefined);
  if (column !== undefined)
    return { column, field, isDescending: (minus === "-") !== (direction.toLowerCase() === "desc") };
  const names = catalog.fields.filter(({ order }) => order).flatMap(({ api, also = [] }) => [api, ...also]);
  const hint = suggestNames(name, names) ?? "for example: --sort updated:desc,id";
  throw usageError(`bugs cannot be sorted by "${name}"`, hint);
}

export function orderParameter(keys: readonly SortKey[]): string {
  return keys.map(({ column, isDescending }) => (isDescending ? `${column} DESC` : column)).join(",");
}

/** Fields to read for sort keys. @throws BtError of kind refused for a key that bugs do not show */
export function sortFields(keys: readonly SortKey[]): readonly string[] {
  return keys.map(({ column, field }) => {
    const name = field && (bugFieldRow(field.api)?.nameOf ?? jsonName(field));
    const isUnlisted = field?.family === "ranked" && field.values.length === 0;
    if (name !== undefined && !isUnlisted) return name;
    const reason = isUnlisted ? "the tracker does not list its values" : "bugs do not show it";
    throw new BtError("refused", `bt cannot sort by ${field?.api ?? column}: ${reason}`);
  });
}

/** Bugs in the order of the keys, as on the server: unset values first, text ignoring case. */
export function sortBugs<Some extends Bug>(bugs: readonly Some[], keys: readonly SortKey[]): readonly Some[] {
  const alphabet = new Intl.Collator("en", { sensitivity: "base" });
  const readers = keys.map(({ field }) => (field ? valueReader(field) : () => 0));
  const placed = bugs.map((bug) => ({ bug, place: readers.map((read) => read(bug)) }));
  const compare = (left: SortValue, right: SortValue) =>
    typeof left === "number" && typeof right === "number"
      ? Math.sign(left - right) || 0 // NaN for two that are unset
      : alphabet.compare(String(left), String(right));
  placed.sort((one, other) => {
    for (const [at, { isDescending }] of keys.entries()) {
      const difference = compare(one.place[at] ?? "", other.place[at] ?? "");
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return 0;
  });
  return placed.map(({ bug }) => bug);
}

type SortValue = number | string;

/**
 * Reads what a bug is sorted by: its number, its text, or the place of its choice in the tracker's
 * list of values. Products, components and versions sort by their names.
 */
function valueReader(field: CatalogField): (bug: Bug) => SortValue {
  const { family, values, chart, isPerProduct } = field;
  const valueIn = (bug: Bug) => shownValue(field, bug) ?? "";
  if (family === "number") return (bug) => (valueIn(bug) === "" ? Number.NEGATIVE_INFINITY : Number(valueIn(bug)));
  const isByName = chart === "product" || (isPerProduct && chart !== "target_milestone");
  if (isByName || !(family === "ranked" || family === "choice")) return (bug) => String(valueIn(bug));
  // of equal names, as in several products, the first one counts
  const ranks = new Map(values.map(({ name }, at) => [name.toLowerCase(), at] as const).reverse());
  return (bug) => ranks.get(String(valueIn(bug)).toLowerCase()) ?? values.length;
}
