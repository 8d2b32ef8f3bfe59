import { BUG_FIELD_ROWS } from "./bug-fields.ts";
import type { NamedField } from "./resources.ts";

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

/** The word for a type of fields: `multi-select`. */
export function fieldTypeWord(type: number): string {
  if (type === 0) return "unknown";
  const [name] = Object.entries(FIELD_TYPE).find(([, code]) => code === type) ?? [];
  return name?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) ?? `type ${type}`;
}

/**
 * Fields that only bugzilla.mozilla.org or Red Hat's tracker has, by internal name: their names in bug JSON, where these
 * differ, and what their metadata does not say.
 * @see Bugzilla/Bug.pm, FIELD_MAP, and extensions/Review and BMO there
 */
export const VENDOR_FIELDS: ReadonlyMap<string, { readonly api?: string; readonly isReadOnly?: true }> = new Map(
  Object.entries({
    bug_type: { api: "type" },
    bug_mentor: { api: "mentors" },
    regressed_by: {},
    regresses: { api: "regressions" },
    duplicates: { isReadOnly: true },
    triage_owner: { isReadOnly: true },
    votes: { isReadOnly: true },
    cf_last_resolved: { isReadOnly: true },
    cf_last_closed: { isReadOnly: true },
  }),
);

/** Lists beyond the interface's that updates take as `{add, remove, set}`, by their names in bug JSON. */
export const EDITED_LISTS: ReadonlySet<string> = new Set(["regressed_by", "regressions"]);

/** The one field beyond the interface's whose name in the body of a write differs from that in bug JSON. */
export const MENTORS = { shown: "mentors", written: "bug_mentors" } as const;

const { select, multiSelect, user, users, bugs } = FIELD_TYPE;

/** Types of fields that bugs show; fields of other types are only searched by, unless they are custom. */
const SHOWN_TYPES: readonly number[] = [select, multiSelect, user, users, bugs];

const STANDARD: ReadonlySet<string> = new Set(BUG_FIELD_ROWS.map(([name, { chart = name }]) => chart));

/** True for a field of bugs beyond the interface: a custom field, or one of the tracker's own. */
export function isAddedField({ name, type, is_custom }: NamedField): boolean {
  if (is_custom) return true;
  return !STANDARD.has(name) && (SHOWN_TYPES.includes(type) || VENDOR_FIELDS.has(name));
}

/** The name in bug JSON of a field beyond the interface's. */
export function bugJsonName({ name }: NamedField): string {
  return VENDOR_FIELDS.get(name)?.api ?? name;
}

/** The internal name, which changes have, of a field in bug JSON that only some trackers have. */
export function internalVendorName(api: string): string {
  return [...VENDOR_FIELDS].find(([, field]) => field.api === api)?.[0] ?? api;
}
