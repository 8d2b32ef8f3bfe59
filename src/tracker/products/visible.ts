import type { Call } from "../call.ts";

/** How a requester may meet a product: search it, file in it, or either. */
export type ProductAccess = "selectable" | "enterable" | "accessible";

/** The ids of the products that the requester may search, file bugs in, or either; in the order of ids. */
export function productIds({ store }: Call, access: ProductAccess): readonly number[] {
  return store.all<{ readonly id: number }>(PRODUCTS[access]).map(({ id }) => id);
}

/** A product by name in any letter case, when the requester may see or enter it. */
export function accessibleProduct(call: Call, name: string) {
  const row = call.store.get<ProductRow>(
    "SELECT id, name, default_milestone, has_unconfirmed, is_active FROM products WHERE name = ?",
    [name],
  );
  return row && productIds(call, "accessible").includes(row.id) ? row : undefined;
}

/** A product as rules need to know one. */
export type ProductRow = {
  readonly id: number;
  readonly name: string;
  readonly default_milestone: string;
  readonly has_unconfirmed: number;
  readonly is_active: number;
};

const SELECTABLE = `SELECT id FROM products WHERE NOT EXISTS (
  SELECT 1 FROM group_controls WHERE product_id = products.id AND member_control = 3
    AND group_id NOT IN (SELECT group_id FROM viewer_groups))`;

const ENTERABLE = `SELECT id FROM products WHERE is_active
  AND EXISTS (SELECT 1 FROM components WHERE product_id = products.id AND is_active)
  AND EXISTS (SELECT 1 FROM versions WHERE product_id = products.id AND is_active)
  AND NOT EXISTS (
    SELECT 1 FROM group_controls WHERE product_id = products.id AND entry
      AND group_id NOT IN (SELECT group_id FROM viewer_groups))`;

const PRODUCTS: Readonly<Record<ProductAccess, string>> = {
  selectable: `${SELECTABLE} ORDER BY id`,
  enterable: `${ENTERABLE} ORDER BY id`,
  accessible: `${SELECTABLE} UNION ${ENTERABLE} ORDER BY id`,
};
