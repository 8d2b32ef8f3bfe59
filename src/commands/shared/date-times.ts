import { readBug } from "../../api/bugs.ts";
import { momentsIn, utcTime } from "../../api/write/custom-fields.ts";
import { sameValue } from "../../api/write/write-state.ts";
import { BtError } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../verb.ts";

/** Moments (UTC) of the custom date-times of a new bug's body, which are in the tracker's local time; undefined without any. */
export async function readMoments(
  body: JsonObject,
  { session }: Context,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (!Object.keys(body).some((name) => name.startsWith("cf_"))) return undefined;
  const times = Object.entries(momentsIn(body, await session.catalog()));
  const moments = times.map(
    ([name, time]) => [name, utcTime(time, session.settings.server_zone ?? "UTC") ?? time] as const,
  );
  return moments.length > 0 ? Object.fromEntries(moments) : undefined;
}

/**
 * Reads custom date-times back that a new bug has, since trackers read them in their own zone.
 * @throws BtError of kind partial if another time was stored
 */
export async function checkStoredTimes(
  id: number,
  wanted: Readonly<Record<string, string>>,
  { session }: Context,
): Promise<void> {
  const bug = (await readBug(String(id), Object.keys(wanted), session.send)) as JsonObject;
  const shifted = Object.entries(wanted).filter(([name, time]) => !sameValue(bug[name], time));
  if (shifted.length === 0) return;
  throw new BtError("partial", `bug ${id}: the tracker stored a different time`, {
    details: shifted.map(([name, time]) => `${name} is ${bug[name] ?? "empty"}, not ${time}`),
    hint: "set the tracker's time zone, for example: bt config set server_zone America/New_York",
    changed: "some",
  });
}
