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

type Column = string | number | boolean | null | undefined;
type Columns = { readonly [name: string]: Column };

/** Stores the columns that are given of the row with this key; a new row has `defaults` for the others. */
export function putRow(store: Store, table: string, key: Columns, given: Columns, defaults: Columns = {}): void {
  const where = Object.keys(key).map((name) => `${name} IS @${name}`);
  const isNew = store.get(`SELECT 1 FROM ${table} WHERE ${where.join(" AND ")}`, stored(key)) === undefined;
  const row = stored(isNew ? { ...defaults, ...stored(given) } : given);
  const names = Object.keys(row);
  const values = { ...row, ...stored(key) };
  if (isNew) {
    const all = Object.keys(values);
    store.run(`INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map((name) => `@${name}`).join(", ")})`, values);
  } else if (names.length > 0) {
    store.run(
      `UPDATE ${table} SET ${names.map((name) => `${name} = @${name}`).join(", ")} WHERE ${where.join(" AND ")}`,
      values,
    );
  }
}

/** The columns that are given, booleans as 0 and 1. */
function stored(columns: Columns): Record<string, string | number | null> {
  const given = Object.entries(columns).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : value]));
}
