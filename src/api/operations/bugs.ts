import type { Operation } from "./operation.ts";
import type { Parameter } from "./parameter.ts";

/** Get Bug: one bug by id or alias, several by id. */
export const GET_BUG: Operation = {
  name: "Get Bug",
  method: "GET",
  path: "/rest/bug/{id_or_alias}",
  parameters: [],
};

/** Bug History: what was changed on a bug, by whom and when. */
export const BUG_HISTORY: Operation = {
  name: "Bug History",
  method: "GET",
  path: "/rest/bug/{id}/history",
  parameters: [
    { name: "new_since", kind: "datetime", about: "only what was changed after this time", aliases: ["since"] },
  ],
};

/** Search Bugs: every criterion of the specification, in its order; all given ones must hold. */
export const SEARCH_BUGS: Operation = {
  name: "Search Bugs",
  method: "GET",
  path: "/rest/bug",
  parameters: [
    { name: "alias", kind: "texts", about: "bugs with this alias" },
    { name: "assigned_to", kind: "people", short: "a", aliases: ["assignee"], about: "login of the assignee, or @me" },
    {
      name: "component",
      kind: "choices",
      short: "c",
      about: "component name, in any product unless --product is given",
    },
    { name: "creation_time", kind: "datetime", aliases: ["created"], about: "created at this time or later" },
    { name: "creator", kind: "people", aliases: ["reporter", "author"], about: "login of the reporter, or @me" },
    { name: "id", kind: "ints", about: "bug number" },
    { name: "last_change_time", kind: "datetime", aliases: ["updated"], about: "changed at this time or later" },
    { name: "limit", kind: "int", short: "L", about: "at most this many bugs" },
    { name: "offset", kind: "int", about: "leave out this many bugs at the start; needs --limit" },
    { name: "op_sys", kind: "choices", aliases: ["os"], about: "operating system" },
    { name: "platform", kind: "choices", aliases: ["hardware", "arch"], about: "hardware platform" },
    { name: "priority", kind: "choices", about: "priority" },
    { name: "product", kind: "choices", short: "p", about: "product name" },
    { name: "resolution", kind: "choices", short: "r", about: 'resolution; "" finds open bugs' },
    { name: "severity", kind: "choices", about: "severity" },
    { name: "status", kind: "choices", short: "s", about: "status; @open, @closed and @all stand for many" },
    { name: "summary", kind: "texts", about: "text that the summary contains; given again: any of them" },
    { name: "tags", kind: "texts", aliases: ["tag"], about: "your own tag on the bug" },
    { name: "target_milestone", kind: "choices", aliases: ["milestone"], about: "target milestone" },
    { name: "qa_contact", kind: "people", aliases: ["qa"], about: "login of the QA contact, or @me" },
    { name: "url", kind: "texts", about: "the bug's URL field" },
    { name: "version", kind: "choices", aliases: ["bug-version"], about: "version" },
    { name: "whiteboard", kind: "texts", about: "text that the whiteboard contains" },
    { name: "quicksearch", kind: "text", short: "S", about: "a query in the tracker's quicksearch syntax" },
  ],
};

/** Further criteria of a search that have a flag, beside the specification's table: fields of bugs, compared exactly. */
export const SEARCH_BUGS_MORE: readonly Parameter[] = [
  { name: "cc", kind: "people", about: "login on the CC list, or @me" },
  { name: "keywords", kind: "choices", short: "k", aliases: ["keyword"], about: "keyword" },
  { name: "flags", kind: "flags", aliases: ["flag"], about: "review?, review for any status, needinfo?(@me)" },
  { name: "blocks", kind: "ints", about: "number of a bug that it blocks" },
  { name: "depends_on", kind: "ints", about: "number of a bug that it depends on" },
  { name: "commenter", kind: "people", about: "login of somebody who commented, or @me" },
];
