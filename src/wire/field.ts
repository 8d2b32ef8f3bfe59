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
