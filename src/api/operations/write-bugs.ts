import { WRITTEN_NAMES } from "../../wire/field-types.ts";
import { type BugWriteParameter, fieldOf, type Operation } from "./operation.ts";

/** Create Bug: the parameters of the specification, in its order. */
export const CREATE_BUG = {
  name: "Create Bug",
  method: "POST",
  path: "/rest/bug",
  parameters: [
    { name: "product", kind: "choice", short: "p", about: "product name", required: true },
    { name: "component", kind: "choice", short: "c", about: "component of that product", required: true },
    {
      name: "summary",
      kind: "text",
      short: "t",
      aliases: ["title"],
      about: "one-line summary",
      required: true,
    },
    {
      name: "version",
      kind: "choice",
      aliases: ["bug-version"],
      about: "affected version",
      required: true,
    },
    {
      name: "description",
      field: null,
      kind: "prose",
      short: "d",
      aliases: ["body", "comment", "message"],
      about: "description of the bug",
    },
    { name: "op_sys", kind: "choice", aliases: ["os"], about: "operating system" },
    { name: "platform", kind: "choice", aliases: ["hardware", "arch"], about: "hardware platform" },
    { name: "priority", kind: "choice", about: "priority" },
    { name: "severity", kind: "choice", about: "severity" },
    { name: "alias", kind: "texts", about: "unique alias" },
    { name: "assigned_to", kind: "person", short: "a", aliases: ["assignee"], about: "assignee (login or @me)" },
    { name: "cc", kind: "people", about: "CC users (logins or @me)" },
    { name: "comment_is_private", field: null, kind: "bool", about: "make the description private (insiders only)" },
    {
      name: "groups",
      kind: "texts",

      aliases: ["group"],
      needsOne: true,
      about: "restrict the bug to these groups",
    },
    { name: "qa_contact", kind: "person", aliases: ["qa"], about: "QA contact (login or @me)" },
    { name: "status", kind: "choice", short: "s", about: "initial status" },
    { name: "resolution", kind: "choice", short: "r", about: "resolution, for a closed initial status" },
    { name: "target_milestone", kind: "choice", aliases: ["milestone"], about: "target milestone" },
    { name: "flags", kind: "flags", aliases: ["flag"], about: "set flags: review?, needinfo?(ada@example.org)" },
    { isExtra: true, name: "keywords", kind: "choices", short: "k", aliases: ["keyword", "label"], about: "keywords" },
    { isExtra: true, name: "url", kind: "text", about: "URL field" },
    { isExtra: true, name: "whiteboard", kind: "text", about: "status whiteboard" },
    { isExtra: true, name: "blocks", kind: "bugs", aliases: ["blocked"], about: "bugs that this bug blocks" },
    { isExtra: true, name: "depends_on", kind: "bugs", aliases: ["dependson"], about: "bugs that this bug depends on" },
    { isExtra: true, name: "see_also", kind: "pages", about: "URLs of related bugs in other trackers" },
    { isExtra: true, name: "deadline", kind: "date", aliases: ["due"], about: "due date: 2026-10-03, tomorrow, +2w" },
    { isExtra: true, name: "estimated_time", kind: "hours", about: "estimated hours" },
  ],
  renames: WRITTEN_NAMES,
} as const satisfies Operation<BugWriteParameter>;

/** Update Bug: the parameters of the specification, in its order; the bugs are positional arguments. */
export const UPDATE_BUG = {
  name: "Update Bug",
  method: "PUT",
  path: "/rest/bug/{id_or_alias}",
  parameters: [
    { name: "alias", kind: "edit", about: "aliases (one bug only)", setsPlain: true },
    {
      name: "assigned_to",
      kind: "person",
      short: "a",
      aliases: ["assignee", "add-assignee"],
      about: "assignee (login or @me)",
    },
    { name: "blocks", kind: "edit", of: "bugs", about: "bugs that this bug blocks" },
    { name: "depends_on", kind: "edit", of: "bugs", about: "bugs that this bug depends on" },
    { name: "cc", kind: "links", of: "people", about: "CC users (logins or @me)" },
    { name: "is_cc_accessible", kind: "bool", about: "let CC users see the bug despite its groups" },
    { name: "comment", field: null, kind: "prose", short: "m", aliases: ["body", "message"], about: "add a comment" },
    {
      name: "comment_is_private",
      field: null,
      kind: "privacy",
      about: "make comments private or public, by id or bug.number: 1234=yes, 44.3=no",
    },
    { name: "component", kind: "choice", short: "c", about: "component" },
    { name: "deadline", kind: "date", aliases: ["due"], about: 'due date: 2026-10-03, tomorrow, +2w; "" clears it' },
    {
      name: "dupe_of",
      kind: "bug",
      aliases: ["duplicate-of"],
      about: "mark as duplicate of this bug",
    },
    { name: "estimated_time", kind: "hours", about: "estimated hours" },
    {
      name: "flags",
      kind: "flags",
      aliases: ["flag"],
      about: "set or clear flags: review+, needinfo?(ada@example.org), landingX",
    },
    { name: "groups", kind: "links", aliases: ["group"], about: "groups that the bug is restricted to" },
    { name: "keywords", kind: "edit", of: "choices", aliases: ["label"], about: "keywords" },
    { name: "op_sys", kind: "choice", aliases: ["os"], about: "operating system" },
    { name: "platform", kind: "choice", aliases: ["hardware", "arch"], about: "hardware platform" },
    { name: "priority", kind: "choice", about: "priority" },
    {
      name: "product",
      kind: "choice",
      short: "p",
      about: "product; usually needs component, version and milestone too",
    },
    {
      name: "qa_contact",
      kind: "person",
      aliases: ["qa"],
      about: 'QA contact (login or @me); "" clears it',
      clears: true,
    },
    { name: "is_creator_accessible", kind: "bool", about: "let the reporter see the bug despite its groups" },
    { name: "remaining_time", kind: "hours", about: "remaining hours" },
    {
      name: "reset_assigned_to",
      field: "assigned_to",
      kind: "switch",
      about: "reset the assignee to the component's default",
    },
    {
      name: "reset_qa_contact",
      field: "qa_contact",
      kind: "switch",
      about: "reset the QA contact to the component's default",
    },
    { name: "resolution", kind: "choice", short: "r", about: "resolution" },
    { name: "see_also", kind: "links", of: "pages", about: "URLs of related bugs in other trackers" },
    { name: "severity", kind: "choice", about: "severity" },
    { name: "status", kind: "choice", short: "s", about: "new status; bt field values status lists them" },
    { name: "summary", kind: "text", short: "t", aliases: ["title"], about: "one-line summary" },
    { name: "target_milestone", kind: "choice", aliases: ["milestone"], about: "target milestone" },
    { name: "url", kind: "text", about: "URL field" },
    { name: "version", kind: "choice", aliases: ["bug-version"], about: "version" },
    { name: "whiteboard", kind: "tokens", aliases: ["set-whiteboard"], about: "replace the status whiteboard" },
    { name: "work_time", field: null, kind: "hours", aliases: ["hours"], about: "hours worked" },
  ],
  list: "ids",
  renames: WRITTEN_NAMES,
} as const satisfies Operation<BugWriteParameter>;

/** The fields that the parts of an update's body are about, null for none. */
export const UPDATED_FIELDS: ReadonlyMap<string, string | null> = new Map(
  UPDATE_BUG.parameters.map((parameter) => [parameter.name, fieldOf(parameter)] as const),
);

/** Maximum number of bugs that are updated in one request. */
export const MAX_ATOMIC_BUGS = 20;
