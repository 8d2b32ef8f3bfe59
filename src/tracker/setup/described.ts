import type { Store } from "../store/store.ts";

/** The names that a query finds, of one parameter or of several by name. */
export function names(
  store: Store,
  sql: string,
  given: number | string | Readonly<Record<string, number | string>>,
): readonly string[] {
  const bindings = typeof given === "object" ? given : [given];
  return store.all<{ readonly name: string }>(sql, bindings).map(({ name }) => name);
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
