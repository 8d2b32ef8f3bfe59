import { BtError } from "../errors.ts";
import type { Family } from "../wire/bug-fields.ts";
import type { JsonObject } from "../wire/exchange.ts";
import type { Field, FieldValue, StatusMove } from "../wire/resources.ts";
import { FIELD_NAMES, type FieldName, fieldNamed } from "../wire/search-names.ts";
import { suggestNames } from "./nearest.ts";
import { requestFor, type SendRequest } from "./operations/operation.ts";
import { GET_FIELDS } from "./operations/tracker.ts";
import { readFields } from "./response/response-objects.ts";

/** A field of the tracker: all its names, how it compares, and its legal values in the order of the tracker. */
export type CatalogField = FieldName & {
  readonly label: string; // the name that the tracker shows
  readonly type: number; // the code of wire/resources.ts
  readonly isCustom: boolean;
  readonly isMandatory: boolean;
  readonly isPerProduct: boolean; // values belong to products
  readonly isListed?: boolean; // the tracker lists its values, be it none
  readonly values: readonly LegalValue[]; // a name stands once per product where values belong to products
};

/** A legal value; `visibility_values` names the products it belongs to, `is_active` is false for retired ones. */
export type LegalValue = FieldValue & { readonly name: string };

/** What a tracker's metadata says about its bugs. */
export type Catalog = {
  readonly fields: readonly CatalogField[];
  readonly products: readonly string[] | undefined; // undefined when nothing is known about them
  readonly starts: readonly StatusMove[]; // the statuses that a new bug may have
  readonly byName: ReadonlyMap<string, CatalogField>; // by every name, see `nameKey`
};

/**
 * Makes the catalog from the reply of the fields endpoint. Its values of `product` are empty, so the products come from
 * the caller, or else from what the components, versions and milestones say they belong to.
 */
export function catalogOf(fields: readonly Field[], products = productsOf(fields)): Catalog {
  const known = new Map(fields.map((field) => [field.name, field] as const));
  const standard = FIELD_NAMES.map((name) => describe(name, known.get(name.chart))).map((field) =>
    field.chart === "product" ? { ...field, values: (products ?? []).map((name) => ({ name })) } : field,
  );
  const others = fields.filter((field) => fieldNamed(field.name)?.chart !== field.name).map(describeOther);
  const all = [...standard, ...others];
  return {
    fields: all,
    products,
    starts: known.get("bug_status")?.values?.find(({ name }) => name === null)?.can_change_to ?? [],
    byName: byName(all),
  };
}

/** The catalog with one more product, and the values that fields have there, by internal field names. */
export function withProductValues(
  catalog: Catalog,
  product: string,
  values: ReadonlyMap<string, readonly LegalValue[]>,
): Catalog {
  const fields = catalog.fields.map((field) => ({
    ...field,
    values: [...field.values, ...(values.get(field.chart) ?? [])],
  }));
  return { ...catalog, fields, products: [...(catalog.products ?? []), product].sort(), byName: byName(fields) };
}

function byName(fields: readonly CatalogField[]): Catalog["byName"] {
  return new Map([...fields].reverse().flatMap((field) => namesOf(field).map((name) => [name, field] as const)));
}

/** The field that a name means: API name, internal name, label or a familiar synonym; undefined when there is none. */
export function findField(catalog: Catalog, name: string): CatalogField | undefined {
  return catalog.byName.get(nameKey(name));
}

/** The same, but refuses a name that the tracker does not know and offers the nearest ones. */
export function requireField(catalog: Catalog, name: string): CatalogField {
  const found = findField(catalog, name);
  if (found !== undefined) return found;
  const names = catalog.fields.flatMap((field) => [field.api, ...(field.also ?? [])]);
  throw new BtError("usage", `"${name}" is not a field of bugs on this tracker`, {
    hint: suggestNames(name, names) ?? "bt field list shows the fields",
  });
}

/** Names are found in any letter case, with blanks and hyphens as good as underscores: "Due by", op-sys. */
function nameKey(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, "_");
}

function namesOf(field: CatalogField): readonly string[] {
  return [field.label, ...(field.also ?? []), field.chart, field.api].map(nameKey);
}

function describe(name: FieldName, field: Field | undefined): CatalogField {
  return {
    ...name,
    label: field?.display_name ?? name.api,
    type: field?.type ?? 0,
    isCustom: false,
    isMandatory: field?.is_mandatory ?? false,
    isPerProduct: field?.value_field === "product",
    isListed: Array.isArray(field?.values),
    values: valuesOf(field),
  };
}

function describeOther(field: Field): CatalogField {
  return {
    ...describe({ api: field.name, chart: field.name, family: FAMILIES[field.type] ?? "text" }, field),
    ...(MULTI_VALUED.has(field.type) ? {} : { order: field.name }),
    isCustom: field.is_custom,
  };
}

const FAMILIES: Readonly<Record<number, Family>> = {
  2: "choice",
  3: "choices",
  5: "moment",
  6: "number",
  7: "texts",
  8: "choices",
  9: "day",
  10: "number",
};

const MULTI_VALUED: ReadonlySet<number> = new Set([3, 7, 8]);

function valuesOf(field: Field | undefined): readonly LegalValue[] {
  return (field?.values ?? [])
    .filter((value): value is LegalValue => typeof value.name === "string")
    .sort((one, other) => (one.sort_key ?? 0) - (other.sort_key ?? 0));
}

function productsOf(fields: readonly Field[]): readonly string[] | undefined {
  const perProduct = fields.filter((field) => field.value_field === "product" && !field.is_custom);
  const names = perProduct.flatMap((field) => (field.values ?? []).flatMap((value) => value.visibility_values ?? []));
  return names.length > 0 ? [...new Set(names)].sort() : undefined;
}

/** Where metadata is kept between runs; what was kept may be missing, old (`age` in milliseconds) or of another shape. */
export type MetadataStore = {
  readonly read: () => Promise<{ readonly age: number; readonly value: JsonObject } | undefined>;
  readonly write: (value: JsonObject) => Promise<void>;
};

/** How long kept metadata is believed, in milliseconds; a value that is not in it is looked up anew anyway. */
const METADATA_MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** The fields of a tracker, from the store while they are fresh there, else from the tracker; `kept` tells which. */
export async function trackerFields(
  ask: SendRequest,
  store: MetadataStore,
  fresh: boolean,
): Promise<{ readonly fields: readonly Field[]; readonly kept: boolean }> {
  const kept = fresh ? undefined : await keptFields(store, METADATA_MAX_AGE_MS);
  if (kept) return { fields: kept, kept: true };
  const fields = readFields(await ask(requestFor(GET_FIELDS)));
  await store.write({ fields: fields as unknown as JsonObject[] });
  return { fields, kept: false };
}

/** The fields in the store that are not older than an age; undefined when there are none. */
export async function keptFields(
  store: MetadataStore,
  oldest = Number.POSITIVE_INFINITY,
): Promise<readonly Field[] | undefined> {
  const kept = await store.read();
  if (!kept || kept.age > oldest) return undefined;
  try {
    return readFields(kept.value);
  } catch {
    return undefined;
  }
}
