import { DEFAULT_PEOPLE } from "../../wire/bug-fields.ts";
import type { Component, Product } from "../bug.ts";
import { type Choice, findByName } from "../bug-fields/choices.ts";
import { Fault } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { withBooleans } from "../values.ts";

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
