import type { Json } from "../../wire/exchange.ts";
import { Fault, faults } from "../fault.ts";
import type { CustomValue } from "./bug.ts";
import { type ChoiceField, readChoice } from "./choice.ts";
import { readDay, readMoment, saidMoment, storedMoment } from "./dates.ts";
import { asText, LIMITS, manyLines, oneLine, within } from "./text.ts";

/** A custom field as values are read for it. */
export type Custom = ChoiceField & {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly is_mandatory: boolean;
};

/** What a value may depend on: what the bug has now, and how a text becomes the id of a bug that the requester may see. */
export type Present = { readonly value: CustomValue; readonly findBug: (text: string) => number };

/** A value of a custom field as it was sent, in the form that bugs keep it. */
export function readCustom(field: Custom, value: Json, present: Present): CustomValue {
  const read = KINDS[field.type]?.read(field, value, present) ?? "";
  refuseMissing(field, read);
  return read;
}

/** Refuses the empty value of a field that must have one. */
export function refuseMissing(field: Custom, value: CustomValue): void {
  if (field.is_mandatory && String(value) === String(emptyCustom(field))) {
    throw new Fault(400, 50, `A value must be set for the '${field.label}' field.`);
  }
}

/** What a field holds that was never set. */
export function emptyCustom({ type }: Pick<Custom, "type">): CustomValue {
  return KINDS[type]?.empty ?? "";
}

/** A single value as it is stored. */
export function storedCustom({ type }: Pick<Custom, "type">, said: string): string {
  return type === MOMENT ? storedMoment(said) : said;
}

/** A stored single value as bugs keep it. */
export function saidCustom({ type }: Pick<Custom, "type">, stored: string): string {
  return type === MOMENT ? saidMoment(stored) : stored;
}

/** Whether a field holds several choices. */
export function holdsSeveral({ type }: Pick<Custom, "type">): boolean {
  return type === SEVERAL;
}

type Kind = {
  readonly empty: CustomValue;
  readonly read: (field: Custom, value: Json, present: Present) => CustomValue;
};

const SEVERAL = 3;
const MOMENT = 5;

const KINDS: Readonly<Record<number, Kind>> = {
  1: { empty: "", read: (field, value) => within(oneLine(asText(value, field.name)), LIMITS.line, field.label) },
  2: { empty: "---", read: (field, value, { value: now }) => choice(field, asText(value, field.name), String(now)) },
  [SEVERAL]: { empty: [], read: (field, value, { value: now }) => choices(field, value, now) },
  4: { empty: "", read: (field, value) => within(manyLines(asText(value, field.name)), LIMITS.long, field.label) },
  [MOMENT]: { empty: "", read: (field, value, { value: now }) => moment(asText(value, field.name), String(now)) },
  6: { empty: "", read: (field, value, { findBug }) => bugId(asText(value, field.name), findBug) },
  9: { empty: "", read: (field, value) => readDay(asText(value, field.name)) },
  10: { empty: "0", read: (field, value) => wholeNumber(asText(value, field.name), field.label) },
};

function choice(field: Custom, text: string, present: string): string {
  return readChoice(field, text, present).name;
}

function choices(field: Custom, value: Json, present: CustomValue): CustomValue {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    throw faults.wrongShape(field.name, "a list of values");
  }
  const items = Array.isArray(value) ? value : asText(value, field.name).split(",");
  const said = items.map((item: Json) => asText(item, field.name).trim()).filter((text) => text !== "");
  return [...new Set(said.map((text) => choice(field, text, present.includes(text) ? text : "")))];
}

// The same moment said otherwise is no change.
function moment(text: string, present: string): string {
  const said = readMoment(text);
  return said !== "" && present !== "" && storedMoment(said) === storedMoment(present) ? present : said;
}

function bugId(text: string, findBug: Present["findBug"]): string {
  return text.trim() === "" ? "" : String(findBug(text.trim()));
}

const LARGEST = 2 ** 31 - 1;

function wholeNumber(text: string, label: string): string {
  const said = text.trim() || "0";
  const refuse = (code: number, what: string) =>
    new Fault(400, code, `The value '${said}' in the ${label} field is ${what}.`);
  if (!/^[+-]?\d+$/.test(said)) throw refuse(32000, "not an integer value (i.e. a whole number)");
  const number = Number(said);
  if (number > LARGEST) throw refuse(54, `more than the maximum allowable value of '${LARGEST}'`);
  if (number < -LARGEST - 1) throw refuse(55, `less than the minimum allowable value of '${-LARGEST - 1}'`);
  return String(number);
}
