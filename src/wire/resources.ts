/** A comment; `count` is its number on the bug (0 is the description), `id` is unique over the whole tracker. */
export type Comment = {
  readonly id: number;
  readonly bug_id: number;
  readonly attachment_id: number | null;
  readonly count: number;
  readonly text: string;
  readonly creator: string;
  readonly time: string;
  readonly creation_time: string;
  readonly is_private: boolean;
  readonly tags?: readonly string[]; // absent where comment tags are switched off
};

/** One field's change: what left and what came, as text; lists are joined by comma and space. */
export type FieldChange = {
  readonly field_name: string;
  readonly removed: string;
  readonly added: string;
  readonly attachment_id?: number;
};

/** All that one person changed on a bug at one moment. */
export type HistoryEntry = {
  readonly when: string;
  readonly who: string;
  readonly changes: readonly FieldChange[];
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

/** A member of a group; servers name the reason for a barred login either way. */
export type Member = {
  readonly id: number;
  readonly real_name: string;
  readonly email: string;
  readonly name: string;
  readonly can_login: boolean;
  readonly email_enabled: boolean;
  readonly login_denied_text?: string;
  readonly disabled_text?: string;
};

/**
 * A group. `is_bug_group`, `is_active` and `user_regexp` are absent for requesters outside `creategroups`; the members
 * come under `membership` (or `users`) when they were asked for.
 */
export type Group = {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly is_bug_group?: number | boolean;
  readonly user_regexp?: string;
  readonly is_active?: number | boolean;
  readonly icon_url?: string;
  readonly membership?: readonly Member[];
  readonly users?: readonly Member[];
};

/** The type codes of bug fields, with the word that `bt` shows for each. */
export const FIELD_TYPES = {
  0: "unknown",
  1: "text",
  2: "select",
  3: "multi-select",
  4: "long text",
  5: "date and time",
  6: "bug id",
  7: "see also",
  8: "keywords",
  9: "date",
  10: "integer",
} as const;

/** A status that another may change to, and whether that move needs a comment. */
export type StatusMove = { readonly name: string; readonly comment_required: boolean };

/**
 * One legal value. `name` is null for the one entry of `bug_status` whose moves are the statuses a new bug may have;
 * `is_active` comes for product-specific fields, `description` for keywords, `is_open` and `can_change_to` for statuses.
 */
export type FieldValue = {
  readonly name: string | null;
  readonly sort_key?: number;
  readonly sortkey?: number;
  readonly visibility_values?: readonly string[];
  readonly is_active?: boolean;
  readonly description?: string;
  readonly is_open?: boolean;
  readonly can_change_to?: readonly StatusMove[];
};

/** A field of bugs as the fields endpoint describes it; fields without legal values may lack `values` altogether. */
export type Field = {
  readonly id: number;
  readonly type: number;
  readonly is_custom: boolean;
  readonly name: string; // the internal name: bug_status, short_desc
  readonly display_name: string;
  readonly is_mandatory: boolean;
  readonly is_on_bug_entry: boolean;
  readonly visibility_field: string | null;
  readonly visibility_values: readonly string[];
  readonly value_field?: string | null;
  readonly values?: readonly FieldValue[];
};
