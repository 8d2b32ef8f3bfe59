import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
import type { Changes } from "../../wire/resources.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { statusNames } from "../catalog/legal-values.ts";
import { hasIgnoringCase } from "../lists.ts";
import { UPDATED_FIELDS } from "../operations/write-bugs.ts";
import { withWholeValues } from "./body.ts";
import { closesAsDuplicate, DUPLICATE, defaultClosedStatus, UNCONFIRMED } from "./moves.ts";

/**
 * Expected changes of a bug by an update, with those that follow from a move of its status. Changes that only the tracker knows,
 * such as a default assignee, are missing.
 */
export function expectedChanges(bug: Bug, body: JsonObject, catalog: Catalog): Changes {
  return previewChanges(bug as JsonObject, { ...body, ...impliedValues(bug, body, catalog) });
}

/** Parts of a body whose effect only the tracker knows, such as `reset_assigned_to`. */
export function unforeseenParts(body: JsonObject): string[] {
  return Object.keys(body).filter((name) => (UPDATED_FIELDS.get(name) ?? name) !== name);
}

/**
 * Values that follow from a status, a resolution, an original or hours worked: an open bug has no resolution and no original,
 * and is confirmed by its status, a closed one has no hours left, a duplicate is closed whatever status it had, and hours
 * worked, also negative ones, are deducted from those left, down to 0, unless the same update sets these.
 * @see Bugzilla/Bug.pm, set_bug_status, set_resolution, set_dup_id and add_comment
 */
function impliedValues(bug: Bug, body: JsonObject, catalog: Catalog): JsonObject {
  const { status, resolution, work_time, remaining_time } = body;
  const isOpened = statusNames(catalog, "open").some((name) => name === status);
  const isMarked = closesAsDuplicate(bug, body, catalog);
  const values: Record<string, Json> = {};
  if (work_time !== undefined && remaining_time === undefined && typeof bug.remaining_time === "number")
    values["remaining_time"] = Math.max(0, Math.round((bug.remaining_time - Number(work_time)) * 100) / 100);
  if (isOpened && bug.is_confirmed !== undefined) values["is_confirmed"] = status !== UNCONFIRMED;
  if (isOpened && !isMarked) return { ...values, resolution: "", dupe_of: null };
  if (isMarked) Object.assign(values, { status: defaultClosedStatus(catalog), resolution: DUPLICATE });
  else if (resolution !== undefined && resolution !== DUPLICATE) values["dupe_of"] = null;
  const closed = values["status"] ?? status ?? bug.status;
  if (closed !== bug.status && typeof bug.remaining_time === "number") values["remaining_time"] = 0;
  return values;
}

/** Changes of the values that a body sets, in the form in which trackers report them. */
export function previewChanges(thing: JsonObject, edits: JsonObject): Changes {
  const body = withWholeValues(edits, thing);
  const changes: Record<string, RecordedChange> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!isReported(name)) continue;
    const before = thing[name];
    const change = name === "flags" ? flagsChange(before, value) : previewValue(before, value);
    if (change) changes[name === "flags" ? "flagtypes.name" : name] = change;
  }
  return changes;
}

/** False for what trackers do not report, such as a comment, and for what sets another field, such as `reset_assigned_to`. */
function isReported(name: string): boolean {
  if (name === "ids") return false;
  const isCustom = !UPDATED_FIELDS.has(name);
  return isCustom || UPDATED_FIELDS.get(name) === name;
}

type RecordedChange = { added: string; removed: string };

function previewValue(before: Json | undefined, value: Json): RecordedChange | undefined {
  if (isObject(value)) return previewList(recordedItems(before), value);
  if (Array.isArray(value)) return previewList(recordedItems(before), { set: value });
  const [removed, added] = [recordedText(before), recordedText(value)];
  return removed === added ? undefined : { removed, added };
}

function previewList(before: string[], edit: JsonObject): RecordedChange | undefined {
  const set = edit["set"] === undefined ? undefined : recordedItems(edit["set"]);
  const added = (set ?? recordedItems(edit["add"])).filter((item) => !hasIgnoringCase(before, item));
  const removed = set
    ? before.filter((item) => !hasIgnoringCase(set, item))
    : recordedItems(edit["remove"]).filter((item) => hasIgnoringCase(before, item));
  return added.length + removed.length === 0 ? undefined : { removed: removed.join(", "), added: added.join(", ") };
}

function flagsChange(before: Json | undefined, value: Json): RecordedChange | undefined {
  const set = objectsIn(before);
  const changes = objectsIn(value).map((flagEdit) => previewFlag(set, flagEdit));
  const join = (side: keyof RecordedChange) =>
    changes
      .map((change) => change[side])
      .filter(Boolean)
      .join(", ");
  return changes.length === 0 ? undefined : { removed: join("removed"), added: join("added") };
}

function previewFlag(set: JsonObject[], flagEdit: JsonObject): RecordedChange {
  const same = (flag: JsonObject) =>
    flagEdit["id"] !== undefined
      ? flag["id"] === flagEdit["id"]
      : flag["name"] === flagEdit["name"] || flag["type_id"] === flagEdit["type_id"];
  const before = flagEdit["new"] ? undefined : set.find(same);
  const name = recordedText(flagEdit["name"] ?? before?.["name"] ?? `type ${recordedText(flagEdit["type_id"])}`);
  return {
    removed: before ? flagChangeText(name, before) : "",
    added: flagEdit["status"] === "X" ? "" : flagChangeText(name, flagEdit),
  };
}

/** A flag as in changes: `review?(ada@example.org)`. */
export function flagChangeText(name: string, flag: JsonObject): string {
  return `${name}${recordedText(flag["status"])}${flag["requestee"] ? `(${recordedText(flag["requestee"])})` : ""}`;
}

function recordedItems(value: Json | undefined): string[] {
  return itemsIn(value).map(recordedText);
}

/** A value as the history of a bug has it. */
export function recordedText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value);
}
