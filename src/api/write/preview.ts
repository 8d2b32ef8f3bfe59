import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
import type { Changes } from "../../wire/resources.ts";
import { UPDATED_FIELDS } from "../operations/write-bugs.ts";
import { withWholeValues } from "./body.ts";
import { CLOSED, DUPLICATE } from "./moves.ts";

/**
 * Expected changes of an update in the form in which trackers report them. Changes that only the tracker knows, such as
 * a default assignee, are missing; `groups` are those expected after a product move.
 */
export function previewChanges(bug: Bug, edits: JsonObject, groups?: string[]): Changes {
  const body = withWholeValues(edits, bug as JsonObject);
  const changes: Record<string, Change> = {};
  for (const [name, value] of Object.entries(body)) {
    const field = UPDATED_FIELDS.get(name); // undefined for a custom field
    if (name === "ids" || (field !== undefined && field !== name)) continue; // not reported, or under another name
    const before = bug[name as keyof Bug] as Json | undefined;
    const change = name === "flags" ? flagsChange(before, value) : fieldChange(before, value);
    if (change) changes[name === "flags" ? "flagtypes.name" : name] = change;
  }
  const moved = groups && fieldChange([...(bug.groups ?? [])], [...groups]);
  if (moved) changes["groups"] = moved;
  return { ...changes, ...impliedChanges(bug, body) };
}

type Change = { added: string; removed: string };

function fieldChange(before: Json | undefined, value: Json): Change | undefined {
  if (isObject(value)) return listChange(recordedTexts(before), value);
  if (Array.isArray(value)) return listChange(recordedTexts(before), { set: value });
  const [removed, added] = [recordedText(before), recordedText(value)];
  return removed === added ? undefined : { removed, added };
}

/** A list after an edit `{add, remove, set}`. */
export function listEdit(before: string[], edit: JsonObject): string[] {
  if (edit["set"] !== undefined) return recordedTexts(edit["set"]);
  const removed = recordedTexts(edit["remove"]);
  return [...new Set([...before, ...recordedTexts(edit["add"])])].filter((item) => !removed.includes(item));
}

function listChange(before: string[], edit: JsonObject): Change | undefined {
  const has = (list: string[], item: string) => list.some((one) => one.toLowerCase() === item.toLowerCase());
  const set = edit["set"] === undefined ? undefined : recordedTexts(edit["set"]);
  const added = (set ?? recordedTexts(edit["add"])).filter((item) => !has(before, item));
  const removed = set
    ? before.filter((item) => !has(set, item))
    : recordedTexts(edit["remove"]).filter((item) => has(before, item));
  return added.length + removed.length === 0 ? undefined : { removed: removed.join(", "), added: added.join(", ") };
}

function flagsChange(before: Json | undefined, value: Json): Change | undefined {
  const set = objectsIn(before);
  const changes = objectsIn(value).map((flagEdit) => flagChange(set, flagEdit));
  const join = (side: keyof Change) =>
    changes
      .map((change) => change[side])
      .filter(Boolean)
      .join(", ");
  return changes.length === 0 ? undefined : { removed: join("removed"), added: join("added") };
}

function flagChange(set: JsonObject[], flagEdit: JsonObject): Change {
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

/** Implied changes: a duplicate is closed, a reopened bug loses its resolution. */
function impliedChanges(bug: Bug, body: JsonObject): Changes {
  if (body["dupe_of"] !== undefined && bug.is_open) {
    return {
      status: { removed: recordedText(bug.status), added: CLOSED },
      resolution: { removed: recordedText(bug.resolution), added: DUPLICATE },
    };
  }
  return {};
}

function recordedTexts(value: Json | undefined): string[] {
  return itemsIn(value).map(recordedText);
}

/** A value as the history of a bug has it. */
export function recordedText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value);
}
