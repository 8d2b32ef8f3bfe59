import { fieldLabel, wireFieldName } from "../fields.ts";
import { Fault, faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";

/** The select field with this chart name and its legal values. */
export function choiceField(store: Store, field: string): ChoiceField {
  return {
    label: fieldLabel(field),
    kind: wireFieldName(field),
    choices: store
      .all<ChoiceRow>(`${CHOICES} WHERE fields.name = ? ORDER BY field_values.sort_key, field_values.id`, [field])
      .map(toChoice),
  };
}

/** Custom fields that are not obsolete, with their legal values, sorted by name. */
export function customFields(store: Store): CustomField[] {
  const rows = store.all<ChoiceRow>(
    `${CHOICES} WHERE fields.is_custom = 1 ORDER BY field_values.sort_key, field_values.id`,
  );
  return store.all<FieldRow>(CUSTOM).map(({ id, name, display_name, type, is_mandatory }) => ({
    id,
    name,
    type,
    is_mandatory: is_mandatory === 1,
    label: display_name,
    kind: name,
    choices: rows.filter(({ field }) => field === name).map(toChoice),
  }));
}

type ChoiceRow = { field: string; name: string; is_active: number };
type FieldRow = {
  id: number;
  name: string;
  display_name: string;
  type: number;
  is_mandatory: number;
};

const CUSTOM = `SELECT id, name, display_name, type, is_mandatory FROM fields
  WHERE is_custom AND NOT is_obsolete ORDER BY name`;

const CHOICES = `SELECT fields.name AS field, field_values.name, field_values.is_active
  FROM field_values JOIN fields ON fields.id = field_id`;

function toChoice({ name, is_active }: ChoiceRow): Choice {
  return { name, is_active: is_active === 1 };
}

/** A legal value. */
export type Choice = { readonly name: string; readonly is_active: boolean };

/** A field with legal values; `label` and `kind` are its names in faults. */
export type ChoiceField<C extends Choice = Choice> = {
  readonly label: string;
  readonly kind: string;
  readonly choices: readonly C[];
};

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
export function readChoice<C extends Choice>(field: ChoiceField<C>, text: string, current = ""): C {
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
  if (!choice.is_active && choice.name !== current) {
    throw new Fault("other", `The ${kind} value '${choice.name}' is not active.`);
  }
  return choice;
}

/** Fault 50: missing value. */
export function choiceRequiredFault(label: string): Fault {
  return new Fault("param_required", `You must select/enter a ${label}.`);
}
