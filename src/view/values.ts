import type { FieldValue, StatusMove } from "../wire/field.ts";
import type { Column } from "./column.ts";
import { statusRole } from "./meaning.ts";

/** The columns of these legal values: those in which the tracker says something. */
export function valueColumns(values: readonly FieldValue[]): readonly Column<FieldValue>[] {
  const isTold = ({ name }: Column<FieldValue>) => values.some((value) => saysMore(value[name as keyof FieldValue]));
  return VALUE_COLUMNS.filter((column) => column.name === "name" || isTold(column));
}

const NEW_BUG = "(new bug)"; // the nameless status: where a bug starts

/** Every column of a list of legal values. */
export const VALUE_COLUMNS: readonly Column<FieldValue>[] = [
  {
    name: "name",
    heading: "Value",
    value: ({ name }) => name,
    cell: ({ name }) => name ?? NEW_BUG,
    paint: ({ name, is_open }) => (is_open === undefined ? undefined : statusRole(name, is_open)),
    gives: "never",
  },
  { name: "sort_key", heading: "Sort key", value: (value) => value.sort_key ?? value.sortkey, align: "right" },
  { name: "is_open", heading: "Open", value: ({ is_open }) => is_open, cell: ({ is_open }) => yesNo(is_open) },
  {
    name: "is_active",
    heading: "Active",
    value: ({ is_active }) => is_active,
    cell: ({ is_active }) => yesNo(is_active),
  },
  {
    name: "can_change_to",
    heading: "Can change to",
    value: ({ can_change_to }) => can_change_to,
    text: ({ can_change_to }) => (can_change_to ?? []).map(({ name }) => name).join(","),
    cell: ({ can_change_to }) => (can_change_to ?? []).map(move).join(", "),
    gives: "first",
  },
  {
    name: "visibility_values",
    heading: "Only for",
    value: ({ visibility_values }) => visibility_values,
    gives: "first",
  },
  { name: "description", heading: "Description", value: ({ description }) => description, gives: "first" },
];

function saysMore(value: FieldValue[keyof FieldValue]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== "";
}

function move({ name, comment_required }: StatusMove): string {
  return comment_required ? `${name} (with a comment)` : name;
}

function yesNo(claim: boolean | undefined): string {
  if (claim === undefined) return "";
  return claim ? "yes" : "no";
}
