import type { BugFieldRow } from "./bug-field-row.ts";
import type { ValueTypes } from "./bug-values.ts";
import type { Json } from "./exchange.ts";

/**
 * Every standard field of bugs: first those that bugs show, in the order in which `bt` shows and writes them, then those
 * that are only searched by. Custom fields have one name on all sides; the tracker's metadata describes them.
 */
// biome-ignore format: a table
export const BUG_FIELDS = {
  id: { label: "ID", json: "int", chart: "bug_id", family: "number", order: true, also: ["bug"] },
  alias: { label: "Alias", json: "texts", family: "texts" },
  summary: { label: "Summary", json: "text", chart: "short_desc", family: "text", order: true,
    also: ["title"],
    isCopied: true },
  status: { label: "Status", json: "text", chart: "bug_status", family: "choice", order: true,
    isDropped: true },
  resolution: { label: "Resolution", json: "text", family: "choice", order: true },
  is_open: { label: "Open", json: "bool" },
  is_confirmed: { label: "Confirmed", json: "bool", chart: "everconfirmed", family: "yes-no",
    also: ["confirmed"] },
  product: { label: "Product", json: "text", family: "choice", order: true, isCopied: true },
  component: { label: "Component", json: "text", family: "choice", order: true, isPerProduct: true,
    isCopied: true },
  classification: { label: "Classification", json: "text", family: "choice", order: true },
  version: { label: "Version", json: "text", family: "choice", order: true, isPerProduct: true,
    isCopied: true },
  target_milestone: { label: "Milestone", json: "text", family: "choice", order: true,
    also: ["milestone", "target"], isPerProduct: true, isCopied: true },
  priority: { label: "Priority", json: "text", family: "ranked", order: true, isCopied: true,
    default: "defaultpriority", isDropped: true },
  severity: { label: "Severity", json: "text", chart: "bug_severity", family: "ranked", order: true,
    isCopied: true, default: "defaultseverity" },
  platform: { label: "Platform", json: "text", chart: "rep_platform", family: "choice", order: true,
    also: ["hardware", "arch"], isCopied: true, default: "defaultplatform" },
  op_sys: { label: "OS", json: "text", family: "choice", order: true, also: ["os"], isCopied: true,
    default: "defaultopsys" },
  assigned_to: { label: "Assignee", json: "text", family: "person", order: true,
    also: ["assignee"], isDropped: true,
    ofComponent: { read: "default_assigned_to", written: "default_assignee" } },
  assigned_to_detail: { label: "Assignee", json: "user" },
  creator: { label: "Reporter", json: "text", chart: "reporter", family: "person", order: true,
    also: ["author"] },
  creator_detail: { label: "Reporter", json: "user" },
  qa_contact: { label: "QA contact", json: "text", family: "person", order: true, also: ["qa"],
    isDropped: true,
    isOptional: true, parameter: "useqacontact",
    ofComponent: { read: "default_qa_contact", written: "default_qa_contact" } },
  qa_contact_detail: { label: "QA contact", json: "user" },
  cc: { label: "CC", json: "texts", family: "people" },
  cc_detail: { label: "CC", json: "users" },
  creation_time: { label: "Created", json: "datetime", chart: "creation_ts", family: "moment",
    order: "opendate",
    also: ["created", "opened"] },
  last_change_time: { label: "Changed", json: "datetime", chart: "delta_ts", family: "moment",
    order: "changeddate",
    also: ["updated", "modified"] },
  deadline: { label: "Deadline", json: "date", family: "day", order: true, also: ["due"],
    isCopied: true, isDropped: true },
  dupe_of: { label: "Duplicate of", json: "int", chart: "dup_id" },
  depends_on: { label: "Depends on", json: "ints", chart: "dependson", family: "numbers",
    also: ["depends"],
    isDropped: true },
  blocks: { label: "Blocks", json: "ints", chart: "blocked", family: "numbers", isDropped: true },
  keywords: { label: "Keywords", json: "texts", family: "choices", also: ["keyword"],
    isCopied: true, isDropped: true },
  groups: { label: "Groups", json: "texts", chart: "bug_group", family: "texts", also: ["group"],
    isDropped: true },
  flags: { label: "Flags", json: "flags", chart: "flagtypes.name", family: "texts", also: ["flag"],
    isDropped: true },
  see_also: { label: "See also", json: "texts", family: "texts" },
  url: { label: "URL", json: "text", chart: "bug_file_loc", family: "text", order: true,
    isCopied: true },
  whiteboard: { label: "Whiteboard", json: "text", chart: "status_whiteboard", family: "text",
    order: true, isCopied: true },
  tags: { label: "My tags", json: "texts", isExtra: true, chart: "tag", family: "texts" },
  is_cc_accessible: { label: "Visible to CC", json: "bool", chart: "cclist_accessible",
    family: "yes-no" },
  is_creator_accessible: { label: "Visible to reporter", json: "bool",
    chart: "reporter_accessible", family: "yes-no" },
  estimated_time: { label: "Estimate", json: "double", family: "number", order: true,
    also: ["estimate"], isCopied: true, isDropped: true },
  actual_time: { label: "Worked", json: "double", chart: "work_time", family: "number",
    order: "actual_time",
    also: ["worked"] },
  remaining_time: { label: "Left", json: "double", family: "number", order: true,
    also: ["remaining"] },
  update_token: { label: "Update token", json: "text" },

  requestee: { chart: "requestees.login_name", family: "people" },
  setter: { chart: "setters.login_name", family: "people" },
  complete: { chart: "percentage_complete", family: "number", order: true, also: ["percent_complete"] },
  assignee_name: { chart: "assigned_to_realname", family: "text", order: true, nameOf: "assigned_to" },
  creator_name: { chart: "reporter_realname", family: "text", order: true, nameOf: "creator" },
  qa_contact_name: { chart: "qa_contact_realname", family: "text", order: true, nameOf: "qa_contact" },
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

type NamesWith<Fact> = { [Name in keyof Rows]: Rows[Name] extends Fact ? Name : never }[keyof Rows];

/** The name of a field that bugs show. */
export type ShownField = NamesWith<{ json: string }>;

/** The name of a field that holds one login. */
export type PersonField = NamesWith<{ json: string; family: "person" }>;

/** The name of a field for which components have a default person. */
export type DefaultedPerson = NamesWith<{ ofComponent: object }>;

/** The name of a field whose values belong to a product each. */
type PerProductField = NamesWith<{ isPerProduct: true }>;

/** The names and rows of all fields, in their order. */
export const BUG_FIELD_ROWS: readonly (readonly [name: string, row: BugFieldRow])[] = Object.entries(BUG_FIELDS);

/** The fields that are returned by default, in the order in which `bt` shows and writes them. */
export const DEFAULT_BUG_FIELDS: readonly string[] = fieldsWhere(({ json, isExtra }) => json && !isExtra);

/** The fields that are only returned if requested (by name or as `_extra`); `tags` are personal to the requester. */
export const EXTRA_BUG_FIELDS: readonly string[] = fieldsWhere(({ json, isExtra }) => json && isExtra);

/** The fields that hold one login. */
export const PERSON_FIELDS: readonly PersonField[] = fieldsWhere(({ json, family }) => json && family === "person");

/** Roles of users in a bug by their fields, as within a sentence: `assignee`, `QA contact`. */
export const ROLE_NAMES = Object.fromEntries(
  PERSON_FIELDS.map((name) => [
    name,
    BUG_FIELDS[name].label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()),
  ]),
) as Readonly<Record<PersonField, string>>;

/** The fields whose values belong to a product each. */
export const PER_PRODUCT_FIELDS: readonly PerProductField[] = fieldsWhere(({ isPerProduct }) => isPerProduct);

/** The fields that are copied unchanged to a copy of a bug. */
export const COPIED_FIELDS: readonly NamesWith<{ isCopied: true }>[] = fieldsWhere(({ isCopied }) => isCopied);

/** The fields of new bugs that some trackers require, and others have a default for. */
export const DEFAULTED_FIELDS: readonly string[] = fieldsWhere((row) => row.default);

/** The fields that are dropped from new bugs, without an error, if the account may not set them. */
export const DROPPED_FIELDS: readonly string[] = fieldsWhere(({ isDropped }) => isDropped);

function fieldsWhere<Name extends string>(isMeant: (row: BugFieldRow, name: string) => unknown): Name[] {
  return BUG_FIELD_ROWS.flatMap(([name, row]) => (isMeant(row, name) ? [name as Name] : []));
}

/** The row of a standard field by its name in bug JSON; undefined for other names. */
export function bugFieldRow(name: string): BugFieldRow | undefined {
  return Object.hasOwn(BUG_FIELDS, name) ? BUG_FIELDS[name as keyof Rows] : undefined;
}

/** Fields that hold the ids of other bugs: those that a bug depends on, and those that it blocks. */
export const DEPENDENCY_FIELDS = ["depends_on", "blocks"] as const;

/** Name of such a field. */
export type DependencyField = (typeof DEPENDENCY_FIELDS)[number];

/** Mark that `readBugs` sets on a bug whose tracker returns and takes its alias, at most one, as text. */
export const HAS_ONE_ALIAS = Symbol("has one alias");

/** A bug as the tracker returns it, with custom fields under their `cf_` names. Its id is in every response. */
export type Bug = { readonly id: number } & {
  readonly [Name in Exclude<ShownField, "id">]?: ValueTypes[Rows[Name]["json"]] | null;
} & { readonly [custom: `cf_${string}`]: Json | undefined };

/** The column of a bug's page, which is made of its id and the address of the tracker. */
export const WEB_URL = "web_url";
