import type { Call } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { isIn } from "../people/requester.ts";
import { needGroup } from "../people/rights.ts";
import { accessibleProduct, type ProductRow } from "./visible.ts";

/** Lets those go on who edit components, everywhere or in some product. */
export function needComponentEditor(call: Call, what: string): void {
  if (editedProducts(call).size === 0) needGroup(call, "editcomponents", what);
}

/** Whether the requester may change the parts of a product, by a global group or one that the product names. */
export function mayEditComponents(call: Call, productId: number): boolean {
  return isIn(call.requester, "editcomponents") || editedProducts(call).has(productId);
}

/**
 * The product of that name whose parts the requester may change.
 * @see Bugzilla::User::check_can_admin_product
 */
export function editableProduct(call: Call, name: string): ProductRow {
  const product = accessibleProduct(call, name);
  if (!product) throw faults.noSuchProduct(name);
  if (!mayEditComponents(call, product.id)) {
    throw new Fault(400, 32000, `You are not allowed to edit properties of product '${product.name}'.`);
  }
  return product;
}

/** The ids of the products that name a group of the requester as one that edits them. */
function editedProducts({ store }: Call): ReadonlySet<number> {
  return new Set(store.all<{ readonly id: number }>(EDITED).map(({ id }) => id));
}

const EDITED = `SELECT DISTINCT product_id AS id FROM group_controls
  WHERE edit_components AND group_id IN (SELECT group_id FROM viewer_groups)`;
