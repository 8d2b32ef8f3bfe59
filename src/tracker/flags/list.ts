import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { faults } from "../fault.ts";
import { accessibleProduct } from "../products/visible.ts";
import { mayGrant, mayRequest } from "./rights.ts";
import { type FlagType, flagTypesFor } from "./types.ts";

/** The flag types of a product or of one component, with what the requester may set them to. */
export const flagTypeRoutes: readonly Route[] = [
  { method: "GET", path: "/flag_type/{product}", handle: (call) => listFlagTypes(call) },
  { method: "GET", path: "/flag_type/{product}/{component}", handle: (call) => listFlagTypes(call) },
];

function listFlagTypes(call: Call): Json {
  const { product: name = "", component } = call.path;
  const product = accessibleProduct(call, name);
  if (!product) throw faults.noSuchProduct(name);
  const componentId = component === undefined ? null : findComponent(call, { productId: product.id, name: component });
  const types = flagTypesFor(call.store, { productId: product.id, componentId });
  const ofTarget = (target: FlagType["target"]) =>
    types.filter((type) => type.target === target).map((type) => shown(call, type, product.id));
  return { bug: ofTarget("bug"), attachment: ofTarget("attachment") };
}

type Named = { readonly productId: number; readonly name: string };

function findComponent({ store }: Call, { productId, name }: Named): number {
  const row = store.get<{ readonly id: number }>("SELECT id FROM components WHERE product_id = ? AND name = ?", [
    productId,
    name,
  ]);
  if (!row) throw faults.noSuchObject("component", name);
  return row.id;
}

function shown(call: Call, type: FlagType, productId: number): JsonObject {
  const inclusions = componentNames(call, { typeId: type.id, productId });
  return {
    id: type.id,
    name: type.name,
    description: type.description,
    type: type.target,
    values: ["X", ...(mayRequest(call, type) ? ["?"] : []), ...(mayGrant(call, type) ? ["+", "-"] : [])],
    is_active: type.is_active === 1,
    is_requesteeble: type.is_requesteeble === 1,
    is_multiplicable: type.is_multiplicable === 1,
    ...(inclusions.length > 0 ? { inclusions } : {}),
  };
}

function componentNames({ store }: Call, { typeId, productId }: { typeId: number; productId: number }) {
  return store
    .all<{ readonly name: string }>(
      `SELECT components.name FROM flag_type_inclusions JOIN components ON components.id = component_id
       WHERE type_id = ? AND flag_type_inclusions.product_id = ? ORDER BY components.name`,
      [typeId, productId],
    )
    .map(({ name }) => name);
}
