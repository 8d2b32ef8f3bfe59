import { fieldTypeWord } from "../wire/field-types.ts";
import type { Field, FieldValue, StatusMove } from "../wire/resources.ts";
import { fieldNamed } from "../wire/search-names.ts";
import { type CardRow, cardBody, cardTitle } from "./card.ts";
import type { Column } from "./column.ts";
import { columnMaker } from "./field-kinds.ts";
import { tableText } from "./listing.ts";
import { palette, statusRole } from "./palette.ts";
import { type View, viewSigns } from "./view.ts";

const column = columnMaker<Field>();

export const FIELD_COLUMNS: readonly Column<Field>[] = [
  column("id", "ID", "number", { optional: 1 }),
  column("name", "Name", "text", { text: ({ name }) => fieldName(name), shrink: "never" }),
  column("display_name", "Shown as"),
  column("type", "Type", "text", { text: ({ type }) => (type ? fieldTypeWord(type) : ""), optional: 4 }),
  column("is_mandatory", "Required", "text", { cell: ({ is_mandatory }) => (is_mandatory ? "yes" : ""), optional: 3 }),
  column("is_custom", "Custom", "text", { cell: ({ is_custom }) => (is_custom ? "yes" : ""), optional: 2 }),
  column("values", "Values", "number", {
    text: (field) => valueNames(field).join(","),
    cell: (field) => String(valueNames(field).length || ""),
  }),
];

/** Name of a field in flags, bugs and queries; JSON of fields has the internal name. */
export function fieldName(name: string): string {
  return fieldNamed(name)?.api ?? name;
}

/**
 * Names of a field's values, each once: several products may have a version or milestone of the
 * same name. The status without a name, of bugs that are not filed yet, is none.
 */
function valueNames({ values }: Field): string[] {
  const named = (values ?? []).filter(({ name, can_change_to }) => name || can_change_to === undefined);
  return [...new Set(named.map(({ name }) => name ?? ""))];
}

const NEW_BUG = "(new bug)"; // the status without a name, for new bugs

const valueColumn = columnMaker<FieldValue>();

export const VALUE_COLUMNS: readonly Column<FieldValue>[] = [
  valueColumn("name", "Value", "text", {
    cell: ({ name }) => name ?? NEW_BUG,
    paint: ({ name, is_open }) => (is_open === undefined ? undefined : statusRole(name, is_open)),
    shrink: "never",
  }),
  valueColumn("sort_key", "Sort key", "number", { value: (value) => value.sort_key ?? value.sortkey, isRare: true }),
  valueColumn("is_open", "Open", "yes-no", { isRare: true }),
  valueColumn("is_active", "Active", "yes-no", { isRare: true }),
  valueColumn("can_change_to", "Can change to", "names", {
    cell: ({ can_change_to }) => (can_change_to ?? []).map(statusMoveText).join(", "),
    shrink: "first",
    isRare: true,
  }),
  valueColumn("visibility_values", "Only for", "list", { isRare: true }),
  valueColumn("description", "Description", "lines", { isRare: true }),
];

function statusMoveText({ name, comment_required }: StatusMove): string {
  return comment_required ? `${name} (with a comment)` : name;
}

export function fieldCard(field: Field, view: View): string {
  const { id, name, value_field, visibility_field: depends, visibility_values } = field;
  const values = field.values ?? [];
  const title = cardTitle(fieldName(name), field.display_name ?? "", view);
  const type = typeof field.type === "number" ? fieldTypeWord(field.type) : ""; // plain servers may omit it
  const words = [type, field.is_mandatory && "mandatory", field.is_custom && "custom"].filter(Boolean);
  const rows: CardRow[] = [
    ["ID", String(id ?? "-")],
    ["Internal name", fieldName(name) === name ? "" : name],
    ["Filled in", entryText(field.is_custom, field.is_on_bug_entry)],
    ["Shown when", depends ? `${fieldName(depends)} is ${(visibility_values ?? []).join(" or ")}` : ""],
    ["Values by", value_field ? fieldName(value_field) : ""],
  ];
  const table = values.length > 0 ? `\n${tableText(values, VALUE_COLUMNS, view)}` : "";
  const dot = palette(view).quiet(` ${viewSigns(view).dot} `);
  return `${title}${words.join(dot)}\n\n${cardBody(rows, view)}${table}`;
}

// Only meaningful for custom fields: always false for the others.
function entryText(isCustom: boolean, isOnEntry: boolean): string {
  if (!isCustom) return "";
  return isOnEntry ? "on creation and later" : "only after creation";
}
