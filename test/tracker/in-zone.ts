import { momentIn, wallClockIn } from "../../src/api/facts/time-zone.ts";
import type { Exchange, JsonObject, Request } from "../../src/wire/exchange.ts";

/**
 * A tracker as it answers when its clock shows another zone: rows and custom fields take times in it, whatever
 * they say, and histories tell them in it.
 */
export function inZone(exchange: Exchange, zone: string): Exchange {
  return async (request) => {
    const body = request.body === undefined ? {} : { body: withUtc(request.body as JsonObject, zone) };
    const reply = await exchange({ ...request, ...body, query: rowsInUtc(request.query, zone) });
    return request.path.endsWith("/history") ? { ...reply, body: historyInZone(reply.body, zone) } : reply;
  };
}

/** Histories tell these times as they were recorded: on the tracker's clock. */
function historyInZone(body: string, zone: string): string {
  return body.replace(/"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"/g, (time) =>
    JSON.stringify(wallClockIn(zone, Date.parse(`${JSON.parse(time)}Z`))),
  );
}

function rowsInUtc(query: Request["query"], zone: string): Request["query"] {
  const given = new Map(query);
  return query.map(([name, value]) => {
    const field = /^v\d+$/.test(name) ? given.get(name.replace("v", "f")) : undefined;
    const isTime = field === "creation_ts" || field === "delta_ts" || field === "cf_last_seen";
    return [
      name,
      isTime
        ? value
            .split(",")
            .map((time) => utc(time, zone))
            .join(",")
        : value,
    ];
  });
}

function withUtc(body: JsonObject, zone: string): JsonObject {
  const time = body["cf_last_seen"];
  return typeof time === "string" ? { ...body, cf_last_seen: utc(time, zone) } : body;
}

function utc(text: string, zone: string): string {
  const [, year = 0, month = 0, day = 0, hour, minute, second] =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d))?Z?$/.exec(text)?.map(Number) ?? [];
  if (year === 0) return text;
  const moment = momentIn(zone, [year, month, day, hour || 0, minute || 0, second || 0]);
  return new Date(moment).toISOString().slice(0, 19).replace("T", " ");
}
