import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { isIn } from "../people/requester.ts";
import { pick, readSelection } from "../selection.ts";

/** The tracker's parameters, as many as the requester may know: two for readers, all for administrators. */
export const parameterRoutes: readonly Route[] = [
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
  const isAdministrator = isIn(requester, "tweakparams");
  const visible = Object.entries(parameters).filter(([name]) => isAdministrator || known.has(name));
  return { parameters: pick(Object.fromEntries(visible), readSelection(input)) };
}
