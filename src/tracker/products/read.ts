import type { ReadDefaultPeople } from "../../wire/default-people.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { type FlagType, flagTypesFor } from "../flags/types.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults, raise } from "../http/fault.ts";
import { type FieldSelection, pickFieldParts, pickFields, readFieldSelection } from "../http/field-selection.ts";
import { readIdsAndNames, textValues } from "../http/input.ts";
import { isInGroup } from "../http/requester.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { defaultLogins, JOINED_PEOPLE } from "../setup/default-people.ts";
import { type ProductAccess, productIds } from "./access.ts";
import { compareVersions } from "./parts.ts";

/**
 * Routes of List Products and Get Product. Products that are not accessible are omitted.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/product.html
 */
export const productRoutes: readonly Route[] = [
  { method: "GET", path: "/product_selectable", handle: (call) => ({ ids: productIds(call, "selectable") }) },
  { method: "GET", path: "/product_enterable", handle: (call) => ({ ids: productIds(call, "enterable") }) },
  { method: "GET", path: "/product_accessible", handle: (call) => ({ ids: productIds(call, "accessible") }) },
  { method: "GET", path: "/product", handle: (call) => getProducts(call) },
  { method: "GET", path: "/product/{id_or_name}", handle: (call) => getProducts(call) },
];

function getProducts(call: Call): Json {
  const selection = readFieldSelection(call.input);
  return { products: requestedProducts(call).map((row) => presentProduct(call, row, selection)) };
}

/** The accessible products that a request names, by name. */
function requestedProducts(call: Call): readonly ProductDetails[] {
  const visible = new Set(productIds(call, "accessible"));
  const ids = requestedIds(call).filter((id) => visible.has(id));
  return call.store.all<ProductDetails>(PRODUCTS, [JSON.stringify(ids)]);
}

type ProductDetails = {
  id: number;
  name: string;
  description: string;
  classification: string;
  default_milestone: string;
  has_unconfirmed: number;
  is_active: number;
};

const PRODUCTS = `
  SELECT products.id, products.name, products.description, default_milestone, has_unconfirmed, is_active,
    classifications.name AS classification
  FROM products JOIN classifications ON classifications.id = classification_id
  WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY products.name`;

function requestedIds(call: Call): number[] {
  const { ids, names } = readIdsAndNames(call);
  const types = textValues(call.input, "type").map(readAccess);
  if (ids.length + names.length + types.length === 0) {
    throw new Fault(
      "param_required",
      "The function Product.get requires that you set one of the following parameters: ids, names, type",
    );
  }
  const named = call.store.all<{ id: number }>(
    "SELECT id FROM products WHERE name IN (SELECT value FROM json_each(?))",
    [JSON.stringify(names)],
  );
  const ofTypes = types.flatMap((type) => productIds(call, type));
  return [...ids.map(Number), ...named.map(({ id }) => id), ...ofTypes];
}

function readAccess(type: string): ProductAccess {
  if (type === "selectable" || type === "enterable" || type === "accessible") return type;
  throw new Fault(
    "other",
    `The product type '${type}' is invalid. Valid choices are 'accessible', 'selectable', and 'enterable'.`,
  );
}

function presentProduct(call: Call, row: ProductDetails, selection: FieldSelection): JsonObject {
  const parts = (field: string, read: () => JsonObject[]): JsonObject[] =>
    selection.includes(field) ? read().map((item) => pickFieldParts(item, field, selection)) : [];
  const product: JsonObject = {
    id: row.id,
    name: row.name,
    description: row.description,
    classification: row.classification,
    default_milestone: row.default_milestone,
    has_unconfirmed: row.has_unconfirmed === 1,
    is_active: row.is_active === 1,
    components: parts("components", () => productComponents(call, row.id)),
    versions: parts("versions", () => byVersion(call.store.all<PartRow>(VERSIONS, [row.id])).map(presentPart)),
    milestones: parts("milestones", () => call.store.all<PartRow>(MILESTONES, [row.id]).map(presentPart)),
  };
  return pickFields(product, selection);
}

type PartRow = { id: number; name: string; sort_key: number; is_active: number };

const VERSIONS = "SELECT id, name, 0 AS sort_key, is_active FROM versions WHERE product_id = ?";
const MILESTONES = "SELECT id, name, sort_key, is_active FROM milestones WHERE product_id = ? ORDER BY sort_key, name";

function byVersion(parts: readonly PartRow[]): PartRow[] {
  return [...parts].sort((a, b) => compareVersions(a.name, b.name));
}

function presentPart(part: PartRow): JsonObject {
  return { ...part, is_active: part.is_active === 1 };
}

/** JSON of the components of a product, with their flag types. */
function productComponents(call: Call, productId: number): JsonObject[] {
  return call.store.all<ComponentDetails>(COMPONENTS, [productId]).map((row) => presentComponent(call, row, productId));
}

type ComponentDetails = {
  id: number;
  name: string;
  description: string;
  is_active: number;
} & ReadDefaultPeople;

const COMPONENTS = `
  SELECT components.id, name, description, ${defaultLogins("read")}, is_active
  FROM components
  ${JOINED_PEOPLE}
  WHERE product_id = ? ORDER BY name`;

function presentComponent({ store }: Call, row: ComponentDetails, productId: number): JsonObject {
  const types = flagTypesFor(store, { productId, componentId: row.id });
  const ofTarget = (target: FlagType["target"]) => types.filter((type) => type.target === target).map(presentFlagType);
  return {
    ...row,
    is_active: row.is_active === 1,
    sort_key: 0,
    flag_types: { bug: ofTarget("bug"), attachment: ofTarget("attachment") },
  };
}

function presentFlagType(type: FlagType): JsonObject {
  return {
    id: type.id,
    name: type.name,
    description: type.description,
    cc_list: type.cc_list,
    sort_key: type.sort_key,
    is_active: type.is_active,
    is_requestable: type.is_requestable,
    is_requesteeble: type.is_requesteeble,
    is_multiplicable: type.is_multiplicable,
    grant_group: type.grant_group_id,
    request_group: type.request_group_id,
  };
}

/**
 * Route of Get Classification: by id or name, with the selectable products, or all for members of `editclassifications`.
 * A classification without such products counts as unknown.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/classification.html
 */
export const classificationRoutes: readonly Route[] = [
  { method: "GET", path: "/classification/{id_or_name}", handle: (call) => getClassifications(call) },
];

function getClassifications(call: Call): Json {
  const isEditor = isInGroup(call.requester, "editclassifications");
  if (!isEnabled(call.parameters.useclassification) && !isEditor) {
    throw new Fault("auth_classification_not_enabled", "Sorry, classification is not enabled.");
  }
  const { ids, names } = readIdsAndNames(call);
  const context: ClassificationContext = { call, isEditor, selection: readFieldSelection(call.input) };
  const find = (sql: string, idOrName: string) => call.store.get<ClassificationRow>(sql, [idOrName]);
  const classifications = [
    ...ids.map((id) => presentClassification(context, find(BY_ID, id)) ?? raise(faults.noSuchId("classification", id))),
    ...names.map(
      (name) =>
        presentClassification(context, find(BY_NAME, name)) ?? raise(faults.noSuchObject("classification", name)),
    ),
  ];
  return { classifications };
}

type ClassificationContext = { call: Call; isEditor: boolean; selection: FieldSelection };
type ClassificationRow = { id: number; name: string; description: string; sort_key: number };
type Product = { id: number; name: string; description: string };

/** JSON of a classification; undefined without one, or if it has no product that the requester may see. */
function presentClassification(
  { call, isEditor, selection }: ClassificationContext,
  row: ClassificationRow | undefined,
): JsonObject | undefined {
  if (!row) return undefined;
  const products = call.store.all<Product>(isEditor ? ALL : SELECTABLE, {
    id: row.id,
    selectable: JSON.stringify(productIds(call, "selectable")),
  });
  if (!isEditor && products.length === 0) return undefined;
  return pickFields(
    { ...row, products: products.map((product) => pickFieldParts(product, "products", selection)) },
    selection,
  );
}

const BY_ID = "SELECT id, name, description, sort_key FROM classifications WHERE id = ?";
const BY_NAME = "SELECT id, name, description, sort_key FROM classifications WHERE name = ?";
const ALL = "SELECT id, name, description FROM products WHERE classification_id = @id ORDER BY name";
const SELECTABLE = `SELECT id, name, description FROM products
  WHERE classification_id = @id AND id IN (SELECT value FROM json_each(@selectable)) ORDER BY name`;
