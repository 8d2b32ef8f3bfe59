import { BUG_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { internalName, MENTORS } from "../../wire/field-types.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
import type { Flag } from "../../wire/resources.ts";
import { pathValues } from "../operations/known-operations.ts";
import { requestFor } from "../operations/operation.ts";
import { CREATE_BUG, UPDATE_BUG, UPDATED_FIELDS } from "../operations/write-bugs.ts";
import type { Dialect } from "../search/dialect.ts";
import { itemsAfter } from "./body.ts";
import { isFlagAs, isFlagOf } from "./flags.ts";

/**
 * One update of several bugs. Servers read the bugs from `ids` alone if present, and apply the update once per
 * occurrence, so every bug is listed exactly once, including the one in the path.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#update-bug
 */
export function updateRequest(ids: readonly number[], body: JsonObject): Request {
  return requestFor(UPDATE_BUG, { ids: [...new Set(ids)], ...body });
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

/** Names of the fields that a body sets. */
export function stateFields(body: JsonObject): string[] {
  const names = Object.keys(body).filter((name) => !OBJECT_NAMES.has(name) && UPDATED_FIELDS.get(name) !== null);
  return [...new Set(names.map(stateField))];
}

/** The parts of a body that name its objects. */
const OBJECT_NAMES: ReadonlySet<string> = new Set(["ids", "names", "comment_id"]);

/** The field that a part of a body is about: `assigned_to` for `reset_assigned_to`. */
function stateField(name: string): string {
  return UPDATED_FIELDS.get(name) ?? name;
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

/** Names under which trackers report a change of a part of a body. */
export function changedNames(name: string): string[] {
  if (name === "flags") return ["flags", BUG_FIELDS.flags.chart];
  const state = stateField(name);
  return [state, internalName(state)];
}

/** True if an object has the value of a field that a write requested; `before` is the object before it, if known. */
export function isAsRequested(name: string, requested: Json, now: JsonObject, before?: JsonObject): boolean {
  const state = stateField(name);
  const value = now[state];
  if (value === undefined) return false; // not reported
  if (state !== name) return before !== undefined && !sameValue(value, before[state]);
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
  return [
    ...new Set(
      items.map((item) =>
        comparableText(item)
          .toLowerCase()
          .replace(/^http:/, "https:"),
      ),
    ),
  ].sort();
}

/** Text of a value, with LF, a space for tabs, and a day without its time. */
function comparableText(value: Json | undefined): string {
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return recordedText(value).replace(/\r\n?/g, "\n").replace(/\t+/g, " ").trim().replace(MIDNIGHT, "");
}

/** Time of day that some trackers append to dates. */
const MIDNIGHT = /(?<=^\d{4}-\d\d-\d\d)[T ]00:00:00Z?$/;

/** A value as the history of a bug has it. */
export function recordedText(value: Json | undefined): string {
  return typeof value === "boolean" ? String(Number(value)) : String(value ?? "");
}
