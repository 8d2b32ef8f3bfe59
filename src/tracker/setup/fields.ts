import { CUSTOM_FIELD_TYPE } from "../../wire/field-types.ts";
import { Fault } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { idByName, storedBoolean, storedOrNull } from "./lookup.ts";

/** Setup of a legal value; a new one without a sort key is last. */
export type ValueSetup =
  | string
  | {
      name: string;
      sort_key?: number;
      is_active?: boolean;
      is_open?: boolean; // statuses only
      visible_for?: string; // shown only for this value of value_field
    };

/** Setup of a custom field, or of values of an existing field. */
export type FieldSetup = {
  name: string; // cf_... for custom fields
  display_name?: string;
  type?: keyof typeof CUSTOM_FIELD_TYPE;
  is_mandatory?: boolean;
  is_on_bug_entry?: boolean;
  is_obsolete?: boolean; // hidden and read-only, values are kept
  sort_key?: number;
  values?: ValueSetup[];
  value_field?: string;
  visibility?: { field: string; values: string[] };
};

/** Creates or updates fields and their values. @throws Fault other for a changed type or an invalid name */
export function applyFields(store: Store, fields: FieldSetup[]): void {
  for (const field of fields) {
    if (field.type !== undefined) ensureField(store, field.name, CUSTOM_FIELD_TYPE[field.type]);
    idByName(store, "field", field.name);
    store.run(CHANGE, {
      name: field.name,
      display_name: storedOrNull(field.display_name),
      is_mandatory: storedBoolean(field.is_mandatory),
      is_on_bug_entry: storedBoolean(field.is_on_bug_entry),
      is_obsolete: storedBoolean(field.is_obsolete),
      sort_key: storedOrNull(field.sort_key),
      visibility_field: storedOrNull(field.visibility?.field),
      value_field: storedOrNull(field.value_field),
    });
    applyVisibility(store, field);
    applyValues(store, field);
  }
}

// The type cannot change: stored values would become invalid.
function ensureField(store: Store, name: string, type: number): void {
  const existing = store.get<{ type: number }>("SELECT type FROM fields WHERE name = ?", [name]);
  if (existing && existing.type !== type) {
    throw new Fault("other", `The type of the field ${name} cannot be changed.`);
  }
  if (!/^cf_[a-z0-9_]+$/.test(name)) {
    throw new Fault("other", `Invalid custom field name ${name}: use cf_, then letters, digits and _.`);
  }
  store.run(ADD, { name, type });
}

const ADD = `
  INSERT INTO fields (name, display_name, type, is_custom, is_on_bug_entry, sort_key)
  VALUES (@name, @name, @type, 1, 1, (SELECT max(sort_key) + 10 FROM fields)) ON CONFLICT (name) DO NOTHING`;

const CHANGE = `
  UPDATE fields SET display_name = coalesce(@display_name, display_name),
    is_mandatory = coalesce(@is_mandatory, is_mandatory), is_on_bug_entry = coalesce(@is_on_bug_entry, is_on_bug_entry),
    is_obsolete = coalesce(@is_obsolete, is_obsolete), sort_key = coalesce(@sort_key, sort_key),
    visibility_field = coalesce(@visibility_field, visibility_field), value_field = coalesce(@value_field, value_field)
  WHERE name = @name AND is_custom = 1`;

const VALUE = `
  INSERT INTO field_values (field_id, name, sort_key, is_active, is_open, visible_for)
  VALUES (@field, @name,
    coalesce(@sort_key, (SELECT coalesce(max(sort_key), 0) + 100 FROM field_values WHERE field_id = @field)),
    coalesce(@is_active, 1), coalesce(@is_open, 0), @visible_for)
  ON CONFLICT (field_id, name) DO UPDATE SET sort_key = coalesce(@sort_key, sort_key),
    is_active = coalesce(@is_active, is_active), is_open = coalesce(@is_open, is_open),
    visible_for = coalesce(@visible_for, visible_for)`;

function applyVisibility(store: Store, { name, visibility }: FieldSetup): void {
  if (visibility === undefined) return;
  const id = idByName(store, "field", name);
  store.run("DELETE FROM field_visibility WHERE field_id = ?", [id]);
  for (const value of visibility.values) {
    store.run("INSERT OR IGNORE INTO field_visibility (field_id, value) VALUES (?, ?)", [id, value]);
  }
}

// Default value of a select field.
const NO_CHOICE: ValueSetup = { name: "---", sort_key: 0 };

function applyValues(store: Store, { name: field, type, values = [] }: FieldSetup): void {
  for (const value of type === "select" ? [NO_CHOICE, ...values] : values) {
    const setup = typeof value === "string" ? { name: value } : value;
    store.run(VALUE, {
      field: idByName(store, "field", field),
      name: setup.name,
      sort_key: storedOrNull(setup.sort_key),
      is_active: storedBoolean(setup.is_active),
      is_open: storedBoolean(setup.is_open),
      visible_for: storedOrNull(setup.visible_for),
    });
  }
}
