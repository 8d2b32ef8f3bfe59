import type { Product } from "../bug.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { withBooleans } from "../values.ts";

/** Access to a product: searchable, open for new bugs, or either. */
export type ProductAccess = "selectable" | "enterable" | "accessible";

/**
 * Ids of the products with this access for the requester, ascending.
 * @see Bugzilla/User.pm, get_selectable_products and get_enterable_products
 */
export function productIds({ store }: Call, access: ProductAccess): number[] {
  return store.all<{ id: number }>(PRODUCTS[access]).map(({ id }) => id);
}

/** The accessible product with this name in any letter case; undefined if there is none. */
export function accessibleProduct(call: Call, name: string) {
  const row = call.store.get<ProductRow>(`${PRODUCT} name = ?`, [name]);
  return row && productIds(call, "accessible").includes(row.id) ? row : undefined;
}

/** A stored product. */
export type ProductRow = {
  id: number;
  name: string;
  default_milestone: string;
  has_unconfirmed: number;
  is_active: number;
};

const PRODUCT = "SELECT id, name, default_milestone, has_unconfirmed, is_active FROM products WHERE";

/** SQL test of a product: the requester is in all groups whose controls have this. */
function permits(control: "member_control = 3" | "entry" | "can_edit"): string {
  return `NOT EXISTS (
    SELECT 1 FROM group_controls WHERE product_id = products.id AND ${control}
      AND group_id NOT IN (SELECT group_id FROM viewer_groups))`;
}

const SELECTABLE = `SELECT id FROM products WHERE ${permits("member_control = 3")}`;

const ENTERABLE = `SELECT id FROM products WHERE is_active
  AND EXISTS (SELECT 1 FROM components WHERE product_id = products.id AND is_active)
  AND EXISTS (SELECT 1 FROM versions WHERE product_id = products.id AND is_active)
  AND ${permits("entry")}`;

const PRODUCTS: Readonly<Record<ProductAccess, string>> = {
  selectable: `${SELECTABLE} ORDER BY id`,
  enterable: `${ENTERABLE} ORDER BY id`,
  accessible: `${SELECTABLE} UNION ${ENTERABLE} ORDER BY id`,
};

/**
 * The product with this name in any letter case.
 * @throws Fault param_required if the name is empty, product_access_denied if the requester may not file bugs in it
 */
export function enterableProduct({ store }: Call, text: string): Product {
  const name = text.trim();
  if (name === "") throw new Fault("param_required", "You must select/enter a product.");
  const row = store.get<ProductRow>(`${PRODUCT} name = ? AND ${permits("entry")}`, [name]);
  const product = row && withBooleans(row);
  if (!product)
    throw new Fault(
      "product_access_denied",
      `Sorry, either the product ${name} does not exist or you aren't authorized to enter a bug into it.`,
    );
  if (!product.is_active)
    throw new Fault(
      "product_access_denied",
      `Sorry, entering a bug into the product ${product.name} has been disabled.`,
    );
  return product;
}

/** Checks that no group control forbids the requester to edit bugs of a product. @throws Fault product_edit_denied */
export function refuseReadOnlyProduct({ store }: Call, product: Product): void {
  if (!store.get(`${PRODUCT} id = ? AND ${permits("can_edit")}`, [product.id]))
    throw new Fault("product_edit_denied", `You are not permitted to edit bugs in product ${product.name}.`);
}

/** The product with this id; undefined if there is none. */
export function productById(store: Store, id: number): Product | undefined {
  const row = store.get<ProductRow>(`${PRODUCT} id = ?`, [id]);
  return row && withBooleans(row);
}
