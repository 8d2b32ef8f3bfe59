/** The first item of each key, in order. */
export function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string | number): T[] {
  const firstByKey = new Map<string | number, T>();
  for (const item of items) if (!firstByKey.has(keyOf(item))) firstByKey.set(keyOf(item), item);
  return [...firstByKey.values()];
}
