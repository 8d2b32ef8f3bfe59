import { suggestNames } from "../api/nearest.ts";
import { type BtError, usageError } from "../errors.ts";
import { DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../wire/bug-fields.ts";
import { fieldNamed } from "../wire/search-names.ts";

/** Names of what became of a changed object. */
const CHANGES = [
  "id",
  "alias",
  "last_change_time",
  "changes",
  "result",
  "error",
  "recorded",
  "not_applied",
  "job",
] as const;

/** Names that `--fields` takes, by kind of a verb's data. */
export const COLUMNS = {
  bugs: [...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS],
  history: ["id", "when", "who", "field_name", "removed", "added", "attachment_id"],
  trees: [
    "root",
    "relation",
    "depth",
    "parent",
    "id",
    "mark",
    "status",
    "resolution",
    "priority",
    "severity",
    "assigned_to",
    "deadline",
    "summary",
  ],
  similar: [
    "id",
    "score",
    "shared_words",
    "same_component",
    "reason",
    "status",
    "resolution",
    "is_open",
    "product",
    "component",
    "dupe_of",
    "creation_time",
    "summary",
  ],
  fields: ["id", "name", "display_name", "type", "is_mandatory", "is_custom", "values"],
  values: ["name", "sort_key", "is_open", "is_active", "can_change_to", "visibility_values", "description"],
  comments: ["id", "bug_id", "count", "creation_time", "creator", "is_private", "tags", "attachment_id", "text"],
  attachments: [
    "id",
    "bug_id",
    "file_name",
    "summary",
    "content_type",
    "size",
    "is_patch",
    "is_obsolete",
    "is_private",
    "flags",
    "creator",
    "creation_time",
    "last_change_time",
  ],
  tags: ["tag"],
  groups: [
    "id",
    "name",
    "description",
    "is_active",
    "is_bug_group",
    "user_regexp",
    "real_name",
    "email",
    "can_login",
    "email_enabled",
    "login_denied_text",
  ],
  products: [
    "id",
    "name",
    "classification",
    "is_active",
    "has_unconfirmed",
    "default_milestone",
    "description",
    "components",
    "versions",
    "milestones",
  ],
  users: ["id", "name", "real_name", "email", "can_login", "groups"],
  changes: CHANGES,
  imported: ["old_id", ...CHANGES],
  settings: [], // each command has its own
  keys: ["id", "login", "description", "creation_time", "is_revoked"],
  aliases: ["name", "command"],
  jobs: [],
  mirrors: ["name", "tracker", "login", "products", "bugs", "synced", "state"],
  todo: [
    "section",
    "id",
    "flag",
    "attachment",
    "user",
    "time",
    "changes",
    "status",
    "resolution",
    "priority",
    "severity",
    "product",
    "component",
    "assigned_to",
    "creator",
    "deadline",
    "last_change_time",
    "summary",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Error for a name of `--fields` that is no column of what is printed. */
export function unknownColumnError(name: string, columns: string[]): BtError {
  const key = fieldNamed(name)?.api ?? "";
  const hint = columns.includes(key)
    ? `did you mean ${key}?`
    : (suggestNames(name, columns) ?? `valid values: ${columns.join(", ")}`);
  return usageError(`unknown column "${name}" for --fields`, hint);
}
