import { FIELD_TYPE } from "../fields/custom.ts";
import type { Store } from "../store/store.ts";
import { idOf, yesNo } from "./lookup.ts";

/** A legal value of a select field; as a text alone it sorts after those before it. */
export type ValueSetup =
  | string
  | {
      readonly name: string;
      readonly is_active?: boolean;
      readonly is_open?: boolean; // of a status
      readonly visible_for?: string; // the value of value_field that it belongs to
      readonly can_change_to?: readonly string[]; // of a status
    };

/** A custom field, or more values for a field that exists. */
export type FieldSetup = {
  readonly name: string; // custom fields begin with cf_
  readonly display_name?: string;
  readonly type?: keyof typeof FIELD_TYPE;
  readonly is_mandatory?: boolean;
  readonly is_on_bug_entry?: boolean;
  readonly values?: readonly ValueSetup[];
  readonly value_field?: string;
  readonly visibility?: { readonly field: string; readonly values: readonly string[] };
};

/** Brings fields and their values to what is said. */
export const applyFields = (store: Store, fields: readonly FieldSetup[]): void => {
  for (const field of fields) {
    if (field.type !== undefined) {
      store.run(FIELD, {
        name: field.name,
        display_name: field.display_name ?? field.name,
        type: FIELD_TYPE[field.type],
        is_mandatory: yesNo(field.is_mandatory ?? false),
        is_on_bug_entry: yesNo(field.is_on_bug_entry ?? true),
        visibility_field: field.visibility?.field ?? null,
        value_field: field.value_field ?? null,
      });
    }
    applyVisibility(store, field);
    applyValues(store, field);
  }
};

const FIELD = `
  INSERT INTO fields (name, display_name, type, is_custom, is_mandatory, is_on_bug_entry, visibility_field, value_field,
    sort_key)
  VALUES (@name, @display_name, @type, 1, @is_mandatory, @is_on_bug_entry, @visibility_field, @value_field,
    (SELECT max(sort_key) + 10 FROM fields))
  ON CONFLICT (name) DO UPDATE SET display_name = @display_name, is_mandatory = @is_mandatory,
    is_on_bug_entry = @is_on_bug_entry, visibility_field = @visibility_field, value_field = @value_field`;

const VALUE = `
  INSERT INTO field_values (field_id, name, sort_key, is_active, is_open, visible_for)
  VALUES (@field, @name, @sort_key, @is_active, @is_open, @visible_for)
  ON CONFLICT (field_id, name) DO UPDATE SET sort_key = @sort_key, is_active = @is_active, is_open = @is_open,
    visible_for = @visible_for`;

const applyVisibility = (store: Store, { name, visibility }: FieldSetup): void => {
  for (const value of visibility?.values ?? []) {
    store.run("INSERT OR IGNORE INTO field_visibility (field_id, value) VALUES (?, ?)", [
      idOf(store, "field", name),
      value,
    ]);
  }
};

const applyValues = (store: Store, { name: field, values = [] }: FieldSetup): void => {
  for (const [index, value] of values.entries()) {
    const said = typeof value === "string" ? { name: value } : value;
    store.run(VALUE, {
      field: idOf(store, "field", field),
      name: said.name,
      sort_key: (index + 1) * 100,
      is_active: yesNo(said.is_active ?? true),
      is_open: yesNo(said.is_open ?? false),
      visible_for: said.visible_for ?? null,
    });
    for (const status of said.can_change_to ?? []) {
      store.run("INSERT OR IGNORE INTO status_moves (from_status, to_status) VALUES (?, ?)", [said.name, status]);
    }
  }
};
