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
export function labelOf(field: string): string {
  return LABELS[field] ?? field;
}
