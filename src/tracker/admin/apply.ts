import type { Json, JsonObject } from "../../wire/exchange.ts";
import { timestamp } from "../../wire/time.ts";
import type { Runtime } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { idByName } from "../setup/lookup.ts";
import { applySetup, type Setup } from "../setup/setup.ts";
import type { Store } from "../store/store.ts";
import { setPassword } from "../users/passwords.ts";
import { describeSetup } from "./describe-setup.ts";
import { parseDocument } from "./document.ts";

/**
 * Applies a document to a tracker in one transaction: renames, creates and updates objects, and makes passwords. Returns the
 * changes: "created user ada@example.org", "password of ada@example.org: 5d0c...".
 * @throws Fault for an invalid document and unknown names
 */
export function applyDocument(store: Store, runtime: Runtime, document: string): string[] {
  const { renames, logins, rest } = splitDocument(parseDocument(document));
  const setup = rest as Setup;
  return store.transaction("write", () => {
    const lines = renames.filter((rename) => renameObject(store, rename)).map(({ title }) => title);
    const before = listObjects(describeSetup(store));
    applySetup(store, setup);
    checkGroups(store, setup);
    lines.push(...differences(before, listObjects(describeSetup(store))));
    const time = timestamp(runtime.now());
    for (const line of lines) store.run("INSERT INTO audit (time, what) VALUES (?, ?)", [time, line]);
    return [...lines, ...logins.map((login) => `password of ${login}: ${newPassword(store, runtime, login)}`)];
  });
}

function newPassword(store: Store, { random }: Runtime, login: string): string {
  const password = Buffer.from(random(12)).toString("hex");
  setPassword(store, { userId: idByName(store, "user", login), password, salt: random(16) });
  return password;
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
  addObjects(setup as JsonObject, KINDS, "", objects);
  return objects;
}

function addObjects(container: JsonObject, kinds: Kinds, containerName: string, objects: Map<string, string>): void {
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
  return [...after].flatMap(([title, text]) => {
    const old = before.get(title);
    if (old === undefined) return `created ${title}`;
    return old === text ? [] : `changed ${title}`;
  });
}

/** An object to rename; `parent` is the product or field that has it, or the target of a flag type. */
type Rename = { kind: Kind; parent: string; name: string; newName: string; title: string };

type Split = { renames: Rename[]; logins: string[]; rest: JsonObject };

/** The renames of a document, the logins of users who get a password, and the document without both. */
function splitDocument(container: JsonObject, kinds: Kinds = KINDS, containerName = ""): Split {
  const rest: Record<string, Json> = { ...container };
  const renames: Rename[] = [];
  const logins: string[] = [];
  for (const [part, kind] of Object.entries(kinds)) {
    const items = container[part] as (string | JsonObject)[] | undefined;
    rest[part] = (items ?? []).map((item) => {
      if (typeof item === "string") return item;
      const { renamed_from: from, password, ...object } = item;
      const name = String(object[kind.key]);
      if (password === true) logins.push(name);
      if (typeof from === "string") {
        const parent = parentOf(kind, object, containerName);
        renames.push({ kind, parent, name: from, newName: name, title: `renamed ${kind.noun} ${from} to ${name}` });
      }
      const inside = splitDocument(object, kind.parts ?? {}, name);
      renames.push(...inside.renames);
      return inside.rest;
    });
    if (items === undefined) delete rest[part];
  }
  return { renames, logins, rest };
}

function parentOf({ noun }: Kind, object: JsonObject, containerName: string): string {
  return noun === "flag type" ? String(object["target"] ?? "bug") : containerName;
}

/**
 * Renames an object. Returns false if that has been done before.
 * @throws Fault object_does_not_exist if there is no such object, other if the new name is in use
 */
function renameObject(store: Store, { kind, parent, name, newName }: Rename): boolean {
  const { noun, find = "", rename = [], isPart } = kind;
  if (isPart) idByName(store, "product", parent);
  const isTaken = store.get(find, { parent, name: newName }) !== undefined;
  if (store.get(find, { parent, name }) === undefined) {
    if (isTaken) return false;
    throw faults.noSuchObject(noun, name);
  }
  if (isTaken && name.toLowerCase() !== newName.toLowerCase())
    throw new Fault("other", `A ${noun} named '${newName}' already exists.`);
  for (const statement of rename) store.run(statement, { parent, name, new_name: newName });
  return true;
}

/** A kind of object of a document. SQL binds `@name`, `@new_name` and `@parent`. */
type Kind = {
  noun: string;
  key: "name" | "login" | "group";
  isPart?: boolean; // of a product
  find?: string; // of those that can be renamed
  rename?: string[];
  parts?: Kinds;
};
type Kinds = Readonly<Record<string, Kind>>;

const PRODUCT_ID = "(SELECT id FROM products WHERE name = @parent)";

/** A kind whose objects are found by a name, which nothing else has. */
function named(noun: string, table: string, key: "name" | "login" = "name"): Kind {
  return {
    ...{ noun, key, find: `SELECT id FROM ${table} WHERE ${key} = @name` },
    rename: [`UPDATE ${table} SET ${key} = @new_name WHERE ${key} = @name`],
  };
}

/** A kind of parts of products; `more` is SQL that renames what has them by name. */
function partOf(noun: string, table: string, ...more: string[]): Kind {
  return {
    ...{ noun, key: "name", isPart: true },
    find: `SELECT id FROM ${table} WHERE product_id = ${PRODUCT_ID} AND name = @name`,
    rename: [`UPDATE ${table} SET name = @new_name WHERE product_id = ${PRODUCT_ID} AND name = @name`, ...more],
  };
}

function bugsWith(column: string): string {
  return `UPDATE bugs SET ${column} = @new_name WHERE product_id = ${PRODUCT_ID} AND ${column} = @name`;
}

const PRODUCT = named("product", "products");

/** Kinds by their parts of a document, each before those that it refers to. */
const KINDS: Kinds = {
  flag_types: {
    ...{ noun: "flag type", key: "name" },
    find: "SELECT id FROM flag_types WHERE name = @name AND target = @parent",
    rename: ["UPDATE flag_types SET name = @new_name WHERE name = @name AND target = @parent"],
  },
  products: {
    ...PRODUCT,
    rename: [
      ...(PRODUCT.rename ?? []),
      `UPDATE field_visibility SET value = @new_name WHERE value = @name
        AND field_id IN (SELECT id FROM fields WHERE visibility_field = 'product')`,
      `UPDATE field_values SET visible_for = @new_name WHERE visible_for = @name
        AND field_id IN (SELECT id FROM fields WHERE value_field = 'product')`,
    ],
    parts: {
      groups: { noun: "group control", key: "group" },
      components: partOf("component", "components"),
      versions: partOf("version", "versions", bugsWith("version")),
      milestones: partOf(
        ...(["milestone", "milestones", bugsWith("target_milestone")] as const),
        "UPDATE products SET default_milestone = @new_name WHERE name = @parent AND default_milestone = @name",
      ),
    },
  },
  classifications: named("classification", "classifications"),
  keywords: named("keyword", "keywords"),
  fields: { noun: "field", key: "name", parts: { values: { noun: "value", key: "name" } } },
  groups: { noun: "group", key: "name" },
  users: named("user", "users", "login"),
};
