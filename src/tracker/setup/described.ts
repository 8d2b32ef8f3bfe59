import type { Store } from "../store/store.ts";

/** The names that a query of one parameter finds. */
export function names(store: Store, sql: string, parameter: number | string): readonly string[] {
  return store.all<{ readonly name: string }>(sql, [parameter]).map(({ name }) => name);
}

/** A stored switch as arrangements say it. */
export function isSet(value: number): boolean {
  return value === 1;
}

/** What is said, without what holds nothing. */
export function filled<T extends object>(said: T): T {
  return Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  ) as T;
}
