import { BtError } from "../errors.ts";
import type { StatusMove } from "../wire/resources.ts";
import { type Catalog, type CatalogField, type LegalValue, requireField } from "./catalog.ts";
import { suggestNames } from "./nearest.ts";

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
      : `${owner ?? "this tracker"} has no ${valueNoun(field)} "${text}"`;
  throw new BtError("usage", sentence, {
    hint: `${owners.length > 0 ? `it belongs to ${owners.join(", ")}; ` : ""}${suggestNames(text, names) ?? (names.length > 0 ? listed(names) : "it has none at all")}`,
  });
}

/** Names when none is near what was typed, as far as a person would read them. */
function listed(names: readonly string[]): string {
  return `possible are ${names.slice(0, MAX_LISTED).join(", ")}${names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : ""}`;
}

const MAX_LISTED = 60;

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
  return requireField(catalog, "bug_status")
    .values.filter((value) => value.is_open === (state === "open"))
    .map(({ name }) => name);
}

/** Where a bug of this status may move, and which moves need a comment; undefined when the tracker does not say. */
export function statusMoves(catalog: Catalog, from: string): readonly StatusMove[] | undefined {
  return requireField(catalog, "bug_status").values.find(({ name }) => name === from)?.can_change_to;
}

/** What one value of a field is called in a sentence: `target milestone`, `keyword`, `Due by`. */
export function valueNoun(field: CatalogField): string {
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

/**
 * The values of a list for a field, as they stand on a command line. Commas separate them, but belong to a value in double
 * quotes and to one that is legal with them ("New Tab, Start & Home"). An empty value between commas stays one.
 */
export function splitValues(text: string, field: CatalogField): readonly string[] {
  return listParts(text, legalNames(field)).map(unquoted);
}

/**
 * The parts of a list as they were typed, each with its quotes, so that `+x` can be told from `"+x"`. A sign before the
 * quotes belongs to the part; a legal name keeps its commas, with a sign before it too.
 */
export function listParts(text: string, names: readonly string[] = []): readonly string[] {
  const parts = text.match(PARTS) ?? [];
  const legal = new Set(names.map((name) => name.toLowerCase()));
  const most = Math.max(1, ...[...legal].map((name) => name.split(",").length));
  const values: string[] = [];
  for (let start = 0; start < parts.length; ) {
    const length = longestLegal(parts.slice(start, start + most), legal);
    values.push(
      parts
        .slice(start, start + length)
        .join(",")
        .trim(),
    );
    start += length;
  }
  return values;
}

/** The value of a part: without its quotes, but with the sign that stands before them. */
export function unquoted(part: string): string {
  const [, sign, value] = /^([-+!=]?)"([^"]*)"$/.exec(part) ?? [];
  return value === undefined ? part : `${sign}${value}`;
}

/** What stands before a comma or the end; a comma inside quotes that begin and end a part is none. */
const PARTS = /(?<=^|,)(?:\s*[-+!=]?"[^"]*"\s*(?=,|$)|[^,]*)/g;

/** How many parts from the first on make up a legal name, most first; one when none do. */
function longestLegal(parts: readonly string[], legal: ReadonlySet<string>): number {
  const lengths = parts.map((_, index) => parts.length - index);
  const isLegal = (text: string) => legal.has(text) || legal.has(text.replace(/^[-+!=]/, ""));
  return lengths.find((length) => isLegal(parts.slice(0, length).join(",").trim().toLowerCase())) ?? 1;
}
