import type { BUG_FIELDS, DefaultPerson, PersonField, ValueTypes } from "../wire/bug-fields.ts";
import type { StoredField } from "./fields.ts";
import type { SqlRow } from "./store/database.ts";

export type Person = { readonly id: number; readonly login: string };

export type NamedItem = { readonly id: number; readonly name: string };

export type Product = NamedItem & {
  readonly default_milestone: string;
  readonly has_unconfirmed: boolean;
  readonly is_active: boolean;
};

/** The component of a bug, with the people of new bugs. */
export type Component = NamedItem & {
  readonly is_active: boolean;
  readonly people: { readonly [Name in DefaultPerson["field"]]: BugPerson<Name> };
};

/** A flag set on a bug or attachment; `id` is 0 until it is stored. */
export type SetFlag = {
  readonly id: number;
  readonly type_id: number;
  readonly name: string;
  readonly status: string;
  readonly setter: Person;
  readonly requestee: Person | null;
};

/** Value of a custom field as displayed: a list for multi-select fields, text for all others. */
export type CustomValue = string | readonly string[];

type Rows = typeof BUG_FIELDS;
type Objects = { product: Product; component: Component };

type BugPerson<Name extends PersonField> = Rows[Name] extends { isOptional: true } ? Person | null : Person;

/** Value of a field with a column: text unless its kind differs; a day is YYYY-MM-DD or empty. */
type StoredValue<Name extends StoredField> = Name extends keyof Objects
  ? Objects[Name]
  : Name extends PersonField
    ? BugPerson<Name>
    : ValueTypes[Rows[Name]["json"]];

/** A bug as plain data, private parts included; times are ISO 8601, durations hours. */
export type Bug = { readonly [Name in StoredField]: StoredValue<Name> } & {
  readonly alias: readonly string[];
  readonly cc: readonly Person[];
  readonly dupe_of: number | null;
  readonly depends_on: readonly number[];
  readonly blocks: readonly number[];
  readonly keywords: readonly NamedItem[];
  readonly groups: readonly NamedItem[];
  readonly flags: readonly SetFlag[];
  readonly see_also: readonly string[];
  readonly custom: Readonly<Record<string, CustomValue>>;
};

/** Rows by the bug that they belong to, in their order. */
export function groupByBug<R extends SqlRow & { readonly bug_id: number }, T>(
  rows: readonly R[],
  show: (row: R) => T,
): ReadonlyMap<number, T[]> {
  const lists = new Map<number, T[]>();
  for (const row of rows) {
    const list = lists.get(row.bug_id) ?? [];
    list.push(show(row));
    lists.set(row.bug_id, list);
  }
  return lists;
}
