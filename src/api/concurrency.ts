/** How many requests are under way at once; more gain nothing on a server with a core or two. */
export const CONCURRENCY = 2;

/** What `act` makes of each item, in their order; the next is already under way while one is used. */
export async function* mapConcurrently<Item, Made>(
  items: readonly Item[],
  act: (item: Item) => Promise<Made>,
): AsyncGenerator<Made> {
  const start = (item: Item) => {
    const made = act(item);
    made.catch(() => undefined); // a failure is met when its turn comes, after what came before it was used
    return made;
  };
  const coming = items.slice(0, CONCURRENCY).map(start);
  for (const next of [...items.slice(CONCURRENCY), ...coming.map(() => undefined)]) {
    const made = await coming.shift();
    if (next !== undefined) coming.push(start(next));
    yield made as Made;
  }
}
