/** Maximum number of concurrent requests; more gain nothing on a server with one or two cores. */
export const CONCURRENCY = 2;

/** Yields the result of `act` for each item, in order; the next call runs while a result is consumed. */
export async function* mapConcurrently<Item, Made>(
  items: readonly Item[],
  act: (item: Item) => Promise<Made>,
): AsyncGenerator<Made> {
  const start = (item: Item) => {
    const made = act(item);
    made.catch(() => undefined); // rejected when awaited below, after the results before it
    return made;
  };
  const coming = items.slice(0, CONCURRENCY).map(start);
  for (const next of [...items.slice(CONCURRENCY), ...coming.map(() => undefined)]) {
    const made = await coming.shift();
    if (next !== undefined) coming.push(start(next));
    yield made as Made;
  }
}
