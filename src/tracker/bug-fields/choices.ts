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

/** A bug status. */
export type Status = { readonly name: string; readonly is_open: boolean };

/** An allowed status transition; `from` is null for a new bug. */
type WorkflowMove = { readonly from: string | null; readonly to: string; readonly comment_required: boolean };

/** All statuses in their order, and the transitions between them. */
export type Workflow = { readonly statuses: readonly Status[]; readonly moves: readonly WorkflowMove[] };

/** Status of unconfirmed bugs, for products with `has_unconfirmed`. */
export const UNCONFIRMED = "UNCONFIRMED";

/** Resolution of duplicates. */
export const DUPLICATE = "DUPLICATE";

/** The workflow of a tracker. */
export function readWorkflow(store: Store): Workflow {
  const moves = store.all<MoveRow>("SELECT from_status, to_status, comment_required FROM status_moves ORDER BY rowid");
  return {
    statuses: legalValues(store, "bug_status"),
    moves: moves.map(({ from_status: from, to_status: to, comment_required }) => ({
      ...{ from, to },
      comment_required: comment_required === 1,
    })),
  };
}

type MoveRow = { from_status: string | null; to_status: string; comment_required: number };

/**
 * The status with this name in any letter case.
 * @throws Fault param_required if the name is empty, object_does_not_exist if it is unknown
 */
export function findStatus({ statuses }: Workflow, text: string): Status {
  const name = text.trim();
  if (name === "") throw new Fault("param_required", "You must select/enter a status.");
  const status = findByName(statuses, name);
  if (!status) throw faults.noSuchObject("status", name);
  return status;
}

/** True for the name of an open status. */
export function isOpenStatus({ statuses }: Workflow, status: string): boolean {
  return statuses.some(({ name, is_open }) => name === status && is_open);
}

/** Statuses that a bug may change to from `from` (null: a new bug), in order, without the present one. */
export function nextStatuses(
  { statuses, moves }: Workflow,
  from: string | null,
  product: { has_unconfirmed: boolean },
): Status[] {
  const names = new Set(moves.filter((move) => move.from === from).map((move) => move.to));
  return statuses.filter(({ name }) => names.has(name) && (name !== UNCONFIRMED || product.has_unconfirmed));
}

/** True if a transition requires a comment. */
export function moveNeedsComment({ moves }: Workflow, from: string | null, to: string): boolean {
  return moves.some((move) => move.from === from && move.to === to && move.comment_required);
}
