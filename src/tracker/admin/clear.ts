import { Fault } from "../http/fault.ts";
import type { Setup } from "../setup/setup.ts";
import { isStillReferenced } from "../store/database.ts";
import type { Store } from "../store/store.ts";

/**
 * Removes everything that a complete setup does not contain, before it is applied. Users in the setup keep API keys and
 * passwords; the owner is renamed to its first user if the setup does not contain them.
 * @throws Fault 32000 if the setup is incomplete or the tracker has bugs
 */
export function clearForSetup(store: Store, { users: [first, ...others] = [], ...setup }: Setup): void {
  const missing = PARTS.find((part) => setup[part] === undefined);
  if (first === undefined || missing) throw failure(`The document is incomplete: ${missing ?? "users"} is missing.`);
  if (!setup.groups?.some(({ name }) => name === "admin")) throw failure("The document has no group admin.");
  if (store.get("SELECT id FROM bugs LIMIT 1")) throw failure("The tracker has bugs, so its setup cannot be replaced.");
  const logins = JSON.stringify([first, ...others].map(({ login }) => login));
  try {
    for (const table of TABLES) store.run(`DELETE FROM ${table}`);
    store.run("UPDATE fields SET visibility_field = NULL, value_field = NULL WHERE is_custom = 1");
    store.run("DELETE FROM fields WHERE is_custom = 1");
    store.run(OTHER_USERS, { logins, first: first.login });
    store.run(OWNER, { logins, first: first.login });
  } catch (error) {
    throw isStillReferenced(error)
      ? failure("The tracker still uses an object that the document does not contain.")
      : error;
  }
}

/** Required parts of a complete setup, besides users. */
const PARTS = [
  "parameters",
  "groups",
  "classifications",
  "keywords",
  "fields",
  "workflow",
  "products",
  "flag_types",
] as const;

// In order of foreign keys; dependent rows are deleted by cascade.
const TABLES = [
  "products",
  "classifications",
  "flag_types",
  "keywords",
  "groups",
  "status_moves",
  "field_values",
  "field_visibility",
  "parameters",
];

const OWNER_ID = "(SELECT min(id) FROM users)";
const NAMED_LOGINS = "(SELECT value COLLATE NOCASE FROM json_each(@logins))";
const OWNER_IS_NAMED = `EXISTS (SELECT 1 FROM users WHERE id = ${OWNER_ID} AND login IN ${NAMED_LOGINS})`;

const OTHER_USERS = `DELETE FROM users WHERE id <> ${OWNER_ID}
  AND (login NOT IN ${NAMED_LOGINS} OR (login = @first AND NOT ${OWNER_IS_NAMED}))`;

const OWNER = `UPDATE users SET login = @first WHERE id = ${OWNER_ID} AND NOT ${OWNER_IS_NAMED}`;

function failure(message: string): Fault {
  return new Fault(400, 32000, message);
}
