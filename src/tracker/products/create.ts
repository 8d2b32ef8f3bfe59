import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { readFlagTypeDescription, readFlagTypeName } from "../flags/values.ts";
import { firstText, isGiven } from "../input.ts";
import { needGroup } from "../people/rights.ts";
import { applyCatalog } from "../setup/catalog.ts";
import { applyFlagTypes } from "../setup/flag-types.ts";
import { idOf } from "../setup/lookup.ts";
import { editableProduct, needComponentEditor } from "./editing.ts";
import { readFirstVersion, readMilestoneName, readProductDescription, readProductName } from "./values.ts";

/** Making products, components and flag types, for those who may change them. */
export const productCreateRoutes: readonly Route[] = [
  { method: "POST", path: "/product", status: 201, handle: (call) => createProduct(call) },
  { method: "POST", path: "/component", status: 201, handle: (call) => createComponent(call) },
  { method: "POST", path: "/flag_type", status: 201, handle: (call) => createFlagType(call) },
];

function createProduct(call: Call): Json {
  needGroup(call, "editcomponents", "add new products");
  const name = readProductName(call, call.input["name"]);
  const description = readProductDescription(call.input["description"]);
  const version = readFirstVersion(call.input["version"]);
  const milestone = readMilestoneName(call.input["default_milestone"]);
  applyCatalog(call.store, {
    products: [
      {
        name,
        description,
        versions: [version],
        has_unconfirmed: call.input["has_unconfirmed"] === undefined || isGiven(call.input, "has_unconfirmed"),
        is_active: call.input["is_open"] === undefined || isGiven(call.input, "is_open"),
        ...(milestone === "" ? {} : { default_milestone: milestone }),
      },
    ],
  });
  return { id: idOf(call.store, "product", name) };
}

function createComponent(call: Call): Json {
  needComponentEditor(call, "add new components");
  const { id: productId, name: product } = editableProduct(call, required(call, "product"));
  const name = required(call, "name");
  const contact = firstText(call.input, "default_qa_contact");
  const component = {
    name,
    description: required(call, "description"),
    default_assignee: required(call, "default_assignee"),
    ...(contact === undefined ? {} : { default_qa_contact: contact }),
  };
  const found = "SELECT id FROM components WHERE product_id = ? AND name = ?";
  if (call.store.get(found, [productId, name])) {
    throw new Fault(400, 1200, `The product '${product}' has a component named '${name}' already.`);
  }
  applyCatalog(call.store, { products: [{ name: product, components: [component] }] });
  return { id: call.store.get<{ readonly id: number }>(found, [productId, name])?.id ?? null };
}

function createFlagType(call: Call): Json {
  needGroup(call, "editcomponents", "add new flag types");
  const name = readFlagTypeName(required(call, "name"));
  const description = readFlagTypeDescription(required(call, "description"));
  const target = readTarget(firstText(call.input, "target_type") ?? "bug");
  applyFlagTypes(call.store, [{ name, target, description }]);
  return { id: idOf(call.store, "flag type", name) };
}

function readTarget(target: string): "bug" | "attachment" {
  if (target === "bug" || target === "attachment") return target;
  throw new Fault(400, 68000, `The target type was neither bug nor attachment but rather ${target}.`);
}

function required(call: Call, name: string): string {
  const value = firstText(call.input, name)?.trim() ?? "";
  if (value === "") throw faults.parameterMissing(name);
  return value;
}
