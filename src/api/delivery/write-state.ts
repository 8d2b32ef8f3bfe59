import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { FieldChange } from "../../wire/resources.ts";
import { isObject } from "../response/response-objects.ts";

/** How a thing stands against the change that a write wanted of it. */
export type WriteState = "as wished" | "as before" | "otherwise";

/** Compares a thing with what a write's body wishes for it and with how it stood before; `before` may not be known. */
export function writeState(now: JsonObject, body: JsonObject, before?: JsonObject): WriteState {
  const wishes = requestedFields(body);
  if (wishes.every(([name, wish]) => holds(name, wish, { now, before }))) return "as wished";
  const isSame = ([name]: readonly [string, Json]) => sameValue(now[stateOf(name)], before?.[stateOf(name)]);
  return before !== undefined && wishes.every(isSame) ? "as before" : "otherwise";
}

/**
 * What a body wishes to have another value, where it has one by now that is neither the old nor the new one, with this value.
 * Lists may have been changed by others too, which does not stand in the way.
 */
export function conflictingFields(now: JsonObject, body: JsonObject, before: JsonObject): readonly string[] {
  return requestedFields(body)
    .filter(([name, wish]) => !isObject(wish) && name !== "flags" && !holds(name, wish, { now, before }))
    .filter(([name]) => !sameValue(now[stateOf(name)], before[stateOf(name)]))
    .map(([name]) => `${stateOf(name)} is "${text(now[stateOf(name)])}" by now`);
}

/** The names under which a thing shows what a body wishes for it; for `include_fields` and what is kept before a write. */
export function stateFields(body: JsonObject): readonly string[] {
  return [...new Set(requestedFields(body).map(([name]) => stateOf(name)))];
}

/** Of the things that a body is about to change, what has to be known of them afterwards. */
export function stateBefore(things: readonly object[], body: JsonObject): readonly JsonObject[] {
  const names = ["id", "last_change_time", "actual_time", ...stateFields(body)];
  return (things as readonly JsonObject[]).map((thing) =>
    Object.fromEntries(names.filter((name) => name in thing).map((name) => [name, thing[name] ?? null])),
  );
}

/** What a body wishes for that was not so before it was sent; all of it where that is not known. */
export function pendingFields(body: JsonObject, before?: JsonObject): readonly (readonly [name: string, wish: Json])[] {
  return requestedFields(body).filter(
    ([name, wish]) => before === undefined || !holds(name, wish, { now: before, before }),
  );
}

/** The parts of a body that wish for a state, in which a second sending would change nothing. */
function requestedFields(body: JsonObject): readonly (readonly [string, Json])[] {
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

/**
 * Whether rows of a bug's history are the traces of an update with this body: every wish that was open before it must have
 * left one. Other rows of the same fields are the work of another program with the same login. Servers join the rows of one
 * second, so that a value may stand among others.
 */
export function isUpdateInHistory(rows: readonly FieldChange[], body: JsonObject, before?: JsonObject): boolean {
  return pendingFields(body, before).every(([name, wish]) => {
    const own = rows.filter(({ field_name }) => field_name === (FIELD_NAMES[name] ?? name));
    return name === "flags" ? flagTraces(own, wish) : own.some((row) => isTrace(row, name, wish));
  });
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  flags: "flagtypes.name",
  reset_assigned_to: "assigned_to",
  reset_qa_contact: "qa_contact",
};

/** Of a list, a row shows only what was not there, or was; where all of it is wished for, any row of the field will do. */
function isTrace({ added, removed }: FieldChange, name: string, wish: Json): boolean {
  if (isObject(wish) && wish["set"] === undefined) {
    return (
      items(wish["add"]).some((item) => has(added, item)) || items(wish["remove"]).some((item) => has(removed, item))
    );
  }
  return isObject(wish) || Array.isArray(wish) || name.startsWith("reset_") || has(added, wish);
}

/** A flag is named with its status when it came, and by its name alone in a wish that takes it away. */
function flagTraces(rows: readonly FieldChange[], wishes: Json): boolean {
  return items(wishes)
    .filter(isObject)
    .every(({ name, status }) =>
      rows.some(({ added, removed }) =>
        status === "X" ? removed.includes(String(name ?? "")) : added.includes(`${name ?? ""}${status}`),
      ),
    );
}

function has(shown: string, item: Json): boolean {
  const [whole, text] = [plain(shown), plain(item)];
  return whole === text || (text !== "" && (isAmong(whole, text) || Number(whole) === Number(text)));
}

/** Whether a text stands in another with only blanks, commas or its ends beside it. */
function isAmong(whole: string, text: string): boolean {
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
    if (/^$|[\s,]$/.test(whole.slice(0, at)) && /^$|^[\s,]/.test(whole.slice(at + text.length))) return true;
  }
  return false;
}

function items(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function plain(value: Json): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  return value === null ? "" : String(value).replace(/\s+/g, " ").trim().toLowerCase();
}
