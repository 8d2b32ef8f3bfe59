import { BUG_TABLES, DISCUSSION_TABLES, FULLTEXT_TABLES } from "./bug-schema.ts";
import type { Database } from "./database.ts";
import { FIELD_TABLES, PRODUCT_TABLES, SERVER_TABLES, USER_TABLES } from "./setup-schema.ts";

/** Version of the schema, stored as `user_version`. */
export const SCHEMA_VERSION = 1;

const SCHEMA = [
  USER_TABLES,
  PRODUCT_TABLES,
  FIELD_TABLES,
  BUG_TABLES,
  DISCUSSION_TABLES,
  FULLTEXT_TABLES,
  SERVER_TABLES,
].join("\n");

/** Refuses a database with another schema. @throws Error if it has one */
export function checkSchema(store: Database): void {
  const version = versionOf(store);
  if (version === 0 || version === SCHEMA_VERSION) return;
  throw new Error(
    `The data was created by another version of bt: its schema is version ${version}, this bt supports ${SCHEMA_VERSION}.`,
  );
}

/** Creates the tables of a new database in one transaction. */
export function createSchema(store: Database): void {
  if (versionOf(store) !== 0) return;
  store.transaction("write", () => {
    if (versionOf(store) !== 0) return; // another process was faster
    store.exec(`${SCHEMA}\nPRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

function versionOf(store: Database): number {
  return Number(store.get("PRAGMA user_version")?.["user_version"]);
}
