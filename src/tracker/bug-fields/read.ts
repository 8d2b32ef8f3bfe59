import { PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { chartFieldName } from "../fields.ts";
import type { Call } from "../http/call.ts";
import { type FieldSelection, pickFields, readFieldSelection, readIdsAndNames } from "../http/input.ts";
import { compareVersions, productIds } from "../products/products.ts";
import type { SqlRow } from "../store/store.ts";
import { Fault, faults, raise, uniqueById, withBooleans } from "../values.ts";
import { loadWorkflow } from "./values.ts";

/** Fields: all of them, or those named in the path and in `ids` and `names`. */
export function getFields(call: Call): Json {
  const { store } = call;
  const selection = readFieldSelection(call.input);
  const { ids, names } = readIdsAndNames(call);
  const find = (by: "id" | "name", value: string | number) => store.get<FieldRow>(`${FIELDS} WHERE ${by} = ?`, [value]);
  const named = [
    ...ids.map((id) => find("id", Number(id)) ?? raise(faults.noSuchId("field", id))),
    ...names.map((name) => find("name", name) ?? raise(faults.noSuchObject("field", name))),
  ];
  const fields = named.length > 0 ? uniqueById(named) : store.all<FieldRow>(`${FIELDS} ORDER BY sort_key, name`);
  return { fields: fields.map((field) => presentField(call, field, selection)) };
}

type FieldRow = SqlRow & {
  id: number;
  name: string;
  type: number;
  visibility_field: string | null;
  value_field: string | null;
};

const FIELDS = `SELECT id, name, display_name, type, is_custom, is_mandatory, is_on_bug_entry, visibility_field,
    CASE WHEN name IN (${PER_PRODUCT_FIELDS.map((name) => `'${name}'`).join(", ")}) THEN 'product' ELSE value_field END AS value_field
  FROM fields`;

function presentField(call: Call, row: FieldRow, selection: FieldSelection): JsonObject {
  const { value_field, ...field } = row;
  const needsValues = selection.includes("values") || selection.includes("value_field");
  const values = needsValues ? presentFieldValues(call, row) : undefined;
  const visibility_values = call.store
    .values<string>("SELECT value FROM field_visibility WHERE field_id = ? ORDER BY value", [field.id])
    .filter(visibilityFilter(call, field.visibility_field));
  return pickFields(
    { ...withBooleans(field), visibility_values, ...(values === undefined ? {} : { value_field, values }) },
    selection,
  );
}

/** JSON of the legal values of a field; undefined for fields without. */
function presentFieldValues(call: Call, field: FieldRow): readonly JsonObject[] | undefined {
  const { store } = call;
  const sqlOfParts = SQL_OF_PARTS.get(field.name);
  if (sqlOfParts !== undefined) return presentProductParts(call, sqlOfParts);
  if (field.name === "bug_status") return presentStatuses(call, field);
  if (field.name === "keywords") return store.all("SELECT name, description FROM keywords ORDER BY name");
  if (field.name === "classification") {
    return store
      .all<SortedValue>(VISIBLE_CLASSIFICATIONS, [productIds(call, "accessible")])
      .map((row) => presentValue(row, []));
  }
  if (!isSelect(field) || field.name === "product") return undefined;
  const isVisible = visibilityFilter(call, field.value_field);
  return store
    .all<SelectValue>(VALUES, [field.id])
    .filter(({ visible_for }) => visible_for === null || isVisible(visible_for))
    .map((row) => presentValue(row, row.visible_for === null ? [] : [row.visible_for]));
}

function isSelect({ type }: Pick<FieldRow, "type">): boolean {
  return type === FIELD_TYPE.select || type === FIELD_TYPE.multiSelect;
}

type SortedValue = { name: string; sort_key: number };
type ProductValue = SortedValue & { product: string; is_active: number };
type SelectValue = SortedValue & { visible_for: string | null; is_open: number };

const VALUES =
  "SELECT name, sort_key, visible_for, is_open FROM field_values WHERE field_id = ? ORDER BY sort_key, name";

/** SQL of the parts of the products with the ids of a JSON list. */
function partsSql(table: string, sortKey: string, order: string): string {
  return `SELECT ${table}.name, ${sortKey} AS sort_key, ${table}.is_active, products.name AS product
    FROM ${table} JOIN products ON products.id = product_id
    WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY ${order}`;
}

const SQL_OF_PARTS: ReadonlyMap<string, string> = new Map([
  ["component", partsSql("components", "0", "products.id, components.name")],
  ["target_milestone", partsSql("milestones", "sort_key", "sort_key, milestones.name, milestones.id")],
  ["version", partsSql("versions", "0", "versions.id")],
]);

function presentProductParts(call: Call, sql: string): JsonObject[] {
  const rows = call.store.all<ProductValue>(sql, [productIds(call, "selectable")]);
  return rows.map((row) => ({ ...presentValue(row, [row.product]), is_active: row.is_active === 1 }));
}

function presentStatuses({ store }: Call, { id }: FieldRow): JsonObject[] {
  const { transitions } = loadWorkflow(store);
  const canChangeTo = (status: string | null): Json => {
    const allowed = transitions.filter(({ from }) => from === status);
    return allowed.map(({ to, comment_required }) => ({ name: to, comment_required }));
  };
  const start = { name: null, sort_key: 0, sortkey: 0, visibility_values: [], is_open: true };
  return [
    { ...start, can_change_to: canChangeTo(null) },
    ...store.all<SelectValue>(VALUES, [id]).map((row) => ({
      ...presentValue(row, []),
      is_open: row.is_open === 1,
      can_change_to: canChangeTo(row.name),
    })),
  ];
}

function presentValue({ name, sort_key }: SortedValue, visibility_values: string[]): JsonObject {
  return { name, sort_key, sortkey: sort_key, visibility_values };
}

/** Predicate of the values of a controlling field (null: none) that the requester may see: products and their parts can be hidden. */
function visibilityFilter(call: Call, field: string | null): (value: string) => boolean {
  const sql = VISIBLE_NAMES[field ?? ""];
  if (sql === undefined) return () => true;
  const visible = call.store.values<string>(sql, [productIds(call, "accessible")]);
  const names = new Set(visible.map((name) => name.toLowerCase()));
  return (value) => names.has(value.toLowerCase());
}

/** Visible classifications: those without products, or with an accessible one. */
const VISIBLE_CLASSIFICATIONS = `SELECT name, sort_key FROM classifications
  WHERE id NOT IN (SELECT classification_id FROM products)
    OR id IN (SELECT classification_id FROM products WHERE id IN (SELECT value FROM json_each(?)))
  ORDER BY sort_key, name`;

/** SQL of the names in accessible products, by the field whose values they are. */
const VISIBLE_NAMES: Readonly<Record<string, string>> = {
  classification: VISIBLE_CLASSIFICATIONS,
  component: "SELECT name FROM components WHERE product_id IN (SELECT value FROM json_each(?))",
  product: "SELECT name FROM products WHERE id IN (SELECT value FROM json_each(?))",
};

/** Legal Values; fields with values per product require the product's id. */
export function getLegalValues(call: Call): Json {
  const { field: fieldName = "", product_id: product } = call.path;
  const name = chartFieldName(fieldName);
  const sqlOfParts = SQL_OF_PARTS.get(name);
  if (sqlOfParts !== undefined) {
    const names = namesOfParts(call, sqlOfParts, product);
    return { values: name === "version" ? names.sort(compareVersions) : names };
  }
  const field = call.store.get<FieldRow>(`${FIELDS} WHERE name = ?`, [name]);
  if (!field || !isSelect(field) || name === "product" || name === "classification")
    throw new Fault("invalid_field_name", `Can't use "${fieldName}" as a field name.`);
  const values = presentFieldValues(call, field) ?? [];
  return { values: values.map((value) => value["name"]).filter((value) => typeof value === "string") };
}

function namesOfParts(call: Call, sql: string, product: string | undefined): string[] {
  if (product === undefined)
    throw new Fault(
      "param_required",
      "The function Bug.legal_values requires a product_id argument, and that argument was not set.",
    );
  const id = /^\d+$/.test(product) ? Number(product) : 0;
  if (!productIds(call, "accessible").includes(id)) throw faults.noSuchProduct(`with the id ${product}`);
  return [...call.store.values<string>(sql, [[id]])];
}
