import type { Json } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import { type CustomField, customFields, FIELD_TYPE, shownCustomValue } from "../fields/custom.ts";
import type { Selection } from "../selection.ts";

/** One custom field of many bugs: its name, and what each bug shows for it. */
export type CustomColumn = { readonly name: string; readonly of: (bugId: number) => Json };

/** The wanted custom fields of these bugs, in two queries however many they are. */
export function readCustomColumns(call: Call, ids: readonly number[], selection: Selection): readonly CustomColumn[] {
  const fields = customFields(call.store).filter(({ name }) => selection.wants(name, ["default", "custom"]));
  if (fields.length === 0) return [];
  const bindings = [JSON.stringify(ids)];
  const single = byFieldAndBug(call.store.all<Stored>(SINGLE, bindings));
  const multiple = byFieldAndBug(call.store.all<Stored>(MULTIPLE, bindings));
  return fields.map((field) => column(field, { single, multiple }));
}

const SINGLE = "SELECT bug_id, field_id, value FROM custom_values WHERE bug_id IN (SELECT value FROM json_each(?))";

const MULTIPLE = `SELECT bug_id, field_id, value FROM custom_choices
  WHERE bug_id IN (SELECT value FROM json_each(?)) ORDER BY value`;

type Stored = { readonly bug_id: number; readonly field_id: number; readonly value: string };
type Values = ReadonlyMap<string, readonly string[]>;

function byFieldAndBug(rows: readonly Stored[]): Values {
  const values = new Map<string, string[]>();
  for (const { bug_id, field_id, value } of rows) {
    const key = `${field_id} ${bug_id}`;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

function column(field: CustomField, { single, multiple }: { readonly single: Values; readonly multiple: Values }) {
  return {
    name: field.name,
    of: (bugId: number): Json => {
      const key = `${field.id} ${bugId}`;
      return field.type === FIELD_TYPE.multiSelect
        ? (multiple.get(key) ?? [])
        : shownCustomValue(field.type, single.get(key)?.[0] ?? null);
    },
  };
}
