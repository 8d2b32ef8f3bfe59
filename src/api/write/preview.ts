import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
import type { Changes } from "../../wire/resources.ts";
import { hasIgnoringCase } from "../lists.ts";
import { UPDATED_FIELDS } from "../operations/write-bugs.ts";
import { itemsAfter, withWholeValues } from "./body.ts";
import { flagChangeText, isFlagOf } from "./flags.ts";

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

type Sides = { readonly removed: string; readonly added: string };

function sidesOf(before: Json | undefined, value: Json): Sides {
  if (!isObject(value) && !Array.isArray(value)) return { removed: recordedText(before), added: recordedText(value) };
  const edit: JsonObject = isObject(value) ? value : { set: value };
  const [old, add, remove] = [before, edit["add"], edit["remove"]].map((items) => itemsIn(items).map(recordedText));
  const set = edit["set"] === undefined ? undefined : itemsIn(edit["set"]).map(recordedText);
  const { lost, gained } = listDifference(old ?? [], itemsAfter({ add, remove, set }, old ?? []));
  return { removed: lost.join(", "), added: gained.join(", ") };
}

/** The items that a list loses and gains; letter case does not count. */
export function listDifference(before: readonly string[], after: readonly string[]) {
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

/** A value as the history of a bug has it. */
export function recordedText(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value);
}
