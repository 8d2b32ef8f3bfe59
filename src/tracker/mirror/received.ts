import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { timestamp } from "../../wire/time.ts";

/** Text of a received value, in the form that SQLite stores unchanged; "" for null. */
export function receivedText(value: Json | undefined): string {
  return typeof value === "string" ? value.replaceAll("\0", "\ufffd") : String(value ?? "");
}

/** Texts of a received list, or of a single value; none for null. */
export function receivedTexts(value: Json | undefined): string[] {
  return receivedItems(value).map(receivedText);
}

/** Items of a received list; a single value is a list of one, null an empty one. */
export function receivedItems(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value as Json[];
  return value === null || value === undefined || value === "" ? [] : [value];
}

/** Objects of a received list. */
export function receivedObjects(value: Json | undefined): JsonObject[] {
  return receivedItems(value).filter(isObject);
}

/** The object, or undefined for any other value. */
export function receivedObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Number of a received value that may be a fraction, such as hours; 0 for anything else. */
export function receivedNumber(value: Json | undefined): number {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
}

/** Whole number of a received value, such as an id; 0 for anything else. */
export function receivedInteger(value: Json | undefined): number {
  const number = receivedNumber(value);
  return Number.isSafeInteger(number) ? number : 0;
}

/** A received yes or no as stored: servers return booleans as numbers, too. */
export function receivedBit(value: Json | undefined): number {
  return value === true || value === 1 || value === "1" ? 1 : 0;
}

/** A received time as stored, like 2026-11-20T05:57:24Z; the text itself if it is no time. */
export function storedTime(value: Json | undefined): string {
  const text = receivedText(value);
  if (isMoment(text)) return text;
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : timestamp(time);
}

/** True for a text in the form in which times are stored. */
function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text);
}
