import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Changes } from "../../wire/resources.ts";
import { hasIgnoringCase } from "../lists.ts";
import { recordedText } from "./preview.ts";
import { isTrueText, pendingFields, sameValue, stateField } from "./write-state.ts";

/**
 * Lines about values of other users that an update replaced, of objects as they were read: the response reports values
 * removed that were not there. Lists are compared by item. Unread fields, times, which servers report in their own
 * zone, and values that the tracker replaced itself are skipped. `bodyOf` has what each object was sent.
 */
export function overwrittenLines(
  changed: { id: number | string; changes: Changes }[],
  read: readonly object[],
  bodyOf: (id: number) => JsonObject | undefined,
  noun = "bug",
): string[] {
  const things = new Map((read as JsonObject[]).map((thing) => [String(thing["id"]), thing]));
  const lines: string[] = [];
  for (const { id, changes } of changed) {
    const before = things.get(String(id)) ?? {};
    for (const [field, sides] of Object.entries(changes)) {
      const then = replacedText(field, sides, before, bodyOf(Number(id))?.[field]);
      if (then !== undefined) lines.push(`${noun} ${id}: ${field} was ${then}`);
    }
  }
  return lines;
}

function replacedText(field: string, sides: Sides, before: JsonObject, sent: Json | undefined): string | undefined {
  const known = isFlags(field) ? reportedFlags(before["flags"]) : before[field];
  if (known === undefined || isReplaced(sides, sent)) return undefined;
  return Array.isArray(known) ? replacedListText(known, sides, field) : replacedValueText(known, sides);
}

/** True for the name of flags in changes: Bugzilla's, or the field's own. */
function isFlags(field: string): boolean {
  return field === "flagtypes.name" || field === "flags";
}

type Sides = Changes[string];

/** True if a change replaces the very value that was sent: Mozilla's tracker makes every regression a defect again. */
function isReplaced({ removed, added }: Sides, sent: Json | undefined): boolean {
  return sent !== undefined && typeof sent !== "object" && sameValue(removed, sent) && !sameValue(added, sent);
}

function replacedValueText(known: Json, { removed, added }: Sides): string | undefined {
  if (sameValue(known, changeValueLike(removed, known)) || MOMENT.test(String(known))) return undefined;
  return `"${removed ?? ""}" before the update, not "${recordedText(known)}"; it is now "${added ?? ""}"`;
}

/** A value of a change, which is always text, as what it is: of the type of the field's value. */
function changeValueLike(text: string | null, known: Json): Json {
  if (typeof known === "number" && text) return Number(text);
  return typeof known === "boolean" && text !== null ? isTrueText(text) : text;
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** The list when the update was applied; undefined if it was as known. A flag may be set twice. */
function replacedListText(list: Json[], { removed, added }: Sides, field: string): string | undefined {
  const known = list.map(String);
  const came = joinedItems(removed, known)
    .map((item) => (isFlags(field) ? item.replace(/\(.*/, "") : item))
    .filter((item) => !hasIgnoringCase(known, item));
  const left = isFlags(field) ? [] : joinedItems(added, known).filter((item) => hasIgnoringCase(known, item));
  if (came.length + left.length === 0) return undefined;
  const before = [...known.filter((item) => !hasIgnoringCase(left, item)), ...came];
  return `"${before.join(", ")}" before the update, not "${known.join(", ")}"`;
}

/** Items of a list as changes and histories join them; a known item that contains a comma is kept whole. */
function joinedItems(text: string | null, known: string[]): string[] {
  const found: string[] = [];
  for (let rest = text ?? ""; rest !== ""; rest = rest.slice((found.at(-1) ?? "").length).replace(/^, ?/, "")) {
    const whole = known.filter((item) => item !== "" && (rest === item || rest.startsWith(`${item}, `)));
    found.push(whole.toSorted((a, b) => b.length - a.length)[0] ?? rest.split(/, ?/, 1)[0] ?? rest);
    if (found.at(-1) === "") break;
  }
  return found;
}

/** Flags of a bug as reported in changes, without requestees. */
function reportedFlags(flags: Json | undefined): string[] | undefined {
  if (!Array.isArray(flags)) return undefined;
  return flags.filter(isObject).map(({ name, status }) => `${name}${status}`);
}

/** True if a change ends with another value than was sent. */
function isOther({ added }: Sides, sent: Json): boolean {
  if (typeof sent === "object" || sameValue(added, sent) || Number(added) === Number(sent)) return false;
  return String(added).toLowerCase() !== String(sent).toLowerCase();
}

/**
 * Requested fields that differ from before, and that the response of an update does not report, or reports with another value:
 * either the tracker ignored them, or it reports them under another name. Addresses are left out, which trackers rewrite.
 */
export function unreportedFields(before: JsonObject, body: JsonObject, changes: Changes): JsonObject {
  const found: Record<string, Json> = {};
  for (const [name, requested] of Object.entries(body)) {
    const isComparable = stateField(name) === name && !ADDRESSES.has(name);
    const change = changes[name] ?? (name === "flags" ? changes["flagtypes.name"] : undefined);
    if (isComparable && (change === undefined || isOther(change, requested))) found[name] = requested;
  }
  return Object.keys(found).length > 0 ? Object.fromEntries(pendingFields(found, before)) : found;
}

const ADDRESSES: ReadonlySet<string> = new Set(["url", "see_also"]);
