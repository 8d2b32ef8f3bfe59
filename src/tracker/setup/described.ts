import type { Store } from "../store/store.ts";

/** The names that a query of one parameter finds. */
export const names = (store: Store, sql: string, parameter: number | string): readonly string[] =>
  store.all<{ readonly name: string }>(sql, [parameter]).map(({ name }) => name);

/** A stored switch as arrangements say it. */
export const isSet = (value: number): boolean => value === 1;

/** What is said, without what holds nothing. */
export const filled = <T extends object>(said: T): T =>
  Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  ) as T;
