import { BUG_TABLES, DISCUSSION_TABLES, FULLTEXT_TABLES } from "./bug-schema.ts";
import { FIELD_TABLES, PRODUCT_TABLES, SERVER_TABLES, USER_TABLES } from "./setup-schema.ts";

const FIRST = [
  USER_TABLES,
  PRODUCT_TABLES,
  FIELD_TABLES,
  BUG_TABLES,
  DISCUSSION_TABLES,
  FULLTEXT_TABLES,
  SERVER_TABLES,
].join("\n");

/** Finds what is old enough to be removed without reading the whole table. */
const BY_TIME = `
CREATE INDEX answered_writes_by_time ON answered_writes (time);
CREATE INDEX outbox_by_time ON outbox (time);
CREATE INDEX login_tokens_by_use ON login_tokens (last_used);
CREATE INDEX failed_logins_by_time ON failed_logins (time);
`;

/**
 * The steps that bring a database to the present schema, in order; its `user_version` says how many it has had. A step
 * that was released is frozen: files exist that have had it, so a change of the schema is a new step at the end.
 */
export const MIGRATIONS: readonly string[] = [FIRST, BY_TIME];
