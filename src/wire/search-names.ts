import { BUG_FIELD_ROWS, type Family, type PersonField } from "./bug-fields.ts";

/** All names of a field. */
export type FieldName = {
  readonly api: string; // in bug JSON, as a parameter, and in output
  readonly chart: string; // internal name: f1=, chfield=, the Fields resource
  readonly family: Family;
  readonly order?: string; // column for order=; absent if not sortable
  readonly also?: readonly string[]; // synonyms
};

/** All standard searchable fields with all their names; custom fields have a single name. */
export const FIELD_NAMES: readonly FieldName[] = BUG_FIELD_ROWS.flatMap(
  ([api, { chart = api, family, order, also }]) =>
    family
      ? [{ api, chart, family, ...(order && { order: order === true ? chart : order }), ...(also && { also }) }]
      : [],
);

/** Fields by each name in lower case. */
const BY_NAME: ReadonlyMap<string, FieldName> = new Map(
  FIELD_NAMES.flatMap((field) => [field.api, field.chart, ...(field.also ?? [])].map((name) => [name, field] as const)),
);

/** Standard field with this name, ignoring case. */
export function fieldNamed(name: string): FieldName | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/** Columns of `order=` that are not fields: `relevance` requires a full-text search. */
export const EXTRA_ORDER_COLUMNS = ["relevance"] as const;

/** Operators of a search row (`o1=`), by what they compare. */
export const OPERATORS = {
  value: ["equals", "notequals", "anyexact", "lessthan", "lessthaneq", "greaterthan", "greaterthaneq"],
  text: ["substring", "casesubstring", "notsubstring", "regexp", "notregexp"],
  words: ["anywords", "allwords", "nowords", "anywordssubstr", "allwordssubstr", "nowordssubstr"],
  change: ["changedbefore", "changedafter", "changedfrom", "changedto", "changedby"],
  empty: ["isempty", "isnotempty"],
  fulltext: ["matches", "notmatches"],
} as const;

/** Words for users in a row on a field of people; `%group.NAME%` matches the members of a group. */
export const PRONOUNS = {
  me: "%user%",
  reporter: "%reporter%",
  assignee: "%assignee%",
  qa: "%qacontact%",
} as const;

/** The fields whose persons the pronouns stand for. */
export const PRONOUN_FIELDS: Readonly<Record<string, PersonField>> = {
  [PRONOUNS.reporter]: "creator",
  [PRONOUNS.assignee]: "assigned_to",
  [PRONOUNS.qa]: "qa_contact",
};
