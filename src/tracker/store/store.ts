import { type Database, openDatabase, storeProblem } from "./database.ts";
import { MIGRATIONS } from "./migrations.ts";
import { VISIBLE_VIEWS } from "./visible-views.ts";

/** A tracker's data: a database brought to today's schema, with the views of what the requester may see. */
export type Store = Database;

/**
 * Opens the data of a tracker, made empty when the file does not exist; `:memory:` keeps nothing. All pages are looked
 * through first when `isChecked`: 0.3 s for 100 MB.
 */
export function openStore(file: string, isChecked = false): Store {
  const store = openDatabase(file);
  try {
    refuseNewer(store);
    if (isChecked) refuseDamaged(store);
    return prepared(store);
  } catch (error) {
    store.close();
    throw new Error(storeProblem(error) ?? (error as Error).message);
  }
}

function refuseNewer(store: Store): void {
  store.exec("PRAGMA busy_timeout = 5000");
  const [version, known] = [versionOf(store), MIGRATIONS.length];
  if (version > known) {
    throw new Error(
      `The tracker's data was made by a newer version of bt: its schema is version ${version}, this bt knows ${known}.`,
    );
  }
}

// A page that is noise may end the process when it is read: the engine's binding trusts that all text is UTF-8.
function refuseDamaged(store: Store): void {
  const found = store.get("PRAGMA quick_check(1)")?.["quick_check"];
  if (found !== "ok") throw new Error("The tracker's data file is damaged.");
}

function prepared(store: Store): Store {
  store.all("PRAGMA journal_mode = WAL");
  store.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY");
  if (versionOf(store) !== MIGRATIONS.length) store.transaction("write", () => migrate(store));
  store.exec(VISIBLE_VIEWS);
  return store;
}

function versionOf(store: Store): number {
  return Number(store.get("PRAGMA user_version")?.["user_version"] ?? 0);
}

function migrate(store: Store): void {
  const version = versionOf(store);
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index >= version) store.exec(`${step}\nPRAGMA user_version = ${index + 1}`);
  }
}
