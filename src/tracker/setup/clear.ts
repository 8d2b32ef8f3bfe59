import type { Setup } from "../admin/setup.ts";
import { Fault } from "../http/fault.ts";
import { isStillReferenced } from "../store/database.ts";
import type { Store } from "../store/store.ts";

/**
 * Takes away what an arrangement does not say, so that applying it makes the tracker like the one that it was read from:
 * for arrangements that say everything, on trackers without bugs. Users that it names keep their keys and passwords; the
 * owner becomes its first user when it does not name him.
 */
export function clearForSetup(store: Store, { users: [first, ...others] = [], ...setup }: Setup): void {
  const missing = PARTS.find((part) => setup[part] === undefined);
  if (first === undefined || missing) throw refused(`The document does not say all: ${missing ?? "users"} is missing.`);
  if (!setup.groups?.some(({ name }) => name === "admin")) throw refused("The document has no group admin.");
  if (store.get("SELECT id FROM bugs LIMIT 1")) throw refused("The tracker has bugs, which need what is there.");
  const logins = JSON.stringify([first, ...others].map(({ login }) => login));
  try {
    for (const table of TABLES) store.run(`DELETE FROM ${table}`);
    store.run("UPDATE fields SET visibility_field = NULL, value_field = NULL WHERE is_custom = 1");
    store.run("DELETE FROM fields WHERE is_custom = 1");
    store.run(OTHER_USERS, { logins, first: first.login });
    store.run(OWNER, { logins, first: first.login });
  } catch (error) {
    throw isStillReferenced(error) ? refused("Something in the tracker needs what the document does not say.") : error;
  }
}

/** What an arrangement says beside the users, without whom there is no owner. */
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

// In an order in which nothing that is left names what is gone; what belongs to a row goes with it.
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
const NAMED = "(SELECT value COLLATE NOCASE FROM json_each(@logins))";
const OWNER_IS_NAMED = `EXISTS (SELECT 1 FROM users WHERE id = ${OWNER_ID} AND login IN ${NAMED})`;

const OTHER_USERS = `DELETE FROM users WHERE id <> ${OWNER_ID}
  AND (login NOT IN ${NAMED} OR (login = @first AND NOT ${OWNER_IS_NAMED}))`;

const OWNER = `UPDATE users SET login = @first WHERE id = ${OWNER_ID} AND NOT ${OWNER_IS_NAMED}`;

function refused(message: string): Fault {
  return new Fault(400, 32000, message);
}
