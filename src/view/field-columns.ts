import { FIELD_TYPE_WORDS } from "../wire/field-types.ts";
import type { Field, FieldValue, StatusMove } from "../wire/resources.ts";
import { fieldNamed } from "../wire/search-names.ts";
import type { Column } from "./column.ts";
import { statusRole } from "./palette.ts";
import { yesNoText } from "./text.ts";

/** Columns of a list of fields. */
export const FIELD_COLUMNS: readonly Column<Field>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, align: "right", optional: 1 },
  {
    name: "name",
    heading: "Name",
    value: ({ name }) => name,
    text: ({ name }) => fieldName(name),
    cell: ({ name }) => fieldName(name),
    shrink: "never",
  },
  { name: "display_name", heading: "Shown as", value: ({ display_name }) => display_name },
  {
    name: "type",
    heading: "Type",
    value: ({ type }) => type,
    text: shownType,
    cell: shownType,
    optional: 4,
  },
  { ...flagColumn("is_mandatory", "Required"), optional: 3 },
  { ...flagColumn("is_custom", "Custom"), optional: 2 },
  {
    name: "values",
    heading: "Values",
    value: ({ values }) => values,
    text: (field) => valueNames(field).join(","),
    cell: (field) => (field.values?.length ? String(valueNames(field).length) : ""),
    align: "right",
  },
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

function flagColumn(name: "is_mandatory" | "is_custom", heading: string): Column<Field> {
  return { name, heading, value: (field) => field[name], cell: (field) => (field[name] ? "yes" : "") };
}

/** Columns of legal values that are not empty. */
export function valueColumns(values: readonly FieldValue[]): Column<FieldValue>[] {
  const hasAny = ({ name }: Column<FieldValue>) => values.some((value) => hasContent(value[name as keyof FieldValue]));
  return VALUE_COLUMNS.filter((column) => column.name === "name" || hasAny(column));
}

const NEW_BUG = "(new bug)"; // the status without a name, for new bugs

/** All columns of a list of legal values. */
export const VALUE_COLUMNS: readonly Column<FieldValue>[] = [
  {
    name: "name",
    heading: "Value",
    value: ({ name }) => name,
    cell: ({ name }) => name ?? NEW_BUG,
    paint: ({ name, is_open }) => (is_open === undefined ? undefined : statusRole(name, is_open)),
    shrink: "never",
  },
  { name: "sort_key", heading: "Sort key", value: (value) => value.sort_key ?? value.sortkey, align: "right" },
  { name: "is_open", heading: "Open", value: ({ is_open }) => is_open, cell: ({ is_open }) => yesNoText(is_open) },
  {
    name: "is_active",
    heading: "Active",
    value: ({ is_active }) => is_active,
    cell: ({ is_active }) => yesNoText(is_active),
  },
  {
    name: "can_change_to",
    heading: "Can change to",
    value: ({ can_change_to }) => can_change_to,
    text: ({ can_change_to }) => (can_change_to ?? []).map(({ name }) => name).join(","),
    cell: ({ can_change_to }) => (can_change_to ?? []).map(statusMoveText).join(", "),
    shrink: "first",
  },
  {
    name: "visibility_values",
    heading: "Only for",
    value: ({ visibility_values }) => visibility_values,
    shrink: "first",
  },
  { name: "description", heading: "Description", value: ({ description }) => description, shrink: "first" },
];

function hasContent(value: FieldValue[keyof FieldValue]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== "";
}

function statusMoveText({ name, comment_required }: StatusMove): string {
  return comment_required ? `${name} (with a comment)` : name;
}
