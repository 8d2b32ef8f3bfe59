import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { type FieldSelection, pickFieldParts, pickFields, readFieldSelection } from "../http/field-selection.ts";
import { readIdsAndNames } from "../http/input.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { isInGroup } from "../users/requester.ts";
import { productIds } from "./access.ts";

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
    throw new Fault(400, 900, "Sorry, classification is not enabled.");
  }
  const { ids, names } = readIdsAndNames(call);
  const context: ClassificationContext = { call, isEditor, selection: readFieldSelection(call.input) };
  const classifications = [
    ...ids.map((id) => presentClassification(context, BY_ID, id) ?? raise(faults.noSuchId("classification", id))),
    ...names.map(
      (name) => presentClassification(context, BY_NAME, name) ?? raise(faults.noSuchObject("classification", name)),
    ),
  ];
  return { classifications: classifications };
}

function raise(fault: Fault): never {
  throw fault;
}

type ClassificationContext = { call: Call; isEditor: boolean; selection: FieldSelection };
type Row = { id: number; name: string; description: string; sort_key: number };
type Product = { id: number; name: string; description: string };

function presentClassification(
  { call, isEditor, selection }: ClassificationContext,
  sql: string,
  idOrName: string,
): JsonObject | undefined {
  const row = call.store.get<Row>(sql, [idOrName]);
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
