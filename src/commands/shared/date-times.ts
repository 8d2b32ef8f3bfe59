import { readBug } from "../../api/bugs.ts";
import { isLocalTime, momentsIn, utcTime } from "../../api/write/custom-fields.ts";
import { sameValue } from "../../api/write/write-state.ts";
import { BtError } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { BugHistory, FieldChange } from "../../wire/resources.ts";
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

/** A history with custom date-times in UTC; servers record them in local time. Ambiguous ones are unchanged. */
export async function historyInUtc(bug: BugHistory, { session }: Context): Promise<BugHistory> {
  const isLocal = ({ field_name, removed, added }: FieldChange) =>
    field_name.startsWith("cf_") && (isLocalTime(removed) || isLocalTime(added));
  if (!bug.history.some(({ changes }) => changes.some(isLocal))) return bug;
  const fields = (await session.catalog()).received;
  const times = new Set(fields.filter(({ type }) => type === FIELD_TYPE.dateTime).map(({ name }) => name));
  const inUtc = (text: string) =>
    (isLocalTime(text) ? utcTime(text, session.settings.server_zone ?? "UTC") : undefined) ?? text;
  const read = (change: FieldChange) =>
    isLocal(change) && times.has(change.field_name)
      ? { ...change, removed: inUtc(change.removed), added: inUtc(change.added) }
      : change;
  return { ...bug, history: bug.history.map((entry) => ({ ...entry, changes: entry.changes.map(read) })) };
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
