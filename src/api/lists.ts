/** A list in chunks of a length, the last one shorter; none of an empty list. */
export function inChunks<Item>(items: readonly Item[], length: number): Item[][] {
  const count = items.length === 0 ? 0 : Math.ceil(items.length / length);
  return Array.from({ length: count }, (_, at) => items.slice(at * length, (at + 1) * length));
}

/** Items by their keys, in the order in which the keys first appear. */
export function grouped<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): ReadonlyMap<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Items that pass a test, and the others. */
export function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** True if a name is in a list; letter case does not count. */
export function hasIgnoringCase(names: readonly string[], wanted: string): boolean {
  return names.some((name) => name.toLowerCase() === wanted.toLowerCase());
}

/** All rows of all pages. */
export async function collectPages<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

/** Names separated by commas; of many the first ones, and the number of the others. */
export function firstNames(names: string[]): string {
  const more = names.length - MAX_NAMED;
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(", ")} and ${more} more` : names.join(", ");
}

const MAX_NAMED = 10;
