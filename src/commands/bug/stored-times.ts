import { get } from "../../api/operation.ts";
import { readBugs } from "../../api/read.ts";
import { momentsIn } from "../../api/write/custom.ts";
import { BtError } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";

/**
 * Reads custom date-times back from a bug that was written, since a tracker reads them in a zone of its own. A time that was
 * stored as another one is an error of the kind `partial`.
 */
export async function checkStoredTimes(id: number, body: JsonObject, context: Context): Promise<void> {
  if (!Object.keys(body).some((name) => name.startsWith("cf_"))) return;
  const catalog = await context.tracker.catalog();
  if (Object.keys(momentsIn(body, catalog, "UTC")).length === 0) return;
  const wanted = momentsIn(body, catalog, (await context.tracker.zone()).assumed ?? "UTC");
  const names = Object.keys(wanted);
  const answer = await context.tracker.ask(get(`/rest/bug/${id}`, [["include_fields", ["id", ...names].join(",")]]));
  const bug = readBugs(answer).find((one) => one.id === id) as JsonObject | undefined;
  const shifted = names.filter((name) => bug !== undefined && secondsOf(bug[name]) !== secondsOf(wanted[name]));
  if (shifted.length === 0) return;
  throw new BtError("partial", `bug ${id}: the tracker stored another time`, {
    details: shifted.map((name) => `${name} is ${bug?.[name] ?? "empty"}, not ${wanted[name]}`),
    hint: "set the zone of the tracker's clock, for example: bt config set server_zone America/New_York",
    changed: "some",
  });
}

function secondsOf(value: unknown): number {
  return Math.floor(Date.parse(String(value ?? "")) / 1000);
}
