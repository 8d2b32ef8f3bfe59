import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../read.ts";

/**
 * The fields of a new bug that a tracker drops in silence when the account may not set them, so that the bug has to be read
 * back to know.
 *
 * @see Bugzilla/Bug.pm, `run_create_validators` and the `_check_...` functions that it calls
 */
const DROPPED = [
  "status",
  "assigned_to",
  "qa_contact",
  "deadline",
  "estimated_time",
  "depends_on",
  "blocks",
  "groups",
  "flags",
  "keywords",
] as const;

/** Those of the fields of a new bug that have to be read back; empty where none was given that a tracker may drop. */
export function fieldsToReadBack(body: JsonObject): readonly string[] {
  return DROPPED.filter((name) => body[name] !== undefined);
}

/**
 * The fields that were given for a new bug and are not so on the bug as it was read back. Of lists, what was given has to be
 * there; trackers add groups and flags of their own.
 */
export function notApplied(body: JsonObject, bug: JsonObject): readonly string[] {
  return fieldsToReadBack(body).filter((name) => !isApplied(name, body[name] ?? null, bug[name] ?? null));
}

function isApplied(name: string, given: Json, now: Json): boolean {
  if (name === "flags") return items(given).every((wish) => items(now).some((flag) => isSet(flag, wish)));
  if (name === "groups" && Array.isArray(given) && given.length === 0) return items(now).length === 0;
  if (Array.isArray(given)) return hasAll(given, items(now));
  if (name === "estimated_time") return Number(given) === Number(now);
  return key(given) === key(now);
}

/** Bugs may be given by an alias and are read back as numbers; then there must be as many of them. */
function hasAll(given: readonly Json[], now: readonly Json[]): boolean {
  const there = new Set(now.map(key));
  const isNumbered = now.some((item) => typeof item === "number");
  const named = given.filter((item) => isNumbered && typeof item !== "number");
  return given.length <= there.size && given.every((item) => named.includes(item) || there.has(key(item)));
}

function isSet(flag: Json, wish: Json): boolean {
  if (!isObject(flag) || !isObject(wish)) return false;
  return (["name", "type_id", "status", "requestee"] as const).every(
    (part) => wish[part] === undefined || key(wish[part]) === key(flag[part] ?? null),
  );
}

function items(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** A value without what trackers change in writing it: letter case, and the hour at which a day begins. */
function key(value: Json): string {
  return value === null
    ? ""
    : String(value)
        .trim()
        .toLowerCase()
        .replace(/(?<=^\d{4}-\d\d-\d\d)[t ]00:00:00z?$/, "");
}
