import { DROPPED_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { isApplied as isAsRequested } from "../delivery/write-state.ts";

/** Hint for values that a tracker ignored. */
export const NOT_APPLIED_HINT = "your account may not set these, or the product does not support them";

/**
 * Given fields of a new bug that a tracker may have ignored.
 * @see Bugzilla/Bug.pm, `run_create_validators` and the `_check_...` functions that it calls
 */
export function fieldsToReadBack(body: JsonObject): string[] {
  return DROPPED_FIELDS.filter((name) => body[name] !== undefined);
}

/**
 * Given fields of a new bug that differ after creation. Lists may contain more items: trackers add groups and flags of
 * their own.
 */
export function notAppliedFields(body: JsonObject, bug: JsonObject): string[] {
  return fieldsToReadBack(body).filter((name) => !isApplied(name, body[name] ?? null, bug[name] ?? null));
}

/** Fields of an update that a bug does not have as requested, read after it was applied. */
export function fieldsNotAsRequested(now: JsonObject, body: JsonObject, before: JsonObject): string[] {
  const states = { now: withoutDoubleSpaces(now), before };
  return Object.entries(withoutDoubleSpaces(body))
    .filter(([name, requested]) => !isAsRequested(name, requested, states))
    .map(([name]) => name);
}

/** Trackers store lines without double spaces. */
function withoutDoubleSpaces(values: JsonObject): JsonObject {
  const entries = Object.entries(values).map(
    ([name, value]) => [name, typeof value === "string" ? value.replace(/\s+/g, " ") : value] as const,
  );
  return Object.fromEntries(entries);
}

function isApplied(name: string, given: Json, now: Json): boolean {
  if (name === "flags")
    return itemsIn(given).every((requested) => itemsIn(now).some((flag) => isSameFlag(flag, requested)));
  if (name === "groups" && Array.isArray(given) && given.length === 0) return itemsIn(now).length === 0;
  if (Array.isArray(given)) return hasAll(given, itemsIn(now));
  if (name === "estimated_time") return Number(given) === Number(now);
  return normalizedText(given) === normalizedText(now);
}

/** Bugs may be given by alias and are returned by id; then only their number is compared. */
function hasAll(given: Json[], now: Json[]): boolean {
  const there = new Set(now.map(normalizedText));
  const isNumbered = now.some((item) => typeof item === "number");
  const named = given.filter((item) => isNumbered && typeof item !== "number");
  return given.length <= there.size && given.every((item) => named.includes(item) || there.has(normalizedText(item)));
}

function isSameFlag(flag: Json, requested: Json): boolean {
  if (!isObject(flag) || !isObject(requested)) return false;
  return (["name", "type_id", "status", "requestee"] as const).every(
    (part) => requested[part] === undefined || normalizedText(requested[part]) === normalizedText(flag[part] ?? null),
  );
}

/** Value normalized for comparison: letter case, and the time of day appended to dates. */
function normalizedText(value: Json): string {
  return value === null
    ? ""
    : String(value)
        .trim()
        .toLowerCase()
        .replace(/(?<=^\d{4}-\d\d-\d\d)[t ]00:00:00z?$/, "");
}
