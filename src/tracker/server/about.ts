import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";

/** What a client asks a server about itself. */
export const aboutRoutes: readonly Route[] = [
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
