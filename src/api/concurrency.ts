/** Maximum number of concurrent requests; more gain nothing on a server with one or two cores. */
const CONCURRENCY = 2;

/** Yields the result of `act` for each item, in order; the next call runs meanwhile. */
export async function* mapConcurrently<Item, Made>(
  items: readonly Item[],
  act: (item: Item) => Promise<Made>,
): AsyncGenerator<Made> {
  const coming: Promise<Made>[] = [];
  for (const item of items) {
    const first = coming.length < CONCURRENCY ? undefined : coming.shift();
    const done = await first;
    const next = act(item);
    next.catch(() => undefined); // rejected when awaited, after the results before it
    coming.push(next);
    if (first) yield done as Made;
  }
  for (const rest of coming) yield await rest;
}
