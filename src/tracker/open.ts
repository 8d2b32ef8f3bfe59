import type { Exchange } from "../wire/exchange.ts";
import type { Surroundings } from "./call.ts";
import { type User, userById, userByLogin } from "./people/requester.ts";
import { DEMO_USER, fillDemo } from "./seed/demo.ts";
import { fillLocal } from "./seed/local.ts";
import { issueFirstKey } from "./setup/keys.ts";
import { prepareFile, writePrivateFile } from "./store/file.ts";
import { openStore, type Store } from "./store/store.ts";
import { type Tracker, tracker } from "./tracker.ts";

/** What opening a tracker needs to know of the machine. */
export type Place = Surroundings & {
  readonly dataDirectory: string;
  readonly isChecked?: boolean; // damaged data is refused before anything of it is read
};

/** A tracker opened in this process. */
export type Opened = {
  readonly store: Store;
  readonly tracker: Tracker; // asks for credentials; what is served over HTTP
  readonly exchange: Exchange; // needs none
  readonly login: string; // who one is without credentials
  readonly file?: string; // where the data is kept, if it is
  readonly firstKey: () => FirstKey | undefined;
  readonly close: () => void;
};

/** The first key of the tracker's owner, to be shown once; and the file that keeps it, for a tracker that is kept itself. */
export type FirstKey = { readonly login: string; readonly key: string; readonly file?: string };

/**
 * Opens `demo:` (in memory, filled anew), `local:` (a file in the data directory, made on first use) or `local:/path`. In
 * this process one needs no credentials: on the demo one is a triager who may edit, on a tracker of one's own its owner.
 */
export function openTracker(address: string, place: Place): Opened {
  if (address === "demo:") {
    const store = openStore(":memory:", place.isChecked);
    fillDemo(store, place.now());
    return demoOver(store, place);
  }
  const file = localFile(address, place.dataDirectory);
  const store = openStore(prepareFile(file), place.isChecked);
  fillLocal(store);
  return opened(store, place, { ...ownerOf(store), file });
}

/** The demo over a store that holds its data. */
export function demoOver(store: Store, place: Surroundings): Opened {
  return opened(store, place, userByLogin(store, DEMO_USER) as User);
}

type Owner = Pick<User, "id" | "login"> & { readonly file?: string };

function opened(store: Store, place: Surroundings, { id: userId, login, file }: Owner): Opened {
  const answer = tracker(store, place);
  return {
    store,
    login,
    ...(file === undefined ? {} : { file }),
    tracker: answer,
    exchange: (request) => answer(request, { address: "127.0.0.1", userId }),
    firstKey: () => {
      const now = `${place.now().toISOString().slice(0, 19)}Z`;
      const order = { userId, description: "made at first start", random: place.random, now };
      const keyFile = file === undefined ? undefined : `${file}.key`;
      const key = issueFirstKey(store, order, (text) => keyFile && writePrivateFile(keyFile, `${text}\n`));
      return key === undefined ? undefined : { login, key, ...(keyFile ? { file: keyFile } : {}) };
    },
    close: store.close,
  };
}

/** The owner of a tracker of one's own is its first user, whatever the login is now. */
function ownerOf(store: Store): User {
  return userById(store, Number(store.get("SELECT min(id) AS id FROM users")?.["id"])) as User;
}

/** The file that keeps the data of `local:` or `local:/path`. */
export function localFile(address: string, dataDirectory: string): string {
  return address.replace(/^local:/, "") || `${dataDirectory}/tracker.db`;
}
