import type { Bug } from "../wire/bug.ts";
import type { Json } from "../wire/exchange.ts";
import type { Field } from "../wire/field.ts";
import type { CardRow } from "./card.ts";
import { textOf } from "./column.ts";
import { type FieldKind, fieldFacts } from "./field-facts.ts";
import { day, moment } from "./times.ts";
import type { View } from "./view.ts";

/** The custom fields of a bug as rows of a card, under the names and in the order of the tracker's own metadata. */
export function customRows(bug: Bug, fields: readonly Field[], view: View): readonly CardRow[] {
  const place = (name: string) => fields.findIndex((field) => field.name === name);
  const names = Object.keys(bug).filter((name) => name.startsWith("cf_"));
  const ordered = names.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  return ordered.map((name) => {
    const { label, kind } = fieldFacts(name, fields);
    const value = bug[name as `cf_${string}`];
    return { label, facts: [{ text: isEmpty(value) ? "" : customText(value, kind, view) }] };
  });
}

function isEmpty(value: Json | undefined): boolean {
  return value === "---" || textOf(value) === "";
}

function customText(value: Json | undefined, kind: FieldKind, view: View): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  const text = textOf(value);
  if (kind === "time") return moment(text, view);
  if (kind === "day") return day(text, view.serverZone);
  return kind === "bug" ? `#${text}` : text;
}
