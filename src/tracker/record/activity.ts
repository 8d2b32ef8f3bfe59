import type { Store } from "../store/store.ts";

/** One entry of a bug's history; `field` is the name that the fields endpoint uses. */
export type Entry = {
  readonly bugId: number;
  readonly userId: number;
  readonly time: string;
  readonly field: string;
  readonly removed: string;
  readonly added: string;
  readonly commentId?: number;
};

/** Adds an entry to a bug's history. */
export function logEntry(
  store: Store,
  { commentId = null, ...entry }: Omit<Entry, "commentId"> & { commentId?: number | null },
): void {
  store.run(LOG, { ...entry, commentId });
}

const LOG = `INSERT INTO activity (bug_id, user_id, time, field, removed, added, comment_id)
  VALUES (@bugId, @userId, @time, @field, @removed, @added, @commentId)`;

/** Says that a bug changed at a time, for those who ask what is new. */
export function touch(store: Store, bugId: number, time: string): void {
  store.run("UPDATE bugs SET last_change_time = ? WHERE id = ?", [time, bugId]);
}
