import { BUG_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { timestamp } from "../../wire/time.ts";
import { CHOICE_FIELDS, FIELDS } from "../fields.ts";
import type { Runtime } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { PARAMETER_DEFAULTS } from "../http/server-parameters.ts";
import { PERMISSION_GROUPS } from "../setup/defaults.ts";
import { idByName } from "../setup/lookup.ts";
import { applySetup, type Setup } from "../setup/setup.ts";
import { isStillReferenced } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import { describeSetup } from "./describe-setup.ts";
import { parseDocument } from "./document.ts";

/**
 * Applies a document to a tracker in one transaction: renames, creates, updates and removes objects. With `isExact`, removes
 * everything else, which is possible in a tracker without bugs. Returns the changes: "created user ada@example.org".
 * @throws Fault for an invalid document, unknown names and objects in use
 */
export function applyDocument(store: Store, now: Runtime["now"], document: string, isExact = false): string[] {
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
    const time = timestamp(now());
    for (const line of lines) store.run("INSERT INTO audit (time, what) VALUES (?, ?)", [time, line]);
    return lines;
  });
}

/** Checks that groups named by parameters exist. @throws Fault object_does_not_exist */
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
      const parent = containerOrTarget(kind, object, containerName);
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
 * @throws Fault other if the setup is incomplete or the tracker has bugs
 */
function clearForSetup(store: Store, { users: [first, ...others] = [], ...setup }: Setup): void {
  const missing = REQUIRED_PARTS.find((part) => setup[part] === undefined);
  if (first === undefined || missing) throw setupFault(`The document is incomplete: ${missing ?? "users"} is missing.`);
  if (!setup.groups?.some(({ name }) => name === "admin")) throw setupFault("The document has no group admin.");
  if (store.get("SELECT id FROM bugs LIMIT 1"))
    throw setupFault("The tracker has bugs, so its setup cannot be replaced.");
  const logins = JSON.stringify([first, ...others].map(({ login }) => login));
  try {
    for (const table of TABLES) store.run(`DELETE FROM ${table}`);
    store.run("UPDATE fields SET visibility_field = NULL, value_field = NULL WHERE is_custom = 1");
    store.run("DELETE FROM fields WHERE is_custom = 1");
    store.run(OTHER_USERS, { logins, first: first.login });
    store.run(OWNER, { logins, first: first.login });
  } catch (error) {
    throw isStillReferenced(error)
      ? setupFault("The tracker still uses an object that the document does not contain.")
      : error;
  }
}

/** Required parts of a complete setup, besides users. */
const REQUIRED_PARTS = [
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

function setupFault(message: string): Fault {
  return new Fault("other", message);
}

/**
 * A kind of object that a document can rename or remove. SQL binds `@name`, `@parent` (the product or field that has it, or
 * the target of a flag type) and `@new_name`.
 */
export type ObjectKind = {
  noun: string;
  key: "name" | "login" | "group";
  within?: "product" | "field";
  find: string;
  rename?: string[];
  uses?: Readonly<Record<string, string>>; // counts of what needs it, by the description in the error
  remove: string[];
  parts?: Readonly<Record<string, ObjectKind>>;
};

/** An object that a document removes, or renames to `newName`. */
export type ObjectChange = {
  kind: ObjectKind;
  parent: string;
  name: string;
  newName?: string;
};

/** The keys `renamed_from` and `remove` of a document, and the document without them and without what they remove. */
function splitObjectChanges(document: JsonObject): { changes: ObjectChange[]; rest: JsonObject } {
  return splitChanges(document, OBJECT_KINDS, "");
}

function splitChanges(container: JsonObject, kinds: Readonly<Record<string, ObjectKind>>, containerName: string) {
  const rest: Record<string, Json> = { ...container };
  const changes: ObjectChange[] = [];
  for (const [part, kind] of Object.entries(kinds)) {
    const items = container[part];
    if (!Array.isArray(items)) continue;
    const left: Json[] = [];
    for (const item of items as (string | JsonObject)[]) {
      if (typeof item === "string") {
        left.push(item);
        continue;
      }
      const { renamed_from, remove, ...object } = item;
      const name = String(object[kind.key]);
      const parent = containerOrTarget(kind, object, containerName);
      if (typeof renamed_from === "string") changes.push({ kind, parent, name: renamed_from, newName: name });
      if (remove === true) {
        changes.push({ kind, parent, name });
        continue;
      }
      const inside = splitChanges(object, kind.parts ?? {}, name);
      changes.push(...inside.changes);
      left.push(inside.rest);
    }
    rest[part] = left;
  }
  return { changes, rest };
}

/** Name of the product or field that has an object, or the target of a flag type. */
function containerOrTarget(kind: ObjectKind, object: JsonObject, containerName: string): string {
  return kind === FLAG_TYPE ? String(object["target"] ?? "bug") : containerName;
}

/** True if there is such an object. @throws Fault object_does_not_exist if there is not even its product or field */
function objectExists(store: Store, { kind, parent, name }: Omit<ObjectChange, "newName">): boolean {
  if (kind.within !== undefined) idByName(store, kind.within, parent);
  return store.get(kind.find, { parent, name }) !== undefined;
}

/**
 * Renames an object. Returns false if that has been done before.
 * @throws Fault object_does_not_exist if there is no such object, other if the new name is in use
 */
function renameObject(store: Store, change: Required<ObjectChange>): boolean {
  const { kind, parent, name, newName } = change;
  const isTaken = objectExists(store, { kind, parent, name: newName });
  if (!objectExists(store, change)) {
    if (isTaken) return false;
    throw faults.noSuchObject(kind.noun, name);
  }
  if (isTaken && name.toLowerCase() !== newName.toLowerCase()) {
    throw new Fault("other", `A ${kind.noun} named '${newName}' already exists.`);
  }
  for (const statement of kind.rename ?? []) store.run(statement, { parent, name, new_name: newName });
  return true;
}

/** Removes an object. @throws Fault other if it is in use */
function removeObject(store: Store, { kind, parent, name }: ObjectChange): void {
  const users: string[] = [];
  for (const [user, sql] of Object.entries(kind.uses ?? {})) {
    const count = Number(store.get<{ count: number }>(`SELECT (${sql}) AS count`, { parent, name })?.count);
    if (count > 0) users.push(`${user} (${count})`);
  }
  if (users.length > 0) throw inUseFault(kind, name, users.join(", "));
  try {
    for (const statement of kind.remove) store.run(statement, { parent, name });
  } catch (error) {
    throw isStillReferenced(error) ? inUseFault(kind, name, "bugs, or other objects") : error;
  }
}

function inUseFault({ noun }: ObjectKind, name: string, users: string): Fault {
  return new Fault("other", `The ${noun} '${name}' is still in use by: ${users}.`);
}

const FLAG_TYPE: ObjectKind = {
  noun: "flag type",
  key: "name",
  find: "SELECT id FROM flag_types WHERE name = @name AND target = @parent",
  rename: ["UPDATE flag_types SET name = @new_name WHERE name = @name AND target = @parent"],
  uses: {
    "bugs, as flags": `SELECT count(*) FROM flags JOIN flag_types ON flag_types.id = type_id
      WHERE name = @name AND target = @parent`,
  },
  remove: ["DELETE FROM flag_types WHERE name = @name AND target = @parent"],
};

const PRODUCT_ID = "(SELECT id FROM products WHERE name = @parent)";

const GROUP_CONTROL: ObjectKind = {
  noun: "group control",
  key: "group",
  within: "product",
  find: `SELECT group_id FROM group_controls JOIN groups ON groups.id = group_id
    WHERE product_id = ${PRODUCT_ID} AND name = @name`,
  uses: {
    "bugs restricted to it alone": `SELECT count(*) FROM bug_groups JOIN bugs ON bugs.id = bug_id
      WHERE product_id = ${PRODUCT_ID} AND group_id = (SELECT id FROM groups WHERE name = @name)`,
  },
  remove: [
    `DELETE FROM group_controls
      WHERE product_id = ${PRODUCT_ID} AND group_id = (SELECT id FROM groups WHERE name = @name)`,
  ],
};

const COMPONENT: ObjectKind = {
  noun: "component",
  key: "name",
  within: "product",
  find: `SELECT id FROM components WHERE product_id = ${PRODUCT_ID} AND name = @name`,
  rename: [`UPDATE components SET name = @new_name WHERE product_id = ${PRODUCT_ID} AND name = @name`],
  remove: [`DELETE FROM components WHERE product_id = ${PRODUCT_ID} AND name = @name`],
};

// Bugs have versions and milestones by name.
const VERSION: ObjectKind = {
  noun: "version",
  key: "name",
  within: "product",
  find: `SELECT id FROM versions WHERE product_id = ${PRODUCT_ID} AND name = @name`,
  rename: [
    `UPDATE bugs SET version = @new_name WHERE product_id = ${PRODUCT_ID} AND version = @name`,
    `UPDATE versions SET name = @new_name WHERE product_id = ${PRODUCT_ID} AND name = @name`,
  ],
  uses: { bugs: `SELECT count(*) FROM bugs WHERE product_id = ${PRODUCT_ID} AND version = @name` },
  remove: [`DELETE FROM versions WHERE product_id = ${PRODUCT_ID} AND name = @name`],
};

const MILESTONE: ObjectKind = {
  noun: "milestone",
  key: "name",
  within: "product",
  find: `SELECT id FROM milestones WHERE product_id = ${PRODUCT_ID} AND name = @name`,
  rename: [
    `UPDATE bugs SET target_milestone = @new_name WHERE product_id = ${PRODUCT_ID} AND target_milestone = @name`,
    `UPDATE milestones SET name = @new_name WHERE product_id = ${PRODUCT_ID} AND name = @name`,
    "UPDATE products SET default_milestone = @new_name WHERE name = @parent AND default_milestone = @name",
  ],
  uses: {
    bugs: `SELECT count(*) FROM bugs WHERE product_id = ${PRODUCT_ID} AND target_milestone = @name`,
    "its product, as default_milestone":
      "SELECT count(*) FROM products WHERE name = @parent AND default_milestone = @name",
  },
  remove: [`DELETE FROM milestones WHERE product_id = ${PRODUCT_ID} AND name = @name`],
};

/** SQL that renames a product in the visibility of fields and values. */
const PRODUCT_RENAMED = [
  `UPDATE field_visibility SET value = @new_name WHERE value = @name
    AND field_id IN (SELECT id FROM fields WHERE visibility_field = 'product')`,
  `UPDATE field_values SET visible_for = @new_name WHERE visible_for = @name
    AND field_id IN (SELECT id FROM fields WHERE value_field = 'product')`,
];

const PRODUCT: ObjectKind = {
  noun: "product",
  key: "name",
  find: "SELECT id FROM products WHERE name = @name",
  rename: ["UPDATE products SET name = @new_name WHERE name = @name", ...PRODUCT_RENAMED],
  uses: {
    bugs: "SELECT count(*) FROM bugs WHERE product_id = (SELECT id FROM products WHERE name = @name)",
    "flag types that can be set nowhere else": `SELECT count(*) FROM flag_types
      WHERE id IN (SELECT type_id FROM flag_type_inclusions)
        AND id NOT IN (SELECT type_id FROM flag_type_inclusions
          WHERE product_id IS NULL OR product_id <> (SELECT id FROM products WHERE name = @name))`,
  },
  remove: ["DELETE FROM products WHERE name = @name"],
  parts: { groups: GROUP_CONTROL, components: COMPONENT, versions: VERSION, milestones: MILESTONE },
};

const CLASSIFICATION: ObjectKind = {
  noun: "classification",
  key: "name",
  find: "SELECT id FROM classifications WHERE name = @name",
  rename: ["UPDATE classifications SET name = @new_name WHERE name = @name"],
  uses: {
    "products, which require a classification": `SELECT count(*) FROM classifications WHERE name = @name
      AND (SELECT count(*) FROM classifications) = 1`,
  },
  remove: ["DELETE FROM classifications WHERE name = @name"],
};

const KEYWORD: ObjectKind = {
  noun: "keyword",
  key: "name",
  find: "SELECT id FROM keywords WHERE name = @name",
  rename: ["UPDATE keywords SET name = @new_name WHERE name = @name"],
  uses: { bugs: "SELECT count(*) FROM bug_keywords JOIN keywords ON keywords.id = keyword_id WHERE name = @name" },
  remove: ["DELETE FROM keywords WHERE name = @name"],
};

/** Values that rules of the tracker refer to. */
const RESERVED_VALUES = sqlRows([
  ["bug_status", "UNCONFIRMED"],
  ["resolution", ""],
  ["resolution", "DUPLICATE"],
]);

/** Parameters with a value of a field: field, parameter, default. */
const DEFAULT_VALUES = sqlRows([
  [BUG_FIELDS.status.chart, "duplicate_or_move_bug_status", PARAMETER_DEFAULTS.duplicate_or_move_bug_status],
  ...FIELDS.flatMap(({ chart, default: parameter }) =>
    parameter ? [[chart, parameter, PARAMETER_DEFAULTS[parameter]]] : [],
  ),
]);

/** The column of bugs that holds a value of the field. */
const COLUMN = `CASE @parent ${CHOICE_FIELDS.map(({ chart, column }) => `WHEN '${chart}' THEN ${column}`).join(" ")} END`;

function sqlRows(rows: string[][]): string {
  return rows.map((row) => `(${row.map((item) => `'${item}'`).join(", ")})`).join(", ");
}

const VALUE: ObjectKind = {
  noun: "value",
  key: "name",
  within: "field",
  find: `SELECT field_values.id FROM field_values JOIN fields ON fields.id = field_id
    WHERE fields.name = @parent AND field_values.name = @name`,
  uses: {
    bugs: `SELECT (SELECT count(*) FROM bugs WHERE @name COLLATE NOCASE = ${COLUMN})
      + (SELECT count(*) FROM (SELECT * FROM custom_values UNION ALL SELECT * FROM custom_choices) AS held
        JOIN fields ON fields.id = held.field_id WHERE fields.name = @parent AND held.value = @name)`,
    "the tracker itself": `SELECT count(*) FROM (VALUES ${RESERVED_VALUES})
      WHERE column1 = @parent AND column2 = @name COLLATE NOCASE`,
    "default values of parameters": `SELECT count(*) FROM (VALUES ${DEFAULT_VALUES})
      WHERE column1 = @parent
        AND coalesce((SELECT value FROM parameters WHERE name = column2), column3) = @name COLLATE NOCASE`,
    "other fields, which depend on it": `SELECT (SELECT count(*) FROM field_values JOIN fields ON fields.id = field_id
        WHERE value_field = @parent AND visible_for = @name)
      + (SELECT count(*) FROM field_visibility JOIN fields ON fields.id = field_id
        WHERE visibility_field = @parent AND value = @name)`,
  },
  remove: [
    "DELETE FROM status_moves WHERE @parent = 'bug_status' AND @name COLLATE NOCASE IN (from_status, to_status)",
    "DELETE FROM field_values WHERE field_id = (SELECT id FROM fields WHERE name = @parent) AND name = @name",
  ],
};

const FIELD: ObjectKind = {
  noun: "field",
  key: "name",
  find: "SELECT id FROM fields WHERE name = @name AND is_custom = 1",
  uses: {
    "bugs (is_obsolete: true hides it and keeps their values)": `SELECT count(*) FROM fields
      JOIN (SELECT field_id FROM custom_values UNION ALL SELECT field_id FROM custom_choices) ON field_id = fields.id
      WHERE name = @name`,
  },
  remove: ["DELETE FROM fields WHERE name = @name AND is_custom = 1"],
  parts: { values: VALUE },
};

const GROUP: ObjectKind = {
  noun: "group",
  key: "name",
  find: "SELECT id FROM groups WHERE name = @name",
  uses: {
    "the tracker itself": `SELECT count(*) FROM (VALUES ${sqlRows(PERMISSION_GROUPS.map(([name]) => [name]))})
      WHERE column1 = @name COLLATE NOCASE`,
    "bugs restricted to it": "SELECT count(*) FROM bug_groups JOIN groups ON groups.id = group_id WHERE name = @name",
    products: "SELECT count(*) FROM group_controls JOIN groups ON groups.id = group_id WHERE name = @name",
    "flag types": `SELECT count(*) FROM flag_types
      WHERE (SELECT id FROM groups WHERE name = @name) IN (grant_group_id, request_group_id)`,
    parameters: "SELECT count(*) FROM parameters WHERE name LIKE '%group' AND value = @name COLLATE NOCASE",
  },
  remove: ["DELETE FROM groups WHERE name = @name"],
};

const USER: ObjectKind = {
  noun: "user",
  key: "login",
  find: "SELECT id FROM users WHERE login = @name",
  rename: ["UPDATE users SET login = @new_name WHERE login = @name"],
  uses: {
    "the tracker, as its owner": "SELECT count(*) FROM users WHERE login = @name AND id = (SELECT min(id) FROM users)",
  },
  remove: ["DELETE FROM users WHERE login = @name"],
};

/** Kinds of objects by their parts of a document, each before those that it refers to. */
const OBJECT_KINDS: Readonly<Record<string, ObjectKind>> = {
  flag_types: FLAG_TYPE,
  products: PRODUCT,
  classifications: CLASSIFICATION,
  keywords: KEYWORD,
  fields: FIELD,
  groups: GROUP,
  users: USER,
};
