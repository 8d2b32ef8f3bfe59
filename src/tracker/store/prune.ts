import { DAY_MS, timestamp } from "../../wire/time.ts";
import type { Store } from "./store.ts";

/** Tables with limited retention, and the DELETE of their two oldest expired rows. */
const RETENTION = {
  outbox: {
    ms: 3 * DAY_MS, // of what nobody sends
    deleteExpired: "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE time < ? ORDER BY time LIMIT 2)",
  },
  login_tokens: {
    ms: 30 * DAY_MS, // since the last use
    deleteExpired: `DELETE FROM login_tokens WHERE id IN
      (SELECT id FROM login_tokens WHERE last_used < ? ORDER BY last_used LIMIT 2)`,
  },
} as const;

/**
 * Deletes up to two expired rows of a table. Called before each insert, so that tables shrink gradually: no single write
 * takes long, and a wrong clock does not empty a table at once.
 */
export function pruneOldest(store: Store, table: keyof typeof RETENTION, now: string): void {
  store.run(RETENTION[table].deleteExpired, [expiryTime(table, now)]);
}

/** Time at which the rows were made that expire now. */
export function expiryTime(table: keyof typeof RETENTION, now: string): string {
  return timestamp(Date.parse(now) - RETENTION[table].ms);
}
