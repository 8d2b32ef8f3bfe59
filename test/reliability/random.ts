/** A source of chance that repeats itself for a seed. */
export type Chance = {
  readonly number: () => number; // 0 to 1
  readonly below: (limit: number) => number; // an integer
  readonly one: <Item>(items: readonly Item[]) => Item;
  readonly shuffled: <Item>(items: readonly Item[]) => readonly Item[];
};

/** Chance from a seed (mulberry32). */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(number() * limit);
  const shuffled = <Item>(items: readonly Item[]) =>
    items
      .map((item) => ({ item, at: number() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  return { number, below, one: (items) => items[below(items.length)] as (typeof items)[number], shuffled };
}
