import { BUG_FIELD_ROWS, type Family, type PersonField } from "./bug-fields.ts";

/** One field under all its names. */
export type FieldName = {
  readonly api: string; // in bug JSON, as a parameter, and what bt prints
  readonly chart: string; // the internal name: f1=, chfield=, the fields endpoint
  readonly family: Family;
  readonly order?: string; // the column for order=; absent when the server cannot sort by it
  readonly also?: readonly string[]; // further names that people type
};

/** Every standard field that can be searched by, each under all its names; custom fields have one name on all sides. */
export const FIELD_NAMES: readonly FieldName[] = BUG_FIELD_ROWS.flatMap(
  ([api, { chart = api, family, order, also }]) =>
    family
      ? [{ api, chart, family, ...(order && { order: order === true ? chart : order }), ...(also && { also }) }]
      : [],
);

/** Every spelling of each field's name, in lower case, to the field. */
const BY_NAME: ReadonlyMap<string, FieldName> = new Map(
  FIELD_NAMES.flatMap((field) => [field.api, field.chart, ...(field.also ?? [])].map((name) => [name, field] as const)),
);

/** The standard field that a name means, whichever of its names it is and in any letter case. */
export function fieldNamed(name: string): FieldName | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/** Columns that `order=` takes in addition to fields; `relevance` needs a full-text search. */
export const EXTRA_ORDER_COLUMNS = ["relevance"] as const;

/** The operators of a search row (`o1=`), by what they look at. */
export const OPERATORS = {
  value: ["equals", "notequals", "anyexact", "lessthan", "lessthaneq", "greaterthan", "greaterthaneq"],
  text: ["substring", "casesubstring", "notsubstring", "regexp", "notregexp"],
  words: ["anywords", "allwords", "nowords", "anywordssubstr", "allwordssubstr", "nowordssubstr"],
  change: ["changedbefore", "changedafter", "changedfrom", "changedto", "changedby"],
  empty: ["isempty", "isnotempty"],
  fulltext: ["matches", "notmatches"],
} as const;

/**
 * The fields of the roles of people in a search, by the names of the roles in the parameters of the search page
 * (`emailreporter1`): the internal names of the fields that hold one login, comments and CC.
 */
export const PERSON_ROLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    assigned_to: "assigned_to",
    reporter: "creator",
    qa_contact: "qa_contact",
    longdesc: "commenter",
    cc: "cc",
  }),
);

/** The words that stand for a person in a row on a field of people; `%group.NAME%` stands for the members of a group. */
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
