import { usage } from "../../errors.ts";
import type { CatalogField } from "../catalog.ts";
import { legalNames, productsWith, wordFor } from "../legal-value.ts";
import { suggest } from "../nearest.ts";
import { isGroup, type Query } from "./tree.ts";

/**
 * Refuses a search for a product together with components, versions or milestones of which it has none: every name is
 * legal, and yet no bug can match.
 */
export function checkPlaces(query: Query): void {
  const asked = (isGroup(query) && query.kind === "all" ? query.of : [query]).flatMap(equalities);
  const products = asked.find(({ field }) => field.chart === "product")?.values;
  if (products === undefined) return;
  for (const { field, values } of asked) if (field.isPerProduct) checkPlace(field, values, products);
}

type Equality = { readonly field: CatalogField; readonly values: readonly string[] };

function equalities(query: Query): readonly Equality[] {
  return query.kind === "test" && query.op === "=" ? [query] : [];
}

function checkPlace(field: CatalogField, values: readonly string[], products: readonly string[]): void {
  const names = products.flatMap((product) => legalNames(field, product) ?? values);
  if (values.some((value) => names.includes(value))) return;
  const owners = [...new Set(values.flatMap((value) => productsWith(field, value)))];
  const [first = ""] = values;
  const place = products.length === 1 ? `${products[0]} has no` : `none of ${products.join(", ")} has the`;
  throw usage(
    `${place} ${wordFor(field)} "${values.join('" or "')}"`,
    `it belongs to ${owners.join(", ")}; ${suggest(first, names) ?? `bt field values ${field.api} lists others`}`,
  );
}
