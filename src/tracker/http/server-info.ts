import type { Json } from "../../wire/exchange.ts";
import { isInGroup } from "../users/requester.ts";
import type { Call, Route } from "./call.ts";
import { pickFields, readFieldSelection } from "./field-selection.ts";

/** What a client asks a server about itself. */
export const serverInfoRoutes: readonly Route[] = [
  { method: "GET", path: "/version", credentials: "ignored", handle: () => ({ version: "5.2+" }) },
  { method: "GET", path: "/timezone", credentials: "ignored", handle: () => ({ timezone: "+0000" }) },
  { method: "GET", path: "/extensions", handle: () => ({ extensions: {} }) },
  { method: "GET", path: "/time", handle: ({ now }) => time(now) },
  { method: "GET", path: "/last_audit_time", handle: (call) => lastAuditTime(call) },
];

function time(now: string): Json {
  return {
    db_time: now,
    web_time: now,
    web_time_utc: now,
    tz_name: "UTC",
    tz_short_name: "UTC",
    tz_offset: "+0000",
  };
}

function lastAuditTime({ store, now }: Call): Json {
  return {
    last_audit_time: store.get("SELECT max(time) AS time FROM audit")?.["time"] ?? now,
  };
}

/** The tracker's parameters, as many as the requester may know: two for readers, all for administrators. */
export const serverParameterRoutes: readonly Route[] = [
  { method: "GET", path: "/parameters", credentials: "optional", handle: (call) => getParameters(call) },
];

const FOR_EVERYBODY = ["maintainer", "requirelogin"];

const FOR_USERS = [
  ...FOR_EVERYBODY,
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

function getParameters({ requester, parameters, input }: Call): Json {
  const known = new Set(requester.user ? FOR_USERS : FOR_EVERYBODY);
  const isAdministrator = isInGroup(requester, "tweakparams");
  const visible = Object.entries(parameters).filter(([name]) => isAdministrator || known.has(name));
  return { parameters: pickFields(Object.fromEntries(visible), readFieldSelection(input)) };
}
