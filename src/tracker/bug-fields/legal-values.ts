import type { Json } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { chartFieldName } from "../fields.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { productIds } from "../products/access.ts";
import { compareVersions } from "../products/parts.ts";
import { fieldValues, type ValuedField } from "./read.ts";

/**
 * Routes of Legal Values; fields with values per product require the product's id.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/field.html#legal-values
 */
export const legalValueRoutes: readonly Route[] = [
  { method: "GET", path: "/field/bug/{field}/values", handle: (call) => legalValues(call) },
  { method: "GET", path: "/field/bug/{field}/{product_id}/values", handle: (call) => legalValues(call) },
];

function legalValues(call: Call): Json {
  const { field: fieldName = "", product_id: product } = call.path;
  const name = chartFieldName(fieldName);
  if (Object.hasOwn(PRODUCT_VALUES, name)) return { values: productValues(call, name, product) };
  const field = call.store.get<ValuedField>("SELECT id, name, type, value_field FROM fields WHERE name = ?", [name]);
  const isSelect = field?.type === FIELD_TYPE.select || field?.type === FIELD_TYPE.multiSelect;
  if (!field || !isSelect || name === "product" || name === "classification") {
    throw new Fault(400, 108, `Can't use "${fieldName}" as a field name.`);
  }
  const values = fieldValues(call, field) ?? [];
  return { values: values.map((value) => value["name"]).filter((name) => typeof name === "string") };
}

const PRODUCT_VALUES: Readonly<Record<string, string>> = {
  component: "SELECT name FROM components WHERE product_id = ? ORDER BY name",
  target_milestone: "SELECT name FROM milestones WHERE product_id = ? ORDER BY sort_key, name",
  version: "SELECT name FROM versions WHERE product_id = ? ORDER BY id",
};

function productValues(call: Call, field: string, product: string | undefined): string[] {
  if (product === undefined) {
    throw new Fault(
      400,
      50,
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
