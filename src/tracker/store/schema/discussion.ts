/** What was said and done: comments, attachments, flags, history. */
export const discussion = `
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
