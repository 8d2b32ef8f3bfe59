/** Users, how they prove who they are, and the groups that they are in. */
export const people = `
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

CREATE TABLE failed_logins (
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  address TEXT NOT NULL,
  time TEXT NOT NULL
) STRICT;
CREATE INDEX failed_logins_of_user ON failed_logins (user_id, address);

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
