import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../read.ts";

/** How a thing stands against the change that a write wanted of it. */
export type Standing = "as wished" | "as before" | "otherwise";

/** Compares a thing with what a write's body wishes for it and with how it stood before; `before` may not be known. */
export function standing(now: JsonObject, body: JsonObject, before?: JsonObject): Standing {
  const wishes = wishesIn(body);
  if (wishes.every(([name, wish]) => holds(name, wish, { now, before }))) return "as wished";
  const isSame = ([name]: readonly [string, Json]) => sameValue(now[stateOf(name)], before?.[stateOf(name)]);
  return before !== undefined && wishes.every(isSame) ? "as before" : "otherwise";
}

/**
 * What a body wishes to have another value, where it has one by now that is neither the old nor the new one, with this value.
 * Lists may have been changed by others too, which does not stand in the way.
 */
export function movedOn(now: JsonObject, body: JsonObject, before: JsonObject): readonly string[] {
  return wishesIn(body)
    .filter(([name, wish]) => !isObject(wish) && name !== "flags" && !holds(name, wish, { now, before }))
    .filter(([name]) => !sameValue(now[stateOf(name)], before[stateOf(name)]))
    .map(([name]) => `${stateOf(name)} is "${text(now[stateOf(name)])}" by now`);
}

/** The names under which a thing shows what a body wishes for it; for `include_fields` and what is kept before a write. */
export function stateNames(body: JsonObject): readonly string[] {
  return [...new Set(wishesIn(body).map(([name]) => stateOf(name)))];
}

/** Of the things that a body is about to change, what has to be known of them afterwards. */
export function stateBefore(things: readonly object[], body: JsonObject): readonly JsonObject[] {
  const names = ["id", "last_change_time", "actual_time", ...stateNames(body)];
  return (things as readonly JsonObject[]).map((thing) =>
    Object.fromEntries(names.filter((name) => name in thing).map((name) => [name, thing[name] ?? null])),
  );
}

/** What a body wishes for that was not so before it was sent; all of it where that is not known. */
export function openWishes(body: JsonObject, before?: JsonObject): readonly (readonly [name: string, wish: Json])[] {
  return wishesIn(body).filter(([name, wish]) => before === undefined || !holds(name, wish, { now: before, before }));
}

/** The parts of a body that wish for a state, in which a second sending would change nothing. */
function wishesIn(body: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(body).filter(([name]) => !NO_STATE.has(name));
}

/** What names the things themselves, and what is added each time it is sent. */
const NO_STATE = new Set(["ids", "names", "comment_id", "comment", "work_time", "comment_is_private"]);

const RESETS: Readonly<Record<string, string>> = { reset_assigned_to: "assigned_to", reset_qa_contact: "qa_contact" };

function stateOf(name: string): string {
  return RESETS[name] ?? name;
}

type Sides = { readonly now: JsonObject; readonly before: JsonObject | undefined };

function holds(name: string, wish: Json, { now, before }: Sides): boolean {
  const state = stateOf(name);
  if (now[state] === undefined) return false; // the tracker does not tell
  if (state !== name) return before !== undefined && !sameValue(now[state], before[state]);
  if (name === "flags") return flagsHold(list(wish), list(now["flags"]), list(before?.["flags"]));
  if (isObject(wish)) return listHolds(wish, texts(now[name]));
  if (Array.isArray(wish) || Array.isArray(now[name])) return sameItems(texts(wish), texts(now[name]));
  return text(wish) === text(now[name]);
}

function listHolds(edit: JsonObject, now: readonly string[]): boolean {
  if (edit["set"] !== undefined) return sameItems(texts(edit["set"]), now);
  return (
    texts(edit["add"]).every((item) => now.includes(item)) && !texts(edit["remove"]).some((item) => now.includes(item))
  );
}

/** Every wish has its flag; a further one of the same name must be there once more than before. */
function flagsHold(wishes: readonly Json[], now: readonly Json[], before: readonly Json[]): boolean {
  return wishes.filter(isObject).every((wish) => {
    const [found, earlier] = [now, before].map((flags) => flags.filter((flag) => isFlag(flag, wish)).length);
    if (wish["status"] === "X") return found === 0;
    return wish["new"] === true ? (found ?? 0) > (earlier ?? 0) : (found ?? 0) > 0;
  });
}

function isFlag(flag: Json, wish: JsonObject): boolean {
  if (!isObject(flag)) return false;
  const named = (["id", "name", "type_id"] as const).every(
    (name) => wish[name] === undefined || text(wish[name]) === text(flag[name]),
  );
  if (!named || wish["status"] === "X") return named;
  const asked = wish["requestee"] === undefined || text(wish["requestee"]) === text(flag["requestee"]);
  return asked && wish["status"] === flag["status"];
}

/** Whether two values are the same to a tracker, which shows some in several ways. */
export function sameValue(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) || Array.isArray(other)) return sameItems(texts(one), texts(other));
  return text(one) === text(other);
}

function sameItems(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify([...new Set(one)].sort()) === JSON.stringify([...new Set(other)].sort());
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null || value === "") return [];
  return (Array.isArray(value) ? value : [value]).map((item) => text(item).toLowerCase());
}

/** A value as text, whatever the tracker makes of it: 1 for true, nothing for null, one kind of line end. */
function text(value: Json | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "object") return JSON.stringify(value);
  return String(value).replace(/\r\n?/g, "\n").trim().replace(MIDNIGHT, "");
}

/** A date is shown by some trackers with the hour at which it begins. */
const MIDNIGHT = /(?<=^\d{4}-\d\d-\d\d)[T ]00:00:00Z?$/;
