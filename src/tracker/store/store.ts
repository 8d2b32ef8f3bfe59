import { type Database, openDatabase } from "./database.ts";
import { MIGRATIONS } from "./migrations.ts";
import { VIEWER_SCHEMA } from "./viewer.ts";

/** A tracker's data: a database brought to today's schema, with the views of what the requester may see. */
export type Store = Database;

/** Opens the data of a tracker, made empty when the file does not exist; `:memory:` keeps nothing. */
export const openStore = (file: string): Store => {
  const store = openDatabase(file);
  store.all("PRAGMA journal_mode = WAL");
  store.exec(
    "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000; PRAGMA temp_store = MEMORY",
  );
  store.transaction("write", () => migrate(store));
  store.exec(VIEWER_SCHEMA);
  return store;
};

const migrate = (store: Store): void => {
  const version = Number(store.get("PRAGMA user_version")?.["user_version"] ?? 0);
  if (version > MIGRATIONS.length) {
    throw new Error("this tracker's data was made by a newer version of bt");
  }
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index >= version) {
      store.exec(`${step}\nPRAGMA user_version = ${index + 1}`);
    }
  }
};
