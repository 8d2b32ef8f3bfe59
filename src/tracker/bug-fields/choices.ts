import { fieldLabel, wireFieldName } from "../bugs/field-names.ts";
import type { Workflow } from "../bugs/workflow.ts";
import { Fault, faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import type { CustomField } from "./custom-fields.ts";

/** A select field with its legal values, by the name that the fields endpoint uses. */
export function choiceField(store: Store, field: string): ChoiceField {
  return {
    label: fieldLabel(field),
    kind: wireFieldName(field),
    choices: store
      .all<ChoiceRow>(`${CHOICES} WHERE fields.name = ? ORDER BY field_values.sort_key, field_values.id`, [field])
      .map(toChoice),
  };
}

/** The custom fields in use, with their legal values, by name. */
export function customFields(store: Store): readonly CustomField[] {
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

/** The statuses and the moves between them. */
export function readWorkflow(store: Store): Workflow {
  return {
    statuses: store
      .all<{ readonly name: string; readonly is_open: number }>(STATUSES)
      .map(({ name, is_open }) => ({ name, is_open: is_open === 1 })),
    moves: store
      .all<MoveRow>("SELECT from_status, to_status, comment_required FROM status_moves")
      .map(({ from_status, to_status, comment_required }) => ({
        from: from_status,
        to: to_status,
        comment_required: comment_required === 1,
      })),
  };
}

type ChoiceRow = { readonly field: string; readonly name: string; readonly is_active: number };
type FieldRow = {
  readonly id: number;
  readonly name: string;
  readonly display_name: string;
  readonly type: number;
  readonly is_mandatory: number;
};
type MoveRow = { readonly from_status: string | null; readonly to_status: string; readonly comment_required: number };

const CUSTOM = `SELECT id, name, display_name, type, is_mandatory FROM fields
  WHERE is_custom AND NOT is_obsolete ORDER BY name`;

const CHOICES = `SELECT fields.name AS field, field_values.name, field_values.is_active
  FROM field_values JOIN fields ON fields.id = field_id`;

const STATUSES = `SELECT field_values.name, is_open FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'bug_status' ORDER BY field_values.sort_key, field_values.id`;

function toChoice({ name, is_active }: ChoiceRow): Choice {
  return { name, is_active: is_active === 1 };
}

/** A legal value of a field. */
export type Choice = { readonly name: string; readonly is_active: boolean };

/** A field whose values are chosen from a list, as refusals name it: `label` to people, `kind` in "the version value". */
export type ChoiceField<C extends Choice = Choice> = {
  readonly label: string;
  readonly kind: string;
  readonly choices: readonly C[];
};

/** The choice that a text names, in any letter case. One that is no longer in use stays good where it is (`present`). */
export function readChoice<C extends Choice>(field: ChoiceField<C>, text: string, present = ""): C {
  const name = text.trim();
  if (name === "") throw choiceRequired(field.label);
  const choice = findByName(field.choices, name);
  if (!choice) throw faults.noSuchObject(field.label, name);
  return requireActive(field, choice, present);
}

/** The one of that name, in any letter case. */
export function findByName<N extends { readonly name: string }>(list: readonly N[], name: string): N | undefined {
  return list.find((known) => known.name.toLowerCase() === name.toLowerCase());
}

/** The choice again, refused when it is out of use and not what the bug has already. */
export function requireActive<C extends Choice>({ kind }: Pick<ChoiceField, "kind">, choice: C, present = ""): C {
  if (!choice.is_active && choice.name !== present) {
    throw new Fault(400, 32000, `The ${kind} value '${choice.name}' is not active.`);
  }
  return choice;
}

/** The refusal of a field that must have a value. */
export function choiceRequired(label: string): Fault {
  return new Fault(400, 50, `You must select/enter a ${label}.`);
}
