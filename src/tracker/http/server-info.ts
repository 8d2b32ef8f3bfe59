import type { Json } from "../../wire/exchange.ts";
import { isInGroup } from "../users/requester.ts";
import type { Call, Route } from "./call.ts";
import { pickFields, readFieldSelection } from "./field-selection.ts";
import { ANONYMOUS_PARAMETERS, USER_PARAMETERS } from "./server-parameters.ts";

/**
 * Routes of version, time zone, time, extensions and last audit time.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bugzilla.html
 */
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

/** Route of the server parameters: two for anonymous requesters, more for users, all for `tweakparams`. */
export const serverParameterRoutes: readonly Route[] = [
  { method: "GET", path: "/parameters", credentials: "optional", handle: (call) => getParameters(call) },
];

function getParameters({ requester, parameters, input }: Call): Json {
  const readable = new Set<string>(requester.user ? USER_PARAMETERS : ANONYMOUS_PARAMETERS);
  const isAdministrator = isInGroup(requester, "tweakparams");
  const visible = Object.entries(parameters).filter(([name]) => isAdministrator || readable.has(name));
  return { parameters: pickFields(Object.fromEntries(visible), readFieldSelection(input)) };
}
