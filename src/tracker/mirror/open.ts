import { closeSync, openSync, rmSync } from "node:fs";
import type { Exchange } from "../../wire/exchange.ts";
import type { MirrorFacts, MirrorStore } from "../../wire/mirror.ts";
import type { Runtime } from "../http/call.ts";
import { createTracker } from "../http/tracker.ts";
import { UnusableStore } from "../store/database.ts";
import { openStore, type Store } from "../store/store.ts";
import { userByLogin } from "../users/requester.ts";
import { type MirrorCoverage, mirrorCoverage } from "./judged-search.ts";
import { mirrorStore } from "./mirror-store.ts";
import { openRegistry } from "./registry.ts";
import { MIRROR_ROUTER } from "./routes.ts";
import { MIRROR_VERSION, mirrorVersion, NO_FACTS, prepareMirror, readFacts, writeFacts } from "./schema.ts";

/** A mirror opened in this process. */
export type OpenedMirror = {
  readonly store: Store;
  readonly mirror: MirrorStore;
  readonly exchange: Exchange; // the tracker's reads over the mirror, as a user who sees all of it
  readonly facts: () => MirrorFacts;
  readonly coverage: () => MirrorCoverage; // for judging searches
  readonly failedBugs: () => number; // that could not be read
  readonly login: string | undefined; // of the mirrored tracker
  /** Moves all changes from the log beside the file into the file: the log has texts that were removed since. */
  readonly emptyLog: () => void;
  readonly close: () => void;
};

/** Options of a new mirror. */
export type NewMirror = Pick<MirrorFacts, "tracker" | "login" | "products" | "attachments" | "publicOnly"> &
  Partial<Pick<MirrorFacts, "folding">>;

/**
 * Creates the file of a mirror, readable by its owner only; nothing is in it yet.
 * @throws Error with code EEXIST if there is one
 */
export function createMirror(file: string, facts: NewMirror, runtime: Runtime): OpenedMirror {
  if (file !== ":memory:") closeSync(openSync(file, "wx", 0o600));
  const store = openNew(file);
  prepareMirror(store, { isNew: true });
  store.transaction("write", () => {
    writeFacts(store, { ...NO_FACTS, ...facts });
    if (facts.login !== null) openRegistry(store, false).person(facts.login);
    store.run("INSERT OR REPLACE INTO parameters VALUES ('max_search_results', ?), ('header_api_keys', '1')", [
      MAX_RESULTS,
    ]);
  });
  return openedMirror(store, runtime);
}

function openNew(file: string): Store {
  try {
    return openStore(file);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

const MAX_RESULTS = "10000";

/**
 * Opens the file of a mirror.
 * @throws UnusableStore, or Error with a code if it is missing or cannot be read
 */
export function openMirror(file: string, runtime: Runtime): OpenedMirror {
  closeSync(openSync(file, "r")); // SQLite would create it
  const store = openStore(file);
  if (mirrorVersion(store) !== MIRROR_VERSION) {
    store.close();
    throw new UnusableStore("The file is not a mirror of this version of bt.", { isLost: true });
  }
  prepareMirror(store, { isNew: false });
  return openedMirror(store, runtime);
}

/** SQL that makes the `visible_...` views return all rows of a mirror, since its login may see all of them. */
const MIRROR_VIEWS = ["bugs", "comments", "attachments", "flags", "activity"]
  .map((table) => `DROP VIEW visible_${table}; CREATE TEMP VIEW visible_${table} AS SELECT * FROM main.${table};`)
  .join("\n");

function openedMirror(store: Store, runtime: Runtime): OpenedMirror {
  const { login, folding } = readFacts(store);
  const ofMirror: Runtime = { ...runtime, isMirror: true, folding: folding ?? undefined };
  store.exec(MIRROR_VIEWS);
  const tracker = createTracker(store, ofMirror, MIRROR_ROUTER);
  const userId = login === null ? undefined : userByLogin(store, login)?.id;
  return {
    store,
    mirror: mirrorStore({ store, login }),
    exchange: (request) => tracker(request, { address: "127.0.0.1", ...(userId === undefined ? {} : { userId }) }),
    facts: () => readFacts(store),
    coverage: () => mirrorCoverage(store, readFacts(store), ofMirror),
    failedBugs: () => Number(store.get("SELECT count(*) AS n FROM mirror_bugs WHERE state = 'failed'")?.["n"]),
    login: login ?? undefined,
    emptyLog: () => void store.all("PRAGMA wal_checkpoint(TRUNCATE)"),
    close: store.close,
  };
}
