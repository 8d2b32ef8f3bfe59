import { DAY_MS, timestamp } from "../../wire/time.ts";
import { type Database, openDatabase, UnusableStore, unusableStore } from "./database.ts";
import { checkSchema, createSchema, VISIBLE_VIEWS } from "./schema.ts";

/** A tracker's database with its schema and the `visible_...` views. */
export type Store = Database;

/**
 * Opens a tracker's data file, creating it if it is missing; `:memory:` is not stored. With
 * `isChecked`, all pages are verified first (0.3 s per 100 MB).
 * @throws UnusableStore if the file is damaged, unreadable, or has another schema
 */
export function openStore(file: string, isChecked = false): Store {
  const store = openDatabase(file);
  try {
    store.exec("PRAGMA busy_timeout = 5000");
    checkSchema(store);
    if (isChecked) checkIntegrity(store);
    return prepareStore(store);
  } catch (error) {
    store.close();
    throw error instanceof UnusableStore ? error : unusableStore(error);
  }
}

// Reading a damaged page can abort the process: libsql assumes that all text is UTF-8.
function checkIntegrity(store: Store): void {
  const result = store.get("PRAGMA quick_check(1)")?.["quick_check"];
  if (result !== "ok") throw new UnusableStore("The data file is damaged.");
}

function prepareStore(store: Store): Store {
  store.all("PRAGMA journal_mode = WAL");
  store.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY");
  createSchema(store);
  store.exec(VISIBLE_VIEWS);
  return store;
}

/** Tables whose rows expire: after how long, and since when. */
const RETENTION = {
  outbox: { ms: 3 * DAY_MS, since: "time" }, // of what nobody sends
  login_tokens: { ms: 30 * DAY_MS, since: "last_used" },
} as const;

/** Deletes expired rows of a table; called before what it has is read or added to. */
export function deleteExpired(store: Store, table: keyof typeof RETENTION, now: string): void {
  const { since, ms } = RETENTION[table];
  store.run(`DELETE FROM ${table} WHERE ${since} < ?`, [timestamp(Date.parse(now) - ms)]);
}
