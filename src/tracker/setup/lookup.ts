import { faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";

const BY_NAME = {
  classification: "SELECT id FROM classifications WHERE name = ?",
  field: "SELECT id FROM fields WHERE name = ?",
  "flag type": "SELECT id FROM flag_types WHERE name = ?",
  group: "SELECT id FROM groups WHERE name = ?",
  product: "SELECT id FROM products WHERE name = ?",
  user: "SELECT id FROM users WHERE login = ?",
} as const;

/** Id of the object with this name. @throws Fault object_does_not_exist if there is none */
export function idByName(store: Store, kind: keyof typeof BY_NAME, name: string): number {
  const row = store.get<{ id: number }>(BY_NAME[kind], [name]);
  if (!row) throw faults.noSuchObject(kind, name);
  return row.id;
}

/** A boolean as stored, 0 or 1; null if undefined. */
export function storedBoolean(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}

/** The value, or null if undefined. */
export function storedOrNull<T extends string | number>(value: T | undefined): T | null {
  return value ?? null;
}
