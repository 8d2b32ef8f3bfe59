/** The first item of each key, in order. */
export function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string | number): T[] {
  const seen = new Set<string | number>();
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}
