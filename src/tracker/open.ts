import type { Exchange } from "../wire/exchange.ts";
import type { Surroundings } from "./call.ts";
import { userByLogin } from "./people/requester.ts";
import { DEMO_USER, fillDemo } from "./seed/demo.ts";
import { fillLocal, OWNER } from "./seed/local.ts";
import { prepareFile } from "./store/file.ts";
import { openStore, type Store } from "./store/store.ts";
import { tracker } from "./tracker.ts";

/** What opening a tracker needs to know of the machine. */
export type Place = Surroundings & { readonly dataDirectory: string };

/** A tracker opened in this process. */
export type Opened = { readonly store: Store; readonly exchange: Exchange; readonly close: () => void };

/**
 * Opens `demo:` (in memory, filled anew), `local:` (a file in the data directory, made on first use) or `local:/path`, as an
 * Exchange that needs no credentials: on the demo one is a triager who may edit, on a tracker of one's own its owner.
 * Credentials that a request brings are looked at all the same.
 */
export const openTracker = (address: string, place: Place): Opened => {
  const isDemo = address === "demo:";
  const store = openStore(isDemo ? ":memory:" : prepareFile(localFile(address, place.dataDirectory)));
  if (isDemo) {
    fillDemo(store, place.now());
  } else {
    fillLocal(store);
  }
  const answer = tracker(store, place);
  const userId = userByLogin(store, isDemo ? DEMO_USER : OWNER)?.id;
  const origin = { address: "127.0.0.1", ...(userId === undefined ? {} : { userId }) };
  return { store, exchange: (request) => answer(request, origin), close: store.close };
};

const localFile = (address: string, dataDirectory: string): string =>
  address.replace(/^local:/, "") || `${dataDirectory}/tracker.db`;
