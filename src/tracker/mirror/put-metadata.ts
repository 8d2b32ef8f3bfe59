import { PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { ReceivedMetadata } from "../../wire/mirror.ts";
import { CHOICE_FIELDS } from "../fields.ts";
import { USER_PARAMETERS } from "../http/server-parameters.ts";
import { DEFAULT_PERSON_COLUMN_NAMES, DEFAULT_PERSON_COLUMNS } from "../setup/default-people.ts";
import type { Store } from "../store/store.ts";
import {
  receivedBit,
  receivedInteger,
  receivedObject,
  receivedObjects,
  receivedText,
  receivedTexts,
} from "./received.ts";
import { keepObjects, keptObjects } from "./received-json.ts";
import { hideProducts, type Registry } from "./registry.ts";

/**
 * Replaces the stored metadata of a tracker. Products, their parts and groups keep their ids, so searches find renamed
 * ones by the new name. Returns the bugs that show an old name.
 */
export function putMetadata(store: Store, registry: Registry, received: ReceivedMetadata): readonly number[] {
  for (const user of received.users ?? []) registry.registerPerson(receivedText(user["name"]), user);
  const outdated = bugsWithOldNames(store, received);
  putFields(store, received.fields);
  putKeywords(store, received.fields);
  putGroups(store, received.groups ?? []);
  putProducts(store, registry, received);
  putParameters(store, received.parameters ?? {});
  keepObjects(store, "field", received.fields);
  keepObjects(store, "product", received.products);
  if (received.groups) keepObjects(store, "group", received.groups);
  return outdated;
}

/** Bugs with a name that is not listed any more, or whose product, component, group or flag type has another name now. */
function bugsWithOldNames(store: Store, { fields, products, groups = [] }: ReceivedMetadata): readonly number[] {
  const searches: Search[] = [];
  for (const pair of pairObjects(keptObjects(store, "field"), fields)) searches.push(...oldValues(pair));
  for (const pair of pairObjects(keptObjects(store, "product"), products)) searches.push(...oldNamesOfProduct(pair));
  for (const [before, group] of pairObjects(keptObjects(store, "group"), groups)) {
    if (before["name"] !== group["name"])
      searches.push(["SELECT bug_id AS id FROM bug_groups WHERE group_id = ?", [receivedId(group)]]);
  }
  const found = searches.flatMap(([sql, values]) => store.all<{ readonly id: number }>(sql, values));
  return [...new Set(found.map(({ id }) => id))];
}

/** SQL that finds bugs, and its values. */
type Search = [sql: string, values: (string | number)[]];

/** An object as it was kept, and as it is now. */
type Pair = [before: JsonObject, now: JsonObject];

function oldValues([before, field]: Pair): Search[] {
  const sql = bugsWithValue(field);
  return sql === undefined ? [] : removedNames(before["values"], field["values"]).map((name) => [sql, [name]]);
}

function oldNamesOfProduct([before, product]: Pair): Search[] {
  const id = receivedId(product);
  const searches: Search[] = [];
  if (before["name"] !== product["name"] || before["classification"] !== product["classification"])
    searches.push(["SELECT id FROM bugs WHERE product_id = ?", [id]]);
  for (const { list, column } of PART_TABLES) {
    const sql = `SELECT id FROM bugs WHERE product_id = ? AND ${column} = ?`;
    for (const name of removedNames(before[list], product[list])) searches.push([sql, [id, name]]);
  }
  for (const component of renamedIds(receivedObjects(before["components"]), receivedObjects(product["components"])))
    searches.push(["SELECT id FROM bugs WHERE component_id = ?", [component]]);
  for (const type of renamedIds(productFlagTypes(before), productFlagTypes(product)))
    searches.push(["SELECT bug_id AS id FROM flags WHERE type_id = ?", [type]]);
  return searches;
}

/** SQL that finds the bugs with a value of a field; undefined for a field whose values are no choices of its own. */
function bugsWithValue(field: JsonObject): string | undefined {
  const name = receivedText(field["name"]);
  if (name === "keywords")
    return "SELECT bug_id AS id FROM bug_keywords JOIN keywords ON keywords.id = keyword_id WHERE name = ?";
  const choice = CHOICE_FIELDS.find(({ chart }) => chart === name);
  if (choice) return `SELECT id FROM bugs WHERE ${choice.column} = ?`;
  const table = name.startsWith("cf_") ? CUSTOM_TABLES[receivedInteger(field["type"])] : undefined;
  return table && `SELECT bug_id AS id FROM ${table} WHERE value = ? AND field_id = ${receivedId(field)}`;
}

const CUSTOM_TABLES: Readonly<Record<number, string>> = {
  [FIELD_TYPE.select]: "custom_values",
  [FIELD_TYPE.multiSelect]: "custom_choices",
};

function receivedId({ id }: JsonObject): number {
  return receivedInteger(id);
}

/** The objects that were kept already, with what was kept of them. */
function pairObjects(stored: ReadonlyMap<number, JsonObject>, objects: readonly JsonObject[]): Pair[] {
  const found: Pair[] = [];
  for (const object of objects) {
    const before = stored.get(receivedId(object));
    if (before) found.push([before, object]);
  }
  return found;
}

function removedNames(before: Json | undefined, now: Json | undefined): string[] {
  const names = new Set(receivedObjects(now).map(({ name }) => receivedText(name)));
  const old = receivedObjects(before).map(({ name }) => receivedText(name));
  return old.filter((name) => !names.has(name));
}

/** Ids of the objects that have another name than before. */
function renamedIds(before: JsonObject[], now: JsonObject[]): number[] {
  const names = new Map(before.map((object) => [receivedId(object), object["name"]]));
  return now
    .map((object) =>
      names.has(receivedId(object)) && names.get(receivedId(object)) !== object["name"] ? receivedId(object) : 0,
    )
    .filter(Boolean);
}

function productFlagTypes({ components }: JsonObject): JsonObject[] {
  return receivedObjects(components).flatMap(({ flag_types }) =>
    Object.values(receivedObject(flag_types) ?? {}).flatMap(receivedObjects),
  );
}

/** Replaces the stored fields of a tracker, with their values and the workflow. */
function putFields(store: Store, fields: readonly JsonObject[]): void {
  store.exec("DELETE FROM fields; DELETE FROM field_visibility; DELETE FROM field_values; DELETE FROM status_moves");
  for (const [at, field] of fields.entries()) {
    store.run(ADD_FIELD, {
      id: receivedInteger(field["id"]),
      name: receivedText(field["name"]),
      label: receivedText(field["display_name"]),
      type: receivedInteger(field["type"]),
      custom: receivedBit(field["is_custom"]),
      mandatory: receivedBit(field["is_mandatory"]),
      entry: receivedBit(field["is_on_bug_entry"]),
      place: at,
      shown: receivedText(field["visibility_field"]) || null,
      by: receivedText(field["value_field"]) || null,
    });
    for (const value of new Set(receivedTexts(field["visibility_values"]))) {
      store.run("INSERT INTO field_visibility (field_id, value) VALUES (?, ?)", [receivedInteger(field["id"]), value]);
    }
    putValues(store, field);
  }
}

const ADD_FIELD = `INSERT OR REPLACE INTO fields (id, name, display_name, type, is_custom, is_mandatory,
    is_on_bug_entry, sort_key, visibility_field, value_field)
  VALUES (@id, @name, @label, @type, @custom, @mandatory, @entry, @place, @shown, @by)`;

/** Values of products, components, versions, milestones and keywords are in tables of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(["product", "classification", ...PER_PRODUCT_FIELDS, "keywords"]);

function putValues(store: Store, field: JsonObject): void {
  const name = receivedText(field["name"]);
  for (const value of ELSEWHERE.has(name) ? [] : receivedObjects(field["values"])) {
    putMoves(store, value);
    if (value["name"] === null) continue;
    store.run(ADD_VALUE, {
      field: receivedInteger(field["id"]),
      name: receivedText(value["name"]),
      place: receivedInteger(value["sort_key"] ?? value["sortkey"]),
      active: value["is_active"] === undefined ? 1 : receivedBit(value["is_active"]),
      open: receivedBit(value["is_open"]),
      shown: receivedTexts(value["visibility_values"])[0] ?? null,
    });
  }
}

const ADD_VALUE = `INSERT OR IGNORE INTO field_values (field_id, name, sort_key, is_active, is_open, visible_for)
  VALUES (@field, @name, @place, @active, @open, @shown)`;

/** Stores the allowed moves from a status, or those of new bugs. */
function putMoves(store: Store, { name, can_change_to }: JsonObject): void {
  for (const move of receivedObjects(can_change_to)) {
    store.run("INSERT OR IGNORE INTO status_moves (from_status, to_status, comment_required) VALUES (?, ?, ?)", [
      name === null ? null : receivedText(name),
      receivedText(move["name"]),
      receivedBit(move["comment_required"]),
    ]);
  }
}

/** Stores the keywords among the values of the fields. */
function putKeywords(store: Store, fields: readonly JsonObject[]): void {
  const keywords = fields.find(({ name }) => name === "keywords");
  for (const { name, description } of receivedObjects(keywords?.["values"])) {
    store.run(
      "INSERT INTO keywords (name, description) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET description = excluded.description",
      [receivedText(name), receivedText(description)],
    );
  }
}

function putGroups(store: Store, groups: readonly JsonObject[]): void {
  for (const group of groups) {
    const [id, name] = [receivedInteger(group["id"]), receivedText(group["name"])];
    const named = store.get<{ id: number }>("SELECT id FROM groups WHERE name = ?", [name]);
    if (named && named.id !== id) mergeGroup(store, named.id, id);
    store.run(PUT_GROUP, {
      id,
      name,
      description: receivedText(group["description"]),
      bugs: group["is_bug_group"] === undefined ? 1 : receivedBit(group["is_bug_group"]),
      active: group["is_active"] === undefined ? 1 : receivedBit(group["is_active"]),
    });
  }
}

const PUT_GROUP = `INSERT INTO groups (id, name, description, is_bug_group, is_active)
  VALUES (@id, @name, @description, @bugs, @active)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
    is_bug_group = excluded.is_bug_group, is_active = excluded.is_active`;

function mergeGroup(store: Store, from: number, into: number): void {
  store.run("UPDATE OR REPLACE bug_groups SET group_id = ? WHERE group_id = ?", [into, from]);
  store.run("DELETE FROM groups WHERE id = ?", [from]);
}

function putParameters(store: Store, parameters: JsonObject): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (!KEPT.has(name)) continue;
    store.run("INSERT OR REPLACE INTO parameters (name, value) VALUES (?, ?)", [name, receivedText(value)]);
  }
}

/** Parameters that all users may read, but for those that restrict requests; others may be secrets. */
const KEPT: ReadonlySet<string> = new Set(
  USER_PARAMETERS.filter((name) => name !== "requirelogin" && name !== "search_allow_no_criteria"),
);

/**
 * Stores the products of a tracker with their parts and flag types; products that are no longer listed are kept,
 * hidden.
 */
function putProducts(store: Store, registry: Registry, { products, enterable }: ReceivedMetadata): void {
  store.exec("DELETE FROM flag_type_inclusions; DELETE FROM group_controls");
  for (const product of products) {
    const id = receivedInteger(product["id"]);
    putProduct(store, product);
    putParts(store, id, product);
    for (const component of receivedObjects(product["components"]))
      putComponent(store, registry, { productId: id, component });
    if (enterable && !enterable.includes(id)) store.run(CLOSE, [id]);
  }
  const unlisted = store
    .all<{ id: number }>("SELECT id FROM products WHERE id NOT IN (SELECT value FROM json_each(?))", [
      JSON.stringify(products.map(receivedId)),
    ])
    .map(({ id }) => id);
  store.run("UPDATE products SET is_active = 0 WHERE id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(unlisted),
  ]);
  hideProducts(store, unlisted);
}

// Group 0 has no members.
const CLOSE = "INSERT INTO group_controls (product_id, group_id, entry) VALUES (?, 0, 1)";

function putProduct(store: Store, product: JsonObject): void {
  const classification = receivedText(product["classification"]) || "Unclassified";
  store.run("INSERT INTO classifications (name) VALUES (?) ON CONFLICT DO NOTHING", [classification]);
  const row = {
    id: receivedInteger(product["id"]),
    name: receivedText(product["name"]),
    classification,
    description: receivedText(product["description"]),
    active: receivedBit(product["is_active"]),
    milestone: receivedText(product["default_milestone"]) || "---",
    unconfirmed: receivedBit(product["has_unconfirmed"]),
  };
  freeName(store, "products", row);
  store.run(PUT_PRODUCT, row);
}

const PUT_PRODUCT = `INSERT INTO products
    (id, name, classification_id, description, is_active, default_milestone, has_unconfirmed)
  SELECT @id, @name, id, @description, @active, @milestone, @unconfirmed
  FROM classifications WHERE classifications.name = @classification
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, classification_id = excluded.classification_id,
    description = excluded.description, is_active = excluded.is_active,
    default_milestone = excluded.default_milestone, has_unconfirmed = excluded.has_unconfirmed`;

type Named = { id: number; name: string; productId?: number };

/**
 * Frees the name of a thing with the server's id: another one that has it was given an id of this file, and its bugs are
 * this one's, or it has been renamed.
 */
function freeName(store: Store, table: "products" | "components", { id, name, productId }: Named): void {
  const [where, values] = productId === undefined ? ["", []] : [" AND product_id = ?", [productId]];
  const other = store.get<{ id: number }>(`SELECT id FROM ${table} WHERE name = ? AND id <> ?${where}`, [
    ...[name, id],
    ...values,
  ]);
  if (!other) return;
  if (other.id < OWN_IDS) {
    store.run(`UPDATE ${table} SET name = ? WHERE id = ?`, [`${name} (${other.id})`, other.id]);
    return;
  }
  const column = table === "products" ? "product_id" : "component_id";
  store.run(`UPDATE bugs SET ${column} = ? WHERE ${column} = ?`, [id, other.id]);
  if (table === "products") store.run(MOVE_COMPONENTS, [id, other.id]);
  store.run(`DELETE FROM ${table} WHERE id = ?`, [other.id]);
}

const MOVE_COMPONENTS = "UPDATE OR IGNORE components SET product_id = ? WHERE product_id = ?";
const OWN_IDS = 2 ** 40;

type PutComponent = { productId: number; component: JsonObject };

function putComponent(store: Store, { registerPerson }: Registry, { productId, component }: PutComponent): void {
  const [id, name] = [receivedInteger(component["id"]), receivedText(component["name"])];
  freeName(store, "components", { id, name, productId });
  const people = DEFAULT_PERSON_COLUMNS.map(({ read, column, isOptional }) => {
    const login = receivedText(component[read]);
    return [column, isOptional && login === "" ? null : registerPerson(login)] as const;
  });
  store.run(PUT_COMPONENT, {
    id,
    product: productId,
    name,
    description: receivedText(component["description"]),
    ...Object.fromEntries(people),
    active: receivedBit(component["is_active"]),
  });
  const types = receivedObject(component["flag_types"]) ?? {};
  for (const target of ["bug", "attachment"] as const) {
    for (const type of receivedObjects(types[target])) {
      store.run(PUT_FLAG_TYPE, flagTypeRow(type, target));
      store.run("INSERT INTO flag_type_inclusions VALUES (?, ?, ?)", [receivedInteger(type["id"]), productId, id]);
    }
  }
}

const PUT_COMPONENT = `INSERT INTO components (id, product_id, name, description, ${DEFAULT_PERSON_COLUMN_NAMES.join(", ")}, is_active)
  VALUES (@id, @product, @name, @description, ${DEFAULT_PERSON_COLUMN_NAMES.map((column) => `@${column}`).join(", ")}, @active)
  ON CONFLICT (id) DO UPDATE SET product_id = excluded.product_id, name = excluded.name,
    description = excluded.description, ${DEFAULT_PERSON_COLUMN_NAMES.map((column) => `${column} = excluded.${column}`).join(", ")},
    is_active = excluded.is_active`;

const SWITCHES = ["is_active", "is_requestable", "is_requesteeble", "is_multiplicable"] as const;

function flagTypeRow(type: JsonObject, target: string) {
  return {
    id: receivedInteger(type["id"]),
    name: receivedText(type["name"]),
    description: receivedText(type["description"]),
    cc_list: receivedText(type["cc_list"]),
    target,
    sort_key: receivedInteger(type["sort_key"]),
    grant_group_id: receivedInteger(type["grant_group"]) || null,
    request_group_id: receivedInteger(type["request_group"]) || null,
    ...Object.fromEntries(SWITCHES.map((name) => [name, receivedBit(type[name])])),
  };
}

const FLAG_TYPE = [
  "id",
  "name",
  "description",
  "cc_list",
  "target",
  "sort_key",
  "grant_group_id",
  "request_group_id",
  ...SWITCHES,
];
const PUT_FLAG_TYPE = `INSERT OR REPLACE INTO flag_types (${FLAG_TYPE.join(", ")})
  VALUES (${FLAG_TYPE.map((name) => `@${name}`).join(", ")})`;

const PART_TABLES = [
  { list: "versions", table: "versions", column: "version", sorted: false },
  { list: "milestones", table: "milestones", column: "target_milestone", sorted: true },
] as const;

function putParts(store: Store, productId: number, product: JsonObject): void {
  for (const { list, table, sorted } of PART_TABLES) {
    const parts = receivedObjects(product[list]);
    store.run(`DELETE FROM ${table} WHERE product_id = ?`, [productId]);
    for (const part of parts) {
      const values = [
        receivedInteger(part["id"]),
        productId,
        receivedText(part["name"]),
        receivedBit(part["is_active"]),
      ];
      const [extra, place] = sorted ? [", sort_key", [receivedInteger(part["sort_key"])]] : ["", []];
      store.run(
        `INSERT OR REPLACE INTO ${table} (id, product_id, name, is_active${extra}) VALUES (?, ?, ?, ?${sorted ? ", ?" : ""})`,
        [...values, ...place],
      );
    }
  }
}
