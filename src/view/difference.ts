import { BUG_FIELDS } from "../wire/bug.ts";
import type { Field } from "../wire/field.ts";
import type { Change } from "../wire/history.ts";
import { type FieldKind, fieldFacts } from "./field-facts.ts";
import { absolute, hours } from "./times.ts";
import type { View } from "./view.ts";

/** One field's change made ready to be shown: what left and what came, item by item where the field is a list. */
export type Difference = {
  readonly label: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly isList: boolean;
};

/**
 * Reads the changes of one moment, in the order in which fields are shown everywhere; a tracker gives them in any. Lists come
 * joined by commas; only fields that hold lists are taken apart again.
 */
export function differences(changes: readonly Change[], fields: readonly Field[], view: View): readonly Difference[] {
  const place = ({ field_name }: Change) => (ORDER.includes(field_name) ? ORDER.indexOf(field_name) : ORDER.length);
  const sorted = changes.toSorted((a, b) => place(a) - place(b) || (a.field_name < b.field_name ? -1 : 1));
  return sorted.map((change) => difference(change, fields, view));
}

const ORDER: readonly string[] = Object.keys(BUG_FIELDS);
const LISTS: ReadonlySet<FieldKind> = new Set(["list", "people", "bugs", "flags", "users"]);
const ITEMS = ", ";

function difference(change: Change, fields: readonly Field[], view: View): Difference {
  const { field_name, removed, added, attachment_id } = change;
  const { label, kind } = fieldFacts(field_name, fields);
  const isList = LISTS.has(kind);
  const legal = fields.find(({ name }) => name === field_name)?.values?.map(({ name }) => name ?? "") ?? [];
  const read = (text: string) =>
    (isList ? items(text, legal) : [text]).filter(Boolean).map((item) => worded(item, kind, view));
  return { label: labelOf(label, attachment_id), removed: read(removed), added: read(added), isList };
}

function labelOf(label: string, attachment: number | undefined): string {
  if (attachment === undefined) return label;
  const named = `Attachment ${attachment}`;
  return label.startsWith("Attachment") ? label.replace("Attachment", named) : `${named} ${label.toLowerCase()}`;
}

/** Takes a joined list apart; a legal value that holds a comma itself is kept whole. */
function items(text: string, legal: readonly string[]): readonly string[] {
  const found: string[] = [];
  let rest = text;
  while (rest !== "") {
    const whole = legal.filter((value) => value !== "" && (rest === value || rest.startsWith(value + ITEMS)));
    const end = rest.indexOf(ITEMS);
    const item = whole.toSorted((a, b) => b.length - a.length)[0] ?? (end < 0 ? rest : rest.slice(0, end));
    found.push(item);
    rest = rest.slice(item.length + ITEMS.length);
  }
  return found;
}

function worded(value: string, kind: FieldKind, view: View): string {
  return WORDED[kind]?.(value, view) ?? value;
}

const bugNumber = (value: string) => (/^\d+$/.test(value) ? `#${value}` : value);

const WORDED: Partial<Record<FieldKind, (value: string, view: View) => string>> = {
  "yes-no": (value) => (value === "1" || value === "true" ? "yes" : "no"),
  bug: bugNumber,
  bugs: bugNumber,
  hours: (value) => (Number.isFinite(Number(value)) ? hours(Number(value)) : value),
  time: (value, view) => (view.terminal ? absolute(value, view) : value),
};
