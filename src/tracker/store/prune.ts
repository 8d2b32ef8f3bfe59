import { DAY_MS, timestamp } from "../../wire/time.ts";
import type { Store } from "./store.ts";

/** Tables whose rows expire: after how long, and since when. */
const RETENTION = {
  outbox: { ms: 3 * DAY_MS, since: "time" }, // of what nobody sends
  login_tokens: { ms: 30 * DAY_MS, since: "last_used" },
} as const;

/** Deletes expired rows of a table; called before each insert. */
export function deleteExpired(store: Store, table: keyof typeof RETENTION, now: string): void {
  store.run(`DELETE FROM ${table} WHERE ${RETENTION[table].since} < ?`, [expiryTime(table, now)]);
}

/** Time at which the rows were made that expire now. */
export function expiryTime(table: keyof typeof RETENTION, now: string): string {
  return timestamp(Date.parse(now) - RETENTION[table].ms);
}
