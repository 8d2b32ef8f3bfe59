import { COLUMNS } from "../commands/columns.ts";
import { TREE_COLUMNS } from "../view/tree.ts";
import { DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../wire/bug-fields.ts";
import type { HelpRow } from "./help-layout.ts";
import type { TopicPage } from "./topic-page.ts";

/** JSON of a command: the items, and their keys. */
export type JsonRow = {
  readonly command: string;
  same?: string[]; // commands that print the same
  readonly gives: string;
  readonly keys: readonly string[];
  readonly sometimes?: readonly string[]; // keys that depend on the item or the tracker
};

const COMMENT = {
  keys: ["id", "bug_id", "attachment_id", "count", "text", "creator", "time", "creation_time", "is_private"],
  sometimes: ["tags"],
} as const;

/** The JSON of each command, with the keys of its items. */
export const JSON_ROWS: readonly JsonRow[] = [
  {
    command: "bug search, bug wait",
    gives: "bugs",
    keys: [
      "id",
      "status",
      "resolution",
      "priority",
      "severity",
      "product",
      "component",
      "assigned_to",
      "last_change_time",
      "summary",
    ],
  },
  { command: "bug search --by FIELD", gives: "counts", keys: ["FIELD", "count"] },
  { command: "bug search --count", gives: "a number", keys: [] },
  {
    command: "bug get",
    gives: "bugs",
    keys: DEFAULT_BUG_FIELDS,
    sometimes: [...EXTRA_BUG_FIELDS, "cf_NAME", "comments", "history"],
  },
  { command: "bug history", gives: "histories of bugs", keys: ["id", "alias", "history"] },
  {
    command: "bug similar",
    gives: "bugs",
    keys: COLUMNS.similar,
  },
  { command: "bug blame", gives: "current values", keys: COLUMNS.blame },
  {
    command: "bug tree",
    gives: "dependency trees",
    keys: TREE_COLUMNS.map(({ name }) => name),
  },
  { command: "bug create, bug clone", gives: "an object", keys: ["id", "result"], sometimes: ["not_applied"] },
  {
    command: "bug update, bug import",
    same: ["bug edit", "bug close", "bug reopen", "bug confirm", "bug dup", "bug take", "bug needinfo", "bug answer"],
    gives: "results of bugs",
    keys: ["id", "result"],
    sometimes: ["alias", "last_change_time", "changes", "error", "recorded", "not_applied", "job"],
  },
  {
    command: "bug undo",
    gives: "results of bugs",
    keys: ["id", "alias", "last_change_time", "changes", "result", "undone", "not_undone"],
    sometimes: ["job"],
  },
  { command: "bug update --dry-run", gives: "an object", keys: ["dry_run", "requests", "bugs"] },
  { command: "comment list, comment get", gives: "comments", ...COMMENT },
  { command: "comment add", gives: "an object", keys: ["id", "result"] },
  {
    command: "attachment list, attachment get",
    gives: "attachments",
    keys: COLUMNS.attachments,
  },
  { command: "attachment add", gives: "an object, of several files a list", keys: ["id", "result"] },
  {
    command: "attachment update",
    gives: "changed attachments",
    keys: ["id", "last_change_time", "changes", "result"],
    sometimes: ["recorded"],
  },
  { command: "tag search, tag update", gives: "tags, as strings", keys: [] },
  {
    command: "field list, field get",
    gives: "fields",
    keys: ["id", "type", "is_custom", "name", "display_name", "is_mandatory", "is_on_bug_entry", "visibility_field"],
    sometimes: ["visibility_values", "value_field", "values"],
  },
  {
    command: "field values",
    gives: "values",
    keys: ["name"],
    sometimes: ["sort_key", "is_active", "description", "is_open", "can_change_to", "visibility_values"],
  },
  {
    command: "product list, product get",
    gives: "products",
    keys: ["id", "name", "description", "is_active", "classification"],
    sometimes: ["components", "versions", "milestones", "default_milestone", "has_unconfirmed"],
  },
  {
    command: "group list, group get",
    gives: "groups",
    keys: ["id", "name", "description"],
    sometimes: ["is_bug_group", "user_regexp", "is_active", "icon_url", "membership"],
  },
  { command: "group create", gives: "an object", keys: ["id", "result"] },
  { command: "group update", gives: "changed groups", keys: ["id", "changes", "result"] },
  {
    command: "user search, user get",
    gives: "users",
    keys: ["id", "name", "real_name", "email", "can_login", "groups"],
    sometimes: ["saved_searches", "saved_reports"],
  },
  {
    command: "todo",
    gives: "an object of lists",
    keys: ["asked_of_me", "assigned", "asked_by_me", "changed", "overdue"],
  },
  {
    command: "job list",
    gives: "jobs",
    keys: ["job", "status", "state", "operation", "what", "ids", "created", "started", "tracker", "undone_by"],
  },
  {
    command: "job show",
    gives: "jobs",
    keys: [
      "job",
      "tracker",
      "status",
      "state",
      "what",
      "started",
      "user",
      "request",
      "ids",
      "done",
      "unchanged",
      "failed",
      "open",
      "undone_by",
      "attempts",
    ],
  },
  { command: "mirror list", gives: "mirrors", keys: COLUMNS.mirrors },
  {
    command: "auth status",
    gives: "the login",
    keys: ["base_url", "state", "facts"],
    sometimes: ["user", "source", "style", "reason"],
  },
  { command: "config list", gives: "settings", keys: ["name", "value", "profile"], sometimes: ["file", "about"] },
  { command: "alias list", gives: "aliases", keys: COLUMNS.aliases },
  { command: "admin key", gives: "API keys", keys: COLUMNS.keys },
];

/** Page of `bt help json`. */
export function jsonPage(): TopicPage {
  const rows = JSON_ROWS.map(
    ({ command, same = [], gives, keys, sometimes = [] }): HelpRow => [
      `bt ${command}`,
      [gives, ...listedKeys("", keys), ...listedKeys("also ", sometimes), ...listedKeys("same for ", same)].join("; "),
    ],
  );
  return {
    title: "JSON of --json, --format json and ndjson",
    parts: [{ text: HEAD }, { rows, isBelow: true }, { text: TAIL }],
  };
}

function listedKeys(lead: string, keys: readonly string[]): string[] {
  return keys.length === 0 ? [] : [`${lead}${keys.join(", ")}`];
}

const HEAD = `A list is one array; with ndjson each item is one line. Keys and values are those of the REST API, in its order.
--fields selects keys; those after "also" depend on the item, the tracker or the flags. An error is one object {"error":
{...}} on stderr, with kind, exit_code and message. bt job send prints what the command of the job prints.`;

const TAIL = `Stable between versions: names of keys and types of values, names of results (done, unchanged, failed, unknown, not
tried; of a dry run would change, would create, would fail), exit codes, and names of commands and flags. May change: additional keys, the
text of messages, and everything printed on a terminal.`;
