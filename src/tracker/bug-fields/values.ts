import type { Json } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { isObject } from "../../wire/json.ts";
import { type CustomValue, fieldLabel, wireFieldName } from "../fields.ts";
import type { Store } from "../store/store.ts";
import {
  asText,
  checkedLength,
  DATE_TIME,
  Fault,
  faults,
  multiLine,
  numberWithin,
  oneLine,
  raise,
  readDateValue,
  readTimestamp,
  TEXT_LIMITS,
  withBooleans,
} from "../values.ts";

export function loadChoiceField(store: Store, chart: string): ChoiceField {
  return { label: fieldLabel(chart), kind: wireFieldName(chart), choices: legalValues(store, chart) };
}

/** The custom fields that are not obsolete, with their legal values, sorted by name. */
export function loadCustomFields(store: Store): CustomField[] {
  const fields = store.all<CustomFieldDetails>(CUSTOM);
  return fields.map((field) => ({ ...withBooleans(field), choices: legalValues(store, field.name) }));
}

type CustomFieldDetails = { id: number; name: string; kind: string; label: string; type: number; is_mandatory: number };

const CUSTOM = `SELECT id, name, name AS kind, display_name AS label, type, is_mandatory FROM fields
  WHERE is_custom AND NOT is_obsolete ORDER BY name`;

/** The legal values of a field, in their order; only statuses are open. */
export function legalValues(store: Store, field: string) {
  return store.all<{ name: string; is_active: number; is_open: number }>(VALUES, [field]).map(withBooleans);
}

const VALUES = `SELECT field_values.name, is_active, is_open FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = ? ORDER BY field_values.sort_key, field_values.id`;

export type Choice = { readonly name: string; readonly is_active: boolean };

/** A field with legal values; `label` and `kind` are its names in faults. */
type ChoiceField = { readonly label: string; readonly kind: string; readonly choices: readonly Choice[] };

export type CustomField = ChoiceField & {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly is_mandatory: boolean;
};

/** The legal value with this name in any case, if it is active or `current`. @throws Fault */
export function readChoice(field: ChoiceField, text: string, current: string): Choice {
  const name = text.trim();
  if (name === "") throw choiceRequiredFault(field.label);
  const choice = findByName(field.choices, name) ?? raise(faults.noSuchObject(field.label, name));
  return requireActive(field.kind, choice, current);
}

/** The item with this name in any letter case; undefined if there is none. */
export function findByName<N extends { name: string }>(list: readonly N[], name: string): N | undefined {
  return list.find((item) => item.name.toLowerCase() === name.toLowerCase());
}

/** The choice, if it is active or `current`. @throws Fault other */
export function requireActive<C extends Choice>(kind: string, choice: C, current: string): C {
  if (!choice.is_active && choice.name !== current)
    throw new Fault("other", `The ${kind} value '${choice.name}' is not active.`);
  return choice;
}

/** Fault 50: missing value. */
export function choiceRequiredFault(label: string): Fault {
  return new Fault("param_required", `You must select/enter a ${label}.`);
}

export type Status = { readonly name: string; readonly is_open: boolean };

/** An allowed status transition; `from` is null for a new bug. */
type Transition = { readonly from: string | null; readonly to: string; readonly comment_required: boolean };

/** All statuses in their order, and the transitions between them. */
export type Workflow = { readonly statuses: readonly Status[]; readonly transitions: readonly Transition[] };

/** Status of unconfirmed bugs, for products with `has_unconfirmed`. */
export const UNCONFIRMED = "UNCONFIRMED";

export const DUPLICATE = "DUPLICATE";

export function loadWorkflow(store: Store): Workflow {
  const rows = store.all<{ from: string | null; to: string; comment_required: number }>(TRANSITIONS);
  const transitions = rows.map((row) => ({ ...row, comment_required: row.comment_required === 1 }));
  return { statuses: legalValues(store, "bug_status"), transitions };
}

const TRANSITIONS = `SELECT from_status AS "from", to_status AS "to", comment_required FROM status_moves
  JOIN field_values ON name = to_status AND field_id = (SELECT id FROM fields WHERE name = 'bug_status')
  ORDER BY sort_key, name`;

/** The status with this name in any case. @throws Fault param_required, object_does_not_exist */
export function findStatus({ statuses }: Workflow, text: string): Status {
  const name = text.trim();
  if (name === "") throw choiceRequiredFault("status");
  return findByName(statuses, name) ?? raise(faults.noSuchObject("status", name));
}

export function isOpenStatus({ statuses }: Workflow, status: string): boolean {
  return statuses.some(({ name, is_open }) => name === status && is_open);
}

/** Statuses that the workflow allows after `from`, or for a new bug (null), in order. */
export function nextStatuses(
  { statuses, transitions }: Workflow,
  from: string | null,
  product: { has_unconfirmed: boolean },
): Status[] {
  const targets = transitions.filter((row) => row.from === from).map(({ to }) => to);
  return statuses.filter(({ name }) => targets.includes(name) && (name !== UNCONFIRMED || product.has_unconfirmed));
}

export function transitionNeedsComment({ transitions }: Workflow, from: string | null, to: string): boolean {
  return transitions.some((row) => row.from === from && row.to === to && row.comment_required);
}

export type CustomFieldRow = { readonly id: number; readonly name: string; readonly type: number };

export function customFieldRows(store: Store, which: "all" | "in use"): readonly CustomFieldRow[] {
  const where = which === "all" ? "is_custom" : "is_custom AND NOT is_obsolete";
  return store.all<CustomFieldRow>(`SELECT id, name, type FROM fields WHERE ${where} ORDER BY id`);
}

/** Finds the id of a visible bug by number or alias. */
type FindBug = (text: string) => number;

/** A validated value of a custom field. @throws Fault param_required if it is mandatory and empty, others if it is invalid */
export function readCustomValue(field: CustomField, value: Json, current: CustomValue, findBug: FindBug): CustomValue {
  const checked = isMultiSelect(field.type)
    ? readChoices(field, value, current)
    : readSingleValue(field, asText(value, field.name), String(current), findBug);
  refuseMissingValue(field, checked);
  return checked;
}

function readSingleValue(field: CustomField, text: string, current: string, findBug: FindBug): string {
  const { type, label } = field;
  switch (type) {
    case FIELD_TYPE.longText:
      return checkedLength(multiLine(text), TEXT_LIMITS.long, label);
    case FIELD_TYPE.select:
      return readChoice(field, text, current).name;
    case FIELD_TYPE.dateTime:
      return readDateValue(text, DATE_TIME);
    case FIELD_TYPE.date:
      return readDateValue(text);
    case FIELD_TYPE.bugId:
      return text.trim() === "" ? "" : String(findBug(text.trim()));
    case FIELD_TYPE.integer:
      return readInteger(text, label);
    default:
      return checkedLength(oneLine(text), TEXT_LIMITS.line, label);
  }
}

/** Checks that a mandatory field has a value. @throws Fault param_required */
export function refuseMissingValue(field: CustomField, value: CustomValue): void {
  if (field.is_mandatory && String(value) === String(emptyCustomValue(field)))
    throw new Fault("param_required", `A value must be set for the '${field.label}' field.`);
}

export function emptyCustomValue({ type }: CustomField): CustomValue {
  return isMultiSelect(type) ? NO_CHOICES : (EMPTY[type] ?? "");
}

const NO_CHOICES: readonly string[] = [];

/** Empty values of single-value fields, where not "". */
const EMPTY: Readonly<Record<number, string>> = { [FIELD_TYPE.select]: "---", [FIELD_TYPE.integer]: "0" };

export function isMultiSelect(type: number): boolean {
  return type === FIELD_TYPE.multiSelect;
}

/** Stored form of a single value; dates with time become 2026-11-02T00:00:00Z. */
export function storedCustomValue({ type }: CustomField, sent: string): string {
  return type === FIELD_TYPE.dateTime ? readTimestamp(sent) : sent;
}

/** Displayed form of a stored single value; dates with time become 2026-11-02 00:00:00. */
export function displayedCustomValue({ type }: CustomField, stored: string): string {
  return type === FIELD_TYPE.dateTime ? stored.replace("T", " ").replace(/Z$/, "") : stored;
}

/** JSON of a stored single value in bugs; the field's empty value for null. */
export function presentCustomValue(type: number, value: string | null): Json {
  if (value === null) return NULLABLE.includes(type) ? null : (EMPTY[type] ?? "");
  if (type === FIELD_TYPE.bugId) return Number(value);
  return type === FIELD_TYPE.date ? `${value}T00:00:00Z` : value;
}

const NULLABLE: readonly number[] = [FIELD_TYPE.dateTime, FIELD_TYPE.bugId, FIELD_TYPE.date];

/** The choices of a list, or of a text with commas. */
function readChoices(field: CustomField, value: Json, current: CustomValue): CustomValue {
  if (isObject(value)) throw faults.wrongShape(field.name, "a list of values");
  const items = Array.isArray(value) ? value : asText(value, field.name).split(",");
  const names = items.map((item: Json) => asText(item, field.name).trim()).filter((name) => name !== "");
  const choices = names.map((name) => readChoice(field, name, current.includes(name) ? name : ""));
  return [...new Set(choices.map(({ name }) => name))];
}

const MAX_INTEGER = 2 ** 31 - 1;
const MIN_INTEGER = -(2 ** 31);

function readInteger(text: string, label: string): string {
  const digits = text.trim() || "0";
  if (!/^[+-]?\d+$/.test(digits))
    throw faults.wrongNumber("other", digits, label, "not an integer value (i.e. a whole number)");
  return String(numberWithin(digits, label, MIN_INTEGER, MAX_INTEGER));
}
