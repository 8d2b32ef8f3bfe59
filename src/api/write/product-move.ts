import { BtError } from "../../errors.ts";
import { type Bug, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { type Catalog, type CatalogField, requireField, STANDARD_FIELDS } from "../catalog/catalog.ts";
import { activeNames, legalNames } from "../catalog/legal-values.ts";
import { commandFlagName } from "../operations/operation.ts";
import { allOf, type Query } from "../query/tree.ts";
import type { Searches } from "../search/searches.ts";
import type { ProductGroups } from "./update-part.ts";

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

/** Groups of a product by its newest bugs, and by one search per group not found among those. */
export async function readProductGroups(product: string, groups: string[], searches: Searches): Promise<ProductGroups> {
  const search = (conditions: Query[], limit: number) =>
    searches.first({ query: allOf(conditions) }, { include: ["groups"], limit });
  const inProduct = equalityTest("product", product);
  const newest = await search([inProduct], SAMPLE);
  const allowed = new Set(newest.flatMap((bug) => bug.groups ?? []));
  for (const group of groups) {
    if (!allowed.has(group) && (await search([inProduct, equalityTest("groups", group)], 1)).length > 0)
      allowed.add(group);
  }
  const [first, ...others] = newest.map((bug) => bug.groups ?? []);
  return { product, allowed, common: (first ?? []).filter((group) => others.every((more) => more.includes(group))) };
}

const SAMPLE = 100;

function equalityTest(name: string, value: string): Query {
  return { kind: "test", field: requireField(STANDARD_FIELDS, name), op: "=", values: [value] };
}

/** Expected groups of a bug after a product move; undefined if it does not move. */
export function groupsAfter(bug: Bug, body: JsonObject, target: ProductGroups | undefined): string[] | undefined {
  if (target === undefined || bug.product === target.product) return undefined;
  const moved = [...(bug.groups ?? []).filter((group) => target.allowed.has(group)), ...target.common];
  return editedGroups([...new Set(moved)], body);
}

/**
 * True if a move may leave a bug without groups: none of its groups is known to be allowed in the product, and none is
 * added.
 */
export function mayBecomePublic(bug: Bug, body: JsonObject, target: ProductGroups | undefined): boolean {
  const before = bug.groups ?? [];
  if (before.length === 0 || target === undefined || bug.product === target.product) return false;
  return (
    editedGroups(
      before.filter((group) => target.allowed.has(group)),
      body,
    ).length === 0
  );
}

function editedGroups(groups: string[], { groups: edit }: JsonObject): string[] {
  if (!isObject(edit)) return groups;
  if (edit["set"] !== undefined) return itemsIn(edit["set"]).map(String);
  const removed = itemsIn(edit["remove"]).map(String);
  return [...new Set([...groups, ...itemsIn(edit["add"]).map(String)])].filter((group) => !removed.includes(group));
}
