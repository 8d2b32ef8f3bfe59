import type { JsonObject } from "../../wire/exchange.ts";
import { chartFieldName } from "../fields.ts";
import type { Store } from "../store/store.ts";
import { textOf, wholeOf } from "./received.ts";

/** Ids of the named things that bugs refer to. What is missing is inserted, inactive: the metadata does not list it. */
export type Registry = {
  readonly person: (login: string, detail?: JsonObject) => number;
  readonly product: (name: string, classification: string) => number;
  readonly component: (productId: number, name: string, owner: number) => number;
  readonly keyword: (name: string) => number;
  readonly group: (name: string) => number;
  readonly flagType: (flag: JsonObject, target: "bug" | "attachment") => number;
  readonly field: (name: string) => string; // its chart name
};

/** Table of a thing that the metadata does not list. */
export type Unlisted = "products" | "groups" | "fields";

/** Finder of users, and a callback for objects that were inserted because the metadata does not list them. */
export type RegistryOptions = {
  readonly person: Registry["person"];
  readonly onUnlisted?: (table: Unlisted, id: number) => void;
};

/** A registry over the tables of a tracker; ids are remembered, so it is used within one transaction. */
export function openRegistry(store: Store, { person, onUnlisted }: RegistryOptions): Registry {
  const known = new Map<string, number>();
  const idOf = (key: string, find: () => number): number => {
    const id = known.get(key) ?? find();
    known.set(key, id);
    return id;
  };
  const insertUnlisted = (table: Unlisted, sql: string, values: readonly (string | number)[]): number => {
    const { id } = store.run(sql, values);
    onUnlisted?.(table, id);
    return id;
  };
  const classification = (name: string) =>
    idOf(
      `classification ${name}`,
      () => findId(store, "classifications", name) ?? insertNamed(store, "classifications", name),
    );
  return {
    person,
    product: (name, of) =>
      idOf(`product ${name}`, () => {
        const found = findId(store, "products", name);
        return found ?? insertUnlisted("products", INSERT_PRODUCT, [name, classification(of || "Unclassified")]);
      }),
    component: (productId, name, owner) =>
      idOf(`component ${productId} ${name}`, () => {
        const found = store.get<{ readonly id: number }>(COMPONENT, [productId, name])?.id;
        return found ?? store.run(INSERT_COMPONENT, [productId, name, owner]).id;
      }),
    keyword: (name) =>
      idOf(`keyword ${name}`, () => findId(store, "keywords", name) ?? insertNamed(store, "keywords", name)),
    group: (name) =>
      idOf(`group ${name}`, () => findId(store, "groups", name) ?? insertUnlisted("groups", INSERT_GROUP, [name])),
    flagType: (flag, target) => flagTypeId(store, flag, target),
    field: (name) => {
      const chart = chartFieldName(name);
      idOf(`field ${chart}`, () => {
        const found = store.get<{ readonly id: number }>("SELECT id FROM fields WHERE name = ?", [chart])?.id;
        return found ?? insertUnlisted("fields", INSERT_FIELD, [chart, name]);
      });
      return chart;
    },
  };
}

type NamedTable = "classifications" | "products" | "keywords" | "groups";

function findId(store: Store, table: NamedTable, name: string): number | undefined {
  return store.get<{ readonly id: number }>(`SELECT id FROM ${table} WHERE name = ?`, [name])?.id;
}

function insertNamed(store: Store, table: "classifications" | "keywords", name: string): number {
  return store.run(`INSERT INTO ${table} (name) VALUES (?)`, [name]).id;
}

const COMPONENT = "SELECT id FROM components WHERE product_id = ? AND name = ?";
const INSERT_PRODUCT = "INSERT INTO products (name, classification_id, is_active) VALUES (?, ?, 0)";
const INSERT_COMPONENT =
  "INSERT INTO components (product_id, name, default_assignee_id, is_active) VALUES (?, ?, ?, 0)";
const INSERT_GROUP = "INSERT INTO groups (name, description, is_active) VALUES (?, '', 0)";
const INSERT_FIELD = "INSERT INTO fields (name, display_name, type, is_obsolete) VALUES (?, ?, 0, 1)";

function flagTypeId(store: Store, flag: JsonObject, target: "bug" | "attachment"): number {
  const id = wholeOf(flag["type_id"]);
  const name = textOf(flag["name"]);
  const found = store.get<{ readonly name: string }>("SELECT name FROM flag_types WHERE id = ?", [id]);
  if (!found) store.run("INSERT INTO flag_types (id, name, target, is_active) VALUES (?, ?, ?, 0)", [id, name, target]);
  else if (found.name !== name) store.run("UPDATE flag_types SET name = ? WHERE id = ?", [name, id]);
  return id;
}
