import { BtError } from "../../errors.ts";
import { type Bug, DROPPED_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { readTags } from "../response/response-objects.ts";
import { requestBody } from "./update-request.ts";
import { type ItemStates, isAsRequested } from "./write-state.ts";

/** Hint for values that a tracker ignored. */
export const NOT_APPLIED_HINT = "your account may not set these, or the product does not support them";

/**
 * Requested fields of a new bug that a tracker may have ignored.
 * @see Bugzilla/Bug.pm, `run_create_validators` and the `_check_...` functions that it calls
 */
export function fieldsToReadBack(body: JsonObject): string[] {
  return DROPPED_FIELDS.filter((name) => body[name] !== undefined);
}

/**
 * Requested fields, of these `names`, that a bug does not have. Its lists may contain more items: trackers add groups and flags
 * of their own.
 */
export function ignoredByCreate(body: JsonObject, bug: Bug, names = fieldsToReadBack(body)): string[] {
  const values = bug as JsonObject;
  return names.filter((name) => !isInNewBug(name, body[name] ?? null, values[name] ?? null));
}

/** Requested fields that a bug does not have after an update. */
export function ignoredByUpdate(body: JsonObject, { before, now }: ItemStates<JsonObject>): string[] {
  const states = { before, now: withoutDoubleSpaces(now) };
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

function isInNewBug(name: string, requested: Json, value: Json): boolean {
  if (name === "flags")
    return itemsIn(requested).every((wanted) => itemsIn(value).some((flag) => isSameFlag(flag, wanted)));
  if (name === "groups" && Array.isArray(requested) && requested.length === 0) return itemsIn(value).length === 0;
  if (Array.isArray(requested)) return hasAll(itemsIn(value), requested);
  if (name === "estimated_time") return Number(requested) === Number(value);
  return comparableText(requested) === comparableText(value);
}

/** Bugs may be given by alias and are returned by id; then only their number is compared. */
function hasAll(items: Json[], requested: Json[]): boolean {
  const texts = new Set(items.map(comparableText));
  const isNumbered = items.some((item) => typeof item === "number");
  const aliases = requested.filter((item) => isNumbered && typeof item !== "number");
  return (
    requested.length <= texts.size &&
    requested.every((item) => aliases.includes(item) || texts.has(comparableText(item)))
  );
}

function isSameFlag(flag: Json, requested: Json): boolean {
  if (!isObject(flag) || !isObject(requested)) return false;
  return (["name", "type_id", "status", "requestee"] as const).every(
    (part) => requested[part] === undefined || comparableText(requested[part]) === comparableText(flag[part] ?? null),
  );
}

/** Value normalized for comparison: letter case, and the time of day appended to dates. */
function comparableText(value: Json): string {
  return value === null
    ? ""
    : String(value)
        .trim()
        .toLowerCase()
        .replace(/(?<=^\d{4}-\d\d-\d\d)[t ]00:00:00z?$/, "");
}

/**
 * Checks the tags after an update, since trackers return an empty list for a comment that does not exist.
 * @throws BtError of kind missing
 */
export function assertTagsApplied(request: Request, now: Json): void {
  const { add = [], remove = [], comment_id: id = "" } = requestBody(request);
  const gone = new Set(remove as string[]);
  if (readTags(now).length > 0 || (add as string[]).every((tag) => gone.has(tag))) return;
  throw new BtError("missing", `the tags of comment ${id} were not updated`, {
    notApplied: request,
    hint: "check the comment id: bt comment list BUG shows the ids",
  });
}
