import { closeSync, openSync, statSync } from "node:fs";
import type { Exchange } from "../wire/exchange.ts";
import { DEMO_USER, openDemo } from "./demo/demo.ts";
import { type Runtime, type User, userById, userByLogin } from "./http/call.ts";
import { applyDefaults, applySetup } from "./setup/setup.ts";
import { openStore, type Store } from "./store/store.ts";
import { createTracker, type Tracker } from "./tracker.ts";
import { createApiKey } from "./users/authenticate.ts";

/** Runtime, data directory and options of opening a tracker. */
export type OpenOptions = Runtime & {
  dataDirectory: string;
  isChecked?: boolean; // verify the data file before reading it
};

/** A tracker opened in this process. */
export type OpenedTracker = {
  readonly store: Store;
  readonly tracker: Tracker; // requires credentials; for `bt serve`
  readonly exchange: Exchange; // requires none; for `bt` itself
  readonly login: string; // user of `exchange`
  readonly file?: string; // data file, unless in memory
  readonly isNew: boolean; // the data file was created
  /** Adds the owner's first API key, unless there is one; `save` stores it next to the data file. */
  readonly addFirstKey: (save?: (file: string, key: string) => void) => FirstApiKey | undefined;
  readonly close: () => void;
};

/** The owner's first API key, to be shown once; a tracker in memory stores it in no file. */
export type FirstApiKey = { readonly login: string; readonly key: string; readonly file?: string };

/**
 * Opens `demo:` (a new copy in memory), `local:` (a file in the data directory), or `local:/path`. A missing file is created,
 * in a folder that exists. The user of `exchange` is a triager on the demo, else the owner.
 * @throws Error if the data file is damaged, unreadable, or has another schema
 */
export function openTracker(address: string, options: OpenOptions): OpenedTracker {
  if (address === "demo:") return openDemoStore(openDemo(options.now()), options);
  const file = localFile(address, options.dataDirectory);
  const isNew = lacksTracker(file);
  closeSync(openSync(file, "a", 0o600)); // private; fails without permission
  const store = openStore(file, options.isChecked);
  fillLocalTracker(store);
  const [ownerId = 0] = store.values("SELECT min(id) FROM users"); // its first user, whatever the login is now
  return openOnStore(store, options, userById(store, ownerId) as User, { isNew, file });
}

/** Opened tracker over a store with demo data; its user is a triager. */
export function openDemoStore(store: Store, runtime: Runtime): OpenedTracker {
  return openOnStore(store, runtime, userByLogin(store, DEMO_USER) as User);
}

type DataFile = Pick<OpenedTracker, "file" | "isNew">;

function openOnStore(store: Store, runtime: Runtime, owner: User, data: DataFile = { isNew: false }): OpenedTracker {
  const tracker = createTracker(store, { isStrict: true, ...runtime });
  const { id: userId, login } = owner;
  const { file } = data;
  return {
    ...data,
    store,
    login,
    tracker,
    exchange: (request) => tracker(request, userId),
    addFirstKey: (save) =>
      store.transaction("write", () => {
        if (store.get("SELECT id FROM api_keys WHERE user_id = ?", [userId])) return undefined;
        const key = createApiKey(store, runtime, userId, "made at first start");
        if (file === undefined) return { login, key };
        save?.(`${file}.key`, key);
        return { login, key, file: `${file}.key` };
      }),
    close: () => {
      if (file !== undefined) checkpointLog(store);
      store.close();
    },
  };
}

/**
 * Moves what was written ahead into the data file, so that the file alone can be copied. SQLite
 * leaves that to the last connection, but closes none that has statements; libsql ends none.
 */
function checkpointLog(store: Store): void {
  try {
    store.all("PRAGMA busy_timeout = 0");
    store.all("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // it stays in the log, where the next connection finds it
  }
}

/** Path of the data file of `local:` or `local:/path`. */
export function localFile(address: string, dataDirectory: string): string {
  return address.replace(/^local:/, "") || `${dataDirectory}/tracker.db`;
}

/** True if there is no data file, or an empty one: of a creation that was killed, or by mktemp. */
export function lacksTracker(file: string): boolean {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined || (stats.isFile() && stats.size === 0);
  } catch {
    return false; // opening it gives the reason
  }
}

/** Login of the owner of a new local tracker, who has all rights. */
const OWNER = "owner@localhost";

/** Creates the defaults, the owner and one product of a local tracker, unless it has users. */
export function fillLocalTracker(store: Store): void {
  if (hasUsers(store)) return;
  store.transaction("write", () => {
    if (hasUsers(store)) return; // filled by another process in the meantime
    applyDefaults(store);
    applySetup(store, {
      users: [{ login: OWNER, real_name: "Owner", groups: ["admin"] }],
      parameters: { maintainer: OWNER, requirelogin: "1", header_api_keys: "1", useqacontact: "0" },
      keywords: [
        { name: "crash", description: "The program stops" },
        { name: "regression", description: "It worked before" },
      ],
      products: [
        {
          name: "Project",
          description: "Rename it, or add products of your own",
          versions: ["unspecified"],
          components: [{ name: "General", description: "Everything", default_assignee: OWNER }],
        },
      ],
      flag_types: [{ name: "needinfo", description: "Somebody is asked for something" }],
    });
  });
}

function hasUsers(store: Store): boolean {
  return store.get("SELECT id FROM users LIMIT 1") !== undefined;
}
