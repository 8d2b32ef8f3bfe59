import { DEFAULT_PEOPLE, type DefaultPerson, type WrittenDefaultPeople } from "../../wire/default-people.ts";
import type { ErrorName } from "../../wire/error-codes.ts";
import type { Json } from "../../wire/exchange.ts";
import { readFlagTypeDescription, readFlagTypeName } from "../flags/update.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { firstTextValue, isFlagSet, trimmedText } from "../http/input.ts";
import { requireGroup } from "../http/requester.ts";
import { idByName } from "../setup/lookup.ts";
import { applyProducts } from "../setup/products.ts";
import { applyFlagTypes } from "../setup/setup.ts";
import { asText } from "../values.ts";
import { editableProduct, requireComponentEditor } from "./access.ts";

/**
 * Routes of Create Product, Create Component and Create Flag Type.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/product.html#create-product
 */
export const productCreateRoutes: readonly Route[] = [
  { method: "POST", path: "/product", status: 201, isAudited: true, handle: (call) => createProduct(call) },
  { method: "POST", path: "/component", status: 201, isAudited: true, handle: (call) => createComponent(call) },
  { method: "POST", path: "/flag_type", status: 201, isAudited: true, handle: (call) => createFlagType(call) },
];

function createProduct(call: Call): Json {
  requireGroup(call, "editcomponents", "add new products");
  const name = readProductName(call, call.input["name"]);
  const description = readProductDescription(call.input["description"]);
  const version = readFirstVersion(call.input["version"]);
  const milestone = readMilestoneName(call.input["default_milestone"]);
  applyProducts(call.store, {
    products: [
      {
        name,
        description,
        versions: [version],
        has_unconfirmed: call.input["has_unconfirmed"] === undefined || isFlagSet(call.input, "has_unconfirmed"),
        is_active: call.input["is_open"] === undefined || isFlagSet(call.input, "is_open"),
        ...(milestone === "" ? {} : { default_milestone: milestone }),
      },
    ],
  });
  return { id: idByName(call.store, "product", name) };
}

function createComponent(call: Call): Json {
  requireComponentEditor(call, "add new components");
  const { id: productId, name: product } = editableProduct(call, requiredText(call, "product"));
  const name = requiredText(call, "name");
  const component = { name, description: requiredText(call, "description"), ...readDefaultPeople(call) };
  const FIND_COMPONENT = "SELECT id FROM components WHERE product_id = ? AND name = ?";
  if (call.store.get(FIND_COMPONENT, [productId, name])) {
    throw new Fault("component_already_exists", `The product '${product}' has a component named '${name}' already.`);
  }
  applyProducts(call.store, { products: [{ name: product, components: [component] }] });
  return { id: call.store.get<{ id: number }>(FIND_COMPONENT, [productId, name])?.id ?? null };
}

function readDefaultPeople(call: Call): WrittenDefaultPeople {
  const read = ({ written, isOptional }: DefaultPerson) =>
    isOptional ? firstTextValue(call.input, written) : requiredText(call, written);
  const people = DEFAULT_PEOPLE.map((person) => [person.written, read(person)] as const);
  return Object.fromEntries(people.filter(([, login]) => login !== undefined));
}

function createFlagType(call: Call): Json {
  requireGroup(call, "editcomponents", "add new flag types");
  const name = readFlagTypeName(requiredText(call, "name"));
  const description = readFlagTypeDescription(requiredText(call, "description"));
  const target = readTarget(firstTextValue(call.input, "target_type") ?? "bug");
  applyFlagTypes(call.store, [{ name, target, description }]);
  return { id: idByName(call.store, "flag type", name) };
}

function readTarget(target: string): "bug" | "attachment" {
  if (target === "bug" || target === "attachment") return target;
  throw new Fault("other_fatal", `The target type was neither bug nor attachment but rather ${target}.`);
}

function requiredText(call: Call, name: string): string {
  const value = trimmedText(call.input, name);
  if (value === "") throw faults.parameterMissing(name);
  return value;
}

const MAX_LENGTH = 64; // of products, versions and milestones; @see Bugzilla/Constants.pm, MAX_PRODUCT_SIZE

/**
 * A valid name for the product with `id` (0: a new product).
 * @throws Fault product_blank_name, product_name_too_long or product_name_already_in_use
 */
export function readProductName({ store }: Call, value: Json | undefined, id = 0): string {
  const name = asText(value, "name").trim();
  if (name === "") throw new Fault("product_blank_name", "You must enter a name for the product.");
  checkLength("product", name, "product_name_too_long");
  const other = store.get<{ name: string }>("SELECT name FROM products WHERE name = ? AND id <> ?", [name, id]);
  if (other) {
    const differsInCase = `differs from existing product '${other.name}' only in case`;
    const problem = other.name === name ? "already exists" : differsInCase;
    throw new Fault("product_name_already_in_use", `The product name '${name}' ${problem}.`);
  }
  return name;
}

/** A product's description. @throws Fault product_must_have_description */
export function readProductDescription(value: Json | undefined): string {
  const description = asText(value, "description").trim();
  if (description === "")
    throw new Fault("product_must_have_description", "You must enter a description for this product.");
  return description;
}

/** The initial version of a product. @throws Fault product_must_have_version */
function readFirstVersion(value: Json | undefined): string {
  const version = asText(value, "version").trim();
  if (version === "")
    throw new Fault("product_must_have_version", "You must enter a valid version to create a new product.");
  checkLength("version", version, "other");
  return version;
}

/** A milestone name; may be empty. @throws Fault other if it is too long */
export function readMilestoneName(value: Json | undefined): string {
  const name = asText(value, "default_milestone").trim();
  checkLength("milestone", name, "other");
  return name;
}

function checkLength(kind: string, name: string, error: ErrorName): void {
  const { length } = [...name];
  if (length > MAX_LENGTH) {
    throw new Fault(
      error,
      `The name of a ${kind} is limited to ${MAX_LENGTH} characters. '${name}' is too long (${length} characters).`,
    );
  }
}
