/** Details of a user, next to a login name (`assigned_to_detail`, `cc_detail`). */
export type User = {
  readonly id: number;
  readonly real_name: string;
  readonly name: string;
  readonly email: string;
};

/** A flag that is set on a bug. `requestee` is absent for a request to nobody in particular. */
export type Flag = {
  readonly id: number;
  readonly name: string;
  readonly type_id: number;
  readonly creation_date: string;
  readonly modification_date: string;
  readonly status: string;
  readonly setter: string;
  readonly requestee?: string;
};

/** A comment; `count` is its number on the bug (0: the description), `id` is unique in the tracker. */
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
  readonly tags?: readonly string[]; // absent if comment tagging is disabled
};

/** An attachment without its data; `size` in bytes. Servers return booleans as 0 and 1. */
export type Attachment = {
  readonly id: number;
  readonly bug_id: number;
  readonly file_name: string;
  readonly summary: string;
  readonly content_type: string;
  readonly size?: number;
  readonly is_patch: number | boolean;
  readonly is_private: number | boolean;
  readonly is_obsolete: number | boolean;
  readonly creator: string;
  readonly creation_time: string;
  readonly last_change_time: string;
  readonly flags?: readonly Flag[];
};

/** Change of one field as text; list items are separated by `, `. */
export type FieldChange = {
  readonly field_name: string;
  readonly removed: string;
  readonly added: string;
  readonly attachment_id?: number;
};

/** All changes of a bug by one user at one time. */
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
 * Changes of one object in the response of Update Bug and Update Group, by field name; null is no value, as for a group
 * without icon.
 */
export type Changes = Readonly<Record<string, { readonly added: string | null; readonly removed: string | null }>>;

/** Response of Update Bug for one bug. */
export type ChangedBug = {
  readonly id: number;
  readonly alias: readonly string[];
  readonly last_change_time: string;
  readonly changes: Changes;
};

/** A member of a group; the reason for a disabled login is in either of the last two fields, by server version. */
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
 * A group. `is_bug_group`, `is_active` and `user_regexp` are absent for requesters outside `creategroups`; members are in
 * `membership` or `users`, if requested.
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

/** A component, version or milestone of a product; the people, by login, are set for components only. */
export type TrackerProductPart = {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
  readonly is_active?: boolean;
  readonly sort_key?: number;
  readonly default_assigned_to?: string;
  readonly default_qa_contact?: string;
};

/** A product; all but id and name may be left out. */
export type TrackerProduct = {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
  readonly classification?: string;
  readonly is_active?: boolean;
  readonly has_unconfirmed?: boolean;
  readonly default_milestone?: string;
  readonly components?: readonly TrackerProductPart[];
  readonly versions?: readonly TrackerProductPart[];
  readonly milestones?: readonly TrackerProductPart[];
};

/** A user of the tracker. Anonymous requesters get id, login and real name only; `login_denied_text` is for administrators. */
export type UserAccount = {
  readonly id: number;
  readonly name: string;
  readonly real_name?: string;
  readonly email?: string;
  readonly can_login?: boolean;
  readonly login_denied_text?: string;
  readonly groups?: readonly { readonly id: number; readonly name: string; readonly description?: string }[];
};

/** A status transition: new status, and whether it requires a comment. */
export type StatusMove = { readonly name: string; readonly comment_required: boolean };

/**
 * A legal value. `name` is null for the entry of `bug_status` with the statuses of new bugs. `is_active` is set for
 * product-specific fields, `description` for keywords, `is_open` and `can_change_to` for statuses.
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

/** A bug field; `values` may be absent for fields without legal values. */
export type Field = {
  readonly id: number;
  readonly type: number;
  readonly is_custom: boolean;
  readonly name: string; // chart name: bug_status, short_desc
  readonly display_name?: string | null;
  readonly is_mandatory: boolean;
  readonly is_on_bug_entry: boolean;
  readonly visibility_field: string | null;
  readonly visibility_values: readonly string[];
  readonly value_field?: string | null;
  readonly values?: readonly FieldValue[];
};

/** What is known of a custom field even where the tracker does not list its fields. */
export type NamedField = Pick<Field, "name" | "type" | "is_custom">;
