import { BtError } from "../../errors.ts";
import { type Bug, bugFieldRow } from "../../wire/bug-fields.ts";
import type { Json } from "../../wire/exchange.ts";
import { EXTRA_ORDER_COLUMNS } from "../../wire/search-names.ts";
import { type Catalog, type CatalogField, findField } from "../catalog/catalog.ts";
import { suggestNames } from "../nearest.ts";
import { jsonName } from "../query/matching.ts";

/** A sort key: API name of the field, column to sort by, and direction. */
type SortKey = { field: string; column: string; isDescending: boolean };

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
  if (!isUnique) columns.push("bug_id");
  return columns.join(",");
}

function readKey(text: string, catalog: Catalog): SortKey {
  const [, minus, name = "", direction = ""] = /^([+-]?)(.+?)(?:[:\s-](asc|desc))?$/i.exec(text) ?? [];
  if (name === "") throw new BtError("usage", "empty sort key", { hint: EXAMPLE });
  const isDescending = (minus === "-") !== (direction.toLowerCase() === "desc");
  return { ...sortColumn(name, catalog), isDescending };
}

const EXAMPLE = "for example: --sort updated:desc,id";

function sortColumn(name: string, catalog: Catalog): { field: string; column: string } {
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

/** An order that can be evaluated locally: the fields it needs, a bug's sort keys, and their comparison. */
export type Sorting = {
  readonly include: readonly string[];
  readonly placeOf: (bug: Bug) => readonly SortValue[];
  readonly compare: (one: readonly SortValue[], other: readonly SortValue[]) => number;
};

/** A sort key: a rank or other number, or text. */
export type SortValue = number | string;

/**
 * The order that `order=` denotes to a server: ranked values by rank, numbers and times as such, text
 * case-insensitively, unset values first. Columns unknown to servers are ignored there and here.
 * @throws BtError of kind usage for a column that bug JSON does not contain
 */
export function parseOrder(order: string, catalog: Catalog): Sorting {
  const keys = order.split(",").flatMap((part) => sortKeys(part.trim(), catalog));
  return {
    include: [...new Set(keys.flatMap(({ include }) => include))],
    placeOf: (bug) => keys.map(({ valueFrom }) => valueFrom(bug)),
    compare: (one, other) => {
      for (const [index, { sign }] of keys.entries()) {
        const difference = compareValues(one[index] ?? "", other[index] ?? "");
        if (difference !== 0) return sign * difference;
      }
      return 0;
    },
  };
}

type Key = { include: string[]; valueFrom: (bug: Bug) => SortValue; sign: 1 | -1 };

function sortKeys(part: string, catalog: Catalog): Key[] {
  const [, column = "", direction = "ASC"] = /^(\S+)(?:\s+(ASC|DESC))?$/i.exec(part) ?? [];
  const field = catalog.fields.find(({ order }) => order === column);
  if (field === undefined && column !== "relevance") return [];
  if (field?.family === "ranked" && field.values.length === 0) throw unrankedError(field.api);
  const read = field && sortReader(field);
  if (read === undefined) throw unsortableError(field?.api ?? column);
  return [{ ...read, sign: direction.toUpperCase() === "DESC" ? -1 : 1 }];
}

function sortReader(field: CatalogField): Omit<Key, "sign"> | undefined {
  const person = bugFieldRow(field.api)?.nameOf;
  if (person !== undefined) {
    const detail = `${person}_detail`;
    return { include: [person], valueFrom: (bug) => sortText((memberOf(bug, detail) as Named | undefined)?.real_name) };
  }
  const name = jsonName(field);
  const read = SORT_READER_BY_FAMILY[field.family]?.(field) ?? sortText;
  return name === undefined ? undefined : { include: [name], valueFrom: (bug) => read(memberOf(bug, name)) };
}

type Named = { real_name?: Json };

function memberOf(bug: Bug, name: string): Json | undefined {
  return (bug as Readonly<Record<string, Json>>)[name];
}

function sortText(value: Json | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function valueNumber(value: Json | undefined): number {
  return value === null || value === undefined || value === "" ? Number.NEGATIVE_INFINITY : Number(value);
}

/** Rank of each legal value; values of products, except milestones, are sorted by name. */
function rankReader({ values, chart, isPerProduct }: CatalogField) {
  if (chart === "product" || (isPerProduct && chart !== "target_milestone")) return sortText;
  const ranks = new Map(values.map(({ name }, at) => [name.toLowerCase(), at] as const).reverse());
  return (value: Json | undefined): SortValue => ranks.get(sortText(value).toLowerCase()) ?? values.length;
}

type MakeReader = (field: CatalogField) => (value: Json | undefined) => SortValue;

const SORT_READER_BY_FAMILY: Readonly<Partial<Record<CatalogField["family"], MakeReader>>> = {
  ranked: rankReader,
  choice: rankReader,
  number: () => valueNumber,
};

function compareValues(one: SortValue, other: SortValue): number {
  if (one === other) return 0;
  if (typeof one === "number" && typeof other === "number") return one < other ? -1 : 1;
  alphabet ??= new Intl.Collator("en", { sensitivity: "base" });
  return alphabet.compare(String(one), String(other));
}

let alphabet: Intl.Collator | undefined; // creating one takes 9 ms

function unrankedError(name: string): BtError {
  return new BtError("refused", `bt cannot sort by ${name}: the tracker does not list its values`, {
    changed: "nothing",
  });
}

function unsortableError(name: string): BtError {
  return new BtError(
    "refused",
    `more bugs match than the tracker returns in one response, and bt cannot sort them by ${name}`,
    {
      hint: "narrow the search, use --limit 1000, or sort by another field",
      changed: "nothing",
    },
  );
}
