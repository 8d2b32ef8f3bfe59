/** Work in steps of a few milliseconds each, as long as it is about a page of bugs. */
export type ShortSteps<Made> = Generator<void, Made, void>;

/** Result of steps before each of which responses that have arrived are taken, and the requests after them are sent. */
export async function inTurns<Made>(steps: ShortSteps<Made>): Promise<Made> {
  for (;;) {
    await eventLoopTurn();
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** A whole turn of the event loop; the connections send the next request only in the turn after a response. */
function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
}
