import { DROPPED_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Changes } from "../../wire/resources.ts";
import { sameValue } from "../delivery/write-state.ts";
import { isObject } from "../response/response-objects.ts";

/**
 * Given fields of a new bug that a tracker may have ignored.
 * @see Bugzilla/Bug.pm, `run_create_validators` and the `_check_...` functions that it calls
 */
export function fieldsToReadBack(body: JsonObject): readonly string[] {
  return DROPPED_FIELDS.filter((name) => body[name] !== undefined);
}

/**
 * Given fields of a new bug that differ after creation. Lists may contain more items: trackers add groups and flags of
 * their own.
 */
export function notAppliedFields(body: JsonObject, bug: JsonObject): readonly string[] {
  return fieldsToReadBack(body).filter((name) => !isApplied(name, body[name] ?? null, bug[name] ?? null));
}

function isApplied(name: string, given: Json, now: Json): boolean {
  if (name === "flags") return listItems(given).every((wish) => listItems(now).some((flag) => isSet(flag, wish)));
  if (name === "groups" && Array.isArray(given) && given.length === 0) return listItems(now).length === 0;
  if (Array.isArray(given)) return hasAll(given, listItems(now));
  if (name === "estimated_time") return Number(given) === Number(now);
  return key(given) === key(now);
}

/** Bugs may be given by alias and are returned by id; then only their number is compared. */
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

function listItems(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Value normalized for comparison: letter case, and the time of day appended to dates. */
function key(value: Json): string {
  return value === null
    ? ""
    : String(value)
        .trim()
        .toLowerCase()
        .replace(/(?<=^\d{4}-\d\d-\d\d)[t ]00:00:00z?$/, "");
}

/**
 * Values of other users that an update replaced, one line per field: the response reports values removed that were not
 * there when the object was read. Lists are compared by item. Unread fields, and times, which servers report in their
 * own zone, are skipped.
 */
export function overwrittenChanges(changes: Changes, before: JsonObject): readonly string[] {
  return Object.entries(changes).flatMap(([field, sides]) => {
    const known = field === FLAGS ? flagNames(before["flags"]) : before[field];
    if (known === undefined) return [];
    const then = Array.isArray(known) ? listThen(known, sides, field) : valueThen(known, sides);
    return then === undefined ? [] : [`${field} was ${then}`];
  });
}

const FLAGS = "flagtypes.name";

type Sides = Changes[string];

function valueThen(known: Json, { removed, added }: Sides): string | undefined {
  const isEqual = typeof known === "number" && removed ? Number(removed) === known : sameValue(known, removed);
  if (isEqual || MOMENT.test(String(known))) return undefined;
  return `"${removed ?? ""}" before the update, not "${shown(known)}"; it is now "${added ?? ""}"`;
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** The list when the update was applied; undefined if it was as known. A flag may be set twice. */
function listThen(list: readonly Json[], { removed, added }: Sides, field: string): string | undefined {
  const known = list.map(String);
  const has = (item: string) => known.some((one) => one.toLowerCase() === item.toLowerCase());
  const came = joinedItems(removed, known)
    .map((item) => (field === FLAGS ? item.replace(/\(.*/, "") : item))
    .filter((item) => !has(item));
  const left = field === FLAGS ? [] : joinedItems(added, known).filter(has);
  if (came.length + left.length === 0) return undefined;
  const isLeft = (item: string) => left.some((one) => one.toLowerCase() === item.toLowerCase());
  return `"${[...known.filter((item) => !isLeft(item)), ...came].join(", ")}" before the update, not "${known.join(", ")}"`;
}

/** Items of a list as changes and histories join them; a known item that contains a comma is kept whole. */
export function joinedItems(text: string | null, known: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let rest = text ?? ""; rest !== ""; rest = rest.slice((found.at(-1) ?? "").length).replace(/^, ?/, "")) {
    const whole = known.filter((item) => item !== "" && (rest === item || rest.startsWith(`${item}, `)));
    found.push(whole.toSorted((one, other) => other.length - one.length)[0] ?? rest.split(/, ?/, 1)[0] ?? rest);
    if (found.at(-1) === "") break;
  }
  return found;
}

/** Flags of a bug as reported in changes, without requestees. */
function flagNames(flags: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(flags)) return undefined;
  return flags.filter(isObject).map(({ name, status }) => `${name}${status}`);
}

function shown(known: Json): string {
  if (typeof known === "boolean") return known ? "1" : "0";
  return String(known ?? "");
}
