import { DEFAULT_PEOPLE } from "../../wire/bug-fields.ts";
import type { Component, Product } from "../bug.ts";
import { type Choice, findByName } from "../bug-fields/choices.ts";
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

/** The component with this name in any letter case. @throws Fault object_does_not_exist if there is none */
export function findComponent(store: Store, product: Product, name: string): Component {
  const row = store.get<ComponentRow>(`${COMPONENTS} WHERE product_id = ? AND components.name = ?`, [product.id, name]);
  if (!row) throw noSuchPartFault("component", name, product);
  return toComponent(row);
}

/** The component with this id; undefined if there is none. */
export function componentById(store: Store, id: number): Component | undefined {
  const row = store.get<ComponentRow>(`${COMPONENTS} WHERE components.id = ?`, [id]);
  return row && toComponent(row);
}

/** The default people of components, each with the column of its id. */
const DEFAULT_PERSON_COLUMNS = DEFAULT_PEOPLE.map((person) => ({ ...person, column: `${person.written}_id` }));

type ComponentRow = Readonly<Record<string, number | string | null>> & { id: number; name: string };

/** SQL of components, with the ids and logins of their default people. */
export const COMPONENTS = `
  SELECT components.id, name, description, is_active,
    ${DEFAULT_PERSON_COLUMNS.map(({ column, field, read }) => `${column}, coalesce(${field}.login, '') AS ${read}`).join(", ")}
  FROM components
  ${DEFAULT_PERSON_COLUMNS.map(
    ({ field, column, isOptional }) => `${isOptional ? "LEFT " : ""}JOIN users AS ${field} ON ${field}.id = ${column}`,
  ).join("\n  ")}`;

function toComponent(row: ComponentRow): Component {
  const people = DEFAULT_PERSON_COLUMNS.map(({ field, column, read }) => {
    const id = row[column] ?? null;
    return [field, id === null ? null : { id: Number(id), login: String(row[read]) }];
  });
  const { id, name, is_active } = row;
  return { id, name, is_active: is_active === 1, people: Object.fromEntries(people) as Component["people"] };
}

/** Kind of product part that bugs store by name. */
export type ProductPart = "version" | "milestone";

/** The version or milestone with this name in any letter case. @throws Fault object_does_not_exist if there is none */
export function findPart(store: Store, product: Product, { part, name }: { part: ProductPart; name: string }): Choice {
  const choice = findByName(productParts(store, product.id, part), name);
  if (!choice) throw noSuchPartFault(part, name, product);
  return choice;
}

/** All versions or milestones of a product, in order. */
export function productParts(store: Store, productId: number, part: ProductPart): Choice[] {
  return store.all<{ name: string; is_active: number }>(PART_QUERIES[part], [productId]).map(withBooleans);
}

const PART_QUERIES: Readonly<Record<ProductPart, string>> = {
  version: "SELECT name, is_active FROM versions WHERE product_id = ? ORDER BY id",
  milestone: "SELECT name, is_active FROM milestones WHERE product_id = ? ORDER BY sort_key, name",
};

function noSuchPartFault(part: string, name: string, product: Product): Fault {
  return new Fault("object_does_not_exist", `There is no ${part} named '${name}' in the '${product.name}' product.`);
}

/** Comparator of version names: numbers numerically (9 before 10, 1.9 before 1.10) and before words. */
export const compareVersions = new Intl.Collator("en", { numeric: true }).compare;
