import type { JsonObject } from "../../wire/exchange.ts";
import { Fault } from "../fault.ts";
import type { Custom } from "../rules/custom-fields.ts";

// The older names of parameters, which are as good.
const OLDER: Readonly<Record<string, string>> = {
  blocked: "blocks",
  bug_file_loc: "url",
  bug_severity: "severity",
  bug_status: "status",
  cclist_accessible: "is_cc_accessible",
  comment: "description",
  dependson: "depends_on",
  rep_platform: "platform",
  reporter_accessible: "is_creator_accessible",
  short_desc: "summary",
  status_whiteboard: "whiteboard",
};

const PARAMETERS: ReadonlySet<string> = new Set([
  ...["alias", "assigned_to", "blocks", "cc", "comment_is_private", "component", "deadline", "depends_on"],
  ...["description", "estimated_time", "flags", "groups", "is_cc_accessible", "is_creator_accessible", "keywords"],
  ...["op_sys", "platform", "priority", "product", "qa_contact", "remaining_time", "resolution", "see_also"],
  ...["severity", "status", "summary", "target_milestone", "url", "version", "whiteboard"],
]);

// Parts of a bug that nobody sets when filing it, and what a request carries beside the bug.
const IGNORED: ReadonlySet<string> = new Set([
  ...["actual_time", "bug_id", "classification", "creation_time", "creation_ts", "creator", "delta_ts", "dupe_of"],
  ...["everconfirmed", "id", "is_confirmed", "is_open", "last_change_time", "lastdiffed", "reporter", "work_time"],
  ...["api_key", "Bugzilla_api_key", "Bugzilla_login", "Bugzilla_password", "Bugzilla_restrictlogin"],
  ...["Bugzilla_token", "callback", "exclude_fields", "include_fields", "login", "password", "restrict_login", "token"],
]);

/** What was sent about a new bug under the names of the interface, without what counts for nothing (null included). */
export function newBugInput(input: JsonObject, customs: readonly Custom[]): JsonObject {
  const known = Object.entries(input).map(([name, value]) => [OLDER[name] ?? name, value] as const);
  for (const [name] of known) {
    if (!PARAMETERS.has(name) && !IGNORED.has(name) && !customs.some((field) => field.name === name)) {
      throw new Fault(400, 53, `${name} is not a valid parameter for the Bugzilla::Bug::create function.`);
    }
  }
  return Object.fromEntries(known.filter(([name, value]) => value !== null && !IGNORED.has(name)));
}
