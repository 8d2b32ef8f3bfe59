import { BUG_TABLES, DISCUSSION_TABLES, FULLTEXT_TABLES } from "./bug-schema.ts";
import type { Database } from "./database.ts";
import { FIELD_TABLES, PRODUCT_TABLES, SERVER_TABLES, USER_TABLES } from "./setup-schema.ts";

const INITIAL_SCHEMA = [
  USER_TABLES,
  PRODUCT_TABLES,
  FIELD_TABLES,
  BUG_TABLES,
  DISCUSSION_TABLES,
  FULLTEXT_TABLES,
  SERVER_TABLES,
].join("\n");

/** Indexes for deleting old rows. */
const TIME_INDEXES = `
CREATE INDEX answered_writes_by_time ON answered_writes (time);
CREATE INDEX outbox_by_time ON outbox (time);
CREATE INDEX login_tokens_by_use ON login_tokens (last_used);
CREATE INDEX failed_logins_by_time ON failed_logins (time);
`;

/**
 * SQL of all schema migrations, in order; `user_version` of a database is the number applied. Released migrations are
 * frozen, since files exist that have them: a schema change is a new migration at the end.
 */
export const MIGRATIONS: readonly string[] = [INITIAL_SCHEMA, TIME_INDEXES];

/** Refuses a database whose schema is newer than this program. @throws Error if it is */
export function checkVersion(store: Database): void {
  const [version, supported] = [versionOf(store), MIGRATIONS.length];
  if (version > supported) {
    throw new Error(
      `The data was created by a newer bt: its schema is version ${version}, this bt supports ${supported}.`,
    );
  }
}

/** Brings a database to the current schema in one transaction; does nothing if it is up to date. */
export function migrate(store: Database): void {
  if (versionOf(store) === MIGRATIONS.length) return;
  store.transaction("write", () => {
    const version = versionOf(store); // of now: another process may have been faster
    for (const [index, step] of MIGRATIONS.entries()) {
      if (index >= version) store.exec(`${step}\nPRAGMA user_version = ${index + 1}`);
    }
  });
}

function versionOf(store: Database): number {
  return Number(store.get("PRAGMA user_version")?.["user_version"] ?? 0);
}
