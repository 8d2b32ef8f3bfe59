import { BtError } from "../../errors.ts";
import type { StatusMove } from "../../wire/resources.ts";
import { hasIgnoringCase } from "../lists.ts";
import { quotedIfNeeded, suggestNames } from "../nearest.ts";
import { type Catalog, type CatalogField, type LegalValue, requireField } from "./catalog.ts";

/**
 * The legal value that a text denotes, ignoring case. A write to a bug of a known product has the values of that
 * product. A field with unknown values accepts any text.
 * @throws BtError of kind usage, with the nearest values; for a write with the nearest active ones, though it may set
 * others, too, since a bug may have one; a search may name values of other products
 */
export function legalValue(field: CatalogField, text: string, place?: ValuePlace): string {
  const { product, isSearch = place === undefined } = place ?? {};
  const names = legalNames(field, isSearch ? undefined : product);
  if (names === undefined || names.includes(text)) return text;
  const wanted = text.trim().toLowerCase();
  const found = names.find((name) => name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const owner = field.isPerProduct && product !== undefined ? ` in ${product}` : "";
  const hint = unknownValueHint(field, text, { ...place, isSearch });
  throw new BtError("usage", `unknown ${valueNoun(field)} "${text}"${owner}`, { hint, value: text, field: field.api });
}

/** Hint for an unknown value: the nearest, all if they are few, or the command that lists them. */
function unknownValueHint(field: CatalogField, text: string, { product, among = [], isSearch }: ValuePlace): string {
  const products = product === undefined && among.length > 0 ? among : [product];
  const offered = products.flatMap((one) => (isSearch ? (legalNames(field, one) ?? []) : activeNames(field, one)));
  const listing = `bt field values ${field.api}${product === undefined ? "" : ` --product ${quotedIfNeeded(product)}`}`;
  return (
    suggestNames(text, offered) ?? (offered.length > 0 ? `${listing} lists valid values` : "no values are defined")
  );
}

/**
 * The product of the bugs, if known, or those `among` which it is; its values are those of a write, and those that a search is
 * likely to mean.
 */
export type ValuePlace = {
  product?: string | undefined;
  among?: string[];
  isSearch?: boolean;
};

/** Distinct names of the active values of a field, all or of one product; [] if not listed. */
export function activeNames(field: CatalogField, product?: string): string[] {
  const active = legalValues(field, product).filter((value) => value.is_active !== false && value.name !== "");
  return [...new Set(active.map((value) => value.name))];
}

/**
 * Distinct legal names in the tracker's order; undefined if the tracker does not list them. A list is never empty, but that of
 * keywords.
 */
export function legalNames(field: CatalogField, product?: string): string[] | undefined {
  const names = legalValues(field, product).map(({ name }) => name);
  const isListed = names.length > 0 || field.values.length > 0 || (field.chart === "keywords" && field.isListed);
  return isListed ? [...new Set(names)].filter((name) => name !== "") : undefined;
}

/** Legal values of a field, all or of one product. */
export function legalValues(field: CatalogField, product?: string): readonly LegalValue[] {
  if (product === undefined || !field.isPerProduct) return field.values;
  return field.values.filter(
    ({ visibility_values: owners }) => !owners?.length || hasIgnoringCase(owners, product), // null on some servers
  );
}

/** Open or closed statuses in the tracker's order. */
export function statusNames(catalog: Catalog, state: "open" | "closed"): string[] {
  return requireField(catalog, "bug_status")
    .values.filter((value) => value.is_open === (state === "open"))
    .map(({ name }) => name);
}

/**
 * Allowed transitions from a status; undefined if the tracker does not report them.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/field.html
 */
export function statusMoves(catalog: Catalog, from: string): readonly StatusMove[] | undefined {
  return requireField(catalog, "bug_status").values.find(({ name }) => name === from)?.can_change_to;
}

/** Noun for one value of a field in messages: `target milestone`, `keyword`, `Due by`. */
export function valueNoun(field: CatalogField): string {
  return field.isCustom
    ? field.label
    : field.api.replaceAll("_", " ").replace(/s$/, field.family === "choices" ? "" : "s");
}

export function productsWithValue(field: CatalogField, text: string): string[] {
  const wanted = text.toLowerCase();
  return field.values
    .filter(({ name }) => name.toLowerCase() === wanted)
    .flatMap((value) => value.visibility_values ?? []);
}

/**
 * Values of a comma-separated list. Commas are part of a value in double quotes and of a legal value ("New Tab, Start &
 * Home"). Empty items are kept.
 */
export function splitValues(text: string, field: CatalogField): string[] {
  const parts = text.includes(",") ? listParts(text, legalNames(field) ?? []) : [text.trim()];
  return parts.map(unquoted);
}

/**
 * Parts of a list as typed, with quotes, so that `+x` differs from `"+x"`. A sign before quotes belongs to the part; a
 * legal name keeps its commas, with or without a sign.
 */
export function listParts(text: string, names: string[]): string[] {
  if (!text.includes(",")) return [text.trim()];
  const parts = text.match(PART_PATTERN) ?? [];
  const legal = new Set(names.map((name) => name.toLowerCase()));
  const most = Math.max(1, ...names.map((name) => name.split(",").length));
  const values: string[] = [];
  while (parts.length > 0) {
    const length = longestLegal(parts.slice(0, most), legal);
    values.push(parts.splice(0, length).join(",").trim());
  }
  return values;
}

/** Value of a part without its quotes; a sign before the quotes is kept. */
export function unquoted(part: string): string {
  const [, sign, value] = /^([-+!=]?)"([^"]*)"$/.exec(part) ?? [];
  return value === undefined ? part : `${sign}${value}`;
}

/** Items of a comma-separated list; commas in double quotes belong to the item, empty items are dropped. */
export function splitQuotedItems(text: string): string[] {
  const parts = text.match(PART_PATTERN) ?? [];
  return parts.map((part) => unquoted(part.trim())).filter((item) => item !== "");
}

/** Matches up to a comma or the end, except commas within quotes that enclose the whole part. */
const PART_PATTERN = /(?<=^|,)(?:\s*[-+!=]?"[^"]*"\s*(?=,|$)|[^,]*)/g;

/** Number of leading parts that form the longest legal name, also behind a sign; 1 if none do. */
function longestLegal(parts: readonly string[], legal: ReadonlySet<string>): number {
  const isLegal = (text: string) => legal.has(text) || legal.has(text.replace(/^[-+!=]/, ""));
  for (let { length } = parts; length > 1; length--)
    if (isLegal(parts.slice(0, length).join(",").trim().toLowerCase())) return length;
  return 1;
}
