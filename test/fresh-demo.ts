import type { Runtime } from "../src/tracker/http/call.ts";
import { type OpenedTracker, openDemoStore, openTracker } from "../src/tracker/open.ts";
import type { Store } from "../src/tracker/store/store.ts";
import { copiedStore } from "./copied-store.ts";

/** Changes of a demo before a test begins; of equal names only the first is done, and its data copied from then on. */
export type Filling = { readonly name: string; readonly fill: (store: Store) => void };

const NOTHING: Filling = { name: "demo", fill: () => undefined };

/** A demo of its own for a test: the same data as `openTracker("demo:")` makes, copied, as it is in a minute. */
export function freshDemo(surroundings: Runtime, { name, fill }: Filling = NOTHING): OpenedTracker {
  const at = surroundings.now().getTime();
  const minute = new Date(at - (at % 60_000)); // which clocks that run have in common
  const store = copiedStore(`${name} ${minute.toISOString()}`, () => {
    const demo = openTracker("demo:", { ...surroundings, now: () => minute, dataDirectory: "" });
    fill(demo.store);
    return demo.store;
  });
  return openDemoStore(store, { isStrict: false, ...surroundings }); // as Bugzilla
}
