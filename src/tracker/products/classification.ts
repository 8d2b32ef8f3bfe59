import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { isOn } from "../parameters.ts";
import { productIds } from "./visible.ts";

/** One classification by id or name with the products in it that the requester may search. */
export const classificationRoutes: readonly Route[] = [
  { method: "GET", path: "/classification/{id_or_name}", handle: (call) => getClassification(call) },
];

function getClassification(call: Call): Json {
  if (!isOn(call.parameters.useclassification)) throw new Fault(400, 900, "Sorry, classification is not enabled.");
  const { id_or_name: wanted = "" } = call.path;
  const row = call.store.get<Row>(/^\d+$/.test(wanted) ? BY_ID : BY_NAME, [wanted]);
  if (!row) throw faults.noSuchObject("classification", wanted);
  const products = call.store.all<Product>(PRODUCTS, [row.id, JSON.stringify(productIds(call, "selectable"))]);
  return { classifications: [{ ...row, products }] };
}

type Row = {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly sort_key: number;
};
type Product = { readonly id: number; readonly name: string; readonly description: string };

const BY_ID = "SELECT id, name, description, sort_key FROM classifications WHERE id = ?";
const BY_NAME = "SELECT id, name, description, sort_key FROM classifications WHERE name = ?";
const PRODUCTS = `SELECT id, name, description FROM products
  WHERE classification_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY name`;
