import { apiName } from "../bugs/names.ts";
import type { Choice, ChoiceField } from "../rules/choice.ts";
import type { Custom } from "../rules/custom-fields.ts";
import { labelOf } from "../rules/labels.ts";
import type { Workflow } from "../rules/workflow.ts";
import type { Store } from "../store/store.ts";

/** A select field with its legal values, by the name that the fields endpoint uses. */
export function choiceField(store: Store, field: string): ChoiceField {
  return {
    label: labelOf(field),
    kind: apiName(field),
    choices: store
      .all<ChoiceRow>(`${CHOICES} WHERE fields.name = ? ORDER BY field_values.sort_key, field_values.id`, [field])
      .map(toChoice),
  };
}

/** The custom fields in use, with their legal values, by name. */
export function customFieldsWithChoices(store: Store): readonly Custom[] {
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
