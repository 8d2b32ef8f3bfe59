import { BUG_FIELD_ROWS } from "./bug-fields.ts";
import { FIELD_TYPE } from "./field-types.ts";
import type { Field } from "./resources.ts";

/** Facts about a field of some trackers beyond the interface's that their field list does not have. */
type AddedField = {
  api?: string; // name in bug JSON; absent: the internal name
  written?: string; // name in the body of a write; absent: the one in bug JSON
  isReadOnly?: true;
  isAsked?: true; // some trackers require it of new bugs, without saying so
  isEdited?: true; // a list that updates take as `{add, remove, set}`
};

/**
 * Fields of bugzilla.mozilla.org, and of Red Hat's tracker, by internal name.
 * @see Bugzilla/Bug.pm, FIELD_MAP, and extensions/Review and BMO there
 */
export const ADDED_FIELDS: ReadonlyMap<string, AddedField> = new Map<string, AddedField>(
  Object.entries({
    bug_type: { api: "type", isAsked: true },
    bug_mentor: { api: "mentors", written: "bug_mentors" },
    regressed_by: { isEdited: true },
    regresses: { api: "regressions", isEdited: true },
    duplicates: { isReadOnly: true },
    triage_owner: { isReadOnly: true },
    votes: { isReadOnly: true },
    cf_last_resolved: { isReadOnly: true },
    cf_last_closed: { isReadOnly: true },
  }),
);

/** Types of fields that bugs show; fields of other types are only searched by, unless they are custom. */
export const SHOWN_TYPES: ReadonlySet<number> = new Set([
  ...[FIELD_TYPE.select, FIELD_TYPE.multiSelect, FIELD_TYPE.user, FIELD_TYPE.users, FIELD_TYPE.bugs],
]);

const STANDARD: ReadonlySet<string> = new Set(BUG_FIELD_ROWS.map(([name, { chart = name }]) => chart));

/** True for a field that bugs show beyond those of the interface: a custom one, or one that the tracker has of its own. */
export function isAddedField({ name, type, is_custom }: Field): boolean {
  if (is_custom) return true;
  return !STANDARD.has(name) && (SHOWN_TYPES.has(type) || ADDED_FIELDS.has(name));
}

/** The name in bug JSON of a field beyond the interface's. */
export function addedName({ name }: Field): string {
  return ADDED_FIELDS.get(name)?.api ?? name;
}

/** Names in bug JSON of the lists beyond the interface's that updates take as `{add, remove, set}`. */
export const EDITED_LISTS: ReadonlySet<string> = new Set(
  [...ADDED_FIELDS].filter(([, { isEdited }]) => isEdited).map(([name, { api = name }]) => api),
);

/** Names in the body of a write by those in bug JSON, where they differ. */
export const WRITTEN_NAMES: ReadonlyMap<string, string> = new Map(
  [...ADDED_FIELDS].map(([name, { api = name, written = api }]) => [api, written] as const),
);

/** Names in changes by those in bug JSON, where they differ. */
export const CHANGED_NAMES: ReadonlyMap<string, string> = new Map(
  [...ADDED_FIELDS].map(([name, { api = name }]) => [api, name] as const),
);

/** Names in bug JSON by those in the body of a write. */
export const SHOWN_NAMES: ReadonlyMap<string, string> = new Map(
  [...WRITTEN_NAMES].map(([api, written]) => [written, api] as const),
);
