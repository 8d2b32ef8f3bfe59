import { minutesAfter } from "../timestamps.ts";
import type { Store } from "./store.ts";

const DAY = 24 * 60;

/** Tables whose rows are of use for a while only: for how many minutes, and what finds the oldest ones. */
const KEPT = {
  answered_writes: {
    minutes: 2 * DAY, // clients are promised a day at least
    oldest: `DELETE FROM answered_writes WHERE (user_id, idempotency_key) IN
      (SELECT user_id, idempotency_key FROM answered_writes WHERE time < ? ORDER BY time LIMIT 2)`,
  },
  outbox: {
    minutes: 30 * DAY, // sent or not: a mail about last month's change is of no use
    oldest: "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE time < ? ORDER BY time LIMIT 2)",
  },
  login_tokens: {
    minutes: 30 * DAY, // since the last use
    oldest: `DELETE FROM login_tokens WHERE id IN
      (SELECT id FROM login_tokens WHERE last_used < ? ORDER BY last_used LIMIT 2)`,
  },
  failed_logins: {
    minutes: DAY,
    oldest: `DELETE FROM failed_logins WHERE rowid IN
      (SELECT rowid FROM failed_logins WHERE time < ? ORDER BY time LIMIT 2)`,
  },
} as const;

/**
 * Removes the two oldest rows of a table that are past their time; called by whoever adds one, so that a table shrinks to
 * what is of use and no single write pays for a long pause, nor does one wrong clock empty it.
 */
export function pruneOldest(store: Store, table: keyof typeof KEPT, now: string): void {
  const { minutes, oldest } = KEPT[table];
  store.run(oldest, [minutesAfter(now, -minutes)]);
}
