import type { ErrorName } from "../../wire/error-codes.ts";
import type { Json } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { isObject } from "../../wire/json.ts";
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
export type CustomFieldRow = { readonly id: number; readonly name: string; readonly type: number };

/** Custom fields, sorted by id. */
export function customFieldRows(store: Store, which: "all" | "in use"): readonly CustomFieldRow[] {
  const isShown = which === "all" ? "" : "AND NOT is_obsolete";
  return store.all<CustomFieldRow>(`SELECT id, name, type FROM fields WHERE is_custom ${isShown} ORDER BY id`);
}

/** Current value of the bug, and lookup of a visible bug's id by number or alias. */
export type CustomValueContext = { readonly current: CustomValue; readonly findBug: (text: string) => number };

/** A validated value of a custom field. @throws Fault param_required if it is mandatory and empty, others if it is invalid */
export function readCustomValue(field: CustomField, value: Json, context: CustomValueContext): CustomValue {
  const read = isMultiSelect(field.type)
    ? readChoices(field, value, context.current)
    : (KINDS[field.type]?.read(asText(value, field.name), field, context) ?? "");
  refuseMissingValue(field, read);
  return read;
}

/** Checks that a mandatory field has a value. @throws Fault param_required */
export function refuseMissingValue(field: CustomField, value: CustomValue): void {
  if (field.is_mandatory && String(value) === String(emptyCustomValue(field)))
    throw new Fault("param_required", `A value must be set for the '${field.label}' field.`);
}

/** Value of a field that was never set. */
export function emptyCustomValue({ type }: CustomField): CustomValue {
  return isMultiSelect(type) ? NO_CHOICES : (KINDS[type]?.empty ?? "");
}

const NO_CHOICES: readonly string[] = [];

export function isMultiSelect(type: number): boolean {
  return type === FIELD_TYPE.multiSelect;
}

/** Stored form of a single value; dates with time become 2026-11-02T00:00:00Z. */
export function storedCustomValue({ type }: CustomField, sent: string): string {
  return type === FIELD_TYPE.dateTime ? storedDateTime(sent) : sent;
}

/** Displayed form of a stored single value; dates with time become 2026-11-02 00:00:00. */
export function displayedCustomValue({ type }: CustomField, stored: string): string {
  return type === FIELD_TYPE.dateTime ? displayedDateTime(stored) : stored;
}

/** JSON of a stored single value in bugs; the field's empty value for null. */
export function presentCustomValue(type: number, value: string | null): Json {
  const { empty = "", isNull, json } = KINDS[type] ?? {};
  if (value === null) return isNull ? null : empty;
  return json ? json(value) : value;
}

/** A kind of fields with a single value. */
type CustomFieldKind = {
  readonly empty: string;
  readonly isNull?: true; // in the JSON of bugs, if it is empty
  readonly json?: (stored: string) => Json;
  readonly read: (text: string, field: CustomField, context: CustomValueContext) => string;
};

const KINDS: Readonly<Record<number, CustomFieldKind>> = {
  [FIELD_TYPE.text]: { empty: "", read: (text, { label }) => checkedLength(oneLine(text), TEXT_LIMITS.line, label) },
  [FIELD_TYPE.longText]: {
    empty: "",
    read: (text, { label }) => checkedLength(multiLine(text), TEXT_LIMITS.long, label),
  },
  [FIELD_TYPE.select]: {
    empty: "---",
    read: (text, field, { current }) => readChoice(field, text, String(current)).name,
  },
  [FIELD_TYPE.dateTime]: {
    ...{ empty: "", isNull: true },
    read: (text, _field, { current }) => readDateTimeText(text, String(current)),
  },
  [FIELD_TYPE.bugId]: {
    ...{ empty: "", isNull: true, json: Number },
    read: (text, _field, { findBug }) => (text.trim() === "" ? "" : String(findBug(text.trim()))),
  },
  [FIELD_TYPE.date]: { empty: "", isNull: true, json: (day) => `${day}T00:00:00Z`, read: readDateValue },
  [FIELD_TYPE.integer]: { empty: "0", read: (text, { label }) => readWholeNumber(text, label) },
};

function readChoices(field: CustomField, value: Json, current: CustomValue): CustomValue {
  if (isObject(value)) throw faults.wrongShape(field.name, "a list of values");
  const items = Array.isArray(value) ? value : asText(value, field.name).split(",");
  const sent = items.map((item: Json) => asText(item, field.name).trim()).filter((text) => text !== "");
  return [...new Set(sent.map((text) => readChoice(field, text, current.includes(text) ? text : "").name))];
}

// The same time in another form is no change.
function readDateTimeText(text: string, current: string): string {
  const sent = readDateTimeValue(text);
  return sent !== "" && current !== "" && storedDateTime(sent) === storedDateTime(current) ? current : sent;
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
