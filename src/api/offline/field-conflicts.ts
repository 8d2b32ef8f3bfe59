import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { FieldConflict } from "../../wire/mirror.ts";
import type { Changes } from "../../wire/resources.ts";
import { isApplied, requestedFields, sameValue, stateField } from "../delivery/write-state.ts";
import { isObject } from "../response/response-objects.ts";
import type { AppliedKept, KeptWrite } from "./kept-write.ts";

/** Fields that a body sets as a whole; adding to a list and removing from it depend on nothing. */
export function setFields(body: JsonObject): readonly string[] {
  return [...new Set(wholeWishes(body).map(([name]) => stateField(name)))];
}

function wholeWishes(body: JsonObject): readonly (readonly [name: string, wish: Json])[] {
  const isWhole = (wish: Json) => !isObject(wish) || wish["set"] !== undefined;
  return requestedFields(body).filter(([name, wish]) => name !== "flags" && isWhole(wish));
}

/** Fields of a bug that a write sets and that are neither as they were when it was made, nor as it wants them. */
export function fieldConflicts(
  now: JsonObject,
  body: JsonObject,
  based: JsonObject | undefined,
): readonly FieldConflict[] {
  if (based === undefined) return [];
  return wholeWishes(body)
    .map(([name, wanted]) => ({ name, field: stateField(name), wanted }))
    .filter(({ field }) => now[field] !== undefined && based[field] !== undefined)
    .filter(({ field }) => !sameValue(now[field], based[field]))
    .filter(({ name, field, wanted }) => name !== field || !isApplied(name, wanted, { now, before: based }))
    .map(({ field, wanted }) => ({
      bug: Number(now["id"]),
      field,
      based: based[field] ?? null,
      now: now[field] ?? null,
      wanted,
    }));
}

/**
 * The values that a kept write was based on, after the own writes before it that were applied since the mirror was
 * synced.
 */
export function basisOf(
  { based = [], place, asOf }: KeptWrite,
  bug: number,
  applied: readonly AppliedKept[],
): JsonObject | undefined {
  const start = based.find(({ id }) => id === bug);
  const own = appliedBefore(place, applied).filter(({ sentAt }) => asOf === null || sentAt >= Date.parse(asOf));
  return start && own.reduce<JsonObject>((basis, { changes }) => afterChanges(basis, changes.get(bug)), start);
}

/**
 * The last change of a bug that its conditional update knows of: the one that the user saw, or that of own updates before
 * it, as long as nobody else changed the bug between them.
 */
export function lastKnownChange(
  bug: number,
  { seen, place }: { readonly seen: string; readonly place: number },
  applied: readonly AppliedKept[],
): string {
  return appliedBefore(place, applied).reduce((last, { times }) => {
    const { before = "", after = "" } = times.get(bug) ?? {};
    return before !== "" && before <= last && after > last ? after : last;
  }, seen);
}

/** The own writes before a place in the queue, in order. */
function appliedBefore(place: number, applied: readonly AppliedKept[]): readonly AppliedKept[] {
  return applied.filter((one) => one.place < place).sort((one, other) => one.place - other.place);
}

function afterChanges(basis: JsonObject, changes: Changes = {}): JsonObject {
  const changed = Object.entries(basis).map(([field, value]) => {
    const change = changes[field];
    return [field, change ? afterChange(value, change) : value] as const;
  });
  return Object.fromEntries(changed);
}

function afterChange(value: Json, { added, removed }: Changes[string]): Json {
  if (!Array.isArray(value)) return added;
  const gone = itemsIn(removed);
  return [...value.filter((item: Json) => !gone.includes(String(item))), ...itemsIn(added)];
}

function itemsIn(text: string | null): readonly string[] {
  return (text ?? "").split(/,\s*/).filter((item) => item !== "");
}
