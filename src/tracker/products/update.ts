import type { Json } from "../../wire/exchange.ts";
import { findByName } from "../bug-fields/choices.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { requireGroup } from "../http/requester.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { findTargets, type ObjectChanges, type ObjectClass, type Update, updateObjects } from "../update-objects.ts";
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
  return { products: updateObjects(call, PRODUCTS).map(({ after, changes }) => ({ id: after.id, changes })) };
}

type ProductRow = {
  id: number;
  name: string;
  description: string;
  default_milestone: string;
  is_open: number;
  has_unconfirmed: number;
};

const PRODUCTS: ObjectClass<ProductRow, Exclude<keyof ProductRow, "id">> = {
  name: "Product",
  find: (call) =>
    findTargets(call, {
      select: STORED_PRODUCT,
      nameColumn: "name",
      noSuchName: faults.noSuchProduct,
      noSuchId: faults.noSuchProductId,
    }),
  readers: {
    name: (call, { id }) => readProductName(call, call.input["name"], id),
    description: ({ input }) => readProductDescription(input["description"]),
    default_milestone: readDefaultMilestone,
    is_open: ({ input }) => Number(isFlagSet(input, "is_open")),
    has_unconfirmed: ({ input }) => Number(isFlagSet(input, "has_unconfirmed")),
  },
  unique: "name",
  otherParameters: ["ids", "names"],
  save: saveProduct,
};

const STORED_PRODUCT = `SELECT id, name, description, default_milestone, is_active AS is_open, has_unconfirmed
  FROM products WHERE`;

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

function saveProduct({ store }: Call, { before, after }: Update<ProductRow>): ObjectChanges {
  store.run(UPDATE_PRODUCT, { ...after });
  for (const rename of after.name === before.name ? [] : PRODUCT_RENAMED) {
    store.run(rename, { name: before.name, new_name: after.name });
  }
  return {};
}

const UPDATE_PRODUCT = `UPDATE products SET name = @name, description = @description, default_milestone = @default_milestone,
  is_active = @is_open, has_unconfirmed = @has_unconfirmed WHERE id = @id`;

/** SQL that renames a product in the visibility of fields and values. */
export const PRODUCT_RENAMED = [
  `UPDATE field_visibility SET value = @new_name WHERE value = @name
    AND field_id IN (SELECT id FROM fields WHERE visibility_field = 'product')`,
  `UPDATE field_values SET visible_for = @new_name WHERE visible_for = @name
    AND field_id IN (SELECT id FROM fields WHERE value_field = 'product')`,
] as const;
