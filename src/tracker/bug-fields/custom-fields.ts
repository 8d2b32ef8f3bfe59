import type { Json } from "../../wire/exchange.ts";
import type { CustomValue } from "../bugs/bug.ts";
import { Fault, faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import {
  asText,
  displayedDateTime,
  multiLine,
  oneLine,
  readDateTimeValue,
  readDateValue,
  storedDateTime,
  TEXT_LIMITS,
  withinLimit,
} from "../values.ts";
import { type ChoiceField, readChoice } from "./choices.ts";

/** The type codes of the interface that custom fields have. */
export const FIELD_TYPE = {
  text: 1,
  select: 2,
  multiSelect: 3,
  longText: 4,
  dateTime: 5,
  bugId: 6,
  date: 9,
  integer: 10,
} as const;

/** A custom field as reading and writing bugs need to know it. */
export type CustomFieldRow = { readonly id: number; readonly name: string; readonly type: number };

/** The custom fields in use, by id. */
export function customFieldRows(store: Store): readonly CustomFieldRow[] {
  return store.all<CustomFieldRow>(
    "SELECT id, name, type FROM fields WHERE is_custom = 1 AND is_obsolete = 0 ORDER BY id",
  );
}

/** A stored value as bugs show it; without one (null) the field's empty value. */
export function presentCustomValue(type: number, value: string | null): Json {
  const { empty, show } = PRESENTATIONS[type] ?? { empty: "", show: (text: string) => text };
  return value === null ? empty : show(value);
}

type Presentation = { readonly empty: Json; readonly show: (value: string) => Json };

function asIs(value: string): Json {
  return value;
}

const PRESENTATIONS: Readonly<Record<number, Presentation>> = {
  [FIELD_TYPE.select]: { empty: "---", show: asIs },
  [FIELD_TYPE.dateTime]: { empty: null, show: asIs },
  [FIELD_TYPE.bugId]: { empty: null, show: Number },
  [FIELD_TYPE.date]: { empty: null, show: (day) => `${day}T00:00:00Z` },
  [FIELD_TYPE.integer]: { empty: "0", show: asIs },
};

/** A custom field as values are read for it. */
export type CustomField = ChoiceField & {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly is_mandatory: boolean;
};

/** What a value may depend on: what the bug has now, and how a text becomes the id of a bug that the requester may see. */
export type CustomValueContext = { readonly value: CustomValue; readonly findBug: (text: string) => number };

/** A value of a custom field as it was sent, in the form that bugs keep it. */
export function readCustomValue(field: CustomField, value: Json, present: CustomValueContext): CustomValue {
  const read = CUSTOM_FIELD_KINDS[field.type]?.read(field, value, present) ?? "";
  refuseMissingValue(field, read);
  return read;
}

/** Refuses the empty value of a field that must have one. */
export function refuseMissingValue(field: CustomField, value: CustomValue): void {
  if (field.is_mandatory && String(value) === String(emptyCustomValue(field))) {
    throw new Fault(400, 50, `A value must be set for the '${field.label}' field.`);
  }
}

/** What a field holds that was never set. */
export function emptyCustomValue({ type }: Pick<CustomField, "type">): CustomValue {
  return CUSTOM_FIELD_KINDS[type]?.empty ?? "";
}

/** A single value as it is stored. */
export function storedCustomValue({ type }: Pick<CustomField, "type">, said: string): string {
  return type === DATE_TIME ? storedDateTime(said) : said;
}

/** A stored single value as bugs keep it. */
export function displayedCustomValue({ type }: Pick<CustomField, "type">, stored: string): string {
  return type === DATE_TIME ? displayedDateTime(stored) : stored;
}

/** Whether a field holds several choices. */
export function isMultiSelect({ type }: Pick<CustomField, "type">): boolean {
  return type === MULTI_SELECT;
}

type CustomFieldKind = {
  readonly empty: CustomValue;
  readonly read: (field: CustomField, value: Json, present: CustomValueContext) => CustomValue;
};

const MULTI_SELECT = 3;
const DATE_TIME = 5;

const CUSTOM_FIELD_KINDS: Readonly<Record<number, CustomFieldKind>> = {
  1: {
    empty: "",
    read: (field, value) => withinLimit(oneLine(asText(value, field.name)), TEXT_LIMITS.line, field.label),
  },
  2: { empty: "---", read: (field, value, { value: now }) => choice(field, asText(value, field.name), String(now)) },
  [MULTI_SELECT]: { empty: [], read: (field, value, { value: now }) => choices(field, value, now) },
  4: {
    empty: "",
    read: (field, value) => withinLimit(multiLine(asText(value, field.name)), TEXT_LIMITS.long, field.label),
  },
  [DATE_TIME]: { empty: "", read: (field, value, { value: now }) => moment(asText(value, field.name), String(now)) },
  6: { empty: "", read: (field, value, { findBug }) => bugId(asText(value, field.name), findBug) },
  9: { empty: "", read: (field, value) => readDateValue(asText(value, field.name)) },
  10: { empty: "0", read: (field, value) => wholeNumber(asText(value, field.name), field.label) },
};

function choice(field: CustomField, text: string, present: string): string {
  return readChoice(field, text, present).name;
}

function choices(field: CustomField, value: Json, present: CustomValue): CustomValue {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    throw faults.wrongShape(field.name, "a list of values");
  }
  const items = Array.isArray(value) ? value : asText(value, field.name).split(",");
  const said = items.map((item: Json) => asText(item, field.name).trim()).filter((text) => text !== "");
  return [...new Set(said.map((text) => choice(field, text, present.includes(text) ? text : "")))];
}

// The same moment said otherwise is no change.
function moment(text: string, present: string): string {
  const said = readDateTimeValue(text);
  return said !== "" && present !== "" && storedDateTime(said) === storedDateTime(present) ? present : said;
}

function bugId(text: string, findBug: CustomValueContext["findBug"]): string {
  return text.trim() === "" ? "" : String(findBug(text.trim()));
}

const MAX_INTEGER = 2 ** 31 - 1;

function wholeNumber(text: string, label: string): string {
  const said = text.trim() || "0";
  const refuse = (code: number, what: string) =>
    new Fault(400, code, `The value '${said}' in the ${label} field is ${what}.`);
  if (!/^[+-]?\d+$/.test(said)) throw refuse(32000, "not an integer value (i.e. a whole number)");
  const number = Number(said);
  if (number > MAX_INTEGER) throw refuse(54, `more than the maximum allowable value of '${MAX_INTEGER}'`);
  if (number < -MAX_INTEGER - 1) throw refuse(55, `less than the minimum allowable value of '${-MAX_INTEGER - 1}'`);
  return String(number);
}
