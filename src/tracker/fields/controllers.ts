import type { Call } from "../call.ts";
import { productIds } from "../products/visible.ts";

/**
 * Whether the requester may know a value of the field that decides where another field or value is shown. Only names of
 * products and what belongs to them can be hidden.
 */
export function knownController({ call, field }: Controller): (value: string) => boolean {
  const sql = field === null ? undefined : NAMES[field];
  if (sql === undefined) return () => true;
  const ids = JSON.stringify(productIds(call, "accessible"));
  const names = new Set(call.store.all<{ readonly name: string }>(sql, [ids]).map(({ name }) => name.toLowerCase()));
  return (value) => names.has(value.toLowerCase());
}

/** A requester, and the name of the field that decides. */
export type Controller = { readonly call: Call; readonly field: string | null };

/** The classifications that the requester may know: without products, or with one that is accessible. */
export const KNOWN_CLASSIFICATIONS = `SELECT name, sort_key FROM classifications
  WHERE id NOT IN (SELECT classification_id FROM products)
    OR id IN (SELECT classification_id FROM products WHERE id IN (SELECT value FROM json_each(?)))
  ORDER BY sort_key, name`;

const NAMES: Readonly<Record<string, string>> = {
  classification: KNOWN_CLASSIFICATIONS,
  component: "SELECT name FROM components WHERE product_id IN (SELECT value FROM json_each(?))",
  product: "SELECT name FROM products WHERE id IN (SELECT value FROM json_each(?))",
};
