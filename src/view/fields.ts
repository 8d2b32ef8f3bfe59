import { FIELD_TYPES, type Field } from "../wire/field.ts";
import type { Column } from "./column.ts";

/** The columns of a list of fields. */
export const FIELD_COLUMNS: readonly Column<Field>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, align: "right" },
  { name: "name", heading: "Name", value: ({ name }) => name, gives: "never" },
  { name: "display_name", heading: "Shown as", value: ({ display_name }) => display_name, gives: "first" },
  { name: "type", heading: "Type", value: ({ type }) => type, cell: typeWord },
  flagColumn("is_mandatory", "Mandatory"),
  flagColumn("is_custom", "Custom"),
  {
    name: "values",
    heading: "Values",
    value: ({ values }) => values,
    text: ({ values }) => (values ?? []).map(({ name }) => name ?? "").join(","),
    cell: ({ values }) => (values?.length ? String(values.length) : ""),
    align: "right",
  },
];

/** The word for the type of a field: the wire has a number. */
export function typeWord({ type }: Partial<Field>): string {
  if (type === undefined) return ""; // not asked for
  return (FIELD_TYPES as Readonly<Record<number, string>>)[type] ?? `type ${type}`;
}

function flagColumn(name: "is_mandatory" | "is_custom", heading: string): Column<Field> {
  return { name, heading, value: (field) => field[name], cell: (field) => (field[name] ? "yes" : "") };
}
