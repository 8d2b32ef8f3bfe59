import type { Field } from "../wire/resources.ts";
import { cardRows, cardTitle } from "./card.ts";
import { fieldName, typeWord, valueColumns } from "./field-columns.ts";
import { listing, listText } from "./listing.ts";
import { palette } from "./palette.ts";
import { plain } from "./text.ts";
import { signsOf, type View } from "./view.ts";

/** A field as a card: its properties and legal values. */
export function fieldCard(field: Field, view: View): string {
  const paints = palette(view);
  const title = cardTitle({ text: plain(fieldName(field)) }, { text: plain(field.display_name ?? "") }, view);
  const words = [typeWord(field), field.is_mandatory && "mandatory", field.is_custom && "custom"].filter(Boolean);
  const rows = cardRows([...ROWS.map(({ label, tell }) => ({ label, facts: [{ text: tell(field) }] }))], view);
  const values = field.values ?? [];
  const table = values.length > 0 ? `\n${listText(values, listing("table", valueColumns(values), view))}` : "";
  return `${title}${words.join(paints.quiet(` ${signsOf(view).dot} `))}\n\n${rows}${table}`;
}

const ROWS: readonly { readonly label: string; readonly tell: (field: Field) => string }[] = [
  { label: "ID", tell: ({ id }) => String(id) },
  { label: "Internal name", tell: (field) => (fieldName(field) === field.name ? "" : field.name) },
  { label: "Filled in", tell: ({ is_custom, is_on_bug_entry }) => entry(is_custom, is_on_bug_entry) },
  {
    label: "Shown when",
    tell: ({ visibility_field: field, visibility_values: values }) =>
      field ? `${fieldName({ name: field })} is ${values.join(" or ")}` : "",
  },
  { label: "Values by", tell: ({ value_field }) => (value_field ? fieldName({ name: value_field }) : "") },
];

// Only meaningful for custom fields: always false for the others.
function entry(isCustom: boolean, isOnEntry: boolean): string {
  if (!isCustom) return "";
  return isOnEntry ? "on creation and later" : "only after creation";
}
