import { BUG_FIELD_ROWS, type BugFieldRow, type Family, type ValueTypes } from "../wire/bug-fields.ts";
import { addedName, FIELD_TYPE } from "../wire/field-types.ts";
import type { Field } from "../wire/resources.ts";

export type FieldKind =
  | ("text" | "lines" | "list" | "person" | "people" | "user" | "users" | "bug" | "bugs" | "flags")
  | ("time" | "day" | "hours" | "number" | "yes-no");

export function holdsItems(kind: FieldKind): boolean {
  return LIST_KINDS.has(kind);
}

const LIST_KINDS: ReadonlySet<FieldKind> = new Set(["list", "people", "bugs", "flags", "users"]);

export type FieldFacts = { readonly label: string; readonly kind: FieldKind };

/** Label and kind of a field by wire name; `fields` has custom ones. */
export function fieldFacts(name: string, fields: readonly Field[] = []): FieldFacts {
  const known = FACTS.get(name);
  if (known) return known;
  const field = fields.find((one) => one.name === name || addedName(one) === name);
  return { label: field?.display_name || name, kind: CUSTOM_KINDS[field?.type ?? 0] ?? "text" };
}

const CUSTOM_KINDS: Readonly<Record<number, FieldKind>> = {
  [FIELD_TYPE.multiSelect]: "list",
  [FIELD_TYPE.longText]: "lines",
  [FIELD_TYPE.dateTime]: "time",
  [FIELD_TYPE.bugId]: "bug",
  [FIELD_TYPE.seeAlso]: "list",
  [FIELD_TYPE.keywords]: "list",
  [FIELD_TYPE.date]: "day",
  [FIELD_TYPE.integer]: "number",
  [FIELD_TYPE.boolean]: "yes-no",
  [FIELD_TYPE.user]: "person",
  [FIELD_TYPE.users]: "people",
  [FIELD_TYPE.bugs]: "bugs",
};

function rowKind({ json, family }: BugFieldRow): FieldKind {
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

/** Members of groups and attachments that responses to their changes name. */
const MEMBERS: readonly (readonly [name: string, label: string, kind: FieldKind])[] = [
  ["name", "Name", "text"],
  ["description", "Description", "text"],
  ["user_regexp", "Login pattern", "text"],
  ["is_active", "Active", "yes-no"],
  ["icon_url", "Icon", "text"],
  ["file_name", "File", "text"],
  ["content_type", "Type", "text"],
  ["is_patch", "Patch", "yes-no"],
  ["is_obsolete", "Obsolete", "yes-no"],
  ["is_private", "Private", "yes-no"],
];

/** By every name of a field: histories have the internal names of flags, hours and attachments. */
const FACTS: ReadonlyMap<string, FieldFacts> = new Map<string, FieldFacts>([
  ...MEMBERS.map(([name, label, kind]) => [name, { label, kind }] as const),
  ...BUG_FIELD_ROWS.flatMap(([name, row]) => {
    if (row.label === undefined) return [];
    const facts = { label: row.label, kind: rowKind(row) };
    return [[row.chart ?? name, facts] as const, [name, facts] as const];
  }),
]);
