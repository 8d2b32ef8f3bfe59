import type { Store } from "../store/store.ts";

/**
 * Tables that a mirror's file has beside those of a tracker. `mirror_rest` has what the tracker's own readers would not
 * return as received, by object: fields to set, and fields to leave out; null hides the object from lists.
 */
const OWN_TABLES = `
CREATE TABLE mirror_facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL                              -- JSON
) STRICT, WITHOUT ROWID;

CREATE TABLE mirror_bugs (
  bug_id INTEGER PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('held', 'failed')),
  last_change_time TEXT NOT NULL,                  -- as received; '': has to be read again
  read_time TEXT NOT NULL,
  reason TEXT
) STRICT;
CREATE INDEX mirror_bugs_by_state ON mirror_bugs (state, read_time);
CREATE INDEX mirror_bugs_stale ON mirror_bugs (bug_id) WHERE last_change_time = '';

CREATE TABLE mirror_rest (
  kind TEXT NOT NULL CHECK (kind IN ('bug', 'comment', 'history', 'attachment', 'field', 'product', 'group', 'user')),
  id INTEGER NOT NULL,
  rest TEXT NOT NULL,                              -- JSON: {"set": {...}, "drop": [...]}, or null
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- Ids of users on the tracker, as far as they were received; the others have one of this file.
CREATE TABLE mirror_users (
  user_id INTEGER PRIMARY KEY,
  server_id INTEGER UNIQUE,
  is_shortened INTEGER NOT NULL DEFAULT 0          -- the server cut the login at its @
) STRICT;
`;

/** SQL of the migrations of a mirror's own tables, in order; released ones are frozen. */
const MIRROR_MIGRATIONS: readonly string[] = [OWN_TABLES];

/** Version of the own tables that this program writes. */
export const MIRROR_VERSION = MIRROR_MIGRATIONS.length;

/** Tables in which names get an id of this file if the server's is not known; such ids are higher than those of servers. */
const NUMBERED = [
  "users",
  "groups",
  "classifications",
  "products",
  "components",
  "versions",
  "milestones",
  "keywords",
  "flag_types",
  "fields",
  "field_values",
  "comments",
  "attachments",
  "flags",
];

const FIRST_OWN_ID = 2 ** 40;

/** Makes a new tracker's store that of a mirror, or brings its own tables up to date. @throws Error for a newer version */
export function prepareMirror(store: Store): void {
  store.exec("PRAGMA secure_delete = ON; PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL");
  store.exec(`PRAGMA wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}`);
  const found = mirrorVersion(store);
  if (found > MIRROR_VERSION) {
    throw new Error(
      `The mirror was created by a newer bt: its version is ${found}, this bt supports ${MIRROR_VERSION}.`,
    );
  }
  if (found === MIRROR_VERSION) return;
  store.transaction("write", () => {
    const version = mirrorVersion(store); // of now: another process may have been faster
    for (const step of MIRROR_MIGRATIONS.slice(version)) store.exec(step);
    if (version === 0) prepareNew(store);
    store.run("INSERT OR REPLACE INTO mirror_facts (name, value) VALUES ('version', ?)", [String(MIRROR_VERSION)]);
  });
}

/**
 * Changed pages of 4 KiB after which they are moved from the log to the file. That waits for the disk, and a first sync
 * changes the same pages many times.
 */
const PAGES_PER_CHECKPOINT = 10_000;

/** Version of the own tables of a store; 0 for one that is no mirror. */
export function mirrorVersion(store: Store): number {
  if (!store.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'mirror_facts'")) return 0;
  return Number(store.get("SELECT value FROM mirror_facts WHERE name = 'version'")?.["value"] ?? 0);
}

function prepareNew(store: Store): void {
  for (const table of NUMBERED) {
    store.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, FIRST_OWN_ID]);
  }
  for (const index of ["summary_words", "comment_words"]) {
    store.run(`INSERT INTO ${index} (${index}, rank) VALUES ('secure-delete', 1)`);
  }
}
