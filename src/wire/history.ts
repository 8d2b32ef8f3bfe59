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

/** What Update Bug and Update Group answer for one thing: field name to what left and what came. */
export type Changes = Readonly<Record<string, { readonly added: string; readonly removed: string }>>;

/** The answer of Update Bug for one bug. */
export type ChangedBug = {
  readonly id: number;
  readonly alias: readonly string[];
  readonly last_change_time: string;
  readonly changes: Changes;
};
