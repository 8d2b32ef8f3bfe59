/** The fields of bugs, their legal values, and the moves that the status may make. */
export const fields = `
CREATE TABLE fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,                       -- as the fields endpoint says it: bug_status, cf_due
  display_name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  type INTEGER NOT NULL,                           -- codes of the interface, 0 to 10
  is_custom INTEGER NOT NULL DEFAULT 0,
  is_mandatory INTEGER NOT NULL DEFAULT 0,
  is_on_bug_entry INTEGER NOT NULL DEFAULT 0,
  is_obsolete INTEGER NOT NULL DEFAULT 0,
  is_numeric INTEGER NOT NULL DEFAULT 0,
  in_bug_list INTEGER NOT NULL DEFAULT 0,
  sort_key INTEGER NOT NULL DEFAULT 0,
  visibility_field TEXT REFERENCES fields (name),  -- shown only when that field has one of field_visibility's values
  value_field TEXT REFERENCES fields (name)        -- decides which values are shown
) STRICT;

CREATE TABLE field_visibility (
  field_id INTEGER NOT NULL REFERENCES fields ON DELETE CASCADE,
  value TEXT NOT NULL,
  PRIMARY KEY (field_id, value)
) STRICT, WITHOUT ROWID;

-- Values of the select fields; those of products, components, versions, milestones and keywords are tables of their own.
CREATE TABLE field_values (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  field_id INTEGER NOT NULL REFERENCES fields ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  sort_key INTEGER NOT NULL DEFAULT 0,
  is_active INTEGER NOT NULL DEFAULT 1,
  is_open INTEGER NOT NULL DEFAULT 0,              -- of bug_status
  visible_for TEXT,                                -- the value of value_field that it belongs to; null: any
  UNIQUE (field_id, name)
) STRICT;

-- A null from_status is a new bug.
CREATE TABLE status_moves (
  from_status TEXT COLLATE NOCASE,
  to_status TEXT NOT NULL COLLATE NOCASE,
  comment_required INTEGER NOT NULL DEFAULT 0,
  UNIQUE (from_status, to_status)
) STRICT;
`;
