import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { Fault } from "../fault.ts";
import { compareVersions } from "../fields/version-order.ts";
import { idsAndNames, texts } from "../input.ts";
import { pick, pickParts, readSelection, type Selection } from "../selection.ts";
import { componentsOf } from "./components.ts";
import { type ProductAccess, productIds } from "./visible.ts";

/** The products that a requester may meet, and what is in them. Hidden ones are silently absent. */
export const productRoutes: readonly Route[] = [
  { method: "GET", path: "/product_selectable", handle: (call) => ({ ids: productIds(call, "selectable") }) },
  { method: "GET", path: "/product_enterable", handle: (call) => ({ ids: productIds(call, "enterable") }) },
  { method: "GET", path: "/product_accessible", handle: (call) => ({ ids: productIds(call, "accessible") }) },
  { method: "GET", path: "/product", handle: (call) => getProducts(call) },
  { method: "GET", path: "/product/{id_or_name}", handle: (call) => getProducts(call) },
];

function getProducts(call: Call): Json {
  const wanted = wantedIds(call);
  const visible = new Set(productIds(call, "accessible"));
  const selection = readSelection(call.input);
  const rows = call.store.all<Row>(PRODUCTS, [JSON.stringify(wanted.filter((id) => visible.has(id)))]);
  return { products: rows.map((row) => shown(call, row, selection)) };
}

type Row = {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly classification: string;
  readonly default_milestone: string;
  readonly has_unconfirmed: number;
  readonly is_active: number;
};

const PRODUCTS = `
  SELECT products.id, products.name, products.description, default_milestone, has_unconfirmed, is_active,
    classifications.name AS classification
  FROM products JOIN classifications ON classifications.id = classification_id
  WHERE products.id IN (SELECT value FROM json_each(?)) ORDER BY products.name`;

function wantedIds(call: Call): readonly number[] {
  const { ids, names } = idsAndNames(call);
  const types = texts(call.input, "type").map(readAccess);
  if (ids.length + names.length + types.length === 0) {
    throw new Fault(
      400,
      50,
      "The function Product.get requires that you set one of the following parameters: ids, names, type",
    );
  }
  const found = call.store.all<{ readonly id: number }>(
    "SELECT id FROM products WHERE name IN (SELECT value FROM json_each(?))",
    [JSON.stringify(names)],
  );
  return [...ids.map(Number), ...found.map(({ id }) => id), ...types.flatMap((type) => productIds(call, type))];
}

function readAccess(type: string): ProductAccess {
  if (type === "selectable" || type === "enterable" || type === "accessible") return type;
  throw new Fault(
    400,
    32000,
    `The product type '${type}' is invalid. Valid choices are 'accessible', 'selectable', and 'enterable'.`,
  );
}

function shown(call: Call, row: Row, selection: Selection): JsonObject {
  const parts = (field: string, read: () => readonly JsonObject[]): readonly JsonObject[] =>
    selection.wants(field) ? read().map((item) => pickParts(item, field, selection)) : [];
  const product: JsonObject = {
    id: row.id,
    name: row.name,
    description: row.description,
    classification: row.classification,
    default_milestone: row.default_milestone,
    has_unconfirmed: row.has_unconfirmed === 1,
    is_active: row.is_active === 1,
    components: parts("components", () => componentsOf(call, row.id)),
    versions: parts("versions", () => byVersion(call.store.all<Part>(VERSIONS, [row.id])).map(shownPart)),
    milestones: parts("milestones", () => call.store.all<Part>(MILESTONES, [row.id]).map(shownPart)),
  };
  return pick(product, selection);
}

type Part = { readonly id: number; readonly name: string; readonly sort_key: number; readonly is_active: number };

const VERSIONS = "SELECT id, name, 0 AS sort_key, is_active FROM versions WHERE product_id = ?";
const MILESTONES = "SELECT id, name, sort_key, is_active FROM milestones WHERE product_id = ? ORDER BY sort_key, name";

function byVersion(parts: readonly Part[]): readonly Part[] {
  return [...parts].sort((a, b) => compareVersions(a.name, b.name));
}

function shownPart(part: Part): JsonObject {
  return { ...part, is_active: part.is_active === 1 };
}
