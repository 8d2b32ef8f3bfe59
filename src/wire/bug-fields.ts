import type { Json } from "./exchange.ts";
import type { Flag, User } from "./resources.ts";

/** The kinds of value that a field of the interface can hold. */
export type ValueTypes = {
  int: number;
  double: number;
  text: string;
  bool: boolean;
  datetime: string; // ISO 8601 UTC, whole seconds, "Z"
  date: string; // YYYY-MM-DD
  texts: readonly string[];
  ints: readonly number[];
  user: User;
  users: readonly User[];
  flags: readonly Flag[];
};

/**
 * Kind of value of a field, which determines how it is compared. A `text` is matched by its characters, a `choice` is one of
 * the tracker's legal values, of which `ranked` ones have a rank; `texts`, `people`, `choices` and `numbers` are lists; a
 * `moment` is a date with time; `special` has a meaning of its own and only the operators that are listed for it.
 */
export type Family =
  | ("text" | "texts" | "person" | "people" | "choice" | "choices" | "ranked")
  | ("number" | "numbers" | "yes-no" | "moment" | "day" | "special");

/** Facts about a bug field that client and tracker share; its name is the key in bug JSON, or the printed name. */
export type BugFieldRow = {
  readonly label?: string; // what people read; its name where there is none
  readonly json?: keyof ValueTypes; // what bug JSON holds; absent: bugs do not show it
  readonly chart?: string; // the internal name in f1=, chfield=, the fields endpoint; absent: the same name
  readonly family?: Family; // absent: no search by it
  readonly order?: true | string; // the column for order=, true for the internal name; absent: no sorting by it
  readonly also?: readonly string[]; // further names that people type
  readonly nameOf?: string; // the person whose real name it is
  readonly isOptional?: true; // of a person: there may be nobody
};

/**
 * Every standard field of bugs: first those that bugs show, in the order in which `bt` shows and writes them, then those
 * that are only searched by. Custom fields have one name on all sides; the tracker's metadata describes them.
 */
// biome-ignore format: a table
export const BUG_FIELDS = {
  id: { label: "ID", json: "int", chart: "bug_id", family: "number", order: true, also: ["bug"] },
  alias: { label: "Alias", json: "texts", family: "texts" },
  summary: { label: "Summary", json: "text", chart: "short_desc", family: "text", order: true,
    also: ["title"] },
  status: { label: "Status", json: "text", chart: "bug_status", family: "choice", order: true },
  resolution: { label: "Resolution", json: "text", family: "choice", order: true },
  is_open: { label: "Open", json: "bool" },
  is_confirmed: { label: "Confirmed", json: "bool", chart: "everconfirmed", family: "yes-no",
    also: ["confirmed"] },
  product: { label: "Product", json: "text", family: "choice", order: true },
  component: { label: "Component", json: "text", family: "choice", order: true },
  classification: { label: "Classification", json: "text", family: "choice", order: true },
  version: { label: "Version", json: "text", family: "choice", order: true },
  target_milestone: { label: "Milestone", json: "text", family: "choice", order: true,
    also: ["milestone", "target"] },
  priority: { label: "Priority", json: "text", family: "ranked", order: true },
  severity: { label: "Severity", json: "text", chart: "bug_severity", family: "ranked",
    order: true },
  platform: { label: "Platform", json: "text", chart: "rep_platform", family: "choice",
    order: true, also: ["hardware", "arch"] },
  op_sys: { label: "OS", json: "text", family: "choice", order: true, also: ["os"] },
  assigned_to: { label: "Assignee", json: "text", family: "person", order: true,
    also: ["assignee"] },
  assigned_to_detail: { label: "Assignee", json: "user" },
  creator: { label: "Reporter", json: "text", chart: "reporter", family: "person", order: true,
    also: ["author"] },
  creator_detail: { label: "Reporter", json: "user" },
  qa_contact: { label: "QA contact", json: "text", family: "person", order: true, also: ["qa"],
    isOptional: true },
  qa_contact_detail: { label: "QA contact", json: "user" },
  cc: { label: "CC", json: "texts", family: "people" },
  cc_detail: { label: "CC", json: "users" },
  creation_time: { label: "Created", json: "datetime", chart: "creation_ts", family: "moment",
    order: "opendate", also: ["created", "opened"] },
  last_change_time: { label: "Changed", json: "datetime", chart: "delta_ts", family: "moment",
    order: "changeddate", also: ["updated", "modified"] },
  deadline: { label: "Deadline", json: "date", family: "day", order: true, also: ["due"] },
  dupe_of: { label: "Duplicate of", json: "int", chart: "dup_id" },
  depends_on: { label: "Depends on", json: "ints", chart: "dependson", family: "numbers",
    also: ["depends"] },
  blocks: { label: "Blocks", json: "ints", chart: "blocked", family: "numbers" },
  keywords: { label: "Keywords", json: "texts", family: "choices", also: ["keyword"] },
  groups: { label: "Groups", json: "texts", chart: "bug_group", family: "texts", also: ["group"] },
  flags: { label: "Flags", json: "flags", chart: "flagtypes.name", family: "texts",
    also: ["flag"] },
  see_also: { label: "See also", json: "texts", family: "texts" },
  url: { label: "URL", json: "text", chart: "bug_file_loc", family: "text", order: true },
  whiteboard: { label: "Whiteboard", json: "text", chart: "status_whiteboard", family: "text",
    order: true },
  tags: { label: "My tags", json: "texts", chart: "tag", family: "texts" },
  is_cc_accessible: { label: "Visible to CC", json: "bool", chart: "cclist_accessible",
    family: "yes-no" },
  is_creator_accessible: { label: "Visible to reporter", json: "bool",
    chart: "reporter_accessible", family: "yes-no" },
  estimated_time: { label: "Estimate", json: "double", family: "number", order: true,
    also: ["estimate"] },
  actual_time: { label: "Worked", json: "double", chart: "work_time", family: "number",
    order: "actual_time", also: ["worked"] },
  remaining_time: { label: "Left", json: "double", family: "number", order: true,
    also: ["remaining"] },
  update_token: { label: "Update token", json: "text" },
  requestee: { chart: "requestees.login_name", family: "people" },
  setter: { chart: "setters.login_name", family: "people" },
  complete: { chart: "percentage_complete", family: "number", order: true,
    also: ["percent_complete"] },
  assignee_name: { chart: "assigned_to_realname", family: "text", order: true,
    nameOf: "assigned_to" },
  creator_name: { chart: "reporter_realname", family: "text", order: true, nameOf: "creator" },
  qa_contact_name: { chart: "qa_contact_realname", family: "text", order: true,
    nameOf: "qa_contact" },
  comment: { label: "Comment", chart: "longdesc", family: "texts", also: ["comment_text"] },
  comments: { chart: "longdescs.count", family: "number", order: true, also: ["comment_count"] },
  commenter: { family: "people" },
  comment_tag: { family: "texts" },
  private_comment: { label: "Comment private", chart: "longdescs.isprivate", family: "yes-no" },
  attachment: { label: "Attachment file", chart: "attachments.filename", family: "texts",
    also: ["attachment_file"] },
  attachment_text: { label: "Attachment", chart: "attachments.description", family: "texts" },
  attachment_type: { label: "Attachment type", chart: "attachments.mimetype", family: "texts" },
  attachment_data: { chart: "attach_data.thedata", family: "texts" },
  attacher: { chart: "attachments.submitter", family: "people" },
  patch: { label: "Attachment is patch", chart: "attachments.ispatch", family: "yes-no" },
  obsolete: { label: "Attachment obsolete", chart: "attachments.isobsolete", family: "yes-no" },
  private_attachment: { label: "Attachment private", chart: "attachments.isprivate",
    family: "yes-no" },
  days_elapsed: { family: "number" },
  fulltext: { chart: "content", family: "special" },
  idle: { chart: "owner_idle_time", family: "special" },
  last_visit: { chart: "last_visit_ts", family: "special" },
} as const satisfies Readonly<Record<string, BugFieldRow>>;

type Rows = typeof BUG_FIELDS;

/** The name of a standard field of bugs; the detail of a person comes with the person. */
export type WireField = Exclude<keyof Rows, `${string}_detail`>;

/** The name of a field that bugs show. */
export type ShownField = { [Name in keyof Rows]: Rows[Name] extends { json: string } ? Name : never }[keyof Rows];

/** The names and rows of all fields, in their order. */
export const BUG_FIELD_ROWS: readonly (readonly [name: string, row: BugFieldRow])[] = Object.entries(BUG_FIELDS);

/** The row of a standard field by its name in bug JSON; undefined for other names. */
export function bugFieldRow(name: string): BugFieldRow | undefined {
  return Object.hasOwn(BUG_FIELDS, name) ? BUG_FIELDS[name as keyof Rows] : undefined;
}

/** The fields that are only returned if requested (by name or as `_extra`); `tags` are personal to the requester. */
export const EXTRA_BUG_FIELDS: readonly string[] = ["tags"];

/** The fields that are returned by default, in the order in which `bt` shows and writes them. */
export const DEFAULT_BUG_FIELDS: readonly string[] = BUG_FIELD_ROWS.flatMap(([name, { json }]) =>
  json && !EXTRA_BUG_FIELDS.includes(name) ? name : [],
);

/** Default and extra fields: all that bugs of any tracker show. */
export const SHOWN_BUG_FIELDS: readonly string[] = [...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS];

/** The fields that hold one login. */
export const PERSON_FIELDS = ["assigned_to", "creator", "qa_contact"] as const;
export type PersonField = (typeof PERSON_FIELDS)[number];

/** The fields whose values belong to a product each. */
export const PER_PRODUCT_FIELDS = ["component", "version", "target_milestone"] as const;

/** Fields that hold the ids of other bugs: those that a bug depends on, and those that it blocks. */
export const DEPENDENCY_FIELDS = ["depends_on", "blocks"] as const;
export type DependencyField = (typeof DEPENDENCY_FIELDS)[number];

/** Roles that a component fills in new bugs: fields of bugs, with their names in a component that is read and written. */
export const DEFAULT_ROLES = [
  { field: "assigned_to", read: "default_assigned_to", written: "default_assignee", isOptional: false },
  { field: "qa_contact", read: "default_qa_contact", written: "default_qa_contact", isOptional: true },
] as const;
export type DefaultRole = (typeof DEFAULT_ROLES)[number];

/** Mark that `readBugs` sets on a bug whose tracker returns and takes its alias, at most one, as text. */
export const HAS_ONE_ALIAS = Symbol("has one alias");

/** A bug as the tracker returns it, with custom fields under their `cf_` names. Its id is in every response. */
export type Bug = { readonly id: number } & {
  readonly [Name in Exclude<ShownField, "id">]?: ValueTypes[Rows[Name]["json"]] | null;
} & { readonly [custom: `cf_${string}`]: Json | undefined };

/** The column of a bug's page, which is made of its id and the address of the tracker. */
export const WEB_URL = "web_url";
