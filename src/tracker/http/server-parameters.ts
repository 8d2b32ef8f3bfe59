import type { Store } from "../store/store.ts";

/** Server parameters with their defaults; booleans are "1" and "0". */
export const PARAMETER_DEFAULTS = {
  allowemailchange: "0",
  attachment_base: "",
  commentonchange_resolution: "0",
  commentonduplicate: "0",
  comment_taggers_group: "editbugs",
  cookiepath: "/",
  default_search_limit: "500",
  defaultopsys: "",
  defaultplatform: "",
  defaultpriority: "---",
  defaultseverity: "enhancement",
  duplicate_or_move_bug_status: "RESOLVED",
  emailregexp: "^[\\w\\.\\+\\-=']+@[\\w\\.\\-]+\\.[\\w\\-]+$",
  emailregexpdesc: "A legal address must contain exactly one '@', and at least one '.' after the @.",
  emailsuffix: "",
  header_api_keys: "0", // not Bugzilla's: accept API keys in headers and serve /whoami, as newer servers do
  insidergroup: "admin",
  letsubmitterchoosemilestone: "1",
  letsubmitterchoosepriority: "1",
  maintainer: "admin@example.org",
  mailfrom: "bugzilla-daemon@localhost",
  max_search_results: "10000",
  maxattachmentsize: "1000",
  maxlocalattachment: "0",
  musthavemilestoneonaccept: "0",
  noresolveonopenblockers: "0",
  or_groups: "0",
  password_complexity: "no_constraints",
  rememberlogin: "on",
  requirelogin: "0",
  search_allow_no_criteria: "1",
  shutdownhtml: "",
  strict_isolation: "0",
  timetrackinggroup: "editbugs",
  urlbase: "",
  use_see_also: "1",
  useclassification: "0",
  usemenuforusers: "0",
  useqacontact: "1",
  usestatuswhiteboard: "1",
  usetargetmilestone: "1",
  usevisibilitygroups: "0",
  utf8: "utf8mb4",
  webservice_email_filter: "0",
} as const;

/** Current values of all server parameters. */
export type ServerParameters = Readonly<Record<keyof typeof PARAMETER_DEFAULTS, string>>;

/**
 * Server parameters that everybody may read.
 * @see Bugzilla/WebService/Bugzilla.pm, PARAMETERS_LOGGED_OUT and PARAMETERS_LOGGED_IN
 */
export const ANONYMOUS_PARAMETERS: readonly (keyof ServerParameters)[] = ["maintainer", "requirelogin"];

/** Server parameters that logged-in users may read. */
export const USER_PARAMETERS: readonly (keyof ServerParameters)[] = [
  ...ANONYMOUS_PARAMETERS,
  "allowemailchange",
  "attachment_base",
  "commentonchange_resolution",
  "commentonduplicate",
  "cookiepath",
  "defaultopsys",
  "defaultplatform",
  "defaultpriority",
  "defaultseverity",
  "duplicate_or_move_bug_status",
  "emailregexpdesc",
  "emailsuffix",
  "letsubmitterchoosemilestone",
  "letsubmitterchoosepriority",
  "mailfrom",
  "maxattachmentsize",
  "maxlocalattachment",
  "musthavemilestoneonaccept",
  "noresolveonopenblockers",
  "password_complexity",
  "rememberlogin",
  "search_allow_no_criteria",
  "urlbase",
  "use_see_also",
  "useclassification",
  "usemenuforusers",
  "useqacontact",
  "usestatuswhiteboard",
  "usetargetmilestone",
];

/** Server parameters from the store, defaults filled in. */
export function readServerParameters(store: Store): ServerParameters {
  const rows = store.all<{ name: string; value: string }>("SELECT name, value FROM parameters");
  return { ...PARAMETER_DEFAULTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}

/** True if a boolean parameter is on: anything but "" and "0". */
export function isEnabled(value: string): boolean {
  return value !== "" && value !== "0";
}
