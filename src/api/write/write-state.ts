import { CHANGED_NAMES } from "../../wire/added-fields.ts";
import { BUG_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { UPDATED_FIELDS } from "../operations/write-bugs.ts";

/** An object before a write, if that is known, and now. */
export type ItemStates<Before = JsonObject | undefined> = { before: Before; now: JsonObject };

/** Names of the object's fields that a body sets; used for `include_fields` and for the state kept before a write. */
export function stateFields(body: JsonObject): string[] {
  return [...new Set(requestedFields(body).map(([name]) => stateField(name)))];
}

/** Copies of the objects with only the fields needed to verify the write later, and to undo it. */
export function stateBefore(items: readonly object[], body: JsonObject): JsonObject[] {
  const fields = stateFields(body);
  const moved = fields.some((name) => STATUS_FIELDS.includes(name)) ? STATUS_FIELDS : [];
  const names = [...new Set(["id", "last_change_time", "actual_time", ...fields, ...moved])];
  return (items as JsonObject[]).map((item) =>
    Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name] ?? null])),
  );
}

/** Fields that a move of the status changes together. */
export const STATUS_FIELDS: readonly string[] = ["status", "resolution", "dupe_of"];

/** Fields of a body that differ from the state before; all of them if that is unknown. */
export function pendingFields(body: JsonObject, before?: JsonObject): [name: string, requested: Json][] {
  return requestedFields(body).filter(
    ([name, requested]) => before === undefined || !isAsRequested(name, requested, { before, now: before }),
  );
}

/** Fields of a body that set a state, so that sending them twice changes nothing more. */
function requestedFields(body: JsonObject): [string, Json][] {
  return Object.entries(body).filter(([name]) => !OBJECT_NAMES.has(name) && UPDATED_FIELDS.get(name) !== null);
}

/** The parts of a body that name its objects. */
const OBJECT_NAMES: ReadonlySet<string> = new Set(["ids", "names", "comment_id"]);

/** The field that a part of a body is about: `assigned_to` for `reset_assigned_to`. A field of a group is its own. */
export function stateField(name: string): string {
  return UPDATED_FIELDS.get(name) ?? name;
}

/** True if an existing object has the value of a field that an update requested. */
export function isAsRequested(name: string, requested: Json, { before, now }: ItemStates): boolean {
  const state = stateField(name);
  if (now[state] === undefined) return false; // not reported
  if (state !== name) return before !== undefined && !sameValue(now[state], before[state]);
  if (name === "flags") return flagsApplied(itemsIn(requested), itemsIn(now["flags"]), itemsIn(before?.["flags"]));
  if (isObject(requested)) return listApplied(requested, normalizedItems(now[name]));
  if (Array.isArray(requested) || Array.isArray(now[name]))
    return sameItems(normalizedItems(requested), normalizedItems(now[name]));
  return normalizedText(requested) === normalizedText(now[name]);
}

function listApplied(edit: JsonObject, now: string[]): boolean {
  if (edit["set"] !== undefined) return sameItems(normalizedItems(edit["set"]), now);
  return (
    normalizedItems(edit["add"]).every((item) => now.includes(item)) &&
    !normalizedItems(edit["remove"]).some((item) => now.includes(item))
  );
}

/** Every requested flag exists; with `new`, there is one more of its name than before. */
function flagsApplied(fields: Json[], now: Json[], before: Json[]): boolean {
  return fields.filter(isObject).every((requested) => {
    const count = (flags: Json[]) => flags.filter((flag) => isRequestedFlag(flag, requested)).length;
    if (requested["status"] === "X") return count(now) === 0;
    return requested["new"] === true ? count(now) > count(before) : count(now) > 0;
  });
}

function isRequestedFlag(flag: Json, requested: JsonObject): boolean {
  if (!isObject(flag)) return false;
  const named = (["id", "name", "type_id"] as const).every(
    (name) => requested[name] === undefined || normalizedText(requested[name]) === normalizedText(flag[name]),
  );
  if (!named || requested["status"] === "X") return named;
  const sameRequestee =
    requested["requestee"] === undefined ||
    normalizedText(requested["requestee"]) === normalizedText(flag["requestee"]);
  return sameRequestee && requested["status"] === flag["status"];
}

/** True if a tracker treats two values as equal, in any of the forms in which it returns them. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a) || Array.isArray(b)) return sameItems(normalizedItems(a), normalizedItems(b));
  return normalizedText(a) === normalizedText(b);
}

function sameItems(a: string[], b: string[]): boolean {
  return JSON.stringify([...new Set(a)].sort()) === JSON.stringify([...new Set(b)].sort());
}

/** Normalized items of a list; some trackers store the address of another bug with https, however it was given. */
function normalizedItems(value: Json | undefined): string[] {
  if (value === undefined || value === null || value === "") return [];
  return (Array.isArray(value) ? value : [value]).map((item) =>
    normalizedText(item)
      .toLowerCase()
      .replace(/^http:/, "https:"),
  );
}

/** Normalized text of a value: "1" for true, "" for null, uniform line ends. */
function normalizedText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "object") return JSON.stringify(value);
  return String(value).replace(/\r\n?/g, "\n").trim().replace(MIDNIGHT, "");
}

/** Time of day that some trackers append to dates. */
const MIDNIGHT = /(?<=^\d{4}-\d\d-\d\d)[T ]00:00:00Z?$/;

/** Names under which trackers report a change of a part of a body. */
export function changedNames(name: string): string[] {
  if (name === "flags") return ["flags", BUG_FIELDS.flags.chart];
  const state = stateField(name);
  return [state, CHANGED_NAMES.get(state) ?? state];
}

/** True for a boolean in a change that is set: Bugzilla writes 1, others may write true. */
export function isTrueText(text: string): boolean {
  return text === "1" || text.toLowerCase() === "true";
}
