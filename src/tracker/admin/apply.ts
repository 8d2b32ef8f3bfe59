import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Runtime } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { idByName } from "../setup/lookup.ts";
import { applySetup, type Setup } from "../setup/setup.ts";
import { isStillReferenced } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { describeSetup } from "./describe-setup.ts";
import { parseDocument } from "./document.ts";
import {
  OBJECT_KINDS,
  type ObjectKind,
  objectExists,
  parentOf,
  removeObject,
  renameObject,
  splitObjectChanges,
} from "./objects.ts";

/**
 * Applies a document to a tracker in one transaction: renames, creates, updates and removes objects. With `isExact`, removes
 * everything else, which is possible in a tracker without bugs. Returns the changes: "created user ada@example.org".
 * @throws Fault for an invalid document, unknown names and objects in use
 */
export function applyDocument(
  store: Store,
  { now }: Pick<Runtime, "now">,
  document: string,
  isExact = false,
): string[] {
  const { changes, rest } = splitObjectChanges(parseDocument(document));
  const setup = rest as Setup;
  return store.transaction("write", () => {
    const lines: string[] = [];
    for (const { newName, ...change } of changes) {
      if (newName !== undefined && renameObject(store, { ...change, newName }))
        lines.push(`renamed ${change.kind.noun} ${change.name} to ${newName}`);
    }
    const before = listObjects(describeSetup(store));
    const removals = changes.filter((change) => change.newName === undefined && objectExists(store, change));
    if (isExact) clearForSetup(store, setup);
    applySetup(store, setup);
    checkGroups(store, setup);
    for (const removal of removals) removeObject(store, removal);
    lines.push(...differences(before, listObjects(describeSetup(store))));
    const time = `${now().toISOString().slice(0, 19)}Z`;
    for (const line of lines) store.run("INSERT INTO audit (time, what) VALUES (?, ?)", [time, line]);
    return lines;
  });
}

/** Checks that groups named by parameters exist. @throws Fault 51 */
function checkGroups(store: Store, { parameters = {} }: Setup): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (name.endsWith("group") && value !== "") idByName(store, "group", value);
  }
}

/** What objects of a setup are, as text, by their titles: "user ada@example.org", "component Kettle/Lid". */
function listObjects({ parameters = {}, workflow = {}, ...setup }: Setup): ReadonlyMap<string, string> {
  const objects = new Map<string, string>();
  for (const [name, value] of Object.entries(parameters)) objects.set(`parameter ${name}`, value);
  for (const [status, moves] of Object.entries(workflow)) objects.set(`workflow ${status}`, JSON.stringify(moves));
  addObjects(setup as JsonObject, OBJECT_KINDS, "", objects);
  return objects;
}

function addObjects(
  container: JsonObject,
  kinds: Readonly<Record<string, ObjectKind>>,
  containerName: string,
  objects: Map<string, string>,
): void {
  for (const [part, kind] of Object.entries(kinds)) {
    for (const object of (container[part] ?? []) as JsonObject[]) {
      const name = String(object[kind.key]);
      const parent = parentOf(kind, object, containerName);
      const own: Record<string, Json> = { ...object };
      for (const nested of Object.keys(kind.parts ?? {})) delete own[nested];
      objects.set(`${kind.noun} ${parent === "" || parent === "bug" ? "" : `${parent}/`}${name}`, JSON.stringify(own));
      addObjects(object, kind.parts ?? {}, name, objects);
    }
  }
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const lines: string[] = [];
  for (const [title, text] of after) {
    if (before.get(title) === undefined) lines.push(`created ${title}`);
    else if (before.get(title) !== text) lines.push(`changed ${title}`);
  }
  for (const title of before.keys()) {
    if (!after.has(title)) lines.push(`removed ${title}`);
  }
  return lines;
}

/**
 * Removes everything that a complete setup does not contain, before it is applied. Users in the setup keep API keys and
 * passwords; the owner is renamed to its first user if the setup does not contain them.
 * @throws Fault 32000 if the setup is incomplete or the tracker has bugs
 */
function clearForSetup(store: Store, { users: [first, ...others] = [], ...setup }: Setup): void {
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
