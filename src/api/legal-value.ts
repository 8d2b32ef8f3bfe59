import { BtError } from "../errors.ts";
import type { StatusMove } from "../wire/field.ts";
import { type Catalog, type CatalogField, fieldOf, type LegalValue } from "./catalog.ts";
import { suggest } from "./nearest.ts";

/**
 * The legal value that a text means: the exact one, else the same in another letter case. Anything else is a usage error
 * that offers the nearest. With a product, only its values count. A field whose values are unknown takes any text.
 */
export function legalValue(field: CatalogField, text: string, product?: string): string {
  const names = legalNames(field, product);
  if (names === undefined) return text;
  const found = spelled(names, text);
  if (found !== undefined) return found;
  const owners = product === undefined ? [] : productsWith(field, text);
  const owner = field.isPerProduct ? product : undefined;
  const sentence =
    field.chart === "product"
      ? `unknown product "${text}"`
      : `${owner ?? "this tracker"} has no ${wordFor(field)} "${text}"`;
  throw new BtError("usage", sentence, {
    hint: `${owners.length > 0 ? `it belongs to ${owners.join(", ")}; ` : ""}${suggest(text, names) ?? (names.length > 0 ? listed(names) : "it has none at all")}`,
  });
}

/** Names when none is near what was typed, as far as a person would read them. */
function listed(names: readonly string[]): string {
  return `possible are ${names.slice(0, MOST_LISTED).join(", ")}${names.length > MOST_LISTED ? `, and ${names.length - MOST_LISTED} more` : ""}`;
}

const MOST_LISTED = 60;

/** The legal names of a field in the tracker's order, each once; undefined when the tracker does not list them. */
export function legalNames(field: CatalogField, product?: string): readonly string[] | undefined {
  const names = legalValues(field, product).map(({ name }) => name);
  return names.length > 0 || field.values.length > 0 || isListedEmpty(field)
    ? [...new Set(names)].filter((name) => name !== "")
    : undefined;
}

/** Whether a tracker says that a field has no values at all, as one without keywords does. */
function isListedEmpty({ chart, isListed }: CatalogField): boolean {
  return chart === "keywords" && isListed === true;
}

/** The legal values of a field, all or those of one product, each with whether it is active and what else is known. */
export function legalValues(field: CatalogField, product?: string): readonly LegalValue[] {
  return product === undefined || !field.isPerProduct
    ? field.values
    : field.values.filter((value) => isOf(value, product));
}

/** The statuses that mean open, or closed, in the tracker's order. */
export function statusNames(catalog: Catalog, state: "open" | "closed"): readonly string[] {
  return fieldOf(catalog, "bug_status")
    .values.filter((value) => value.is_open === (state === "open"))
    .map(({ name }) => name);
}

/** Where a bug of this status may move, and which moves need a comment; undefined when the tracker does not say. */
export function statusMoves(catalog: Catalog, from: string): readonly StatusMove[] | undefined {
  return fieldOf(catalog, "bug_status").values.find(({ name }) => name === from)?.can_change_to;
}

/** What one value of a field is called in a sentence: `target milestone`, `keyword`, `Due by`. */
export function wordFor(field: CatalogField): string {
  return field.isCustom
    ? field.label
    : field.api.replaceAll("_", " ").replace(/s$/, field.family === "choices" ? "" : "s");
}

function spelled(names: readonly string[], text: string): string | undefined {
  if (names.includes(text)) return text;
  const wanted = text.trim().toLowerCase();
  return names.find((name) => name.toLowerCase() === wanted);
}

/** The products that have a value of this name. */
export function productsWith(field: CatalogField, text: string): readonly string[] {
  const wanted = text.toLowerCase();
  return field.values
    .filter(({ name }) => name.toLowerCase() === wanted)
    .flatMap((value) => value.visibility_values ?? []);
}

function isOf(value: LegalValue, product: string): boolean {
  const owners = value.visibility_values ?? [];
  return owners.length === 0 || owners.some((owner) => owner.toLowerCase() === product.toLowerCase());
}
