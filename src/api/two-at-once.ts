/** How many requests are under way at once; more gain nothing on a server with a core or two. */
export const AT_ONCE = 2;

/** What `act` makes of each item, in their order; the next is already under way while one is used. */
export async function* twoAtOnce<Item, Made>(
  items: readonly Item[],
  act: (item: Item) => Promise<Made>,
): AsyncGenerator<Made> {
  const start = (item: Item) => {
    const made = act(item);
    made.catch(() => undefined); // a failure is met when its turn comes, after what came before it was used
    return made;
  };
  const coming = items.slice(0, AT_ONCE).map(start);
  for (const next of [...items.slice(AT_ONCE), ...coming.map(() => undefined)]) {
    const made = await coming.shift();
    if (next !== undefined) coming.push(start(next));
    yield made as Made;
  }
}
