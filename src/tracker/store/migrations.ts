import { BUG_TABLES, DISCUSSION_TABLES, FULLTEXT_TABLES } from "./bug-schema.ts";
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
