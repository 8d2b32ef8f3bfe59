import { BUG_FIELD_ROWS, DEFAULT_BUG_FIELDS } from "../wire/bug-fields.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import type { Changes } from "../wire/resources.ts";
import { compareTexts } from "./text.ts";

/**
 * Canonical form of a wire value: object keys in one order, and sorted lists where servers return
 * them in any. The keys of the value itself keep their order, unless one is given.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html (hashes of Perl have no order)
 */
export function stableJson(value: Json, order?: readonly string[]): Json {
  return isObject(value) ? withKeys(value, order ?? Object.keys(value)) : value;
}

function withKeys(thing: JsonObject, order: readonly string[]): JsonObject {
  const keys = keysInOrder(Object.keys(thing), order);
  return Object.fromEntries(keys.map((key) => [key, stableMember(thing[key] ?? null, key)]));
}

/** Keys in the order of a list, then the others by name. */
export function keysInOrder(keys: readonly string[], order: readonly string[]): string[] {
  const others = new Set(keys);
  const known = order.filter((key) => others.delete(key));
  return [...known, ...[...others].sort()];
}

/** Canonical form of a member of an object. */
export function stableMember(value: Json, name: string): Json {
  if (!Array.isArray(value)) return isObject(value) ? withKeys(value, FIRST) : value;
  const items = (value as Json[]).map((item) => stableMember(item, name));
  return UNORDERED.has(name) && items.length > 1 ? items.sort(compareItems) : items;
}

/** The changes of an object by field, in one order: trackers report them in any. */
export function changesInOrder(changes: Changes): [string, Changes[string]][] {
  return Object.entries(stableMember(changes, "changes") as Changes);
}

const FIRST = ["id", "name", "real_name", "when", "who", "field_name", "removed", "added", ...DEFAULT_BUG_FIELDS];

/** Names of lists that servers return in any order. */
const UNORDERED: ReadonlySet<string> = new Set([
  ...BUG_FIELD_ROWS.flatMap(([name, { json = "text" }]) => (["texts", "ints", "users"].includes(json) ? name : [])),
  ...["flags", "membership", "users", "changes", "visibility_values"],
]);

function compareItems(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compareTexts(nameOf(a), nameOf(b)) || compareTexts(JSON.stringify(a), JSON.stringify(b));
}

function nameOf(item: Json): string {
  return isObject(item) ? String(item["name"] ?? "") : "";
}
