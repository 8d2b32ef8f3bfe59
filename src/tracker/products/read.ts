import type { Json, JsonObject } from "../../wire/exchange.ts";
import { type FlagType, flagTypesFor } from "../flags/flags.ts";
import { type Call, isEnabled } from "../http/call.ts";
import {
  type FieldSelection,
  pickFieldParts,
  pickFields,
  readFieldSelection,
  readIdsAndNames,
  textValues,
} from "../http/input.ts";
import type { SqlRow } from "../store/store.ts";
import { Fault, faults, withBooleans } from "../values.ts";
import { compareVersions, type ProductAccess, type ProductPart, productIds, productParts } from "./products.ts";

/** List Products: the ids of those with an access. */
export function listProducts(access: ProductAccess) {
  return (call: Call): Json => ({ ids: productIds(call, access) });
}

/** Get Product, without those that are not accessible. */
export function getProducts(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const visible = new Set(productIds(call, "accessible"));
  const ids = requestedIds(call).filter((id) => visible.has(id));
  const rows = call.store.all<Details>(PRODUCTS, [ids]);
  return { products: rows.map((row) => presentProduct(call, row, selection)) };
}

type Details = SqlRow & { id: number };

const PRODUCTS = `
  SELECT products.id, products.name, products.description, default_milestone, has_unconfirmed, is_active,
    classifications.name AS classification
  FROM products JOIN classifications ON classifications.id = classification_id
  WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY products.name`;

function requestedIds(call: Call): number[] {
  const { ids, names } = readIdsAndNames(call);
  const types = textValues(call.input, "type").map(readAccess);
  if (ids.length + names.length + types.length === 0)
    throw new Fault(
      "param_required",
      "The function Product.get requires that you set one of the following parameters: ids, names, type",
    );
  const named = "SELECT id FROM products WHERE name IN (SELECT value FROM json_each(?))";
  const ofNames = call.store.values(named, [names]);
  return [...ids.map(Number), ...ofNames, ...types.flatMap((type) => productIds(call, type))];
}

function readAccess(type: string): ProductAccess {
  if (type === "selectable" || type === "enterable" || type === "accessible") return type;
  throw new Fault(
    "other",
    `The product type '${type}' is invalid. Valid choices are 'accessible', 'selectable', and 'enterable'.`,
  );
}

function presentProduct(call: Call, row: Details, selection: FieldSelection): JsonObject {
  const parts = (field: string, read: () => JsonObject[]): JsonObject[] =>
    selection.includes(field) ? read().map((item) => pickFieldParts(item, field, selection)) : [];
  const all = (part: ProductPart) => productParts(call.store, row.id, part);
  const product: JsonObject = {
    ...withBooleans(row),
    components: parts("components", () => productComponents(call, row.id)),
    versions: parts("versions", () => all("version").sort((a, b) => compareVersions(a.name, b.name))),
    milestones: parts("milestones", () => all("milestone")),
  };
  return pickFields(product, selection);
}

/** JSON of the components of a product, with their flag types. */
function productComponents(call: Call, productId: number): JsonObject[] {
  return call.store.all<Details>(COMPONENTS, [productId]).map((row) => presentComponent(call, row, productId));
}

const COMPONENTS = `
  SELECT components.id, name, description, is_active, assignee.login AS default_assigned_to,
    coalesce(contact.login, '') AS default_qa_contact
  FROM components JOIN users AS assignee ON assignee.id = default_assignee_id
  LEFT JOIN users AS contact ON contact.id = default_qa_contact_id
  WHERE product_id = ? ORDER BY name`;

function presentComponent({ store }: Call, row: Details, productId: number): JsonObject {
  const types = flagTypesFor(store, productId, row.id);
  const ofTarget = (target: FlagType["target"]) => types.filter((type) => type.target === target).map(presentFlagType);
  return {
    ...withBooleans(row),
    sort_key: 0,
    flag_types: { bug: ofTarget("bug"), attachment: ofTarget("attachment") },
  };
}

function presentFlagType({ target: _target, grant_group_id, request_group_id, ...type }: FlagType): JsonObject {
  return { ...type, grant_group: grant_group_id, request_group: request_group_id };
}

/** Get Classification: by id or name, with the selectable products. */
export function getClassifications(call: Call): Json {
  if (!isEnabled(call.parameters.useclassification))
    throw new Fault("auth_classification_not_enabled", "Sorry, classification is not enabled.");
  const { id_or_name = "" } = call.path;
  const selection = readFieldSelection(call.input);
  const row = call.store.get(CLASSIFICATION, [id_or_name, id_or_name]);
  const products = row ? call.store.all(OF_CLASSIFICATION, [row["id"] ?? null, productIds(call, "selectable")]) : [];
  // a classification without products that the requester may see counts as unknown
  if (products.length === 0) throw faults.noSuchObject("classification", id_or_name);
  const shown = products.map((product) => pickFieldParts(product, "products", selection));
  return { classifications: [pickFields({ ...row, products: shown }, selection)] };
}

const CLASSIFICATION =
  "SELECT id, name, description, sort_key FROM classifications WHERE CAST(id AS TEXT) = ? OR name = ?";
const OF_CLASSIFICATION = `SELECT id, name, description FROM products
  WHERE classification_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY name`;
