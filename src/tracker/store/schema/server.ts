/** The tracker's own: parameters, what administrators did, mail to send, and writes that were answered already. */
export const server = `
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
  user_id INTEGER NOT NULL REFERENCES users,
  bug_id INTEGER REFERENCES bugs ON DELETE CASCADE,
  reasons TEXT NOT NULL,                           -- why this user gets it: "assignee, cc"
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  sent_time TEXT
) STRICT;
CREATE INDEX outbox_unsent ON outbox (id) WHERE sent_time IS NULL;

CREATE TABLE answered_writes (
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  idempotency_key TEXT NOT NULL,
  request_sha256 TEXT NOT NULL,
  time TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (user_id, idempotency_key)
) STRICT, WITHOUT ROWID;
`;
