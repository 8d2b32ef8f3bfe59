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
export function legalValue(field: CatalogField, text: string, write?: WritePlace): string {
  const product = write?.product;
  const names = legalNames(field, product);
  if (names === undefined || names.includes(text)) return text;
  const wanted = text.trim().toLowerCase();
  const found = names.find((name) => name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const owner = field.isPerProduct && product !== undefined ? ` in ${product}` : "";
  const ofProduct = product === undefined ? "" : ` --product ${quotedIfNeeded(product)}`;
  const hint =
    suggestNames(text, write ? activeNames(field, product) : names) ??
    `bt field values ${field.api}${ofProduct} lists valid values`;
  throw new BtError("usage", `unknown ${valueNoun(field)} "${text}"${owner}`, { hint });
}

/** What is written: a bug of this product, if it is known. */
type WritePlace = { readonly product?: string | undefined };

/** Distinct names of the active values of a field, all or of one product; [] if not listed. */
export function activeNames(field: CatalogField, product?: string): string[] {
  const active = legalValues(field, product).filter((value) => value.is_active !== false && value.name !== "");
  return [...new Set(active.map((value) => value.name))];
}

/** Distinct legal names in the tracker's order; undefined if the tracker does not list them. Only keywords may be empty. */
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

/**
 * Values of a comma-separated list, or one legal value with commas ("Start & Home, New Tab"). Commas in
 * double quotes are part of a value. Empty items are kept.
 */
export function splitValues(text: string, field: CatalogField): string[] {
  const isWhole = hasIgnoringCase(legalNames(field) ?? [], text.trim());
  return isWhole ? [text.trim()] : listParts(text).map(unquoted);
}

/** Parts of a list as typed, with quotes, so that `+x` differs from `"+x"`. A sign before quotes belongs to the part. */
export function listParts(text: string): string[] {
  return (text.match(PART_PATTERN) ?? []).map((part) => part.trim());
}

/** Value of a part without its quotes; a sign before the quotes is kept. */
export function unquoted(part: string): string {
  const [, sign, value] = /^([-+!=]?)"([^"]*)"$/.exec(part) ?? [];
  return value === undefined ? part : `${sign}${value}`;
}

/** Items of a comma-separated list; commas in double quotes belong to the item, empty items are dropped. */
export function splitQuotedItems(text: string): string[] {
  return listParts(text)
    .map(unquoted)
    .filter((item) => item !== "");
}

/** Matches up to a comma or the end, except commas within quotes that enclose the whole part. */
const PART_PATTERN = /(?<=^|,)(?:\s*[-+!=]?"[^"]*"\s*(?=,|$)|[^,]*)/g;
