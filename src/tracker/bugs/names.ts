// Fields whose names in bugs and changes are not those of the fields endpoint, of charts and of the history table.
const API_NAMES: ReadonlyMap<string, string> = new Map([
  ["bug_file_loc", "url"],
  ["bug_group", "groups"],
  ["bug_id", "id"],
  ["bug_severity", "severity"],
  ["bug_status", "status"],
  ["blocked", "blocks"],
  ["cclist_accessible", "is_cc_accessible"],
  ["creation_ts", "creation_time"],
  ["delta_ts", "last_change_time"],
  ["dup_id", "dupe_of"],
  ["dependson", "depends_on"],
  ["everconfirmed", "is_confirmed"],
  ["rep_platform", "platform"],
  ["reporter", "creator"],
  ["reporter_accessible", "is_creator_accessible"],
  ["short_desc", "summary"],
  ["status_whiteboard", "whiteboard"],
]);

const FIELD_NAMES: ReadonlyMap<string, string> = new Map([...API_NAMES].map(([field, api]) => [api, field]));

/** The name that bugs and changes use for a field: status for bug_status. */
export function apiName(field: string): string {
  return API_NAMES.get(field) ?? field;
}

/** The name that the fields endpoint, charts and the stored history use: bug_status for status. */
export function fieldName(api: string): string {
  return FIELD_NAMES.get(api) ?? api;
}
