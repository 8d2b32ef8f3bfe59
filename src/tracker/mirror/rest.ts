import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../http/call.ts";
import type { FieldSelection } from "../http/field-selection.ts";
import type { Store } from "../store/store.ts";

/** Kind of an object of the interface that may have a rest. */
export type RestKind = "bug" | "comment" | "history" | "attachment" | "field" | "product" | "group" | "user";

/**
 * Difference between an object as received and as the tracker's own reader returns it, or the whole object; null hides it
 * from lists.
 */
type Rest = Difference | { readonly whole: JsonObject } | null;

type Difference = { readonly set: JsonObject; readonly drop: readonly string[] };

/** Rests by id. */
export type Rests = ReadonlyMap<number, Rest>;

const NO_RESTS: Rests = new Map();

/** The rests of these objects; none in a tracker that is no mirror. */
export function readRests({ store, runtime }: Call, kind: RestKind, ids: readonly number[]): Rests {
  if (runtime.isMirror !== true || ids.length === 0) return NO_RESTS;
  const rows = store.all<{ readonly id: number; readonly rest: string }>(RESTS, { kind, ids: JSON.stringify(ids) });
  return new Map(rows.map(({ id, rest }) => [id, JSON.parse(rest) as Rest]));
}

const RESTS = "SELECT id, rest FROM mirror_rest WHERE kind = @kind AND id IN (SELECT value FROM json_each(@ids))";

/** True if the object is hidden from lists. */
export function isHidden(rests: Rests, id: number): boolean {
  return rests.get(id) === null;
}

/** The object as it was received, with the selected fields; a bug has its custom fields among the default ones. */
export function asReceived(object: JsonObject, rest: Rest | undefined, selection: FieldSelection): JsonObject {
  if (!rest) return object;
  if ("whole" in rest) return picked(rest.whole, selection);
  const set = Object.entries(rest.set).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    const field = name.replace(/_detail$/, "");
    if (!selection.includes(field, field.startsWith("cf_") ? ["default", "custom"] : ["default"])) return [];
    return [[name, name === field ? value : selectedParts(value, field, selection)]];
  });
  const kept = Object.entries(object).filter(([name]) => !rest.drop.includes(name));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(set) };
}

/** The selected fields and parts of an object. */
function picked(object: JsonObject, selection: FieldSelection): JsonObject {
  const fields = Object.entries(object).filter(([name]) => selection.includes(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, selectedParts(value, name, selection)]));
}

/** The selected parts of a person's detail, or of each in a list. */
function selectedParts(value: Json, field: string, selection: FieldSelection): Json {
  if (Array.isArray(value)) return value.map((item: Json) => selectedParts(item, field, selection));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([part]) => selection.includesPart(field, part)));
}

/** Stores the difference between an object as received and as read back, or that there is none. */
export function keepRest(store: Store, [kind, id]: readonly [RestKind, number], objects: ReceivedAndRead): void {
  const rest = difference(objects);
  const has =
    !objects.hasNone && store.get("SELECT 1 FROM mirror_rest WHERE kind = ? AND id = ?", [kind, id]) !== undefined;
  if (rest) store.run(KEEP, { kind, id, rest: JSON.stringify(rest) });
  else if (has) dropRest(store, [kind, id]);
}

/** Stores an object as it was received, as a whole. */
export function keepWhole(store: Store, [kind, id]: readonly [RestKind, number], whole: JsonObject): void {
  store.run(KEEP, { kind, id, rest: JSON.stringify({ whole }) });
}

/** The objects of a kind that were stored as a whole. */
export function wholeObjects(store: Store, kind: RestKind): readonly JsonObject[] {
  const rows = store.all<{ readonly rest: string }>("SELECT rest FROM mirror_rest WHERE kind = ?", [kind]);
  return rows.flatMap(({ rest }) => {
    const parsed = JSON.parse(rest) as Rest;
    return parsed && "whole" in parsed ? [parsed.whole] : [];
  });
}

/** Hides an object from lists: the tracker did not list it. */
export function hideFromLists(store: Store, [kind, id]: readonly [RestKind, number]): void {
  store.run(KEEP, { kind, id, rest: "null" });
}

/** Removes the rest of an object. */
function dropRest(store: Store, [kind, id]: readonly [RestKind, number]): void {
  store.run("DELETE FROM mirror_rest WHERE kind = ? AND id = ?", [kind, id]);
}

const KEEP = "INSERT OR REPLACE INTO mirror_rest (kind, id, rest) VALUES (@kind, @id, @rest)";

/** An object as received, and as the tracker's own reader returns it. */
export type ReceivedAndRead = {
  readonly received: JsonObject;
  readonly read: JsonObject;
  readonly hasNone?: true; // no rest of it is stored
};

function difference({ received, read }: ReceivedAndRead): Difference | undefined {
  const set = Object.entries(received).filter(
    ([name, value]) => value !== read[name] && !isDeepStrictEqual(value, read[name]),
  );
  const drop = Object.keys(read).filter((name) => !(name in received));
  return set.length + drop.length === 0 ? undefined : { set: Object.fromEntries(set), drop };
}
