import type { Json, JsonObject } from "../../wire/exchange.ts";
import { findByName } from "../bug-fields/choices.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults, raise } from "../http/fault.ts";
import { isFlagSet, readIdsAndNames } from "../http/input.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { uniqueBy } from "../unique-by.ts";
import { requireGroup } from "../users/requester.ts";
import { readMilestoneName, readProductDescription, readProductName } from "./create.ts";
import { productParts } from "./parts.ts";

/**
 * Route of Update Product, for members of `editcomponents`: one change for all products named.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/product.html#update-product
 */
export const productUpdateRoutes: readonly Route[] = [
  { method: "PUT", path: "/product/{id_or_name}", isAudited: true, handle: (call) => updateProducts(call) },
];

function updateProducts(call: Call): Json {
  requireGroup(call, "editcomponents", "add, modify or delete products");
  checkParameters(call.input);
  const products = namedProducts(call);
  if (products.length > 1 && call.input["name"] !== undefined) {
    throw new Fault("other", "You cannot set the name when modifying several products at once.");
  }
  return { products: products.map((product) => ({ id: product.id, changes: changeProduct(call, product) })) };
}

type ProductRow = {
  id: number;
  name: string;
  description: string;
  default_milestone: string;
  is_open: number;
  has_unconfirmed: number;
};

type Values = Omit<ProductRow, "id">;

const READERS: { readonly [Name in keyof Values]: (call: Call, product: ProductRow) => Values[Name] } = {
  name: (call, { id }) => readProductName(call, call.input["name"], id),
  description: ({ input }) => readProductDescription(input["description"]),
  default_milestone: readDefaultMilestone,
  is_open: ({ input }) => Number(isFlagSet(input, "is_open")),
  has_unconfirmed: ({ input }) => Number(isFlagSet(input, "has_unconfirmed")),
};

// Unchanged where milestones are off. @see Bugzilla/Product.pm, _check_default_milestone
function readDefaultMilestone({ store, input, parameters }: Call, product: ProductRow): string {
  if (!isEnabled(parameters.usetargetmilestone)) return product.default_milestone;
  const name = readMilestoneName(input["default_milestone"]) || "---";
  const milestone = findByName(productParts(store, product.id, "milestone"), name);
  if (!milestone) {
    throw new Fault(
      "other",
      `You must create the milestone '${name}' before it can be made the default milestone for product '${product.name}'.`,
    );
  }
  return milestone.name;
}

const TARGETS = ["ids", "names", "callback", "restrict_login"];
const CREDENTIALS = /^(Bugzilla_)?(api_key|token|login|password)$/;

function checkParameters(input: JsonObject): void {
  const known = new Set([...Object.keys(READERS), ...TARGETS]);
  const unknown = Object.keys(input).find((name) => !known.has(name) && !CREDENTIALS.test(name));
  if (unknown !== undefined) {
    throw new Fault("unknown_method", `The requested method 'Bugzilla::Product::set_${unknown}' was not found.`);
  }
}

function namedProducts(call: Call): ProductRow[] {
  const { ids, names } = readIdsAndNames(call);
  const find = (sql: string, value: string) => call.store.get<ProductRow>(sql, [value]);
  const found = [
    ...ids.map((id) => find(`${PRODUCT} CAST(id AS TEXT) = ?`, id) ?? raise(faults.noSuchProductId(id))),
    ...names.map((name) => find(`${PRODUCT} name = ?`, name) ?? raise(faults.noSuchProduct(name))),
  ];
  return uniqueBy(found, (product) => product.id);
}

const PRODUCT = `SELECT id, name, description, default_milestone, is_active AS is_open, has_unconfirmed
  FROM products WHERE`;

function changeProduct(call: Call, product: ProductRow): JsonObject {
  const sent = Object.entries(READERS).filter(([name]) => call.input[name] !== undefined);
  const after: ProductRow = {
    ...product,
    ...Object.fromEntries(sent.map(([name, read]) => [name, read(call, product)])),
  };
  call.store.run(UPDATE, { ...after });
  for (const rename of after.name === product.name ? [] : PRODUCT_RENAMED) {
    call.store.run(rename, { name: product.name, new_name: after.name });
  }
  return Object.fromEntries(
    Object.keys(READERS)
      .map((name) => [name, product[name as keyof Values], after[name as keyof Values]] as const)
      .filter(([, removed, added]) => removed !== added)
      .map(([name, removed, added]) => [name, { removed: String(removed), added: String(added) }]),
  );
}

const UPDATE = `UPDATE products SET name = @name, description = @description, default_milestone = @default_milestone,
  is_active = @is_open, has_unconfirmed = @has_unconfirmed WHERE id = @id`;

/** SQL that renames a product in the visibility of fields and values. */
export const PRODUCT_RENAMED = [
  `UPDATE field_visibility SET value = @new_name WHERE value = @name
    AND field_id IN (SELECT id FROM fields WHERE visibility_field = 'product')`,
  `UPDATE field_values SET visible_for = @new_name WHERE visible_for = @name
    AND field_id IN (SELECT id FROM fields WHERE value_field = 'product')`,
] as const;
