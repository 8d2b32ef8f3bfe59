/** Tables of bugs. Times are text like 2026-11-20T05:57:24Z, so that text order is time order. */
const BUG_TABLES = `
CREATE TABLE bugs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  summary TEXT NOT NULL COLLATE NOCASE,
  status TEXT NOT NULL COLLATE NOCASE,
  resolution TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
  product_id INTEGER NOT NULL REFERENCES products,
  component_id INTEGER NOT NULL REFERENCES components,
  version TEXT NOT NULL COLLATE NOCASE,
  target_milestone TEXT NOT NULL DEFAULT '---' COLLATE NOCASE,
  priority TEXT NOT NULL COLLATE NOCASE,
  severity TEXT NOT NULL COLLATE NOCASE,
  platform TEXT NOT NULL COLLATE NOCASE,
  op_sys TEXT NOT NULL COLLATE NOCASE,
  assigned_to_id INTEGER NOT NULL REFERENCES users,
  creator_id INTEGER NOT NULL REFERENCES users,
  qa_contact_id INTEGER REFERENCES users,
  creation_time TEXT NOT NULL,
  last_change_time TEXT NOT NULL,
  deadline TEXT,                                   -- YYYY-MM-DD
  url TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
  whiteboard TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
  is_confirmed INTEGER NOT NULL DEFAULT 1,
  is_cc_accessible INTEGER NOT NULL DEFAULT 1,
  is_creator_accessible INTEGER NOT NULL DEFAULT 1,
  estimated_time REAL NOT NULL DEFAULT 0,
  remaining_time REAL NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX bugs_by_status ON bugs (status);
CREATE INDEX bugs_by_product ON bugs (product_id, component_id);
CREATE INDEX bugs_by_assignee ON bugs (assigned_to_id);
CREATE INDEX bugs_by_creator ON bugs (creator_id);
CREATE INDEX bugs_by_change ON bugs (last_change_time);

CREATE TABLE bug_aliases (
  alias TEXT PRIMARY KEY COLLATE NOCASE,
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX bug_aliases_of_bug ON bug_aliases (bug_id);

CREATE TABLE bug_see_also (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  url TEXT NOT NULL,
  UNIQUE (bug_id, url)
) STRICT;

CREATE TABLE bug_duplicates (
  bug_id INTEGER PRIMARY KEY REFERENCES bugs ON DELETE CASCADE,
  dupe_of INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE
) STRICT;
CREATE INDEX bug_duplicates_of_bug ON bug_duplicates (dupe_of);

-- One value of a custom field; a bug without a row has the field's empty value ('', '---' or null, by its type).
CREATE TABLE custom_values (
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  field_id INTEGER NOT NULL REFERENCES fields ON DELETE CASCADE,
  value TEXT NOT NULL COLLATE NOCASE,              -- whole numbers and bug ids too; dates as YYYY-MM-DD
  PRIMARY KEY (field_id, bug_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX custom_values_of_bug ON custom_values (bug_id);

-- The values of a multiple-selection custom field, a row each.
CREATE TABLE custom_choices (
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  field_id INTEGER NOT NULL REFERENCES fields ON DELETE CASCADE,
  value TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (field_id, bug_id, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX custom_choices_of_bug ON custom_choices (bug_id);

CREATE TABLE personal_tags (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  UNIQUE (user_id, name)
) STRICT;
`;

/** Lists of bugs: table, column of a member, what it refers to and what its removal does. */
const LIST_TABLES = [
  ["bug_groups", "group_id", "groups"],
  ["bug_cc", "user_id", "users"],
  ["bug_keywords", "keyword_id", "keywords ON DELETE CASCADE"],
  ["bug_dependencies", "depends_on_id", "bugs ON DELETE CASCADE"], // the bug waits for this one
  ["bug_tags", "tag_id", "personal_tags ON DELETE CASCADE"],
].map(
  ([table, member, target]) => `
CREATE TABLE ${table} (
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  ${member} INTEGER NOT NULL REFERENCES ${target},
  PRIMARY KEY (bug_id, ${member})
) STRICT, WITHOUT ROWID;
CREATE INDEX ${table}_by_member ON ${table} (${member});`,
);

/** Tables of comments, attachments, flags and history. */
const DISCUSSION_TABLES = `
CREATE TABLE attachments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  creator_id INTEGER NOT NULL REFERENCES users,
  creation_time TEXT NOT NULL,
  last_change_time TEXT NOT NULL,
  file_name TEXT NOT NULL COLLATE NOCASE,
  summary TEXT NOT NULL COLLATE NOCASE,
  content_type TEXT NOT NULL COLLATE NOCASE,
  is_patch INTEGER NOT NULL DEFAULT 0,
  is_obsolete INTEGER NOT NULL DEFAULT 0,
  is_private INTEGER NOT NULL DEFAULT 0,
  data TEXT NOT NULL,                              -- base64
  size INTEGER NOT NULL                            -- of what was encoded
) STRICT;
CREATE INDEX attachments_of_bug ON attachments (bug_id);

-- kind and about: duplicate_of and has_duplicate name a bug, attachment_created and attachment_updated an attachment;
-- such a comment's sentence is made when it is read, text holds what the person added.
CREATE TABLE comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  creator_id INTEGER NOT NULL REFERENCES users,
  creation_time TEXT NOT NULL,
  text TEXT NOT NULL COLLATE NOCASE,
  is_private INTEGER NOT NULL DEFAULT 0,
  work_time REAL NOT NULL DEFAULT 0,
  kind TEXT NOT NULL DEFAULT 'plain' CHECK
    (kind IN ('plain', 'duplicate_of', 'has_duplicate', 'attachment_created', 'attachment_updated')),
  about INTEGER,
  CHECK (id < 4294967296 AND bug_id < 2147483648)  -- both are in one number of the word index
) STRICT;
CREATE INDEX comments_of_bug ON comments (bug_id, creation_time);
CREATE INDEX comments_of_user ON comments (creator_id, creation_time);

CREATE TABLE comment_tags (
  comment_id INTEGER NOT NULL REFERENCES comments ON DELETE CASCADE,
  tag TEXT NOT NULL COLLATE NOCASE,
  PRIMARY KEY (comment_id, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE flags (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type_id INTEGER NOT NULL REFERENCES flag_types,
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  attachment_id INTEGER REFERENCES attachments ON DELETE CASCADE,
  status TEXT NOT NULL CHECK (status IN ('?', '+', '-')),
  setter_id INTEGER NOT NULL REFERENCES users,
  requestee_id INTEGER REFERENCES users,
  creation_date TEXT NOT NULL,
  modification_date TEXT NOT NULL
) STRICT;
CREATE INDEX flags_of_bug ON flags (bug_id);
CREATE INDEX flags_of_requestee ON flags (requestee_id);

CREATE TABLE activity (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users,
  time TEXT NOT NULL,
  field TEXT NOT NULL REFERENCES fields (name),    -- bug_status, flagtypes.name, cf_due
  removed TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
  added TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
  comment_id INTEGER REFERENCES comments ON DELETE CASCADE,
  attachment_id INTEGER REFERENCES attachments ON DELETE CASCADE
) STRICT;
CREATE INDEX activity_of_bug ON activity (bug_id, time);
CREATE INDEX activity_of_field ON activity (field, time);
`;

/** Full-text indexes of summaries and comments, maintained by triggers. */
const FULLTEXT_TABLES = `
CREATE VIRTUAL TABLE summary_words USING fts5 (summary, content = 'bugs', content_rowid = 'id');
-- A row a comment, in the order of the bugs: its rowid is bug_id * 2^32 + id.
CREATE VIRTUAL TABLE comment_words USING fts5 (text, content = '');
${wordTriggers("summary_words", "bugs", "summary", "ROW.id")}
${wordTriggers("comment_words", "comments", "text", "ROW.bug_id << 32 | ROW.id")}
`;

/** Triggers that keep the words of a table's texts; `rowid` is SQL of a row, which it calls `ROW`. */
function wordTriggers(words: string, table: string, text: string, rowid: string): string {
  const rowidOf = (row: string) => rowid.replaceAll("ROW", row);
  const add = `INSERT INTO ${words} (rowid, ${text}) VALUES (${rowidOf("new")}, new.${text});`;
  const remove = `INSERT INTO ${words} (${words}, rowid, ${text}) VALUES ('delete', ${rowidOf("old")}, old.${text});`;
  return `
CREATE TRIGGER ${words}_added AFTER INSERT ON ${table} BEGIN ${add} END;
CREATE TRIGGER ${words}_changed AFTER UPDATE OF id, ${text} ON ${table} BEGIN ${remove} ${add} END;
CREATE TRIGGER ${words}_gone AFTER DELETE ON ${table} BEGIN ${remove} END;`;
}

/** Tables of people, products, fields and of the server. */
const SETUP_TABLES = `
-- Users, credentials and groups.
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  login TEXT NOT NULL UNIQUE COLLATE NOCASE,
  real_name TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
  password_hash TEXT,                              -- null: no password login
  disabled_text TEXT NOT NULL DEFAULT '',          -- why the account is disabled; '' enables it
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
  last_used TEXT NOT NULL
) STRICT;

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

-- Members of one group are members of (or may bless) another.
CREATE TABLE group_inclusions (
  member_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
  grantor_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('member', 'bless')),
  PRIMARY KEY (member_id, grantor_id, kind)
) STRICT, WITHOUT ROWID;

-- Products and what belongs to them, keywords, flag types and group controls.
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

-- Where flags of a type are set; a null product or component stands for all of them.
CREATE TABLE flag_type_inclusions (
  type_id INTEGER NOT NULL REFERENCES flag_types ON DELETE CASCADE,
  product_id INTEGER REFERENCES products ON DELETE CASCADE,
  component_id INTEGER REFERENCES components ON DELETE CASCADE
) STRICT;

-- Controls: 0 not applicable, 1 shown, 2 default, 3 mandatory.
CREATE TABLE group_controls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
  group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
  entry INTEGER NOT NULL DEFAULT 0,                -- filing needs the group
  member_control INTEGER NOT NULL DEFAULT 0,
  other_control INTEGER NOT NULL DEFAULT 0,
  can_edit INTEGER NOT NULL DEFAULT 0,             -- editing anything needs the group
  edit_components INTEGER NOT NULL DEFAULT 0,
  edit_bugs INTEGER NOT NULL DEFAULT 0,            -- members may edit bugs of this product
  can_confirm INTEGER NOT NULL DEFAULT 0,
  UNIQUE (product_id, group_id)
) STRICT;

-- Fields of bugs, legal values and transitions of the status.
CREATE TABLE fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,                       -- as the fields endpoint says it: bug_status, cf_due
  display_name TEXT NOT NULL,
  type INTEGER NOT NULL,                           -- codes of the interface, 0 to 10
  is_custom INTEGER NOT NULL DEFAULT 0,
  is_mandatory INTEGER NOT NULL DEFAULT 0,
  is_on_bug_entry INTEGER NOT NULL DEFAULT 0,
  is_obsolete INTEGER NOT NULL DEFAULT 0,
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

-- Parameters, audit log and outgoing mail.
CREATE TABLE parameters (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- When the setup was changed.
CREATE TABLE audit (time TEXT NOT NULL) STRICT;

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  bug_id INTEGER REFERENCES bugs ON DELETE CASCADE,
  reasons TEXT NOT NULL,                           -- why this user gets it: "assignee, cc"
  subject TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
`;

/**
 * SQL of the temporary views of what the requester may see; queries about bugs, comments or history
 * read these, never the tables below. `viewer` has one row, `viewer_groups` the requester's groups.
 * The CROSS JOIN has SQLite read bugs in the order of an index, and not sort all of them.
 */
export const VISIBLE_VIEWS = `
CREATE TEMP TABLE viewer (
  user_id INTEGER NOT NULL,                        -- 0: nobody is logged in
  is_insider INTEGER NOT NULL,
  is_time_tracker INTEGER NOT NULL,
  has_qa_contacts INTEGER NOT NULL                 -- the tracker uses QA contacts at all
);
CREATE TEMP TABLE viewer_groups (group_id INTEGER PRIMARY KEY);

CREATE TEMP VIEW visible_bugs AS
SELECT bugs.* FROM bugs CROSS JOIN viewer
WHERE NOT EXISTS (
    SELECT 1 FROM bug_groups
    WHERE bug_groups.bug_id = bugs.id AND bug_groups.group_id NOT IN (SELECT group_id FROM viewer_groups))
  OR bugs.assigned_to_id = viewer.user_id
  OR (viewer.has_qa_contacts AND bugs.qa_contact_id = viewer.user_id)
  OR (bugs.is_creator_accessible AND bugs.creator_id = viewer.user_id)
  OR (bugs.is_cc_accessible AND EXISTS (
    SELECT 1 FROM bug_cc WHERE bug_cc.bug_id = bugs.id AND bug_cc.user_id = viewer.user_id));

${Object.entries({
  comments: "(comments.is_private = 0 OR viewer.is_insider)",
  attachments: "(attachments.is_private = 0 OR viewer.is_insider)",
  flags: `(flags.attachment_id IS NULL OR viewer.is_insider
    OR flags.attachment_id NOT IN (SELECT id FROM attachments WHERE is_private = 1))`,
  activity: `(activity.field NOT IN ('estimated_time', 'remaining_time', 'work_time') OR viewer.is_time_tracker)
  AND (viewer.is_insider OR activity.attachment_id IS NULL
    OR activity.attachment_id NOT IN (SELECT id FROM attachments WHERE is_private = 1))
  AND (viewer.is_insider OR activity.comment_id IS NULL
    OR activity.comment_id NOT IN (SELECT id FROM comments WHERE is_private = 1))`,
})
  .map(
    ([table, isVisible]) => `
CREATE TEMP VIEW visible_${table} AS SELECT ${table}.* FROM ${table}, viewer WHERE ${isVisible}
  AND ${table}.bug_id IN (SELECT id FROM visible_bugs WHERE visible_bugs.id = ${table}.bug_id);`,
  )
  .join("")}
`;

/** The `user_version`; negated in the shipped demo, which has rows and no schema. */
export const SCHEMA_VERSION = 5;

export const SCHEMA = [SETUP_TABLES, BUG_TABLES, ...LIST_TABLES, DISCUSSION_TABLES, FULLTEXT_TABLES].join("\n");
