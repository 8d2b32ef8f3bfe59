import { BUG_FIELDS, type Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { internalVendorName, MENTORS } from "../../wire/field-types.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
import type { Changes, Flag } from "../../wire/resources.ts";
import { hasIgnoringCase } from "../lists.ts";
import { pathValues } from "../operations/known-operations.ts";
import { requestFor } from "../operations/operation.ts";
import { CREATE_BUG, UPDATE_BUG, UPDATED_FIELDS } from "../operations/write-bugs.ts";
import type { Dialect } from "../search/dialect.ts";
import { itemsAfter, withWholeValues } from "./body.ts";
import { flagChangeText, isFlagAs, isFlagOf } from "./flags.ts";

type Sides = Changes[string];

/** Changes of the fields that a body names, as trackers report them. */
export function previewChanges(thing: JsonObject, edits: JsonObject): Changes {
  const changes: Record<string, Sides> = {};
  for (const [name, value] of Object.entries(withWholeValues(edits, thing))) {
    const field = UPDATED_FIELDS.get(name); // null for a comment, another for reset_assigned_to
    if (name === "ids" || (field !== undefined && field !== name)) continue;
    const sides = name === "flags" ? flagSides(objectsIn(thing[name]), objectsIn(value)) : sidesOf(thing[name], value);
    if (sides.removed !== sides.added) changes[name === "flags" ? "flagtypes.name" : name] = sides;
  }
  return changes;
}

/** Parts of a body whose effect only the tracker knows, such as `reset_assigned_to`. */
export function unforeseenParts(body: JsonObject): string[] {
  return Object.keys(body).filter((name) => updatedField(name) !== name);
}

/** Names of parameters in a body whose effect trackers do not report among the changes, such as a comment. */
export function recordedParameters({ comment, comment_is_private: privacy, work_time }: JsonObject): string[] {
  const effects = { comment, comment_is_private: Object.keys(Object(privacy)).length, work_time };
  return Object.entries(effects).flatMap(([name, effect]) => (effect ? name : []));
}

function sidesOf(before: Json | undefined, value: Json): Sides {
  if (!isObject(value) && !Array.isArray(value)) return { removed: recordedText(before), added: recordedText(value) };
  const old = itemsIn(before).map(String);
  const after = itemsAfter(value, old);
  const lost = old.filter((item) => !hasIgnoringCase(after, item));
  const gained = after.filter((item) => !hasIgnoringCase(old, item));
  return { removed: lost.join(", "), added: gained.join(", ") };
}

function flagSides(set: JsonObject[], edits: JsonObject[]): Sides {
  const all = edits.map((edit): Sides => {
    const before = edit["new"] ? undefined : set.find((flag) => isFlagOf(flag, edit));
    const name = recordedText(edit["name"] ?? before?.["name"] ?? `type ${recordedText(edit["type_id"])}`);
    const added = edit["status"] === "X" ? "" : flagChangeText(name, edit);
    return { removed: before ? flagChangeText(name, before) : "", added };
  });
  const join = (side: keyof Sides) => all.flatMap((sides) => sides[side] || []).join(", ");
  return { removed: join("removed"), added: join("added") };
}

/** Hint for values that a tracker ignored. */
export const NOT_APPLIED_HINT = "your account may not set these, or the product does not support them";

/**
 * Lines about newer values of others that an update replaced: the response has removed what was not
 * read. A list replaces items of others only if it is sent whole; then what it lost and gained must
 * be as previewed.
 */
export function overwrittenLines(read: JsonObject, sent: JsonObject, changes: Changes): string[] {
  const expected = previewChanges(read, sent);
  return Object.entries(changes).flatMap(([name, made]) => {
    const [known, value] = [read[name], sent[name]];
    if (known === undefined || name === "flags") return [];
    if (!Array.isArray(known)) return replacedLine(name, known, value, made);
    const isWhole = Array.isArray(value) || (isObject(value) && value["set"] !== undefined);
    const meant = expected[name] ?? { removed: "", added: "" };
    if (!isWhole || areSameSides(made, meant)) return [];
    return `${name}: the update ${sidesText(made)}, instead of ${sidesText(meant)}`;
  });
}

/** None if the tracker itself replaced the value sent: Mozilla's makes regressions defects again. */
function replacedLine(name: string, known: Json, sent: Json | undefined, made: Sides): string[] {
  const { removed, added } = made;
  const isReplacedByTracker = sent !== undefined && sameValue(removed, sent) && !sameValue(added, sent);
  if (isReplacedByTracker || MOMENT.test(String(known)) || sameValue(known, removed)) return [];
  return [`${name} was "${removed ?? ""}" before the update, not "${recordedText(known)}"; it is now "${added ?? ""}"`];
}

/** Times, which are reported in the server's zone. */
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** True if their joined lists have the same characters: items may have commas, and another order. */
function areSameSides(one: Sides, other: Sides): boolean {
  const characters = (text: string | null) => [...(text ?? "").toLowerCase()].sort().join("");
  const isSame = (side: keyof Sides) => characters(one[side]) === characters(other[side]);
  return isSame("removed") && isSame("added");
}

function sidesText({ removed, added }: Sides): string {
  return `removed "${removed ?? ""}" and added "${added ?? ""}"`;
}

/**
 * Fields that an update should have changed, and whose change its response does not confirm: it
 * reports none, another value, or characters that Bugzilla may have stored otherwise. A list is
 * confirmed by any change.
 */
export function unreportedFields(read: JsonObject, sent: JsonObject, changes: Changes): string[] {
  const expected = previewChanges(read, sent);
  return Object.entries(sent).flatMap(([name, value]) => {
    const names = changedNames(name);
    if (ADDRESSES.has(name) || names.every((one) => expected[one] === undefined)) return [];
    const [change] = names.flatMap((one) => changes[one] ?? []);
    if (change === undefined || hasWideCharacter(value)) return name;
    const { added } = change;
    return typeof value === "object" || isSameText(added, value) || sameValue(added, value) ? [] : name;
  });
}

function isSameText(one: Json | undefined, other: Json | undefined): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

/** True for characters, such as emoji, that Bugzilla 5.0 reports as sent, and stores as `????`. */
function hasWideCharacter(value: Json | undefined): boolean {
  return /[^\0-\uffff]/u.test(JSON.stringify(value ?? null));
}

/** True for a custom date-time, which trackers read in a zone of their own. */
export function isCustomTime(name: string, value: Json | undefined): boolean {
  return name.startsWith("cf_") && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(value));
}

/** Fields whose values trackers rewrite. */
const ADDRESSES: ReadonlySet<string> = new Set(["url", "see_also"]);

/**
 * Requested fields of a new bug that a tracker may have dropped or altered.
 * @see Bugzilla/Bug.pm, `run_create_validators` and the `_check_...` functions that it calls
 */
export function fieldsToReadBack(body: JsonObject): string[] {
  return Object.keys(body).filter((name) => {
    const isAltered = name !== "description" && hasWideCharacter(body[name]);
    return isAltered || DROPPED_FIELDS.includes(name) || isCustomTime(name, body[name]);
  });
}

/** Requested fields that a new bug does not have. Trackers may add groups and flags. */
export function ignoredByCreate(names: string[], body: JsonObject, bug: Bug): string[] {
  const now = bug as JsonObject;
  return names.filter((name) => {
    const value = body[name] ?? null;
    const isPart = name !== "flags" && Array.isArray(value) && value.length > 0;
    const isEqual = isAsRequested(name, isPart ? { add: value } : value, now);
    return !isEqual && !isSameText(value, now[name]); // logins may return in another letter case
  });
}

/** Fields that are dropped from new bugs, without an error, if the account or the tracker's settings do not let them be set. */
export const DROPPED_FIELDS: readonly string[] = [
  ...["status", "priority", "assigned_to", "qa_contact", "deadline", "depends_on", "blocks", "keywords"],
  ...["groups", "flags", "estimated_time", "alias"],
];

/**
 * One update of several bugs. Servers read the bugs from `ids` alone if present, and apply the update once per
 * occurrence, so every bug is listed exactly once, including the one in the path.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#update-bug
 */
export function updateRequest(ids: readonly number[], body: JsonObject): Request {
  return requestFor(UPDATE_BUG, { ids: [...new Set(ids)], ...body });
}

/** An update of bugs, and the updated fields of the bugs as they were read. */
export function updateOf(
  bugs: readonly Bug[],
  body: JsonObject,
): { readonly request: Request; readonly before: JsonObject[] } {
  const whole = withWholeValues(body, (bugs[0] ?? {}) as JsonObject);
  const ids = bugs.map(({ id }) => id);
  return { request: updateRequest(ids, whole), before: stateBefore(bugs, body) };
}

/**
 * The request of a new bug. Bugzilla takes aliases as text, too; Mozilla's fails with a list.
 * @see Bugzilla/Bug.pm, `_check_alias`
 */
export function createRequest(body: JsonObject, dialect: Dialect): Request {
  const { alias } = body;
  const isText = Array.isArray(alias) && alias.length > 0 && dialect === "bugzilla";
  return requestFor(CREATE_BUG, isText ? { ...body, alias: alias.join(",") } : body);
}

/** The body of a write by the names of bug JSON. */
export function requestBody({ body }: Pick<Request, "body">): JsonObject {
  if (!isObject(body)) return {};
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name === MENTORS.written ? MENTORS.shown : name, value]),
  );
}

/**
 * Ids of the objects of an update: the first `ids` of the query, those of the body, or the path.
 * @see Bugzilla/WebService/Server/REST.pm of Bugzilla
 */
export function writeTargets(request: Request): string[] {
  const [, inQuery] = request.query.find(([name]) => name === "ids") ?? [];
  const ids = inQuery ?? requestBody(request)["ids"];
  if (ids !== undefined && ids !== null) return [ids].flat().map(String);
  const [inPath = ""] = Object.values(pathValues(request));
  return [inPath];
}

export function updatedFields(body: JsonObject): string[] {
  const names = Object.keys(body).filter((name) => !OBJECT_NAMES.has(name) && UPDATED_FIELDS.get(name) !== null);
  return [...new Set(names.map(updatedField))];
}

/** The parts of a body that name its objects. */
const OBJECT_NAMES: ReadonlySet<string> = new Set(["ids", "names", "comment_id"]);

/** The field that a part of a body updates: `assigned_to` for `reset_assigned_to`. */
function updatedField(name: string): string {
  return UPDATED_FIELDS.get(name) ?? name;
}

/** Copies of the objects with only the fields needed to verify the write later, and to undo it. */
export function stateBefore(items: readonly object[], body: JsonObject): JsonObject[] {
  const fields = updatedFields(body);
  const moved = fields.some((name) => STATUS_FIELDS.includes(name)) ? STATUS_FIELDS : [];
  const names = [...new Set(["id", "last_change_time", "actual_time", ...fields, ...moved])];
  return (items as JsonObject[]).map((item) =>
    Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name] ?? null])),
  );
}

/** Fields that a move of the status changes together. */
export const STATUS_FIELDS: readonly string[] = ["status", "resolution", "dupe_of"];

/** Names under which trackers report a change of a part of a body. */
export function changedNames(name: string): string[] {
  if (name === "flags") return ["flags", BUG_FIELDS.flags.chart];
  const field = updatedField(name);
  return [field, internalVendorName(field)];
}

/** True if an object has the value of a field that a write requested; `before` is the object before it, if known. */
export function isAsRequested(name: string, requested: Json, now: JsonObject, before?: JsonObject): boolean {
  const field = updatedField(name);
  const value = now[field];
  if (value === undefined) return false; // not reported
  if (field !== name) return before !== undefined && !sameValue(value, before[field]);
  if (name === "flags") return hasFlags(itemsIn(requested), itemsIn(value), itemsIn(before?.["flags"]));
  return sameValue(isObject(requested) ? itemsAfter(requested, itemsIn(value).map(String)) : requested, value);
}

/** Every requested flag exists; with `new`, there is one more of its name than before. */
function hasFlags(requested: Json[], now: Json[], before: Json[]): boolean {
  return requested.filter(isObject).every((edit) => {
    const isMeant = (flag: Flag) => isFlagOf(flag, edit) && (edit["status"] === "X" || isFlagAs(flag, edit));
    const count = (flags: Json[]) => (objectsIn(flags) as Json[] as Flag[]).filter(isMeant).length;
    if (edit["status"] === "X") return count(now) === 0;
    return count(now) > (edit["new"] === true ? count(before) : 0);
  });
}

/** True for equal values, in any of the forms in which a tracker returns and reports them. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a) || Array.isArray(b))
    return JSON.stringify(comparableItems(a)) === JSON.stringify(comparableItems(b));
  const [one, other] = [comparableText(a), comparableText(b)];
  if (one === other) return true;
  if (typeof a === "boolean" || typeof b === "boolean") return [one, other].sort().join() === "1,true";
  const isNumber = (typeof a === "number" && other !== "") || (typeof b === "number" && one !== "");
  return isNumber && Number(one) === Number(other); // 2 is reported as 2.00
}

/** Items of a list in one order; some trackers store the addresses of bugs with https. */
function comparableItems(value: Json | undefined): string[] {
  const items = [value ?? ""].flat().filter((item) => item !== "") as Json[];
  const texts = items.map((item) => comparableText(item).toLowerCase());
  return [...new Set(texts.map((text) => text.replace(/^http:/, "https:")))].sort();
}

/** Text of a value, with LF, a space for tabs, and a day without its time. */
function comparableText(value: Json | undefined): string {
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return recordedText(value).replace(/\r\n?/g, "\n").replace(/\t+/g, " ").trim().replace(MIDNIGHT, "");
}

/** Time of day that some trackers append to dates. */
const MIDNIGHT = /(?<=^\d{4}-\d\d-\d\d)[T ]00:00:00Z?$/;

/** A value as the history of a bug has it. */
function recordedText(value: Json | undefined): string {
  return typeof value === "boolean" ? String(Number(value)) : String(value ?? "");
}
