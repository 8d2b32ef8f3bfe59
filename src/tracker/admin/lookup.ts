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

/** The id of a thing that an arrangement names; a name that nothing has is a mistake in the arrangement. */
export function idByName(store: Store, kind: keyof typeof BY_NAME, name: string): number {
  const row = store.get<{ readonly id: number }>(BY_NAME[kind], [name]);
  if (!row) throw faults.noSuchObject(kind, name);
  return row.id;
}

/** A switch as it is stored; null when nothing is said about it. */
export function storedBoolean(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}

/** A value as it is stored; null when nothing is said about it. */
export function storedOrNull<T extends string | number>(value: T | undefined): T | null {
  return value ?? null;
}
