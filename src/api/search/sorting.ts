import { BtError } from "../../errors.ts";
import { type Bug, bugFieldRow } from "../../wire/bug-fields.ts";
import type { Json } from "../../wire/exchange.ts";
import type { Catalog, CatalogField } from "../catalog.ts";
import { jsonName } from "../query/matching.ts";

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
export function sortingOf(order: string, catalog: Catalog): Sorting {
  const keys = order.split(",").flatMap((part) => keyOf(part.trim(), catalog));
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

function keyOf(part: string, catalog: Catalog): Key[] {
  const [, column = "", direction = "ASC"] = /^(\S+)(?:\s+(ASC|DESC))?$/i.exec(part) ?? [];
  const field = catalog.fields.find(({ order }) => order === column);
  if (field === undefined && column !== "relevance") return [];
  if (field?.family === "ranked" && field.values.length === 0) throw unranked(field.api);
  const read = field && readerOf(field);
  if (read === undefined) throw unsortable(field?.api ?? column);
  return [{ ...read, sign: direction.toUpperCase() === "DESC" ? -1 : 1 }];
}

function readerOf(field: CatalogField): Omit<Key, "sign"> | undefined {
  const person = bugFieldRow(field.api)?.nameOf;
  if (person !== undefined) {
    const detail = `${person}_detail`;
    return { include: [person], valueFrom: (bug) => textOf((valueIn(bug, detail) as Named | undefined)?.real_name) };
  }
  const name = jsonName(field);
  const read = READERS[field.family]?.(field) ?? textOf;
  return name === undefined ? undefined : { include: [name], valueFrom: (bug) => read(valueIn(bug, name)) };
}

type Named = { real_name?: Json };

function valueIn(bug: Bug, name: string): Json | undefined {
  return (bug as Readonly<Record<string, Json>>)[name];
}

function textOf(value: Json | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function numberOf(value: Json | undefined): number {
  return value === null || value === undefined || value === "" ? Number.NEGATIVE_INFINITY : Number(value);
}

/** Rank of each legal value; values of products, except milestones, are sorted by name. */
function byRank({ values, chart, isPerProduct }: CatalogField) {
  if (chart === "product" || (isPerProduct && chart !== "target_milestone")) return textOf;
  const ranks = new Map(values.map(({ name }, at) => [name.toLowerCase(), at] as const).reverse());
  return (value: Json | undefined): SortValue => ranks.get(textOf(value).toLowerCase()) ?? values.length;
}

type MakeReader = (field: CatalogField) => (value: Json | undefined) => SortValue;

const READERS: Readonly<Partial<Record<CatalogField["family"], MakeReader>>> = {
  ranked: byRank,
  choice: byRank,
  number: () => numberOf,
};

function compareValues(one: SortValue, other: SortValue): number {
  if (one === other) return 0;
  if (typeof one === "number" && typeof other === "number") return one < other ? -1 : 1;
  return ALPHABET.compare(String(one), String(other));
}

const ALPHABET = new Intl.Collator("en", { sensitivity: "base" });

function unranked(name: string): BtError {
  return new BtError("refused", `bt cannot sort by ${name}: the tracker does not list its values`, {
    changed: "nothing",
  });
}

function unsortable(name: string): BtError {
  return new BtError(
    "refused",
    `more bugs match than the tracker returns in one response, and bt cannot sort them by ${name}`,
    {
      hint: "narrow the search, use --limit 1000, or sort by another field",
      changed: "nothing",
    },
  );
}
