/** One field's change: what left and what came, as text; lists are joined by comma and space. */
export type Change = {
  readonly field_name: string;
  readonly removed: string;
  readonly added: string;
  readonly attachment_id?: number;
};

/** All that one person changed on a bug at one moment. */
export type HistoryEntry = {
  readonly when: string;
  readonly who: string;
  readonly changes: readonly Change[];
};

/** The history of one bug, oldest first. */
export type BugHistory = {
  readonly id: number;
  readonly alias: readonly string[];
  readonly history: readonly HistoryEntry[];
};

/**
 * The changes of one thing in the response of Update Bug and Update Group, by field name; null is no value: the icon of a group
 * that had none.
 */
export type Changes = Readonly<Record<string, { readonly added: string | null; readonly removed: string | null }>>;

/** The answer of Update Bug for one bug. */
export type ChangedBug = {
  readonly id: number;
  readonly alias: readonly string[];
  readonly last_change_time: string;
  readonly changes: Changes;
};
