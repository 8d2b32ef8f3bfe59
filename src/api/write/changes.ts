import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
import type { Changes } from "../../wire/resources.ts";
import { hasIgnoringCase } from "../lists.ts";
import { UPDATED_FIELDS } from "../operations/write-bugs.ts";
import { itemsAfter, withWholeValues } from "./body.ts";
import { flagChangeText, isFlagOf } from "./flags.ts";
import { changedNames, isAsRequested, recordedText, sameValue } from "./write-state.ts";

type Sides = Changes[string];

/** Changes of the fields that a body names, as trackers report them. */
export function previewChanges(thing: JsonObject, edits: JsonObject): Changes {
  const changes: Record<string, Sides> = {};
  for (const [name, value] of Object.entries(withWholeValues(edits, thing))) {
    if (name === "ids" || (UPDATED_FIELDS.has(name) && UPDATED_FIELDS.get(name) !== name)) continue;
    const sides = name === "flags" ? flagSides(objectsIn(thing[name]), objectsIn(value)) : sidesOf(thing[name], value);
    if (sides.removed !== sides.added) changes[name === "flags" ? "flagtypes.name" : name] = sides;
  }
  return changes;
}

/** Parts of a body whose effect only the tracker knows, such as `reset_assigned_to`. */
export function unforeseenParts(body: JsonObject): string[] {
  return Object.keys(body).filter((name) => (UPDATED_FIELDS.get(name) ?? name) !== name);
}

function sidesOf(before: Json | undefined, value: Json): Sides {
  if (!isObject(value) && !Array.isArray(value)) return { removed: recordedText(before), added: recordedText(value) };
  const old = itemsIn(before).map(String);
  const { lost, gained } = listDifference(old, itemsAfter(value, old));
  return { removed: lost.join(", "), added: gained.join(", ") };
}

/** The items that a list loses and gains; letter case does not count. */
function listDifference(before: readonly string[], after: readonly string[]) {
  const without = (items: readonly string[], others: readonly string[]) =>
    items.filter((item) => !hasIgnoringCase(others, item));
  return { lost: without(before, after), gained: without(after, before) };
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
 * read. What a list that is sent whole lost and gained is compared joined. A value that the tracker
 * replaced itself is none: Mozilla's makes regressions defects again.
 */
export function overwrittenLines(read: JsonObject, sent: JsonObject, changes: Changes): string[] {
  const expected = previewChanges(read, sent);
  return Object.entries(changes).flatMap(([name, made]) => {
    const [known, value] = [read[name], sent[name]];
    if (known === undefined || name === "flags") return [];
    if (!Array.isArray(known)) return replacedLine(name, known, value, made);
    const isWhole = Array.isArray(value) || (isObject(value) && value["set"] !== undefined);
    const meant = expected[name] ?? { removed: "", added: "" };
    if (!isWhole || (isJoined(made.removed, meant.removed) && isJoined(made.added, meant.added))) return [];
    return `${name}: the update ${sidesText(made)}, instead of ${sidesText(meant)}`;
  });
}

function replacedLine(name: string, known: Json, sent: Json | undefined, made: Sides): string[] {
  const { removed, added } = made;
  const isOwn = sent !== undefined && sameValue(removed, sent) && !sameValue(added, sent);
  if (isOwn || MOMENT.test(String(known)) || sameValue(known, removed)) return [];
  return [`${name} was "${removed ?? ""}" before the update, not "${recordedText(known)}"; it is now "${added ?? ""}"`];
}

/** Times, which are reported in the server's zone. */
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** True if two joined lists have the same characters: items may have commas, and another order. */
function isJoined(one: string | null, other: string | null): boolean {
  const characters = (text: string | null) => [...(text ?? "").toLowerCase()].sort().join("");
  return characters(one) === characters(other);
}

function sidesText({ removed, added }: Sides): string {
  return `removed "${removed ?? ""}" and added "${added ?? ""}"`;
}

/** Fields that an update should have changed, and that its response does not report so. */
export function unreportedFields(read: JsonObject, sent: JsonObject, changes: Changes): string[] {
  const expected = previewChanges(read, sent);
  return Object.entries(sent).flatMap(([name, value]) => {
    const names = changedNames(name);
    if (ADDRESSES.has(name) || names.every((one) => expected[one] === undefined)) return [];
    const added = names.flatMap((one) => changes[one]?.added ?? (changes[one] ? "" : []))[0];
    const isReported = added !== undefined && (typeof value === "object" || isSameText(added, value));
    return (isReported || sameValue(added, value)) && !hasWideCharacter(value) ? [] : name;
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

const ADDRESSES: ReadonlySet<string> = new Set(["url", "see_also"]);

/**
 * Requested fields of a new bug that a tracker may have ignored.
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
    return !isEqual && !isSameText(value, now[name]); // of logins
  });
}

/** Fields that are dropped from new bugs, without an error, if the account or the tracker's settings do not let them be set. */
export const DROPPED_FIELDS: readonly string[] = [
  ...["status", "priority", "assigned_to", "qa_contact", "deadline", "depends_on", "blocks", "keywords"],
  ...["groups", "flags", "estimated_time", "alias"],
];
