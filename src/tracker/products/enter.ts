import type { Call } from "../call.ts";
import { Fault } from "../fault.ts";
import type { Product } from "../rules/bug.ts";
import type { Store } from "../store/store.ts";

/** The product of that name in any letter case, refused when the requester may not file bugs in it. */
export function enterableProduct({ store }: Call, text: string): Product {
  const name = text.trim();
  if (name === "") throw new Fault(400, 50, "You must select/enter a product.");
  const row = store.get<{ readonly id: number }>("SELECT id FROM products WHERE name = ?", [name]);
  const product = row && productById(store, row.id);
  if (!product || lacksGroup(store, ENTRY, product.id)) {
    throw new Fault(
      401,
      106,
      `Sorry, either the product ${name} does not exist or you aren't authorized to enter a bug into it.`,
    );
  }
  if (!product.is_active) {
    throw new Fault(401, 106, `Sorry, entering a bug into the product ${product.name} has been disabled.`);
  }
  return product;
}

/** Refuses changes of bugs in a product that only members of certain groups may edit. */
export function refuseReadOnly({ store }: Call, product: Product): void {
  if (lacksGroup(store, CAN_EDIT, product.id)) {
    throw new Fault(401, 109, `You are not permitted to edit bugs in product ${product.name}.`);
  }
}

/** A product by its id. */
export function productById(store: Store, id: number): Product | undefined {
  const row = store.get<ProductRow>(
    "SELECT id, name, default_milestone, has_unconfirmed, is_active FROM products WHERE id = ?",
    [id],
  );
  return row && { ...row, has_unconfirmed: row.has_unconfirmed === 1, is_active: row.is_active === 1 };
}

type ProductRow = {
  readonly id: number;
  readonly name: string;
  readonly default_milestone: string;
  readonly has_unconfirmed: number;
  readonly is_active: number;
};

const ENTRY = `SELECT 1 FROM group_controls WHERE product_id = ? AND entry = 1
  AND group_id NOT IN (SELECT group_id FROM viewer_groups)`;
const CAN_EDIT = `SELECT 1 FROM group_controls WHERE product_id = ? AND can_edit = 1
  AND group_id NOT IN (SELECT group_id FROM viewer_groups)`;

function lacksGroup(store: Store, sql: string, productId: number): boolean {
  return store.get(sql, [productId]) !== undefined;
}
