import { fieldLabel, wireFieldName } from "../fields.ts";
import { Fault, faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { withBooleans } from "../values.ts";

/** The select field with this chart name and its legal values. */
export function choiceField(store: Store, field: string): ChoiceField {
  return { label: fieldLabel(field), kind: wireFieldName(field), choices: legalValues(store, field) };
}

/** Custom fields that are not obsolete, with their legal values, sorted by name. */
export function customFields(store: Store): CustomField[] {
  const fields = store.all<CustomFieldRow>(CUSTOM);
  return fields.map((field) => ({ ...withBooleans(field), choices: legalValues(store, field.name) }));
}

type CustomFieldRow = { id: number; name: string; kind: string; label: string; type: number; is_mandatory: number };

const CUSTOM = `SELECT id, name, name AS kind, display_name AS label, type, is_mandatory FROM fields
  WHERE is_custom AND NOT is_obsolete ORDER BY name`;

/** The legal values of a field, in their order; only statuses are open. */
export function legalValues(store: Store, field: string) {
  return store.all<{ name: string; is_active: number; is_open: number }>(VALUES, [field]).map(withBooleans);
}

const VALUES = `SELECT field_values.name, is_active, is_open FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = ? ORDER BY field_values.sort_key, field_values.id`;

/** A legal value. */
export type Choice = { readonly name: string; readonly is_active: boolean };

/** A field with legal values; `label` and `kind` are its names in faults. */
type ChoiceField = { readonly label: string; readonly kind: string; readonly choices: readonly Choice[] };

/** A custom field with its legal values. */
export type CustomField = ChoiceField & {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly is_mandatory: boolean;
};

/**
 * The legal value with this name in any letter case; an inactive one only if it is `current`.
 * @throws Fault param_required, object_does_not_exist or other
 */
export function readChoice(field: ChoiceField, text: string, current = ""): Choice {
  const name = text.trim();
  if (name === "") throw choiceRequiredFault(field.label);
  const choice = findByName(field.choices, name);
  if (!choice) throw faults.noSuchObject(field.label, name);
  return requireActive(field.kind, choice, current);
}

/** The item with this name in any letter case; undefined if there is none. */
export function findByName<N extends { name: string }>(list: readonly N[], name: string): N | undefined {
  return list.find((item) => item.name.toLowerCase() === name.toLowerCase());
}

/** The choice, if it is active or `current`. @throws Fault other */
export function requireActive<C extends Choice>(kind: string, choice: C, current = ""): C {
  if (!choice.is_active && choice.name !== current)
    throw new Fault("other", `The ${kind} value '${choice.name}' is not active.`);
  return choice;
}

/** Fault 50: missing value. */
export function choiceRequiredFault(label: string): Fault {
  return new Fault("param_required", `You must select/enter a ${label}.`);
}
