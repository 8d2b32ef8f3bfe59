import type { BUG_FIELDS, ShownField } from "../../wire/bug-fields.ts";
import type { Json } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { groupByBug } from "../bug.ts";
import { type CustomFieldRow, customFieldRows, presentCustomValue } from "../bug-fields/custom-fields.ts";
import type { Call } from "../http/call.ts";
import type { FieldSelection } from "../http/field-selection.ts";

/** A list field other than flags. */
export type ListField = {
  [Name in ShownField]: (typeof BUG_FIELDS)[Name] extends { json: "texts" | "ints" } ? Name : never;
}[ShownField];

/** A query of one list-valued part of bugs; the rows have `bug_id`, the `item` that is shown, and the rest of it, in order. */
type ListQuery = (these: string) => string;

export const LIST_QUERIES: Readonly<Record<ListField, ListQuery>> = {
  alias: (these) => `SELECT bug_id, alias AS item FROM bug_aliases WHERE bug_id IN ${these} ORDER BY alias`,
  blocks: (these) => `SELECT depends_on_id AS bug_id, bug_id AS item FROM bug_dependencies
    WHERE depends_on_id IN ${these} ORDER BY bug_id`,
  cc: (these) => `SELECT bug_id, user_id AS item, login FROM bug_cc JOIN users ON users.id = user_id
    WHERE bug_id IN ${these} ORDER BY login`,
  depends_on: (these) => `SELECT bug_id, depends_on_id AS item FROM bug_dependencies
    WHERE bug_id IN ${these} ORDER BY depends_on_id`,
  groups: (these) => `SELECT bug_id, name AS item, groups.id FROM bug_groups JOIN groups ON groups.id = group_id
    WHERE bug_id IN ${these} ORDER BY groups.id`,
  keywords: (
    these,
  ) => `SELECT bug_id, name AS item, keywords.id FROM bug_keywords JOIN keywords ON keywords.id = keyword_id
    WHERE bug_id IN ${these} ORDER BY name`,
  see_also: (these) => `SELECT bug_id, url AS item FROM bug_see_also WHERE bug_id IN ${these} ORDER BY id`,
  tags: (these) => `SELECT bug_id, name AS item FROM bug_tags
    JOIN personal_tags ON personal_tags.id = tag_id JOIN viewer ON viewer.user_id = personal_tags.user_id
    WHERE bug_id IN ${these} ORDER BY personal_tags.id`,
};

/** All list fields except flags. */
export const LIST_FIELDS = Object.keys(LIST_QUERIES) as readonly ListField[];

/** List items by bug; bugs with an empty list are absent. */
export function readListField(call: Call, list: ListField, ids: number[]): ReadonlyMap<number, readonly Json[]> {
  return groupByBug(
    call.store.all<Item>(LIST_QUERIES[list]("(SELECT value FROM json_each(@ids))"), { ids: JSON.stringify(ids) }),
    ({ item }) => item,
  );
}

type Item = { bug_id: number; item: string | number };

/** One custom field of many bugs: its name, and what each bug shows for it. */
export type CustomColumn = { readonly name: string; readonly of: (bugId: number) => Json };

/** The wanted custom fields of these bugs, in two queries however many they are. */
export function readCustomColumns(call: Call, ids: number[], selection: FieldSelection): readonly CustomColumn[] {
  const fields = customFieldRows(call.store).filter(({ name }) => selection.includes(name, ["default", "custom"]));
  if (fields.length === 0) return [];
  const bindings = [JSON.stringify(ids)];
  const single = byFieldAndBug(call.store.all<Stored>(SINGLE, bindings));
  const multiple = byFieldAndBug(call.store.all<Stored>(MULTIPLE, bindings));
  return fields.map((field) => customFieldColumn(field, { single, multiple }));
}

const SINGLE = "SELECT bug_id, field_id, value FROM custom_values WHERE bug_id IN (SELECT value FROM json_each(?))";

const MULTIPLE = `SELECT bug_id, field_id, value FROM custom_choices
  WHERE bug_id IN (SELECT value FROM json_each(?)) ORDER BY value`;

type Stored = { readonly bug_id: number; readonly field_id: number; readonly value: string };
type Values = ReadonlyMap<string, string[]>;

function byFieldAndBug(rows: readonly Stored[]): Values {
  const values = new Map<string, string[]>();
  for (const { bug_id, field_id, value } of rows) {
    const key = `${field_id} ${bug_id}`;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

function customFieldColumn(field: CustomFieldRow, { single, multiple }: { single: Values; multiple: Values }) {
  return {
    name: field.name,
    of: (bugId: number): Json => {
      const key = `${field.id} ${bugId}`;
      return field.type === FIELD_TYPE.multiSelect
        ? (multiple.get(key) ?? [])
        : presentCustomValue(field.type, single.get(key)?.[0] ?? null);
    },
  };
}
