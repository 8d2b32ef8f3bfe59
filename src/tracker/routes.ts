import type { Json } from "../wire/exchange.ts";
import { attachmentRoutes } from "./attachments/routes.ts";
import { fieldRoutes } from "./bug-fields/read.ts";
import { bugChangeRoutes } from "./bugs/change.ts";
import { commentCreateRoutes } from "./bugs/comment.ts";
import { bugGetRoutes, bugHistoryRoutes } from "./bugs/read.ts";
import { commentRoutes, commentTagRoutes } from "./comments/comments.ts";
import { flagTypeRoutes } from "./flags/flags.ts";
import { groupRoutes } from "./groups/routes.ts";
import { type Call, READABLE_PARAMETERS, type Route } from "./http/call.ts";
import { pickFields, readFieldSelection } from "./http/input.ts";
import { isInGroup } from "./http/requester.ts";
import { productRoutes } from "./products/read.ts";
import { searchRoutes } from "./search/search.ts";
import { sessionRoutes } from "./users/authenticate.ts";
import { userRoutes } from "./users/users.ts";

/**
 * All routes of the tracker; the first that matches a request handles it.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bugzilla.html
 */
export const ROUTES: readonly Route[] = [
  { method: "GET", path: "/version", credentials: "ignored", handle: () => ({ version: "5.2+" }) },
  { method: "GET", path: "/timezone", credentials: "ignored", handle: () => ({ timezone: "+0000" }) },
  { method: "GET", path: "/extensions", handle: () => ({ extensions: {} }) },
  { method: "GET", path: "/time", handle: ({ now }) => getTime(now) },
  { method: "GET", path: "/last_audit_time", handle: (call) => getLastAuditTime(call) },
  { method: "GET", path: "/parameters", credentials: "optional", handle: (call) => getParameters(call) },
  ...sessionRoutes,
  ...userRoutes,
  ...groupRoutes,
  ...productRoutes,
  ...flagTypeRoutes,
  ...fieldRoutes,
  ...commentTagRoutes,
  ...commentRoutes,
  ...commentCreateRoutes,
  ...bugHistoryRoutes,
  ...attachmentRoutes,
  ...bugGetRoutes,
  ...searchRoutes,
  ...bugChangeRoutes,
];

function getTime(now: string): Json {
  return {
    db_time: now,
    web_time: now,
    web_time_utc: now,
    tz_name: "UTC",
    tz_short_name: "UTC",
    tz_offset: "+0000",
  };
}

/** The time of the last change of the setup; null if there was none. */
function getLastAuditTime({ store }: Call): Json {
  return { last_audit_time: store.get("SELECT max(time) AS time FROM audit")?.["time"] ?? null };
}

/** The server parameters: two for anonymous requesters, more for users, all for `tweakparams`. */
function getParameters({ requester, parameters, input }: Call): Json {
  const readable = READABLE_PARAMETERS[requester.user ? "user" : "anonymous"];
  const isAdministrator = isInGroup(requester, "tweakparams");
  const visible = Object.entries(parameters).filter(([name]) => isAdministrator || readable.includes(name));
  return { parameters: pickFields(Object.fromEntries(visible), readFieldSelection(input)) };
}
