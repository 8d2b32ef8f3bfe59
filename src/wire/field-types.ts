/**
 * Type codes of custom fields, by their names in a setup.
 * @see Bugzilla/Constants.pm, FIELD_TYPE_FREETEXT and following
 */
export const CUSTOM_FIELD_TYPE = {
  text: 1,
  select: 2,
  multiSelect: 3,
  longText: 4,
  dateTime: 5,
  bugId: 6,
  date: 9,
  integer: 10,
} as const;

/**
 * Type codes of fields; those from 11 are Mozilla's.
 * @see Bugzilla/Constants.pm of bugzilla.mozilla.org
 */
export const FIELD_TYPE = {
  ...CUSTOM_FIELD_TYPE,
  seeAlso: 7,
  keywords: 8,
  boolean: 11,
  user: 20,
  users: 21,
  bugs: 22,
  extension: 99, // one of several values that the tracker does not list
} as const;

/** Words for the types of fields, by code. */
export const FIELD_TYPE_WORDS: Readonly<Record<number, string>> = {
  0: "unknown",
  [FIELD_TYPE.text]: "text",
  [FIELD_TYPE.select]: "select",
  [FIELD_TYPE.multiSelect]: "multi-select",
  [FIELD_TYPE.longText]: "long text",
  [FIELD_TYPE.dateTime]: "date and time",
  [FIELD_TYPE.bugId]: "bug id",
  [FIELD_TYPE.seeAlso]: "see also",
  [FIELD_TYPE.keywords]: "keywords",
  [FIELD_TYPE.date]: "date",
  [FIELD_TYPE.integer]: "integer",
  [FIELD_TYPE.boolean]: "yes or no",
  [FIELD_TYPE.user]: "user",
  [FIELD_TYPE.users]: "users",
  [FIELD_TYPE.bugs]: "bug ids",
  [FIELD_TYPE.extension]: "value",
};
