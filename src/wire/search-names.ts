/**
 * What kind of thing a field holds, which decides how it is compared:
 * - `text` is matched by its characters; `texts` is a list of them
 * - `person` is one login name, `people` several
 * - `choice` is one of the tracker's legal values, `choices` several, `ranked` one of values that have a rank
 * - `number` is one number, `numbers` several; `yes-no` is 1 or 0
 * - `moment` is a date with time, `day` a date
 * - `special` has a meaning of its own and only the operators that are listed for it
 */
export type Family =
  | "text"
  | "texts"
  | "person"
  | "people"
  | "choice"
  | "choices"
  | "ranked"
  | "number"
  | "numbers"
  | "yes-no"
  | "moment"
  | "day"
  | "special";

/** One field under all its names. */
export type FieldName = {
  readonly api: string; // in bug JSON, as a parameter, and what bt prints
  readonly chart: string; // the internal name: f1=, chfield=, the fields endpoint
  readonly family: Family;
  readonly order?: string; // the column for order=; absent when the server cannot sort by it
  readonly also?: readonly string[]; // further names that people type
};

/** Every standard field that can be searched by, each under all its names; custom fields have one name on all sides. */
export const FIELD_NAMES: readonly FieldName[] = [
  { api: "id", chart: "bug_id", family: "number", order: "bug_id", also: ["bug"] },
  { api: "alias", chart: "alias", family: "texts" },
  { api: "summary", chart: "short_desc", family: "text", order: "short_desc", also: ["title"] },
  { api: "status", chart: "bug_status", family: "choice", order: "bug_status" },
  { api: "resolution", chart: "resolution", family: "choice", order: "resolution" },
  { api: "is_confirmed", chart: "everconfirmed", family: "yes-no", also: ["confirmed"] },
  { api: "product", chart: "product", family: "choice", order: "product" },
  { api: "component", chart: "component", family: "choice", order: "component" },
  { api: "classification", chart: "classification", family: "choice", order: "classification" },
  { api: "version", chart: "version", family: "choice", order: "version" },
  {
    api: "target_milestone",
    chart: "target_milestone",
    family: "choice",
    order: "target_milestone",
    also: ["milestone", "target"],
  },
  { api: "priority", chart: "priority", family: "ranked", order: "priority" },
  { api: "severity", chart: "bug_severity", family: "ranked", order: "bug_severity" },
  { api: "platform", chart: "rep_platform", family: "choice", order: "rep_platform", also: ["hardware", "arch"] },
  { api: "op_sys", chart: "op_sys", family: "choice", order: "op_sys", also: ["os"] },
  { api: "assigned_to", chart: "assigned_to", family: "person", order: "assigned_to", also: ["assignee"] },
  { api: "creator", chart: "reporter", family: "person", order: "reporter", also: ["author"] },
  { api: "qa_contact", chart: "qa_contact", family: "person", order: "qa_contact", also: ["qa"] },
  { api: "cc", chart: "cc", family: "people" },
  { api: "creation_time", chart: "creation_ts", family: "moment", order: "opendate", also: ["created", "opened"] },
  { api: "last_change_time", chart: "delta_ts", family: "moment", order: "changeddate", also: ["updated", "modified"] },
  { api: "deadline", chart: "deadline", family: "day", order: "deadline", also: ["due"] },
  { api: "depends_on", chart: "dependson", family: "numbers", also: ["depends"] },
  { api: "blocks", chart: "blocked", family: "numbers" },
  { api: "keywords", chart: "keywords", family: "choices", also: ["keyword"] },
  { api: "groups", chart: "bug_group", family: "texts", also: ["group"] },
  { api: "flags", chart: "flagtypes.name", family: "texts", also: ["flag"] },
  { api: "requestee", chart: "requestees.login_name", family: "people" },
  { api: "setter", chart: "setters.login_name", family: "people" },
  { api: "see_also", chart: "see_also", family: "texts" },
  { api: "url", chart: "bug_file_loc", family: "text", order: "bug_file_loc" },
  { api: "whiteboard", chart: "status_whiteboard", family: "text", order: "status_whiteboard" },
  { api: "tags", chart: "tag", family: "texts" },
  { api: "is_cc_accessible", chart: "cclist_accessible", family: "yes-no" },
  { api: "is_creator_accessible", chart: "reporter_accessible", family: "yes-no" },
  { api: "estimated_time", chart: "estimated_time", family: "number", order: "estimated_time", also: ["estimate"] },
  { api: "actual_time", chart: "work_time", family: "number", order: "actual_time", also: ["worked"] },
  { api: "remaining_time", chart: "remaining_time", family: "number", order: "remaining_time", also: ["remaining"] },
  {
    api: "complete",
    chart: "percentage_complete",
    family: "number",
    order: "percentage_complete",
    also: ["percent_complete"],
  },
  { api: "assignee_name", chart: "assigned_to_realname", family: "text", order: "assigned_to_realname" },
  { api: "creator_name", chart: "reporter_realname", family: "text", order: "reporter_realname" },
  { api: "qa_contact_name", chart: "qa_contact_realname", family: "text", order: "qa_contact_realname" },
  { api: "comment", chart: "longdesc", family: "texts", also: ["comment_text"] },
  { api: "comments", chart: "longdescs.count", family: "number", order: "longdescs.count", also: ["comment_count"] },
  { api: "commenter", chart: "commenter", family: "people" },
  { api: "comment_tag", chart: "comment_tag", family: "texts" },
  { api: "private_comment", chart: "longdescs.isprivate", family: "yes-no" },
  { api: "attachment", chart: "attachments.filename", family: "texts", also: ["attachment_file"] },
  { api: "attachment_text", chart: "attachments.description", family: "texts" },
  { api: "attachment_type", chart: "attachments.mimetype", family: "texts" },
  { api: "attachment_data", chart: "attach_data.thedata", family: "texts" },
  { api: "attacher", chart: "attachments.submitter", family: "people" },
  { api: "patch", chart: "attachments.ispatch", family: "yes-no" },
  { api: "obsolete", chart: "attachments.isobsolete", family: "yes-no" },
  { api: "private_attachment", chart: "attachments.isprivate", family: "yes-no" },
  { api: "days_elapsed", chart: "days_elapsed", family: "number" },
  { api: "fulltext", chart: "content", family: "special" },
  { api: "idle", chart: "owner_idle_time", family: "special" },
  { api: "last_visit", chart: "last_visit_ts", family: "special" },
];

/** Every spelling of each field's name, in lower case, to the field. */
const BY_NAME: ReadonlyMap<string, FieldName> = new Map(
  FIELD_NAMES.flatMap((field) => [field.api, field.chart, ...(field.also ?? [])].map((name) => [name, field] as const)),
);

/** The standard field that a name means, whichever of its names it is and in any letter case. */
export function fieldNamed(name: string): FieldName | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/** The columns that `order=` takes beside those of fields: `relevance` counts only together with a full-text search. */
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

/** The words that stand for a person in a row on a field of people; `%group.NAME%` stands for the members of a group. */
export const PRONOUNS = {
  me: "%user%",
  reporter: "%reporter%",
  assignee: "%assignee%",
  qa: "%qacontact%",
} as const;
