// Fields whose names in bugs and changes are not those of the fields endpoint, of charts and of the history table.
const WIRE_NAMES: ReadonlyMap<string, string> = new Map([
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

const CHART_NAMES: ReadonlyMap<string, string> = new Map([...WIRE_NAMES].map(([field, api]) => [api, field]));

/** The name that bugs and changes use for a field: status for bug_status. */
export function wireFieldName(field: string): string {
  return WIRE_NAMES.get(field) ?? field;
}

/** The name that the fields endpoint, charts and the stored history use: bug_status for status. */
export function chartFieldName(api: string): string {
  return CHART_NAMES.get(api) ?? api;
}

// How refusals name fields; custom fields go by their display names.
const LABELS: Readonly<Record<string, string>> = {
  alias: "Alias",
  assigned_to: "Assignee",
  blocked: "Blocks",
  bug_file_loc: "URL",
  bug_group: "Group",
  bug_severity: "Severity",
  bug_status: "Status",
  cc: "CC",
  cclist_accessible: "CC list accessible",
  component: "Component",
  deadline: "Deadline",
  dependson: "Depends on",
  dup_id: "Duplicate of",
  estimated_time: "Orig. Est.",
  everconfirmed: "Ever confirmed",
  keywords: "Keywords",
  op_sys: "OS",
  priority: "Priority",
  product: "Product",
  qa_contact: "QA Contact",
  remaining_time: "Hours Left",
  rep_platform: "Hardware",
  reporter_accessible: "Reporter accessible",
  resolution: "Resolution",
  see_also: "See Also",
  short_desc: "Summary",
  status_whiteboard: "Whiteboard",
  target_milestone: "Target Milestone",
  version: "Version",
  work_time: "Hours Worked",
};

/** The name by which people know a field of bugs. */
export function fieldLabel(field: string): string {
  return LABELS[field] ?? field;
}

/** The fields that only those who track time may set and see the history of, as history names them. */
export const TIME_TRACKING_FIELDS: ReadonlySet<string> = new Set([
  "estimated_time",
  "remaining_time",
  "work_time",
  "deadline",
]);
