import type { BugFieldRow } from "./bug-field-row.ts";
import { BUG_FIELD_ROWS, type BUG_FIELDS, type DefaultedPerson } from "./bug-fields.ts";

type Names = (typeof BUG_FIELDS)[DefaultedPerson]["ofComponent"];

/** Default people of a component as trackers return them, by login. */
export type ReadDefaultPeople = { readonly [Name in Names["read"]]?: string };

/** Default person of components: the field of bugs, and its names in a component that is read and in one that is written. */
export type DefaultPerson = Names & { readonly field: DefaultedPerson } & Pick<
    BugFieldRow,
    "label" | "isOptional" | "parameter"
  >;

/** The people that components give to new bugs. */
export const DEFAULT_PEOPLE: readonly DefaultPerson[] = BUG_FIELD_ROWS.flatMap(
  ([field, { label, isOptional, parameter, ofComponent }]) =>
    ofComponent ? [{ field, label, isOptional, parameter, ...ofComponent } as DefaultPerson] : [],
);
