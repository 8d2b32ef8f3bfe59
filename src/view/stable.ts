import { BUG_FIELD_ROWS, DEFAULT_BUG_FIELDS } from "../wire/bug-fields.ts";
import type { ValueTypes } from "../wire/bug-values.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import type { Changes } from "../wire/resources.ts";
import { compareTexts } from "./text.ts";

/**
 * Canonical form of a wire value: object keys in the order of the interface, others by name, and sorted lists where
 * servers return them in any order. The keys of the value itself keep their order, unless one is given.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html (hashes of Perl have no order)
 */
export function stableJson(value: Json, order?: readonly string[]): Json {
  return isObject(value) ? withKeys(value, order ?? Object.keys(value)) : value;
}

/** An object with its keys in the order of a list, then the others by name. Most have none but those of the list. */
function withKeys(thing: JsonObject, order: readonly string[]): JsonObject {
  const made: Record<string, Json> = {};
  let others = Object.keys(thing).length;
  for (let at = 0; at < order.length && others > 0; at += 1) {
    const key = order[at] as string;
    const member = thing[key];
    if (member === undefined) continue;
    made[key] = hasParts(member) ? stableMember(member, key) : member;
    others -= 1;
  }
  if (others === 0 && !Object.hasOwn(thing, "__proto__")) return made;
  const keys = keysInOrder(Object.keys(thing), order);
  return Object.fromEntries(keys.map((key) => [key, stableMember(thing[key] ?? null, key)]));
}

function hasParts(value: Json): boolean {
  return typeof value === "object" && value !== null && !(Array.isArray(value) && value.length === 0);
}

/** Keys in the order of a list, then the others by name. */
export function keysInOrder(keys: string[], order: readonly string[]): string[] {
  const known = order.filter((key) => keys.includes(key));
  const others = keys.filter((key) => !order.includes(key));
  return [...known, ...others.sort()];
}

const PERSON = ["id", "name", "real_name", "email", "nick"];
const MEMBER = ["id", "real_name", "email", "name", "can_login", "email_enabled", "login_denied_text", "disabled_text"];

function fieldsHolding(...kinds: (keyof ValueTypes)[]): string[] {
  return BUG_FIELD_ROWS.filter(([, { json }]) => json && kinds.includes(json)).map(([name]) => name);
}

/** Order of the keys of a member, by the member's name. */
const ORDERS = new Map<string, string[]>([
  ...fieldsHolding("user", "users").map((name) => [name, PERSON] as const),
  ["membership", MEMBER],
  ["users", MEMBER],
  ["flags", ["id", "name", "type_id", "creation_date", "modification_date", "status", "setter", "requestee"]],
  [
    "comments",
    ["id", "bug_id", "attachment_id", "count", "text", "creator", "time", "creation_time", "is_private", "tags"],
  ],
  ["history", ["when", "who", "changes"]],
  ["changes", ["field_name", "removed", "added", "attachment_id", ...DEFAULT_BUG_FIELDS]],
  [
    "values",
    ["name", "sort_key", "sortkey", "visibility_values", "is_active", "description", "is_open", "can_change_to"],
  ],
  ["can_change_to", ["name", "comment_required"]],
]);
const USUAL = ["id", "name", "removed", "added"];

/** Lists without an order of their own, with the keys to sort by; none for texts and numbers. */
const SORTED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...fieldsHolding("texts", "ints").map((name) => [name, []] as const),
  ...fieldsHolding("users").map((name) => [name, ["name", "email", "id"]] as const),
  ["flags", ["name", "id"]],
  ["membership", ["name", "id"]],
  ["users", ["name", "id"]],
  ["changes", ["field_name", "attachment_id", "removed", "added"]],
  ["visibility_values", []],
]);

/** Canonical form of a member of an object. */
export function stableMember(value: Json, name: string): Json {
  if (!Array.isArray(value)) return isObject(value) ? withKeys(value, ORDERS.get(name) ?? USUAL) : value;
  const items = value as Json[];
  return sortedItems(
    items.map((item) => stableMember(item, name)),
    name,
  );
}

/** The changes of an object by field, in one order: trackers report them in any. */
export function changesInOrder(changes: Changes): [string, Changes[string]][] {
  return Object.entries(stableMember(changes, "changes") as Changes);
}

function sortedItems(items: Json[], name: string): Json[] {
  const parts = SORTED.get(name);
  if (parts === undefined || items.length < 2) return items;
  const keysOf = (item: Json) => (isObject(item) ? parts.map((part) => item[part] ?? null) : [item]);
  return items.toSorted((a, b) => compareKeys(keysOf(a), keysOf(b)));
}

function compareKeys(a: Json[], b: Json[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at] ?? null;
    const difference =
      typeof left === "number" && typeof right === "number" ? left - right : compareTexts(String(left), String(right));
    if (difference !== 0) return difference;
  }
  return 0;
}
