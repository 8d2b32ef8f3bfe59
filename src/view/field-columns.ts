import { FIELD_TYPE_WORDS } from "../wire/field-types.ts";
import type { Field, FieldValue, StatusMove } from "../wire/resources.ts";
import { fieldNamed } from "../wire/search-names.ts";
import type { Column } from "./column.ts";
import { columnMaker } from "./looks.ts";
import { statusRole } from "./palette.ts";

const column = columnMaker<Field>();

export const FIELD_COLUMNS: readonly Column<Field>[] = [
  column("id", "ID", "number", { optional: 1 }),
  column("name", "Name", "text", { text: ({ name }) => fieldName(name), shrink: "never" }),
  column("display_name", "Shown as"),
  column("type", "Type", "text", { text: shownType, optional: 4 }),
  column("is_mandatory", "Required", "text", { cell: ({ is_mandatory }) => (is_mandatory ? "yes" : ""), optional: 3 }),
  column("is_custom", "Custom", "text", { cell: ({ is_custom }) => (is_custom ? "yes" : ""), optional: 2 }),
  column("values", "Values", "number", {
    text: (field) => valueNames(field).join(","),
    cell: (field) => (field.values?.length ? String(valueNames(field).length) : ""),
  }),
];

/** Name of a field in flags, JSON of bugs and the query language; JSON of fields has the internal one. */
export function fieldName(name: string): string {
  return fieldNamed(name)?.api ?? name;
}

/** Name of a field's type code; "" if it was not requested. */
export function typeWord({ type }: Partial<Field>): string {
  if (type === undefined) return ""; // not requested
  return FIELD_TYPE_WORDS[type] ?? `type ${type}`;
}

function shownType(field: Field): string {
  return field.type === 0 ? "" : typeWord(field);
}

/**
 * Names of a field's values, each once: several products may have a version or milestone of the same name. The status
 * without a name, of bugs that are not filed yet, is none.
 */
function valueNames({ values = [] }: Field): string[] {
  const named = values.filter(({ name, can_change_to }) => name || can_change_to === undefined);
  return [...new Set(named.map(({ name }) => name ?? ""))];
}

export function valueColumns(values: readonly FieldValue[]): Column<FieldValue>[] {
  const hasAny = ({ name }: Column<FieldValue>) => values.some((value) => hasContent(value[name as keyof FieldValue]));
  return VALUE_COLUMNS.filter((one) => one.name === "name" || hasAny(one));
}

const NEW_BUG = "(new bug)"; // the status without a name, for new bugs

const valueColumn = columnMaker<FieldValue>();

export const VALUE_COLUMNS: readonly Column<FieldValue>[] = [
  valueColumn("name", "Value", "text", {
    cell: ({ name }) => name ?? NEW_BUG,
    paint: ({ name, is_open }) => (is_open === undefined ? undefined : statusRole(name, is_open)),
    shrink: "never",
  }),
  valueColumn("sort_key", "Sort key", "number", { value: (value) => value.sort_key ?? value.sortkey }),
  valueColumn("is_open", "Open", "yes-no"),
  valueColumn("is_active", "Active", "yes-no"),
  valueColumn("can_change_to", "Can change to", "list", {
    text: ({ can_change_to }) => (can_change_to ?? []).map(({ name }) => name).join(","),
    cell: ({ can_change_to }) => (can_change_to ?? []).map(statusMoveText).join(", "),
  }),
  valueColumn("visibility_values", "Only for", "list"),
  valueColumn("description", "Description", "lines"),
];

function hasContent(value: FieldValue[keyof FieldValue]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== "";
}

function statusMoveText({ name, comment_required }: StatusMove): string {
  return comment_required ? `${name} (with a comment)` : name;
}
