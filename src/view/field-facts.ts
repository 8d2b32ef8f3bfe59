import { BUG_FIELD_ROWS, type BugFieldRow, type Family, type ValueTypes } from "../wire/bug-fields.ts";
import type { Field } from "../wire/resources.ts";

/** Kind of a field's value, for display. */
export type FieldKind =
  | "text"
  | "lines"
  | "list"
  | "person"
  | "people"
  | "user"
  | "users"
  | "bug"
  | "bugs"
  | "flags"
  | "time"
  | "day"
  | "hours"
  | "number"
  | "yes-no";

/** Label and kind of a field. */
export type FieldFacts = { readonly label: string; readonly kind: FieldKind };

/** Label and kind of a field by wire name; custom fields by the tracker's metadata, if given. */
export function fieldFacts(name: string, fields: readonly Field[] = []): FieldFacts {
  const known = FACTS.get(name);
  if (known) return known;
  const custom = fields.find((field) => field.name === name);
  return { label: custom?.display_name || name, kind: CUSTOM_KINDS[custom?.type ?? 0] ?? "text" };
}

const CUSTOM_KINDS: Readonly<Record<number, FieldKind>> = {
  3: "list",
  4: "lines",
  5: "time",
  6: "bug",
  7: "list",
  8: "list",
  9: "day",
  10: "number",
};

function kindOf({ json, family }: BugFieldRow): FieldKind {
  if (json === undefined) return family === "yes-no" ? "yes-no" : "text";
  return json.startsWith("text") ? (FAMILY_KINDS[family ?? "special"] ?? JSON_KINDS[json]) : JSON_KINDS[json];
}

const FAMILY_KINDS: Readonly<Partial<Record<Family, FieldKind>>> = {
  text: "lines",
  person: "person",
  people: "people",
};

const JSON_KINDS: Readonly<Record<keyof ValueTypes, FieldKind>> = {
  int: "bug",
  ints: "bugs",
  double: "hours",
  text: "text",
  texts: "list",
  bool: "yes-no",
  datetime: "time",
  date: "day",
  user: "user",
  users: "users",
  flags: "flags",
};

/** The fields of groups; responses to their changes name them. */
const GROUP_FACTS = [
  ["name", { label: "Name", kind: "text" }],
  ["description", { label: "Description", kind: "text" }],
  ["user_regexp", { label: "Login pattern", kind: "text" }],
  ["is_active", { label: "Active", kind: "yes-no" }],
  ["icon_url", { label: "Icon", kind: "text" }],
] as const;

/** By every name under which fields are shown: histories have the internal names of flags, hours and attachments. */
const FACTS: ReadonlyMap<string, FieldFacts> = new Map<string, FieldFacts>([
  ...GROUP_FACTS,
  ...BUG_FIELD_ROWS.flatMap(([name, row]) => {
    const facts = row.label === undefined ? undefined : { label: row.label, kind: kindOf(row) };
    return facts ? [[row.chart ?? name, facts] as const, [name, facts] as const] : [];
  }),
]);
