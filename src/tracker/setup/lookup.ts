import { faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";

const NOUNS = {
  classifications: "classification",
  fields: "field",
  flag_types: "flag type",
  groups: "group",
  products: "product",
  users: "user",
} as const;

/** A table of objects whose names are unique. */
export type Named = keyof typeof NOUNS;

/** Id of the object with this name. @throws Fault object_does_not_exist if there is none */
export function idByName(store: Store, table: Named, name: string): number {
  const key = table === "users" ? "login" : "name";
  const row = store.get<{ id: number }>(`SELECT id FROM ${table} WHERE ${key} = ?`, [name]);
  if (!row) throw faults.noSuchObject(NOUNS[table], name);
  return row.id;
}
