import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { Fault } from "../fault.ts";
import { firstText, idsAndNames } from "../input.ts";
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
  const type = firstText(call.input, "type");
  if (ids.length + names.length === 0 && type === undefined) {
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
  return [...ids.map(Number), ...found.map(({ id }) => id), ...(isAccess(type) ? productIds(call, type) : [])];
}

function isAccess(type: string | undefined): type is ProductAccess {
  return type === "selectable" || type === "enterable" || type === "accessible";
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
    versions: parts("versions", () => call.store.all<Part>(VERSIONS, [row.id]).map(shownPart)),
    milestones: parts("milestones", () => call.store.all<Part>(MILESTONES, [row.id]).map(shownPart)),
  };
  return pick(product, selection);
}

type Part = { readonly id: number; readonly name: string; readonly sort_key: number; readonly is_active: number };

const VERSIONS = "SELECT id, name, 0 AS sort_key, is_active FROM versions WHERE product_id = ? ORDER BY id";
const MILESTONES = "SELECT id, name, sort_key, is_active FROM milestones WHERE product_id = ? ORDER BY sort_key, name";

function shownPart(part: Part): JsonObject {
  return { ...part, is_active: part.is_active === 1 };
}
