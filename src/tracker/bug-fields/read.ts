import { PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { chartFieldName } from "../fields.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults, raise } from "../http/fault.ts";
import { type FieldSelection, readFieldSelection } from "../http/field-selection.ts";
import { readIdsAndNames } from "../http/input.ts";
import { productIds } from "../products/access.ts";
import { compareVersions } from "../products/parts.ts";
import { uniqueBy } from "../unique-by.ts";

/**
 * Routes of Fields: all of them, or those named in the path and in `ids` and `names`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/field.html#fields
 */
export const fieldRoutes: readonly Route[] = [
  { method: "GET", path: "/field/bug", handle: (call) => getFields(call) },
  { method: "GET", path: "/field/bug/{id_or_name}", handle: (call) => getFields(call) },
];

function getFields(call: Call): Json {
  const selection = readFieldSelection(call.input);
  return { fields: requestedFields(call).map((field) => presentField(call, field, selection)) };
}

/** The fields that a request names, or all. @throws Fault object_does_not_exist for an unknown one */
function requestedFields(call: Call): readonly FieldRow[] {
  const named = namedFields(call);
  return named.length > 0 ? named : call.store.all<FieldRow>(`${FIELDS} ORDER BY sort_key, name`);
}

/** A stored field. */
export type FieldRow = {
  id: number;
  name: string;
  display_name: string;
  type: number;
  is_custom: number;
  is_mandatory: number;
  is_on_bug_entry: number;
  visibility_field: string | null;
  value_field: string | null;
};

const FIELDS = `SELECT id, name, display_name, type, is_custom, is_mandatory, is_on_bug_entry, visibility_field,
    CASE WHEN name IN (${PER_PRODUCT_FIELDS.map((name) => `'${name}'`).join(", ")}) THEN 'product' ELSE value_field END AS value_field
  FROM fields`;
const FIELD_BY_ID = `${FIELDS} WHERE id = ?`;
const FIELD_BY_NAME = `${FIELDS} WHERE name = ?`;

function namedFields(call: Call): FieldRow[] {
  const { store } = call;
  const { ids, names } = readIdsAndNames(call);
  const found = [
    ...ids.map((id) => store.get<FieldRow>(FIELD_BY_ID, [Number(id)]) ?? raise(faults.noSuchId("field", id))),
    ...names.map((name) => store.get<FieldRow>(FIELD_BY_NAME, [name]) ?? raise(faults.noSuchObject("field", name))),
  ];
  return uniqueBy(found, (field) => field.id);
}

function presentField(call: Call, field: FieldRow, { includes }: FieldSelection): JsonObject {
  const values = includes("values") || includes("value_field") ? presentFieldValues(call, field) : undefined;
  const fields: JsonObject = {
    id: field.id,
    name: field.name,
    display_name: field.display_name,
    type: field.type,
    is_custom: field.is_custom === 1,
    is_mandatory: field.is_mandatory === 1,
    is_on_bug_entry: field.is_on_bug_entry === 1,
    visibility_field: field.visibility_field,
    visibility_values: visibilityValues(call, field),
    ...(values === undefined ? {} : { value_field: field.value_field, values }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => includes(name)));
}

function visibilityValues(call: Call, { id, visibility_field }: FieldRow): string[] {
  return call.store
    .all<{ value: string }>("SELECT value FROM field_visibility WHERE field_id = ? ORDER BY value", [id])
    .map(({ value }) => value)
    .filter(visibilityFilter({ call, field: visibility_field }));
}

/** The columns of a field that its values depend on. */
export type ValuedField = {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly value_field: string | null;
};

/** JSON of the legal values of a field; undefined for fields without. */
function presentFieldValues(call: Call, field: ValuedField): readonly JsonObject[] | undefined {
  const read = Object.hasOwn(SOURCES, field.name) ? SOURCES[field.name] : undefined;
  if (read) return read(call, field);
  const isSelect = field.type === FIELD_TYPE.select || field.type === FIELD_TYPE.multiSelect;
  return isSelect && field.name !== "product" ? selectValues(call, field) : undefined;
}

type Source = (call: Call, field: ValuedField) => readonly JsonObject[];

const SOURCES: Readonly<Record<string, Source>> = {
  bug_status: (call, field) => statusValues(call, field),
  classification: (call) => classificationValues(call),
  component: (call) => valuesOfProducts(call, COMPONENTS),
  keywords: ({ store }) => store.all("SELECT name, description FROM keywords ORDER BY name"),
  target_milestone: (call) => valuesOfProducts(call, MILESTONES),
  version: (call) => valuesOfProducts(call, VERSIONS),
};

type SortedValue = { name: string; sort_key: number };
type ProductValue = SortedValue & { product: string; is_active: number };
type Select = SortedValue & { visible_for: string | null };
type Status = Select & { is_open: number };

const COMPONENTS = `
  SELECT components.name, 0 AS sort_key, components.is_active, products.name AS product
  FROM components JOIN products ON products.id = components.product_id
  WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY products.id, components.name`;

const VERSIONS = `
  SELECT versions.name, 0 AS sort_key, versions.is_active, products.name AS product
  FROM versions JOIN products ON products.id = versions.product_id
  WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY versions.id`;

const MILESTONES = `
  SELECT milestones.name, milestones.sort_key, milestones.is_active, products.name AS product
  FROM milestones JOIN products ON products.id = milestones.product_id
  WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY milestones.sort_key, milestones.name, milestones.id`;

function classificationValues(call: Call): JsonObject[] {
  const accessible = JSON.stringify(productIds(call, "accessible"));
  return call.store.all<SortedValue>(KNOWN_CLASSIFICATIONS, [accessible]).map((row) => presentValue(row, []));
}

function valuesOfProducts(call: Call, sql: string): JsonObject[] {
  return call.store
    .all<ProductValue>(sql, [JSON.stringify(productIds(call, "selectable"))])
    .map((row) => ({ ...presentValue(row, [row.product]), is_active: row.is_active === 1 }));
}

function selectValues(call: Call, { id, value_field }: ValuedField): JsonObject[] {
  const isVisible = visibilityFilter({ call, field: value_field });
  return call.store
    .all<Select>("SELECT name, sort_key, visible_for FROM field_values WHERE field_id = ? ORDER BY sort_key, name", [
      id,
    ])
    .filter(({ visible_for }) => visible_for === null || isVisible(visible_for))
    .map((row) => presentValue(row, row.visible_for === null ? [] : [row.visible_for]));
}

function statusValues({ store }: Call, { id }: ValuedField): JsonObject[] {
  const statuses = store.all<Status>(
    "SELECT name, sort_key, visible_for, is_open FROM field_values WHERE field_id = ? ORDER BY sort_key, name",
    [id],
  );
  const rank = new Map(statuses.map(({ name }, index) => [name, index]));
  const moves = store.all<Move>("SELECT from_status, to_status, comment_required FROM status_moves");
  const movesFrom = (from: string | null): Json =>
    moves
      .filter(({ from_status }) => from_status === from)
      .sort((a, b) => (rank.get(a.to_status) ?? 0) - (rank.get(b.to_status) ?? 0))
      .map(({ to_status, comment_required }) => ({ name: to_status, comment_required: comment_required === 1 }));
  const start = { name: null, sort_key: 0, sortkey: 0, visibility_values: [], is_open: true };
  return [
    { ...start, can_change_to: movesFrom(null) },
    ...statuses.map((row) => ({
      ...presentValue(row, []),
      is_open: row.is_open === 1,
      can_change_to: movesFrom(row.name),
    })),
  ];
}

type Move = { from_status: string | null; to_status: string; comment_required: number };

function presentValue({ name, sort_key }: SortedValue, visibility_values: string[]): JsonObject {
  return { name, sort_key, sortkey: sort_key, visibility_values };
}

/**
 * Predicate of the values of a controlling field that the requester may see. Only products and their parts can be hidden.
 */
function visibilityFilter({ call, field }: Controller): (value: string) => boolean {
  const sql = field === null ? undefined : CONTROLLER_NAMES[field];
  if (sql === undefined) return () => true;
  const ids = JSON.stringify(productIds(call, "accessible"));
  const names = new Set(call.store.all<{ name: string }>(sql, [ids]).map(({ name }) => name.toLowerCase()));
  return (value) => names.has(value.toLowerCase());
}

/** Call, and name of the controlling field (null: none). */
export type Controller = { readonly call: Call; readonly field: string | null };

/** Visible classifications: those without products, or with an accessible one. */
const KNOWN_CLASSIFICATIONS = `SELECT name, sort_key FROM classifications
  WHERE id NOT IN (SELECT classification_id FROM products)
    OR id IN (SELECT classification_id FROM products WHERE id IN (SELECT value FROM json_each(?)))
  ORDER BY sort_key, name`;

const CONTROLLER_NAMES: Readonly<Record<string, string>> = {
  classification: KNOWN_CLASSIFICATIONS,
  component: "SELECT name FROM components WHERE product_id IN (SELECT value FROM json_each(?))",
  product: "SELECT name FROM products WHERE id IN (SELECT value FROM json_each(?))",
};

/**
 * Routes of Legal Values; fields with values per product require the product's id.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/field.html#legal-values
 */
export const legalValueRoutes: readonly Route[] = [
  { method: "GET", path: "/field/bug/{field}/values", handle: (call) => getLegalValues(call) },
  { method: "GET", path: "/field/bug/{field}/{product_id}/values", handle: (call) => getLegalValues(call) },
];

function getLegalValues(call: Call): Json {
  const { field: fieldName = "", product_id: product } = call.path;
  const name = chartFieldName(fieldName);
  if (Object.hasOwn(PRODUCT_VALUES, name)) return { values: productValueNames(call, name, product) };
  const field = call.store.get<ValuedField>("SELECT id, name, type, value_field FROM fields WHERE name = ?", [name]);
  const isSelect = field?.type === FIELD_TYPE.select || field?.type === FIELD_TYPE.multiSelect;
  if (!field || !isSelect || name === "product" || name === "classification") {
    throw new Fault("invalid_field_name", `Can't use "${fieldName}" as a field name.`);
  }
  const values = presentFieldValues(call, field) ?? [];
  return { values: values.map((value) => value["name"]).filter((value) => typeof value === "string") };
}

const PRODUCT_VALUES: Readonly<Record<string, string>> = {
  component: "SELECT name FROM components WHERE product_id = ? ORDER BY name",
  target_milestone: "SELECT name FROM milestones WHERE product_id = ? ORDER BY sort_key, name",
  version: "SELECT name FROM versions WHERE product_id = ? ORDER BY id",
};

function productValueNames(call: Call, field: string, product: string | undefined): string[] {
  if (product === undefined) {
    throw new Fault(
      "param_required",
      "The function Bug.legal_values requires a product_id argument, and that argument was not set.",
    );
  }
  const id = /^\d+$/.test(product) ? Number(product) : 0;
  if (!productIds(call, "accessible").includes(id)) {
    throw faults.noSuchProductId(product);
  }
  const names = call.store.all<{ name: string }>(PRODUCT_VALUES[field] ?? "", [id]).map(({ name }) => name);
  return field === "version" ? names.sort(compareVersions) : names;
}
