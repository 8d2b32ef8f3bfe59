import type { Operation } from "./operation.ts";
import type { Parameter } from "./parameter.ts";

/** Create Bug: every parameter of the specification, in its order. */
export const CREATE_BUG: Operation = {
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
      about: "one line that says what is wrong",
      required: true,
    },
    {
      name: "version",
      kind: "choice",
      aliases: ["bug-version"],
      about: "version the bug was found in",
      required: true,
    },
    {
      name: "description",
      kind: "prose",
      short: "d",
      aliases: ["body", "comment"],
      about: "what happens, and how to see it",
    },
    { name: "op_sys", kind: "choice", aliases: ["os"], about: "operating system" },
    { name: "platform", kind: "choice", aliases: ["hardware", "arch"], about: "hardware platform" },
    { name: "priority", kind: "choice", about: "how soon it should be fixed" },
    { name: "severity", kind: "choice", about: "how bad it is" },
    { name: "alias", kind: "texts", about: "a unique name for the bug" },
    { name: "assigned_to", kind: "person", short: "a", aliases: ["assignee"], about: "login of the assignee, or @me" },
    { name: "cc", kind: "people", about: "logins to keep informed" },
    { name: "comment_is_private", kind: "bool", about: "show the description to insiders only" },
    { name: "groups", kind: "texts", aliases: ["group"], needsOne: true, about: "groups that may see it" },
    { name: "qa_contact", kind: "person", aliases: ["qa"], about: "login of the QA contact, or @me" },
    { name: "status", kind: "choice", short: "s", about: "status to start with" },
    { name: "resolution", kind: "choice", short: "r", about: "resolution, when it starts closed" },
    { name: "target_milestone", kind: "choice", aliases: ["milestone"], about: "milestone it should be fixed by" },
    { name: "flags", kind: "flags", aliases: ["flag"], about: "review? or needinfo?(ada@example.org)" },
  ],
};

/** Further fields that servers accept when a bug is created, beside the specification's table. */
export const CREATE_BUG_MORE: readonly Parameter[] = [
  { name: "keywords", kind: "choices", short: "k", aliases: ["keyword"], about: "keywords" },
  { name: "url", kind: "text", about: "a related address" },
  { name: "whiteboard", kind: "text", about: "the status whiteboard" },
  { name: "blocks", kind: "bugs", about: "bugs that cannot be fixed before this one" },
  { name: "depends_on", kind: "bugs", about: "bugs that must be fixed before this one" },
  { name: "see_also", kind: "pages", about: "addresses of related bugs elsewhere" },
  { name: "deadline", kind: "date", about: "day it is due: 2026-10-03, tomorrow, +2w" },
  { name: "estimated_time", kind: "hours", about: "hours it will take" },
];

/** Update Bug: every parameter of the specification, in its order; the bugs themselves are the arguments. */
export const UPDATE_BUG: Operation = {
  name: "Update Bug",
  method: "PUT",
  path: "/rest/bug/{id_or_alias}",
  parameters: [
    { name: "alias", kind: "edit", about: "unique names; for one bug only" },
    { name: "assigned_to", kind: "person", short: "a", aliases: ["assignee"], about: "login of the assignee, or @me" },
    { name: "blocks", kind: "edit", of: "bugs", about: "bugs that cannot be fixed before this one" },
    { name: "depends_on", kind: "edit", of: "bugs", about: "bugs that must be fixed before this one" },
    { name: "cc", kind: "links", of: "people", about: "logins to keep informed" },
    { name: "is_cc_accessible", kind: "bool", about: "people on the CC list may see the bug whatever its groups" },
    { name: "comment", kind: "prose", short: "m", aliases: ["body"], about: "a comment that goes with the change" },
    { name: "comment_is_private", kind: "privacy", about: "privacy of comments by their global ids: 1234=yes" },
    { name: "component", kind: "choice", short: "c", about: "component" },
    { name: "deadline", kind: "date", about: 'day it is due: 2026-10-03, tomorrow, +2w; "" for none' },
    {
      name: "dupe_of",
      kind: "bug",
      aliases: ["duplicate-of"],
      about: "the bug this one repeats; closes it as DUPLICATE",
    },
    { name: "estimated_time", kind: "hours", about: "hours it will take in all" },
    { name: "flags", kind: "flags", aliases: ["flag"], about: "review+, needinfo?(ada@example.org), landingX" },
    { name: "groups", kind: "links", aliases: ["group"], about: "groups that may see the bug" },
    { name: "keywords", kind: "edit", of: "choices", about: "keywords" },
    { name: "op_sys", kind: "choice", aliases: ["os"], about: "operating system" },
    { name: "platform", kind: "choice", aliases: ["hardware", "arch"], about: "hardware platform" },
    { name: "priority", kind: "choice", about: "how soon it should be fixed" },
    { name: "product", kind: "choice", short: "p", about: "product; component, version and milestone usually follow" },
    {
      name: "qa_contact",
      kind: "person",
      aliases: ["qa"],
      about: 'login of the QA contact, or @me; "" for none',
      clears: true,
    },
    { name: "is_creator_accessible", kind: "bool", about: "the reporter may see the bug whatever its groups" },
    { name: "remaining_time", kind: "hours", about: "hours still to go" },
    { name: "reset_assigned_to", kind: "switch", about: "give it to the component's default assignee" },
    { name: "reset_qa_contact", kind: "switch", about: "give it to the component's default QA contact" },
    { name: "resolution", kind: "choice", short: "r", about: "resolution, when closing or of a closed bug" },
    { name: "see_also", kind: "links", of: "pages", about: "addresses of related bugs elsewhere" },
    { name: "severity", kind: "choice", about: "how bad it is" },
    { name: "status", kind: "choice", short: "s", about: "status" },
    { name: "summary", kind: "text", short: "t", aliases: ["title"], about: "one line that says what is wrong" },
    { name: "target_milestone", kind: "choice", aliases: ["milestone"], about: "milestone it should be fixed by" },
    { name: "url", kind: "text", about: "a related address" },
    { name: "version", kind: "choice", aliases: ["bug-version"], about: "version" },
    { name: "whiteboard", kind: "tokens", about: "the whole status whiteboard" },
    { name: "work_time", kind: "hours", about: "hours worked for this change" },
  ],
};

/** More bugs than this make a job of several requests, of which some may fail; up to here one request does all or nothing. */
export const MAX_ATOMIC_BUGS = 20;
