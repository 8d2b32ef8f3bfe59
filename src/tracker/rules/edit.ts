/** What to do to a list. `set` overrides the other two. */
export type ListEdit<T> = {
  readonly add: readonly T[];
  readonly remove: readonly T[];
  readonly set?: readonly T[];
};

/** How items are told apart; the item itself where it is a text or a number. */
export type KeyOf<T> = (item: T) => string | number;

/** The list after an edit: what was there first, then what came, each once; what is both added and removed is gone. */
export function edited<T>(list: readonly T[], edit: ListEdit<T>, keyOf: KeyOf<T>): readonly T[] {
  const all = unique(edit.set ?? [...list, ...edit.add], keyOf);
  const removed = new Set(edit.set ? [] : edit.remove.map(keyOf));
  return all.filter((item) => !removed.has(keyOf(item)));
}

/** Each item once, where it stands first. */
export function unique<T>(items: readonly T[], keyOf: KeyOf<T>): readonly T[] {
  const seen = new Set<string | number>();
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}

/** What one list has that the other lacks, by key. */
export function without<T>(list: readonly T[], other: readonly T[], keyOf: KeyOf<T>): readonly T[] {
  const known = new Set(other.map(keyOf));
  return list.filter((item) => !known.has(keyOf(item)));
}
