import type { Json } from "../../wire/exchange.ts";
import type { MirrorFacts } from "../../wire/mirror.ts";
import type { Store } from "../store/store.ts";

/** Tables that a mirror's file has beside those of a tracker. */
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

-- What was received of a bug, as JSON without names: the tables of a tracker beside it are for searches.
-- New rows are the last ones, which fills pages better than rows in the order of bugs.
CREATE TABLE mirror_received (
  id INTEGER PRIMARY KEY,
  bug_id INTEGER NOT NULL UNIQUE,
  bug TEXT NOT NULL,
  discussion TEXT NOT NULL                         -- comments, history and attachments, without texts and data
) STRICT;

CREATE TABLE mirror_names (
  id INTEGER PRIMARY KEY,
  names TEXT NOT NULL                              -- of the fields of an object: a JSON list
) STRICT;

CREATE TABLE mirror_objects (
  kind TEXT NOT NULL CHECK (kind IN ('field', 'product', 'group')),
  id INTEGER NOT NULL,
  json TEXT NOT NULL,                              -- as received
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- Counted at the end of each sync.
CREATE INDEX private_comments ON comments (id) WHERE is_private = 1;

-- Ids of users on the tracker, as far as they were received; the others have one of this file.
CREATE TABLE mirror_users (
  user_id INTEGER PRIMARY KEY,
  server_id INTEGER UNIQUE,
  is_shortened INTEGER NOT NULL DEFAULT 0          -- the server cut the login at its @
) STRICT;
`;

/** Version of a mirror's own tables. */
export const MIRROR_VERSION = 1;

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
const FIRST_OWN_COMMENT = 2 ** 31; // the word index has 32 bits for it

/** Prepares a store as that of a mirror: a new one, or one that has the tables. */
export function prepareMirror(store: Store, { isNew }: { isNew: boolean }): void {
  store.exec("PRAGMA secure_delete = ON; PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL");
  store.exec(`PRAGMA wal_autocheckpoint = ${PAGES_PER_CHECKPOINT}`);
  if (isNew) store.transaction("write", () => createTables(store));
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

function createTables(store: Store): void {
  store.exec(OWN_TABLES);
  numberOwnRows(store);
  for (const index of ["summary_words", "comment_words"]) {
    store.run(`INSERT INTO ${index} (${index}, rank) VALUES ('secure-delete', 1)`);
  }
}

/** Sets the first numbers of rows that the mirror makes itself, far above those that it receives. */
function numberOwnRows(store: Store): void {
  for (const table of NUMBERED) {
    const first = table === "comments" ? FIRST_OWN_COMMENT : FIRST_OWN_ID;
    store.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, first]);
  }
}

/** The facts of an empty mirror. */
export const NO_FACTS: MirrorFacts = {
  version: MIRROR_VERSION,
  tracker: "",
  login: null,
  products: [],
  attachments: "none",
  publicOnly: false,
  mark: null,
  settled: null,
  wide: null,
  progress: null,
  lastSync: null,
  checked: null,
  audit: null,
  settling: null,
  highestId: 0,
  lowestId: 0,
  longestPage: 0,
  checkedAbove: null,
  groups: null,
  savedSearches: null,
  folding: null,
  isInsider: null,
  hasPages: null,
  zone: null,
};

export function readMirrorFacts(store: Store): MirrorFacts {
  const rows = store.all<{ name: string; value: string }>("SELECT name, value FROM mirror_facts");
  return { ...NO_FACTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as Json])) };
}

/** Stores facts of a mirror; other facts are kept. */
export function writeFacts(store: Store, facts: Partial<MirrorFacts>): void {
  for (const [name, value] of Object.entries(facts)) {
    store.run("INSERT OR REPLACE INTO mirror_facts (name, value) VALUES (?, ?)", [name, JSON.stringify(value)]);
  }
}
