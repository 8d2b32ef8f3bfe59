import type { Store } from "./store/store.ts";

/** The tracker's parameters and what they are when nobody has set them. Switches are "1" and "0". */
export const PARAMETER_DEFAULTS = {
  allowemailchange: "0",
  attachment_base: "",
  commentonchange_resolution: "0",
  commentonduplicate: "0",
  comment_taggers_group: "editbugs",
  default_search_limit: "500",
  defaultopsys: "",
  defaultplatform: "",
  defaultpriority: "---",
  defaultseverity: "enhancement",
  duplicate_or_move_bug_status: "RESOLVED",
  emailregexp: "^[\\w\\.\\+\\-=']+@[\\w\\.\\-]+\\.[\\w\\-]+$",
  header_api_keys: "0", // bt's own: accept a key in X-BUGZILLA-API-KEY or Authorization: Bearer
  insidergroup: "admin",
  letsubmitterchoosemilestone: "1",
  letsubmitterchoosepriority: "1",
  maintainer: "admin@example.org",
  max_search_results: "10000",
  maxattachmentsize: "1000",
  musthavemilestoneonaccept: "0",
  noresolveonopenblockers: "0",
  or_groups: "0",
  requirelogin: "0",
  search_allow_no_criteria: "1",
  shutdownhtml: "",
  strict_isolation: "0",
  timetrackinggroup: "editbugs",
  use_see_also: "1",
  useclassification: "0",
  useqacontact: "1",
  usestatuswhiteboard: "1",
  usetargetmilestone: "1",
  webservice_email_filter: "0",
} as const;

/** Every parameter with its present value. */
export type ServerParameters = Readonly<Record<keyof typeof PARAMETER_DEFAULTS, string>>;

/** The parameters as they stand now. */
export const readParameters = (store: Store): ServerParameters => {
  const rows = store.all<{ readonly name: string; readonly value: string }>("SELECT name, value FROM parameters");
  return { ...PARAMETER_DEFAULTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
};

/** Whether a switch is on. */
export const isOn = (value: string): boolean => value !== "" && value !== "0";
