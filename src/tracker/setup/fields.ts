import { CUSTOM_FIELD_TYPE } from "../../wire/field-types.ts";
import { Fault } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { idByName, putRow } from "./lookup.ts";

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
    const { name, type: _, values: _values, visibility, ...given } = field;
    const isCustom = store.get("SELECT 1 FROM fields WHERE name = ? AND is_custom = 1", [name]) !== undefined;
    if (isCustom) putRow(store, "fields", { name }, { ...given, visibility_field: visibility?.field });
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

function applyVisibility(store: Store, { name, visibility }: FieldSetup): void {
  if (visibility === undefined) return;
  const id = idByName(store, "field", name);
  store.run("DELETE FROM field_visibility WHERE field_id = ?", [id]);
  for (const value of visibility.values) {
    store.run("INSERT OR IGNORE INTO field_visibility (field_id, value) VALUES (?, ?)", [id, value]);
  }
}

const LAST_KEY = "SELECT max(sort_key) AS key FROM field_values WHERE field_id = ?";

// Default value of a select field.
const NO_CHOICE: ValueSetup = { name: "---", sort_key: 0 };

function applyValues(store: Store, { name: field, type, values = [] }: FieldSetup): void {
  const field_id = idByName(store, "field", field);
  for (const value of type === "select" ? [NO_CHOICE, ...values] : values) {
    const setup = typeof value === "string" ? { name: value } : value;
    const { name, ...given } = setup;
    const last = store.get<{ key: number }>(LAST_KEY, [field_id])?.key ?? 0;
    const defaults = { sort_key: last + 100, is_active: true, is_open: false };
    putRow(store, "field_values", { field_id, name }, given, defaults);
  }
}
