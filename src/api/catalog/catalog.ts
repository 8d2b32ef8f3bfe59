import { BtError, usageError } from "../../errors.ts";
import type { Family } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { bugJsonName, FIELD_TYPE, isAddedField, VENDOR_FIELDS } from "../../wire/field-types.ts";
import { objectsIn } from "../../wire/json.ts";
import { once } from "../../wire/once.ts";
import type { Field, FieldValue, NamedField, StatusMove } from "../../wire/resources.ts";
import { FIELD_NAMES, type FieldName } from "../../wire/search-names.ts";
import { DAY_MS } from "../../wire/time.ts";
import { type FactStore, ifOffered } from "../facts.ts";
import { hasIgnoringCase } from "../lists.ts";
import { quotedIfNeeded, suggestNames } from "../nearest.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_FIELDS, GET_PRODUCTS } from "../operations/tracker.ts";
import { listUnder, readFields } from "../response/response-objects.ts";

/** A bug field of the tracker: names, family, and legal values in the tracker's order. */
export type CatalogField = FieldName & {
  readonly label: string; // display name
  readonly type: number; // a FIELD_TYPE
  readonly isCustom: boolean;
  readonly isAdded: boolean; // bugs show it beyond the interface's fields: custom, or of the tracker's own
  readonly isReadOnly?: boolean;
  readonly isMandatory: boolean;
  readonly isPerProduct: boolean; // each value belongs to a product
  readonly isListed?: boolean; // the tracker lists its values, possibly none
  readonly values: readonly LegalValue[]; // a name may occur once per product
};

/** A legal value. `visibility_values` names its products; retired ones are not `is_active`. */
export type LegalValue = FieldValue & { readonly name: string };

/** Field metadata of a tracker. */
export type Catalog = {
  readonly isListed: boolean; // false: the tracker does not list its fields, so that names and values cannot be checked
  readonly fields: readonly CatalogField[];
  readonly received: readonly Field[]; // as the tracker returned them
  readonly products: readonly string[] | undefined; // undefined if unknown
  readonly starts: readonly StatusMove[]; // statuses a new bug may have
  readonly byName: ReadonlyMap<string, CatalogField>; // keyed by `nameKey` of every name
};

/**
 * Builds a catalog from a Fields response. The response has no values of `product`: the products are taken from the values of
 * components, versions and milestones.
 */
export function buildCatalog(received: readonly Field[]): Catalog {
  const products = listedProducts(received);
  const known = new Map(received.map((field) => [field.name, field] as const));
  const standard = FIELD_NAMES.map((name) => catalogField(name, known.get(name.chart)));
  const charts = new Set(FIELD_NAMES.map(({ chart }) => chart));
  const others = received.filter(({ name }) => !charts.has(name)).map(addedOrCustomField);
  const fields = [...standard, ...others].map((field) =>
    field.chart === "product" ? { ...field, values: (products ?? []).map((name) => ({ name })) } : field,
  );
  const byName = new Map<string, CatalogField>();
  for (const field of fields.toReversed()) // the first field of a name stays
    for (const name of [field.label, ...(field.also ?? []), field.chart, field.api]) byName.set(nameKey(name), field);
  const unfiled = known.get("bug_status")?.values?.find(({ name }) => name === null); // the state before the first status
  return { isListed: received.length > 0, fields, received, products, starts: unfiled?.can_change_to ?? [], byName };
}

/** The standard fields, without what a tracker says about them. */
export const standardFields: () => Catalog = once(() => buildCatalog([]));

/**
 * Field with this API name, internal name, label or synonym; undefined if unknown. Where a tracker does not list its fields, a
 * custom one is a text.
 */
export function findField(catalog: Catalog, name: string): CatalogField | undefined {
  const known = catalog.byName.get(nameKey(name));
  if (known || catalog.isListed || !/^cf_\w+$/.test(name)) return known;
  return addedOrCustomField({ name, type: FIELD_TYPE.text, is_custom: true });
}

/**
 * Like `findField`.
 * @throws BtError of kind usage, with the nearest names, if the field is unknown
 */
export function requireField(catalog: Catalog, name: string): CatalogField {
  const found = findField(catalog, name);
  if (found !== undefined) return found;
  throw usageError(`unknown field "${name}"`, unknownFieldHint(name, fieldNames(catalog)));
}

/** Names and synonyms of all fields. */
export function fieldNames({ fields }: Catalog): string[] {
  return fields.flatMap(({ api, also = [] }) => [api, ...also]);
}

/** Hint for a name that is no field: the nearest accepted names. */
export function unknownFieldHint(name: string, accepted: readonly string[]): string {
  return suggestNames(name, accepted) ?? "bt field list shows the fields";
}

/** True for a field beyond the interface's that writes can set by its name. */
export function isSettable({ isAdded, isReadOnly = false }: CatalogField): boolean {
  return isAdded && !isReadOnly;
}

/** True for a field whose values are users. */
export function isPersonField({ family }: { family: string }): boolean {
  return family === "person" || family === "people";
}

/** Normalized name: case-insensitive, spaces and hyphens as underscores ("Due by", "op-sys"). */
function nameKey(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, "_");
}

function catalogField(name: FieldName, field: Partial<Field> | undefined): CatalogField {
  const values = (field?.values ?? []).filter((value): value is LegalValue => typeof value.name === "string");
  return {
    ...name,
    label: field?.display_name ?? name.api,
    type: field?.type ?? 0,
    isCustom: false,
    isAdded: false,
    isMandatory: field?.is_mandatory ?? false,
    isPerProduct: field?.value_field === "product",
    isListed: Array.isArray(field?.values),
    values: values.sort((a, b) => (a.sort_key ?? 0) - (b.sort_key ?? 0)),
  };
}

function addedOrCustomField(field: NamedField & Partial<Field>): CatalogField {
  const { name, type } = field;
  const family = FAMILY_OF_TYPE[type] ?? "text";
  const isList = ["choices", "texts", "people", "numbers"].includes(family);
  return {
    ...catalogField({ api: bugJsonName(field), chart: name, family, ...(isList ? {} : { order: name }) }, field),
    isCustom: field.is_custom,
    isAdded: isAddedField(field),
    isReadOnly: VENDOR_FIELDS.get(name)?.isReadOnly ?? false,
  };
}

const FAMILY_OF_TYPE: Readonly<Record<number, Family>> = {
  [FIELD_TYPE.select]: "choice",
  [FIELD_TYPE.multiSelect]: "choices",
  [FIELD_TYPE.dateTime]: "moment",
  [FIELD_TYPE.bugId]: "number",
  [FIELD_TYPE.seeAlso]: "texts",
  [FIELD_TYPE.keywords]: "choices",
  [FIELD_TYPE.date]: "day",
  [FIELD_TYPE.integer]: "number",
  [FIELD_TYPE.boolean]: "yes-no",
  [FIELD_TYPE.user]: "person",
  [FIELD_TYPE.users]: "people",
  [FIELD_TYPE.bugs]: "numbers",
  [FIELD_TYPE.extension]: "choice",
};

/** The products that have a component, a version or a milestone; undefined if there is none. */
function listedProducts(fields: readonly Field[]): string[] | undefined {
  const perProduct = fields.filter(({ value_field, is_custom }) => value_field === "product" && !is_custom);
  const values = perProduct.flatMap((field) => field.values ?? []);
  const names = new Set(values.flatMap((value) => value.visibility_values ?? []));
  return names.size > 0 ? [...names].sort() : undefined;
}

/**
 * The legal value that a text denotes, ignoring case; the text itself if the values are unknown.
 * A write to a bug of a known product has the values of that product; a search those of all.
 * @throws BtError of kind usage, with the nearest values: for a write the nearest active ones,
 * though inactive ones are legal, since a bug may have them
 */
export function legalValue(field: CatalogField, text: string, write?: { product?: string | undefined }): string {
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
  throw usageError(`unknown ${valueNoun(field)} "${text}"${owner}`, hint);
}

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
  const { values } = requireField(catalog, "bug_status");
  return values.filter((value) => value.is_open === (state === "open")).map(({ name }) => name);
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
  if (field.isCustom) return field.label;
  const name = field.api.replaceAll("_", " ");
  return field.family === "choices" ? name.replace(/s$/, "") : name;
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
  return listParts(text).map(unquoted).filter(Boolean);
}

/** Matches up to a comma or the end, except commas within quotes that enclose the whole part. */
const PART_PATTERN = /(?<=^|,)(?:\s*[-+!=]?"[^"]*"\s*(?=,|$)|[^,]*)/g;

/** Fields of a tracker, from the cache for a day, else from the tracker. */
export async function readTrackerFields(send: SendRequest, store: FactStore | undefined, isFresh: boolean) {
  const cached = isFresh || !store ? undefined : await readCachedFields(store, DAY_MS);
  if (cached) return { fields: cached, isCached: cached.length > 0 };
  try {
    const fields = readFields(await send(requestFor(GET_FIELDS)));
    await store?.write(FACT, { fields: fields as unknown as JsonObject[] });
    return { fields, isCached: false };
  } catch (error) {
    if (!(error instanceof BtError) || error.kind === "auth") throw error; // such as a rejected key
    if (!NOT_OFFERED.has(error.facts.httpStatus ?? 0)) throw error;
    return { fields: [], isCached: false };
  }
}

/** Statuses of a server without the resource of fields, which counts as one with none. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);

const FACT = "fields";

/** Cached fields up to this age (ms); undefined if there are none. */
export async function readCachedFields(store: FactStore, oldest?: number): Promise<Field[] | undefined> {
  const cached = await store.read(FACT, oldest);
  try {
    return cached && readFields(cached);
  } catch {
    return undefined; // malformed
  }
}

/**
 * The catalog with a product in which the account may file bugs but not search, which field metadata omits; the catalog
 * itself if it has the product, or if there is none of this name. Each product is requested once for a catalog.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/product.html
 */
export async function withEnterableProduct(
  catalog: Catalog,
  name: string | undefined,
  send: SendRequest,
): Promise<Catalog> {
  if (!name || !catalog.products || hasIgnoringCase(catalog.products, name.trim())) return catalog;
  const requested = ENTERABLE.get(catalog) ?? new Map<string, Promise<Catalog>>();
  ENTERABLE.set(catalog, requested);
  const enlarged = requested.get(name) ?? readEnterableProduct(catalog, name, send);
  requested.set(name, enlarged);
  return enlarged;
}

/** Catalogs with one more product, by its name. */
const ENTERABLE = new WeakMap<Catalog, Map<string, Promise<Catalog>>>();

async function readEnterableProduct(catalog: Catalog, name: string, send: SendRequest): Promise<Catalog> {
  const parts = Object.values(PARTS).map((part) => `${part}.name,${part}.is_active,${part}.sort_key`);
  const request = requestFor(GET_PRODUCTS, { names: name, include_fields: ["name", ...parts].join(",") });
  const response = (await ifOffered(send(request))) ?? { products: [] };
  const products = objectsIn(listUnder(response, "products"));
  const found = products.find((product) => hasIgnoringCase([String(product["name"])], name.trim()));
  return found ? withProduct(catalog, found) : catalog;
}

/** The lists of a product, by the fields whose values they are. */
const PARTS: Readonly<Record<string, string>> = {
  component: "components",
  version: "versions",
  target_milestone: "milestones",
};

/** The catalog with one more product and its values. */
function withProduct({ received }: Catalog, product: JsonObject): Catalog {
  return buildCatalog(
    received.map((field) => {
      const items = objectsIn(product[PARTS[field.name] ?? ""]) as FieldValue[];
      const values = items.map((item) => ({ ...item, visibility_values: [String(product["name"])] }));
      return values.length > 0 ? { ...field, values: [...(field.values ?? []), ...values] } : field;
    }),
  );
}
