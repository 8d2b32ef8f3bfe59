import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { idsAndNames } from "../input.ts";
import { isOn } from "../parameters.ts";
import { isIn } from "../people/requester.ts";
import { pick, pickParts, readSelection, type Selection } from "../selection.ts";
import { productIds } from "./visible.ts";

/**
 * Classifications by id or name with the products in them: those that the requester may search, all for members of
 * editclassifications. One without any such product answers as unknown.
 * @see Bugzilla::WebService::Classification
 */
export const classificationRoutes: readonly Route[] = [
  { method: "GET", path: "/classification/{id_or_name}", handle: (call) => getClassifications(call) },
];

function getClassifications(call: Call): Json {
  const isEditor = isIn(call.requester, "editclassifications");
  if (!isOn(call.parameters.useclassification) && !isEditor) {
    throw new Fault(400, 900, "Sorry, classification is not enabled.");
  }
  const { ids, names } = idsAndNames(call);
  const shelf: Shelf = { call, isEditor, selection: readSelection(call.input) };
  const found = [
    ...ids.map((id) => shown(shelf, BY_ID, id) ?? raise(faults.noSuchId("classification", id))),
    ...names.map((name) => shown(shelf, BY_NAME, name) ?? raise(faults.noSuchObject("classification", name))),
  ];
  return { classifications: found };
}

function raise(fault: Fault): never {
  throw fault;
}

type Shelf = { readonly call: Call; readonly isEditor: boolean; readonly selection: Selection };
type Row = { readonly id: number; readonly name: string; readonly description: string; readonly sort_key: number };
type Product = { readonly id: number; readonly name: string; readonly description: string };

function shown({ call, isEditor, selection }: Shelf, sql: string, wanted: string): JsonObject | undefined {
  const row = call.store.get<Row>(sql, [wanted]);
  if (!row) return undefined;
  const products = call.store.all<Product>(isEditor ? ALL : SELECTABLE, {
    id: row.id,
    selectable: JSON.stringify(productIds(call, "selectable")),
  });
  if (!isEditor && products.length === 0) return undefined;
  return pick({ ...row, products: products.map((product) => pickParts(product, "products", selection)) }, selection);
}

const BY_ID = "SELECT id, name, description, sort_key FROM classifications WHERE id = ?";
const BY_NAME = "SELECT id, name, description, sort_key FROM classifications WHERE name = ?";
const ALL = "SELECT id, name, description FROM products WHERE classification_id = @id ORDER BY name";
const SELECTABLE = `SELECT id, name, description FROM products
  WHERE classification_id = @id AND id IN (SELECT value FROM json_each(@selectable)) ORDER BY name`;
