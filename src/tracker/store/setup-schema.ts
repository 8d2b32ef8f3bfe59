/** Tables of users, credentials and groups. */
export const USER_TABLES = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  login TEXT NOT NULL UNIQUE COLLATE NOCASE,
  real_name TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
  password_hash TEXT,                              -- null: no password login
  is_enabled INTEGER NOT NULL DEFAULT 1,
  disabled_text TEXT NOT NULL DEFAULT '',
  email_enabled INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  key_sha256 TEXT NOT NULL UNIQUE,                 -- a key itself is never stored
  description TEXT NOT NULL DEFAULT '',
  is_revoked INTEGER NOT NULL DEFAULT 0,
  creation_time TEXT NOT NULL
) STRICT;
CREATE INDEX api_keys_of_user ON api_keys (user_id);

CREATE TABLE login_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  token_sha256 TEXT NOT NULL UNIQUE,
  address TEXT,                                    -- set: good from this address only
  last_used TEXT NOT NULL
) STRICT;
CREATE INDEX login_tokens_by_use ON login_tokens (last_used);

CREATE TABLE failed_logins (
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  address TEXT NOT NULL,
  time TEXT NOT NULL
) STRICT;
CREATE INDEX failed_logins_of_user ON failed_logins (user_id, address);
CREATE INDEX failed_logins_by_time ON failed_logins (time);

CREATE TABLE groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT NOT NULL,
  is_bug_group INTEGER NOT NULL DEFAULT 1,
  user_regexp TEXT NOT NULL DEFAULT '',
  is_active INTEGER NOT NULL DEFAULT 1,
  icon_url TEXT
) STRICT;

CREATE TABLE group_members (
  group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('member', 'bless')),
  given_by TEXT NOT NULL DEFAULT 'direct' CHECK (given_by IN ('direct', 'regexp')),
  PRIMARY KEY (user_id, group_id, kind, given_by)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_members_of_group ON group_members (group_id);

-- Members of one group are members of (or may bless, or may see) another.
CREATE TABLE group_inclusions (
  member_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
  grantor_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('member', 'bless', 'see')),
  PRIMARY KEY (member_id, grantor_id, kind)
) STRICT, WITHOUT ROWID;
`;

/** Tables of products, components, versions, milestones, keywords, flag types and group controls. */
export const PRODUCT_TABLES = `
CREATE TABLE classifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT '',
  sort_key INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE products (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  classification_id INTEGER NOT NULL REFERENCES classifications,
  description TEXT NOT NULL DEFAULT '',
  is_active INTEGER NOT NULL DEFAULT 1,
  default_milestone TEXT NOT NULL DEFAULT '---',
  has_unconfirmed INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE components (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT '',
  default_assignee_id INTEGER NOT NULL REFERENCES users,
  default_qa_contact_id INTEGER REFERENCES users,
  is_active INTEGER NOT NULL DEFAULT 1,
  UNIQUE (product_id, name)
) STRICT;

CREATE TABLE component_cc (
  component_id INTEGER NOT NULL REFERENCES components ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (component_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  is_active INTEGER NOT NULL DEFAULT 1,
  UNIQUE (product_id, name)
) STRICT;

CREATE TABLE milestones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  sort_key INTEGER NOT NULL DEFAULT 0,
  is_active INTEGER NOT NULL DEFAULT 1,
  UNIQUE (product_id, name)
) STRICT;

CREATE TABLE keywords (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE flag_types (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT '',
  cc_list TEXT NOT NULL DEFAULT '',
  target TEXT NOT NULL DEFAULT 'bug' CHECK (target IN ('bug', 'attachment')),
  is_active INTEGER NOT NULL DEFAULT 1,
  is_requestable INTEGER NOT NULL DEFAULT 1,
  is_requesteeble INTEGER NOT NULL DEFAULT 1,
  is_multiplicable INTEGER NOT NULL DEFAULT 1,
  sort_key INTEGER NOT NULL DEFAULT 0,
  grant_group_id INTEGER REFERENCES groups ON DELETE SET NULL,
  request_group_id INTEGER REFERENCES groups ON DELETE SET NULL
) STRICT;

-- A null product or component stands for all of them.
CREATE TABLE flag_type_inclusions (
  type_id INTEGER NOT NULL REFERENCES flag_types ON DELETE CASCADE,
  product_id INTEGER REFERENCES products ON DELETE CASCADE,
  component_id INTEGER REFERENCES components ON DELETE CASCADE
) STRICT;
CREATE TABLE flag_type_exclusions (
  type_id INTEGER NOT NULL REFERENCES flag_types ON DELETE CASCADE,
  product_id INTEGER REFERENCES products ON DELETE CASCADE,
  component_id INTEGER REFERENCES components ON DELETE CASCADE
) STRICT;

-- Controls: 0 not applicable, 1 shown, 2 default, 3 mandatory.
CREATE TABLE group_controls (
  product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
  group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
  entry INTEGER NOT NULL DEFAULT 0,                -- filing needs the group
  member_control INTEGER NOT NULL DEFAULT 0,
  other_control INTEGER NOT NULL DEFAULT 0,
  can_edit INTEGER NOT NULL DEFAULT 0,             -- editing anything needs the group
  edit_components INTEGER NOT NULL DEFAULT 0,
  edit_bugs INTEGER NOT NULL DEFAULT 0,            -- members may edit bugs of this product
  can_confirm INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (product_id, group_id)
) STRICT, WITHOUT ROWID;
`;

/** Tables of bug fields, legal values and status transitions. */
export const FIELD_TABLES = `
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

/** Tables of parameters, audit log, outgoing mail and idempotency keys. */
export const SERVER_TABLES = `
CREATE TABLE parameters (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER REFERENCES users,
  time TEXT NOT NULL,
  what TEXT NOT NULL                               -- one sentence
) STRICT;

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  bug_id INTEGER REFERENCES bugs ON DELETE CASCADE,
  reasons TEXT NOT NULL,                           -- why this user gets it: "assignee, cc"
  subject TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX outbox_by_time ON outbox (time);

CREATE TABLE answered_writes (
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  idempotency_key TEXT NOT NULL,
  request_sha256 TEXT NOT NULL,
  time TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (user_id, idempotency_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX answered_writes_by_time ON answered_writes (time);
`;
