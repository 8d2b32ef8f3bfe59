/** A list in parts of a length, the last one shorter; none of an empty list. */
export function parted<Item>(items: readonly Item[], length: number): readonly (readonly Item[])[] {
  const count = items.length === 0 ? 0 : Math.ceil(items.length / length);
  return Array.from({ length: count }, (_, at) => items.slice(at * length, (at + 1) * length));
}
