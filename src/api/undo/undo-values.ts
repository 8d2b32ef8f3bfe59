import { type Bug, DEPENDENCY_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { type Catalog, findField } from "../catalog.ts";
import { sameValue } from "../delivery/write-state.ts";
import { legalNames } from "../legal-values.ts";
import { certainMoment, isLocalTime } from "../write/custom-fields.ts";
import { joinedItems } from "../write/overwritten.ts";
import type { PastField } from "../write/past-change.ts";
import type { NotUndone, PartUndo } from "./undo-flags.ts";

/** Context for undoing a value: the current bug, and the kind of the field. */
export type ValueUndoContext = {
  readonly bug: Bug;
  readonly catalog: Catalog;
  readonly zones: readonly string[];
  readonly kind: "text" | "choice" | "number" | "bool" | "date" | "datetime" | "list";
};

/** Undoes the change of a single value. */
export function undoValue(past: PastField, context: ValueUndoContext): PartUndo {
  const { field, added, sent } = past;
  const now = (context.bug as JsonObject)[field];
  if (now === undefined) return left(past, "the tracker does not return it");
  const old = oldValue(past, context);
  if (old === undefined) return left(past, "its time is ambiguous in the tracker's zone");
  if (isEqual(now, past.before ?? past.removed, context)) return {};
  const isKept = isEqual(now, added, context) || (sent !== undefined && !isObject(sent) && isEqual(now, sent, context));
  if (!isKept) return { left: [collision(field, added, context.bug)] };
  return isLegal(field, String(old), context) ? { body: { [field]: old } } : left(past, `"${old}" is no longer valid`);
}

/** A field that has another value now. */
export function collision(field: string, added: string, bug: Bug): NotUndone {
  const now = shown((bug as JsonObject)[field]);
  return { field, reason: `it was changed since; it is now "${now}", not "${added}"`, isCollision: true };
}

function shown(value: Json | undefined): string {
  return [value ?? ""].flat().map(String).join(", ");
}

function left({ field }: PastField, reason: string): PartUndo {
  return { left: [{ field, reason }] };
}

/** The value to send; undefined for a time that is not certain. */
function oldValue({ before, removed }: PastField, { kind, zones }: ValueUndoContext): Json | undefined {
  const text = before === undefined || kind === "datetime" ? removed : String(before ?? "");
  return (READERS[kind] ?? asIs)(text, zones);
}

type Reader = (text: string, zones: readonly string[]) => Json | undefined;

const asIs: Reader = (text) => text;

/** Trackers read date-times of custom fields in their own zone, and record changes in it. */
const READERS: Readonly<Partial<Record<ValueUndoContext["kind"], Reader>>> = {
  datetime: (text, zones) => (text === "" || momentIn(text, zones) !== undefined ? text : undefined),
  bool: (text) => text === "1" || text === "true",
  number: (text) => (text === "" ? "" : Number(text)),
  date: (text) => text.slice(0, "2026-10-03".length),
};

function momentIn(text: string, zones: readonly string[]): string | undefined {
  return isLocalTime(text) ? certainMoment(text, zones) : undefined;
}

/** True for two forms of a value: histories have days with a time, and numbers with decimals. */
function isEqual(now: Json, then: Json, { kind, zones }: ValueUndoContext): boolean {
  if (sameValue(now, then)) return true;
  if (kind === "datetime") return typeof then === "string" && momentIn(then, zones) === now;
  return kind === "number" && now !== null && then !== null && Number(now) === Number(then);
}

/** Undoes the change of a list: items that it added are removed, those that it removed are added again. */
export function undoList(past: PastField, context: ValueUndoContext): PartUndo {
  const { field } = past;
  const list = (context.bug as JsonObject)[field];
  if (!Array.isArray(list)) return left(past, "the tracker does not return it");
  const now = list.map(String);
  const known = [...now, ...textsOf(past.before), ...editTexts(past.sent), ...(validNames(field, context) ?? [])];
  const [removed, added] = [joinedItems(past.removed, known), joinedItems(past.added, known)];
  const lost = removed.filter((item) => !has(now, item));
  const invalid = lost.filter((item) => field === "groups" || !isLegal(field, item, context));
  const reason = field === "groups" ? "stays removed" : "is no longer valid";
  const edit = {
    add: lost.filter((item) => !invalid.includes(item)),
    remove: added.filter((item) => has(now, item)),
  };
  const parts = Object.entries(edit).filter(([, items]) => items.length > 0);
  const wire = parts.map(([name, items]) => [name, NUMBERED.has(field) ? items.map(Number) : items] as const);
  return {
    ...(wire.length > 0 ? { body: { [field]: Object.fromEntries(wire) } } : {}),
    left: invalid.map((item) => ({ field, reason: `"${item}" ${reason}` })),
  };
}

/** Lists of numbers. */
const NUMBERED: ReadonlySet<string> = new Set(DEPENDENCY_FIELDS);

function has(list: string[], item: string): boolean {
  return list.some((one) => one.toLowerCase() === item.toLowerCase());
}

/** True unless the tracker lists other values. */
function isLegal(field: string, text: string, context: ValueUndoContext): boolean {
  const names = validNames(field, context);
  return text === "" || names === undefined || has(names, text);
}

function validNames(field: string, { bug, catalog }: ValueUndoContext): string[] | undefined {
  const known = findField(catalog, field);
  return known && legalNames(known, bug.product ?? undefined);
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Items of an edit of a list. */
function editTexts(edit: Json | undefined): string[] {
  return isObject(edit) ? Object.values(edit).flatMap(textsOf) : textsOf(edit);
}
