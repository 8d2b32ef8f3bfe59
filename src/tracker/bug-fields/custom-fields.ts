import type { ErrorName } from "../../wire/error-codes.ts";
import type { Json } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { CustomValue } from "../bug.ts";
import { Fault, faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import {
  asText,
  checkedLength,
  displayedDateTime,
  multiLine,
  oneLine,
  readDateTimeValue,
  readDateValue,
  storedDateTime,
  TEXT_LIMITS,
} from "../values.ts";
import { type CustomField, readChoice } from "./choices.ts";

/** Id, name and type code of a custom field. */
export type CustomFieldRow = { id: number; name: string; type: number };

/** Custom fields that are not obsolete, sorted by id. */
export function customFieldRows(store: Store): readonly CustomFieldRow[] {
  return store.all<CustomFieldRow>(
    "SELECT id, name, type FROM fields WHERE is_custom = 1 AND is_obsolete = 0 ORDER BY id",
  );
}

/** JSON of a stored value in bugs; the field's empty value for null. */
export function presentCustomValue(type: number, value: string | null): Json {
  const { empty, present } = PRESENTATIONS[type] ?? { empty: "", present: (text: string) => text };
  return value === null ? empty : present(value);
}

type Presentation = { empty: Json; present: (value: string) => Json };

function asStored(value: string): Json {
  return value;
}

const PRESENTATIONS: Readonly<Record<number, Presentation>> = {
  [FIELD_TYPE.select]: { empty: "---", present: asStored },
  [FIELD_TYPE.dateTime]: { empty: null, present: asStored },
  [FIELD_TYPE.bugId]: { empty: null, present: Number },
  [FIELD_TYPE.date]: { empty: null, present: (day) => `${day}T00:00:00Z` },
  [FIELD_TYPE.integer]: { empty: "0", present: asStored },
};

/** Current value of the bug, and lookup of a visible bug's id by number or alias. */
export type CustomValueContext = { current: CustomValue; findBug: (text: string) => number };

/** A validated value of a custom field. @throws Fault param_required if it is mandatory and empty, others if it is invalid */
export function readCustomValue(field: CustomField, value: Json, context: CustomValueContext): CustomValue {
  const read = CUSTOM_FIELD_KINDS[field.type]?.read(field, value, context) ?? "";
  refuseMissingValue(field, read);
  return read;
}

/** Checks that a mandatory field has a value. @throws Fault param_required */
export function refuseMissingValue(field: CustomField, value: CustomValue): void {
  if (field.is_mandatory && String(value) === String(emptyCustomValue(field))) {
    throw new Fault("param_required", `A value must be set for the '${field.label}' field.`);
  }
}

/** Value of a field that was never set. */
export function emptyCustomValue({ type }: CustomField): CustomValue {
  return CUSTOM_FIELD_KINDS[type]?.empty ?? "";
}

/** Stored form of a single value; dates with time become 2026-11-02T00:00:00Z. */
export function storedCustomValue({ type }: CustomField, sent: string): string {
  return type === DATE_TIME ? storedDateTime(sent) : sent;
}

/** Displayed form of a stored single value; dates with time become 2026-11-02 00:00:00. */
export function displayedCustomValue({ type }: CustomField, stored: string): string {
  return type === DATE_TIME ? displayedDateTime(stored) : stored;
}

export function isMultiSelect(type: number): boolean {
  return type === MULTI_SELECT;
}

type CustomFieldKind = {
  empty: CustomValue;
  read: (field: CustomField, value: Json, context: CustomValueContext) => CustomValue;
};

const MULTI_SELECT = 3;
const DATE_TIME = 5;

const CUSTOM_FIELD_KINDS: Readonly<Record<number, CustomFieldKind>> = {
  1: {
    empty: "",
    read: (field, value) => checkedLength(oneLine(asText(value, field.name)), TEXT_LIMITS.line, field.label),
  },
  2: {
    empty: "---",
    read: (field, value, { current }) => readSingleChoice(field, asText(value, field.name), String(current)),
  },
  [MULTI_SELECT]: { empty: [], read: (field, value, { current }) => readChoices(field, value, current) },
  4: {
    empty: "",
    read: (field, value) => checkedLength(multiLine(asText(value, field.name)), TEXT_LIMITS.long, field.label),
  },
  [DATE_TIME]: {
    empty: "",
    read: (field, value, { current }) => readDateTimeText(asText(value, field.name), String(current)),
  },
  6: { empty: "", read: (field, value, { findBug }) => readBugId(asText(value, field.name), findBug) },
  9: { empty: "", read: (field, value) => readDateValue(asText(value, field.name)) },
  10: { empty: "0", read: (field, value) => readWholeNumber(asText(value, field.name), field.label) },
};

function readSingleChoice(field: CustomField, text: string, context: string): string {
  return readChoice(field, text, context).name;
}

function readChoices(field: CustomField, value: Json, context: CustomValue): CustomValue {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    throw faults.wrongShape(field.name, "a list of values");
  }
  const items = Array.isArray(value) ? value : asText(value, field.name).split(",");
  const sent = items.map((item: Json) => asText(item, field.name).trim()).filter((text) => text !== "");
  return [...new Set(sent.map((text) => readSingleChoice(field, text, context.includes(text) ? text : "")))];
}

// The same time in another form is no change.
function readDateTimeText(text: string, context: string): string {
  const sent = readDateTimeValue(text);
  return sent !== "" && context !== "" && storedDateTime(sent) === storedDateTime(context) ? context : sent;
}

function readBugId(text: string, findBug: CustomValueContext["findBug"]): string {
  return text.trim() === "" ? "" : String(findBug(text.trim()));
}

const MAX_INTEGER = 2 ** 31 - 1;

function readWholeNumber(text: string, label: string): string {
  const sent = text.trim() || "0";
  const refuse = (error: ErrorName, problem: string) =>
    new Fault(error, `The value '${sent}' in the ${label} field is ${problem}.`);
  if (!/^[+-]?\d+$/.test(sent)) throw refuse("other", "not an integer value (i.e. a whole number)");
  const number = Number(sent);
  if (number > MAX_INTEGER)
    throw refuse("number_too_large", `more than the maximum allowable value of '${MAX_INTEGER}'`);
  if (number < -MAX_INTEGER - 1)
    throw refuse("number_too_small", `less than the minimum allowable value of '${-MAX_INTEGER - 1}'`);
  return String(number);
}
