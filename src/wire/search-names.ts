import { BUG_FIELD_ROWS, type Family, type PersonField } from "./bug-fields.ts";

/** One field under all its names. */
export type FieldName = {
  readonly api: string; // in bug JSON, as a parameter, and what bt prints
  readonly chart: string; // the internal name: f1=, chfield=, the fields endpoint
  readonly family: Family;
  readonly order?: string | undefined; // the column for order=; absent when the server cannot sort by it
  readonly also?: readonly string[] | undefined; // further names that people type
};

/** Every standard field that can be searched by, each under all its names; custom fields have one name on all sides. */
export const FIELD_NAMES: readonly FieldName[] = BUG_FIELD_ROWS.flatMap(
  ([api, { chart = api, family, order, also }]) =>
    family ? [{ api, chart, family, order: order === true ? chart : order, also }] : [],
);

/** Every spelling of each field's name, in lower case, to the field. */
const BY_NAME: ReadonlyMap<string, FieldName> = new Map(
  FIELD_NAMES.flatMap((field) => [field.api, field.chart, ...(field.also ?? [])].map((name) => [name, field] as const)),
);

/** The standard field that a name means, whichever of its names it is and in any letter case. */
export function fieldNamed(name: string): FieldName | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/**
 * The roles of people in the parameters of the search page (`emailreporter1`): the internal names of the fields that hold one
 * login, comments and CC.
 */
export const PERSON_ROLES = ["assigned_to", "reporter", "qa_contact", "longdesc", "cc"] as const;

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
