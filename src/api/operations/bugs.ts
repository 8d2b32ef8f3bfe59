import { type BugParameter, type Operation, readOperation } from "./operation.ts";

/** Get Bug: one bug by id or alias, several by id. */
export const GET_BUG = readOperation("Get Bug", "/rest/bug/{id_or_alias}", "ids");

/** Bug History: the changes of a bug. */
export const BUG_HISTORY = {
  name: "Bug History",
  method: "GET",
  path: "/rest/bug/{id}/history",
  parameters: [{ name: "new_since", kind: "datetime", about: "only changes after this time", aliases: ["since"] }],
  list: "ids",
} as const satisfies Operation;

/** Search Bugs: the criteria of the specification, in its order; all given ones must match. */
// biome-ignore format: a table
export const SEARCH_BUGS = {
  name: "Search Bugs",
  method: "GET",
  path: "/rest/bug",
  parameters: [
    { name: "alias", kind: "texts", about: "bugs with this alias" },
    { name: "assigned_to", kind: "people", compares: "login", short: "a", aliases: ["assignee"],
      about: "assignee (login or @me)" },
    { name: "component", kind: "choices", short: "c",
      about: "component, of any product unless --product is given" },
    { name: "creation_time", kind: "datetime", compares: "since", aliases: ["created"],
      about: "created at this time or later; on a day alone: created:DAY" },
    { name: "creator", kind: "people", compares: "login", aliases: ["reporter", "author"],
      about: "reporter (login or @me)" },
    { name: "id", kind: "ints", of: "bugs", aliases: ["ids", "bug-id"], about: "bug number" },
    { name: "last_change_time", kind: "datetime", compares: "since", aliases: ["updated"],
      about: "modified at this time or later" },
    { name: "limit", field: null, kind: "int", short: "L",
      about: "maximum, 0: all (default 30; in a pipe, all)" },
    { name: "offset", field: null, kind: "int", about: "skip this many bugs; requires --limit" },
    { name: "op_sys", kind: "choices", aliases: ["os"], about: "operating system" },
    { name: "platform", kind: "choices", aliases: ["hardware", "arch"],
      about: "hardware platform" },
    { name: "priority", kind: "choices", about: "priority" },
    { name: "product", kind: "choices", short: "p", about: "product name" },
    { name: "resolution", kind: "choices", short: "r", about: 'resolution; "" finds open bugs' },
    { name: "severity", kind: "choices", about: "severity" },
    { name: "status", kind: "choices", of: "states and statuses", short: "s", aliases: ["state"],
      about: "status, or open, closed, all" },
    { name: "summary", kind: "texts", compares: "part", aliases: ["title"],
      about: "part of the summary" },
    { name: "tags", kind: "texts", aliases: ["tag"], about: "your personal tag on the bug" },
    { name: "target_milestone", kind: "choices", aliases: ["milestone"],
      about: "target milestone" },
    { name: "qa_contact", kind: "people", compares: "login", aliases: ["qa"],
      about: "QA contact (login or @me)" },
    { name: "url", kind: "texts", compares: "text",
      about: "complete URL field; the term url:PART finds a part" },
    { name: "version", kind: "choices", aliases: ["bug-version"], about: "version" },
    { name: "whiteboard", kind: "texts", compares: "part", about: "substring of the whiteboard" },
    { name: "quicksearch", field: null, kind: "text", short: "S",
      about: "query in Bugzilla's quicksearch syntax" },
    { isExtra: true, name: "cc", kind: "people", about: "user on the CC list (login or @me)" },
    { isExtra: true, name: "keywords", kind: "choices", short: "k", aliases: ["keyword", "label"],
      about: "keyword" },
    { isExtra: true, name: "flags", kind: "flags", aliases: ["flag"],
      about: "flag: review?, review (any status), needinfo?(@me)" },
    { isExtra: true, name: "blocks", kind: "ints", of: "bugs", aliases: ["blocked"],
      about: "bugs that block this bug" },
    { isExtra: true, name: "depends_on", kind: "ints", of: "bugs", aliases: ["dependson"],
      about: "bugs that depend on this bug" },
    { isExtra: true, name: "commenter", kind: "people",
      about: "user who commented (login or @me)" },
  ],
} as const satisfies Operation<BugParameter>;
