import { GET_BUG } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import { isLocalTime, momentsIn, utcTime } from "../../api/write/custom-fields.ts";
import { BtError } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { BugHistory, Field, FieldChange } from "../../wire/resources.ts";
import type { Context } from "../verb.ts";

/** Moments (UTC) of the custom date-times of a new bug's body, which are in the tracker's local time; undefined without any. */
export async function readMoments(
  body: JsonObject,
  { session }: Context,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (!Object.keys(body).some((name) => name.startsWith("cf_"))) return undefined;
  const times = Object.entries(momentsIn(body, await session.metadata.catalog()));
  const moments = times.map(([name, time]) => [name, utcTime(time, session.facts.zone) ?? time] as const);
  return moments.length > 0 ? Object.fromEntries(moments) : undefined;
}

/** A history with custom date-times in UTC; servers record them in local time. Ambiguous ones are unchanged. */
export async function historyInUtc(bug: BugHistory, { session }: Context): Promise<BugHistory> {
  const changes = bug.history.flatMap((entry) => entry.changes).filter(setsLocalTime);
  if (changes.length === 0) return bug;
  const fields = await session.metadata.fields();
  const isTime = (change: FieldChange) => setsLocalTime(change) && fields.some((field) => isDateTime(field, change));
  if (!changes.some(isTime)) return bug;
  const inUtc = (text: string) => (isLocalTime(text) ? utcTime(text, session.facts.zone) : undefined) ?? text;
  const read = (change: FieldChange) =>
    isTime(change) ? { ...change, removed: inUtc(change.removed), added: inUtc(change.added) } : change;
  return { ...bug, history: bug.history.map((entry) => ({ ...entry, changes: entry.changes.map(read) })) };
}

function setsLocalTime({ field_name, removed, added }: FieldChange): boolean {
  return field_name.startsWith("cf_") && (isLocalTime(removed) || isLocalTime(added));
}

function isDateTime({ name, type }: Field, { field_name }: FieldChange): boolean {
  return name === field_name && type === FIELD_TYPE.dateTime;
}

/**
 * Reads custom date-times back that a write has set (see `readMoments`), since trackers read them in their own zone.
 * @throws BtError of kind partial if another time was stored
 */
export async function checkStoredTimes(
  id: number,
  wanted: Readonly<Record<string, string>>,
  context: Context,
): Promise<void> {
  const names = Object.keys(wanted);
  const response = await context.session.send(
    requestFor(GET_BUG, { id_or_alias: id, include_fields: ["id", ...names].join(",") }),
  );
  const bug = readBugs(response).find((one) => one.id === id) as JsonObject | undefined;
  const shifted = names.filter((name) => bug !== undefined && secondsOf(bug[name]) !== secondsOf(wanted[name]));
  if (shifted.length === 0) return;
  throw new BtError("partial", `bug ${id}: the tracker stored a different time`, {
    details: shifted.map((name) => `${name} is ${bug?.[name] ?? "empty"}, not ${wanted[name]}`),
    hint: "set the tracker's time zone, for example: bt config set server_zone America/New_York",
    changed: "some",
  });
}

function secondsOf(value: unknown): number {
  return Math.floor(Date.parse(String(value ?? "")) / 1000);
}
