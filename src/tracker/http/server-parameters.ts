import type { Store } from "../store/store.ts";

/** Server parameters that everybody may read, with their defaults; booleans are "1" and "0". */
const FOR_EVERYBODY = {
  maintainer: "admin@example.org",
  requirelogin: "0",
} as const;

/** Parameters that users may read, too. @see Bugzilla/WebService/Bugzilla.pm, PARAMETERS_LOGGED_IN */
const FOR_USERS = {
  allowemailchange: "0",
  attachment_base: "",
  commentonchange_resolution: "0",
  commentonduplicate: "0",
  cookiepath: "/",
  defaultopsys: "",
  defaultplatform: "",
  defaultpriority: "---",
  defaultseverity: "enhancement",
  duplicate_or_move_bug_status: "RESOLVED",
  emailregexpdesc: "A legal address must contain exactly one '@', and at least one '.' after the @.",
  emailsuffix: "",
  letsubmitterchoosemilestone: "1",
  letsubmitterchoosepriority: "1",
  mailfrom: "bugzilla-daemon@localhost",
  maxattachmentsize: "1000",
  maxlocalattachment: "0",
  musthavemilestoneonaccept: "0",
  noresolveonopenblockers: "0",
  password_complexity: "no_constraints",
  rememberlogin: "on",
  search_allow_no_criteria: "1",
  urlbase: "",
  use_see_also: "1",
  useclassification: "0",
  usemenuforusers: "0",
  useqacontact: "1",
  usestatuswhiteboard: "1",
  usetargetmilestone: "1",
} as const;

/** Server parameters that only administrators may read, too. */
const FOR_ADMINISTRATORS = {
  comment_taggers_group: "editbugs",
  default_search_limit: "500",
  header_api_keys: "0", // not Bugzilla's: accept API keys in headers and serve /whoami, as newer servers do
  insidergroup: "admin",
  max_search_results: "10000",
  timetrackinggroup: "editbugs",
  utf8: "utf8mb4",
  webservice_email_filter: "0",
} as const;

/** All server parameters with their defaults. */
export const PARAMETER_DEFAULTS = { ...FOR_EVERYBODY, ...FOR_USERS, ...FOR_ADMINISTRATORS };

/** Current values of all server parameters. */
export type ServerParameters = Readonly<Record<keyof typeof PARAMETER_DEFAULTS, string>>;

/** The names of the server parameters that anonymous requesters and logged-in users may read. */
export const READABLE_PARAMETERS = {
  anonymous: Object.keys(FOR_EVERYBODY),
  user: Object.keys({ ...FOR_EVERYBODY, ...FOR_USERS }),
} as const;

/** Server parameters from the store, defaults filled in. */
export function readServerParameters(store: Store): ServerParameters {
  const rows = store.all<{ name: string; value: string }>("SELECT name, value FROM parameters");
  return { ...PARAMETER_DEFAULTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}

/** True if a boolean parameter is on: anything but "" and "0". */
export function isEnabled(value: string): boolean {
  return value !== "" && value !== "0";
}
