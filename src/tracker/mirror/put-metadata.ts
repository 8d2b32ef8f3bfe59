import type { JsonObject } from "../../wire/exchange.ts";
import type { ReceivedMetadata } from "../../wire/mirror.ts";
import { USER_PARAMETERS } from "../http/server-parameters.ts";
import type { Store } from "../store/store.ts";
import { putFields, putKeywords } from "./put-fields.ts";
import { putProducts } from "./put-products.ts";
import { bitOf, textOf, wholeOf } from "./received.ts";
import type { Registry } from "./registry.ts";
import { renameValues } from "./rename-values.ts";
import { keepWhole } from "./rest.ts";

/**
 * Replaces the stored metadata of a tracker. Products, their parts and groups keep their ids, so renamed ones are
 * renamed in all bugs; other values are renamed if it is unambiguous. Returns the bugs with ambiguous values.
 */
export function putMetadata(store: Store, registry: Registry, received: ReceivedMetadata): readonly number[] {
  for (const user of received.users ?? []) registry.person(textOf(user["name"]), user);
  const stale = renameValues(store, received.fields);
  putFields(store, received.fields);
  putKeywords(store, received.fields);
  putGroups(store, received.groups ?? []);
  putProducts(store, registry, received);
  putParameters(store, received.parameters ?? {});
  return stale;
}

function putGroups(store: Store, groups: readonly JsonObject[]): void {
  for (const group of groups) {
    const [id, name] = [wholeOf(group["id"]), textOf(group["name"])];
    const named = store.get<{ readonly id: number }>("SELECT id FROM groups WHERE name = ?", [name]);
    if (named && named.id !== id) mergeGroup(store, named.id, id);
    store.run(PUT_GROUP, {
      id,
      name,
      description: textOf(group["description"]),
      bugs: group["is_bug_group"] === undefined ? 1 : bitOf(group["is_bug_group"]),
      active: group["is_active"] === undefined ? 1 : bitOf(group["is_active"]),
    });
    keepWhole(store, ["group", id], group);
  }
}

const PUT_GROUP = `INSERT INTO groups (id, name, description, is_bug_group, is_active)
  VALUES (@id, @name, @description, @bugs, @active)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
    is_bug_group = excluded.is_bug_group, is_active = excluded.is_active`;

function mergeGroup(store: Store, from: number, into: number): void {
  store.run("UPDATE OR REPLACE bug_groups SET group_id = ? WHERE group_id = ?", [into, from]);
  store.run("DELETE FROM groups WHERE id = ?", [from]);
  store.run("DELETE FROM mirror_rest WHERE kind = 'group' AND id = ?", [from]);
}

function putParameters(store: Store, parameters: JsonObject): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (!KEPT.has(name)) continue;
    store.run("INSERT OR REPLACE INTO parameters (name, value) VALUES (?, ?)", [name, textOf(value)]);
  }
}

/** Parameters that all users may read, but for those that restrict requests; others may be secrets. */
const KEPT: ReadonlySet<string> = new Set(
  USER_PARAMETERS.filter((name) => name !== "requirelogin" && name !== "search_allow_no_criteria"),
);
