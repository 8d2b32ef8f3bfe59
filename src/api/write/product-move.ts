import { BtError } from "../../errors.ts";
import { type Bug, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { type Catalog, type CatalogField, requireField } from "../catalog/catalog.ts";
import { activeNames, legalNames } from "../catalog/legal-values.ts";
import { commandFlagName } from "../operations/operation.ts";

/**
 * Checks that the new product has the bug's component, version and milestone. A server would refuse them one field at a
 * time.
 * @throws BtError of kind usage with the product's values
 */
export function checkProductMove(bugs: readonly Bug[], body: JsonObject, catalog: Catalog): void {
  const product = body["product"];
  if (typeof product !== "string") return;
  const moving = bugs.filter((bug) => bug.product !== product);
  const details: string[] = [];
  for (const name of PER_PRODUCT_FIELDS) {
    if (body[name] !== undefined) continue;
    const field = requireField(catalog, name);
    const lost = moving.filter((bug) => lacksValue(product, field, bug[name]));
    if (lost.length === 0) continue;
    const values = [...new Set(lost.map((bug) => bug[name]))].join(", ");
    const valid = activeNames(field, product).join(", ");
    details.push(`--${commandFlagName(name)}: ${values} not found; valid values: ${valid}`);
  }
  if (details.length === 0) return;
  throw new BtError("usage", `${product} lacks values that the bugs have`, {
    details,
    hint: "give the new values in the same command",
    changed: "nothing",
  });
}

/** True for a move to another product in which a bug may lose its last group, and become public. */
export function mayLoseGroups({ product, groups }: Bug, body: JsonObject): boolean {
  const isMove = typeof body["product"] === "string" && body["product"] !== product;
  const { add, set } = isObject(body["groups"]) ? body["groups"] : ({} as JsonObject);
  return isMove && (groups ?? []).length > 0 && itemsIn(add).length + itemsIn(set).length === 0;
}

/** True for a product that has values of a field, but not this one of a bug. */
export function lacksValue(product: string, field: CatalogField, value: string | null | undefined): boolean {
  const names = legalNames(field, product) ?? [];
  return names.length > 0 && !names.includes(value ?? "");
}
