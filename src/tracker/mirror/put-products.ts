import type { JsonObject } from "../../wire/exchange.ts";
import type { ReceivedMetadata } from "../../wire/mirror.ts";
import { DEFAULT_PERSON_COLUMNS } from "../products/default-people.ts";
import type { Store } from "../store/store.ts";
import { bitOf, objectOf, objectsOf, textOf, wholeOf } from "./received.ts";
import type { Registry } from "./registry.ts";
import { keepWhole } from "./rest.ts";

/**
 * Stores the products of a tracker with their parts and flag types; products that are no longer listed are kept,
 * hidden.
 */
export function putProducts(store: Store, registry: Registry, { products, enterable }: ReceivedMetadata): void {
  store.exec(
    "DELETE FROM flag_type_inclusions; DELETE FROM group_controls; DELETE FROM mirror_rest WHERE kind = 'product'",
  );
  for (const product of products) {
    const id = wholeOf(product["id"]);
    putProduct(store, product);
    putParts(store, id, product);
    for (const component of objectsOf(product["components"]))
      putComponent(store, registry, { productId: id, component });
    keepWhole(store, ["product", id], product);
    if (enterable && !enterable.includes(id)) store.run(CLOSE, [id]);
  }
  const ids = JSON.stringify(products.map(({ id }) => wholeOf(id)));
  store.run("UPDATE products SET is_active = 0 WHERE id NOT IN (SELECT value FROM json_each(?))", [ids]);
  store.run(`${HIDE} WHERE id NOT IN (SELECT value FROM json_each(?))`, [ids]);
}

// Group 0 has no members.
const CLOSE = "INSERT INTO group_controls (product_id, group_id, entry) VALUES (?, 0, 1)";
const HIDE = `INSERT OR REPLACE INTO group_controls (product_id, group_id, entry, member_control)
  SELECT id, 0, 1, 3 FROM products`;

/** Hides a product from lists of products: the tracker does not list it. */
export function hideProduct(store: Store, id: number): void {
  store.run(`${HIDE} WHERE id = ?`, [id]);
}

function putProduct(store: Store, product: JsonObject): void {
  const classification = textOf(product["classification"]) || "Unclassified";
  store.run("INSERT INTO classifications (name) VALUES (?) ON CONFLICT DO NOTHING", [classification]);
  const row = {
    id: wholeOf(product["id"]),
    name: textOf(product["name"]),
    classification,
    description: textOf(product["description"]),
    active: bitOf(product["is_active"]),
    milestone: textOf(product["default_milestone"]) || "---",
    unconfirmed: bitOf(product["has_unconfirmed"]),
  };
  freeName(store, "products", row);
  store.run(PUT_PRODUCT, row);
}

const PUT_PRODUCT = `INSERT INTO products
    (id, name, classification_id, description, is_active, default_milestone, has_unconfirmed)
  SELECT @id, @name, id, @description, @active, @milestone, @unconfirmed
  FROM classifications WHERE classifications.name = @classification
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, classification_id = excluded.classification_id,
    description = excluded.description, is_active = excluded.is_active,
    default_milestone = excluded.default_milestone, has_unconfirmed = excluded.has_unconfirmed`;

type Named = { readonly id: number; readonly name: string; readonly productId?: number };

/**
 * Frees the name of a thing with the server's id: another one that has it was given an id of this file, and its bugs are
 * this one's, or it has been renamed.
 */
function freeName(store: Store, table: "products" | "components", { id, name, productId }: Named): void {
  const [where, values] = productId === undefined ? ["", []] : [" AND product_id = ?", [productId]];
  const other = store.get<{ readonly id: number }>(`SELECT id FROM ${table} WHERE name = ? AND id <> ?${where}`, [
    ...[name, id],
    ...values,
  ]);
  if (!other) return;
  if (other.id < OWN_IDS) {
    store.run(`UPDATE ${table} SET name = ? WHERE id = ?`, [`${name} (${other.id})`, other.id]);
    return;
  }
  const column = table === "products" ? "product_id" : "component_id";
  store.run(`UPDATE bugs SET ${column} = ? WHERE ${column} = ?`, [id, other.id]);
  if (table === "products") store.run(MOVE_COMPONENTS, [id, other.id]);
  store.run(`DELETE FROM ${table} WHERE id = ?`, [other.id]);
}

const MOVE_COMPONENTS = "UPDATE OR IGNORE components SET product_id = ? WHERE product_id = ?";
const OWN_IDS = 2 ** 40;

type PutComponent = { readonly productId: number; readonly component: JsonObject };

function putComponent(store: Store, { person }: Registry, { productId, component }: PutComponent): void {
  const [id, name] = [wholeOf(component["id"]), textOf(component["name"])];
  freeName(store, "components", { id, name, productId });
  const people = DEFAULT_PERSON_COLUMNS.map(({ read, column, isOptional }) => {
    const login = textOf(component[read]);
    return [column, isOptional && login === "" ? null : person(login)] as const;
  });
  store.run(PUT_COMPONENT, {
    id,
    product: productId,
    name,
    description: textOf(component["description"]),
    ...Object.fromEntries(people),
    active: bitOf(component["is_active"]),
  });
  const types = objectOf(component["flag_types"]) ?? {};
  for (const target of ["bug", "attachment"] as const) {
    for (const type of objectsOf(types[target])) {
      store.run(PUT_FLAG_TYPE, flagTypeRow(type, target));
      store.run("INSERT INTO flag_type_inclusions VALUES (?, ?, ?)", [wholeOf(type["id"]), productId, id]);
    }
  }
}

const PEOPLE = DEFAULT_PERSON_COLUMNS.map(({ column }) => column);

const PUT_COMPONENT = `INSERT INTO components (id, product_id, name, description, ${PEOPLE.join(", ")}, is_active)
  VALUES (@id, @product, @name, @description, ${PEOPLE.map((column) => `@${column}`).join(", ")}, @active)
  ON CONFLICT (id) DO UPDATE SET product_id = excluded.product_id, name = excluded.name,
    description = excluded.description, ${PEOPLE.map((column) => `${column} = excluded.${column}`).join(", ")},
    is_active = excluded.is_active`;

const SWITCHES = ["is_active", "is_requestable", "is_requesteeble", "is_multiplicable"] as const;

function flagTypeRow(type: JsonObject, target: string) {
  return {
    id: wholeOf(type["id"]),
    name: textOf(type["name"]),
    description: textOf(type["description"]),
    cc_list: textOf(type["cc_list"]),
    target,
    sort_key: wholeOf(type["sort_key"]),
    grant_group_id: wholeOf(type["grant_group"]) || null,
    request_group_id: wholeOf(type["request_group"]) || null,
    ...Object.fromEntries(SWITCHES.map((name) => [name, bitOf(type[name])])),
  };
}

const FLAG_TYPE = [
  "id",
  "name",
  "description",
  "cc_list",
  "target",
  "sort_key",
  "grant_group_id",
  "request_group_id",
  ...SWITCHES,
];
const PUT_FLAG_TYPE = `INSERT OR REPLACE INTO flag_types (${FLAG_TYPE.join(", ")})
  VALUES (${FLAG_TYPE.map((name) => `@${name}`).join(", ")})`;

const PARTS = [
  { list: "versions", table: "versions", column: "version", sorted: false },
  { list: "milestones", table: "milestones", column: "target_milestone", sorted: true },
] as const;

function putParts(store: Store, productId: number, product: JsonObject): void {
  for (const { list, table, column, sorted } of PARTS) {
    const parts = objectsOf(product[list]);
    renameParts(store, { table, column, productId }, parts);
    store.run(`DELETE FROM ${table} WHERE product_id = ?`, [productId]);
    for (const part of parts) {
      const values = [wholeOf(part["id"]), productId, textOf(part["name"]), bitOf(part["is_active"])];
      const [extra, place] = sorted ? [", sort_key", [wholeOf(part["sort_key"])]] : ["", []];
      store.run(
        `INSERT OR REPLACE INTO ${table} (id, product_id, name, is_active${extra}) VALUES (?, ?, ?, ?${sorted ? ", ?" : ""})`,
        [...values, ...place],
      );
    }
  }
}

type Parts = { readonly table: string; readonly column: string; readonly productId: number };

/** Renames versions or milestones in the bugs of a product; by way of other names, since two may have changed places. */
function renameParts(store: Store, { table, column, productId }: Parts, parts: readonly JsonObject[]): void {
  const before = new Map(
    store
      .all<{ readonly id: number; readonly name: string }>(`SELECT id, name FROM ${table} WHERE product_id = ?`, [
        productId,
      ])
      .map(({ id, name }) => [id, name]),
  );
  const renamed = parts.filter(({ id, name }) => before.has(wholeOf(id)) && before.get(wholeOf(id)) !== textOf(name));
  const rename = (from: string, to: string) =>
    store.run(`UPDATE bugs SET ${column} = ? WHERE product_id = ? AND ${column} = ?`, [to, productId, from]);
  for (const { id } of renamed) rename(before.get(wholeOf(id)) ?? "", `${MOVING}${wholeOf(id)}`);
  for (const { id, name } of renamed) rename(`${MOVING}${wholeOf(id)}`, textOf(name));
}

const MOVING = "\u0001";
