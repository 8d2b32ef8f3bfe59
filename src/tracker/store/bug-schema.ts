/** Tables of bugs and their lists. Times are text like 2026-11-20T05:57:24Z, so that text order is time order. */
export const BUG_TABLES = `
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

CREATE TABLE bug_groups (
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  group_id INTEGER NOT NULL REFERENCES groups,
  PRIMARY KEY (bug_id, group_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE bug_cc (
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users,
  PRIMARY KEY (bug_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bug_cc_of_user ON bug_cc (user_id);

CREATE TABLE bug_keywords (
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  keyword_id INTEGER NOT NULL REFERENCES keywords ON DELETE CASCADE,
  PRIMARY KEY (bug_id, keyword_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bug_keywords_of_keyword ON bug_keywords (keyword_id);

CREATE TABLE bug_see_also (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  url TEXT NOT NULL,
  UNIQUE (bug_id, url)
) STRICT;

-- bug_id waits for depends_on_id.
CREATE TABLE bug_dependencies (
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  depends_on_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  PRIMARY KEY (bug_id, depends_on_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bug_dependencies_blocks ON bug_dependencies (depends_on_id);

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

CREATE TABLE bug_tags (
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES personal_tags ON DELETE CASCADE,
  PRIMARY KEY (bug_id, tag_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE last_visits (
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  bug_id INTEGER NOT NULL REFERENCES bugs ON DELETE CASCADE,
  time TEXT NOT NULL,
  PRIMARY KEY (user_id, bug_id)
) STRICT, WITHOUT ROWID;
`;

/** Tables of comments, attachments, flags and history. */
export const DISCUSSION_TABLES = `
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
  about INTEGER
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
export const FULLTEXT_TABLES = `
CREATE VIRTUAL TABLE summary_words USING fts5 (summary, content = 'bugs', content_rowid = 'id');
CREATE VIRTUAL TABLE comment_words USING fts5 (text, content = 'comments', content_rowid = 'id');

CREATE TRIGGER summary_words_added AFTER INSERT ON bugs BEGIN
  INSERT INTO summary_words (rowid, summary) VALUES (new.id, new.summary);
END;
CREATE TRIGGER summary_words_changed AFTER UPDATE OF summary ON bugs BEGIN
  INSERT INTO summary_words (summary_words, rowid, summary) VALUES ('delete', old.id, old.summary);
  INSERT INTO summary_words (rowid, summary) VALUES (new.id, new.summary);
END;
CREATE TRIGGER summary_words_gone AFTER DELETE ON bugs BEGIN
  INSERT INTO summary_words (summary_words, rowid, summary) VALUES ('delete', old.id, old.summary);
END;

CREATE TRIGGER comment_words_added AFTER INSERT ON comments BEGIN
  INSERT INTO comment_words (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER comment_words_changed AFTER UPDATE OF text ON comments BEGIN
  INSERT INTO comment_words (comment_words, rowid, text) VALUES ('delete', old.id, old.text);
  INSERT INTO comment_words (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER comment_words_gone AFTER DELETE ON comments BEGIN
  INSERT INTO comment_words (comment_words, rowid, text) VALUES ('delete', old.id, old.text);
END;
`;
