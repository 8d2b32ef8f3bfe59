import type { BUG_FIELDS, EXTRA_BUG_FIELDS } from "../wire/bug-fields.ts";
import type { Field } from "../wire/resources.ts";

/** What kind of thing a field holds, as far as showing it goes. */
export type FieldKind =
  | "text"
  | "lines"
  | "list"
  | "person"
  | "people"
  | "user"
  | "users"
  | "bug"
  | "bugs"
  | "flags"
  | "time"
  | "day"
  | "hours"
  | "number"
  | "yes-no";

/** How a field is called for people, and what it holds. */
export type FieldFacts = { readonly label: string; readonly kind: FieldKind };

/** The facts of a field by its name on the wire; custom fields are told by the tracker's metadata, when it is at hand. */
export function fieldFacts(name: string, fields: readonly Field[] = []): FieldFacts {
  const known = Object.hasOwn(FACTS, name) ? FACTS[name] : undefined;
  if (known) return { label: known[0], kind: known[1] };
  const custom = fields.find((field) => field.name === name);
  return { label: custom?.display_name || name, kind: CUSTOM_KINDS[custom?.type ?? 0] ?? "text" };
}

const CUSTOM_KINDS: Readonly<Record<number, FieldKind>> = {
  3: "list",
  4: "lines",
  5: "time",
  6: "bug",
  7: "list",
  8: "list",
  9: "day",
  10: "number",
};

type Fact = readonly [label: string, kind: FieldKind];

const BUG_FACTS: Readonly<Record<keyof typeof BUG_FIELDS | keyof typeof EXTRA_BUG_FIELDS, Fact>> = {
  id: ["ID", "bug"],
  alias: ["Alias", "list"],
  summary: ["Summary", "text"],
  status: ["Status", "text"],
  resolution: ["Resolution", "text"],
  is_open: ["Open", "yes-no"],
  is_confirmed: ["Confirmed", "yes-no"],
  product: ["Product", "text"],
  component: ["Component", "text"],
  classification: ["Classification", "text"],
  version: ["Version", "text"],
  target_milestone: ["Milestone", "text"],
  priority: ["Priority", "text"],
  severity: ["Severity", "text"],
  platform: ["Platform", "text"],
  op_sys: ["OS", "text"],
  assigned_to: ["Assignee", "person"],
  assigned_to_detail: ["Assignee", "user"],
  creator: ["Reporter", "person"],
  creator_detail: ["Reporter", "user"],
  qa_contact: ["QA contact", "person"],
  qa_contact_detail: ["QA contact", "user"],
  cc: ["CC", "people"],
  cc_detail: ["CC", "users"],
  creation_time: ["Created", "time"],
  last_change_time: ["Changed", "time"],
  deadline: ["Deadline", "day"],
  dupe_of: ["Duplicate of", "bug"],
  depends_on: ["Depends on", "bugs"],
  blocks: ["Blocks", "bugs"],
  keywords: ["Keywords", "list"],
  groups: ["Groups", "list"],
  flags: ["Flags", "flags"],
  see_also: ["See also", "list"],
  url: ["URL", "text"],
  whiteboard: ["Whiteboard", "text"],
  is_cc_accessible: ["CC may see it", "yes-no"],
  is_creator_accessible: ["Reporter may see it", "yes-no"],
  estimated_time: ["Estimate", "hours"],
  actual_time: ["Worked", "hours"],
  remaining_time: ["Left", "hours"],
  update_token: ["Update token", "text"],
  tags: ["My tags", "list"],
};

// What else histories and answers to changes speak of.
const FACTS: Readonly<Record<string, Fact>> = {
  ...BUG_FACTS,
  "flagtypes.name": ["Flags", "list"],
  work_time: ["Worked", "hours"],
  comment: ["Comment", "lines"],
  "longdescs.isprivate": ["Comment private", "yes-no"],
  "attachments.description": ["Attachment", "text"],
  "attachments.filename": ["Attachment file", "text"],
  "attachments.mimetype": ["Attachment type", "text"],
  "attachments.ispatch": ["Attachment is patch", "yes-no"],
  "attachments.isobsolete": ["Attachment obsolete", "yes-no"],
  "attachments.isprivate": ["Attachment private", "yes-no"],
  name: ["Name", "text"],
  description: ["Description", "text"],
  user_regexp: ["Login pattern", "text"],
  is_active: ["Active", "yes-no"],
  icon_url: ["Icon", "text"],
};
