import { certainMoment, isLocalTime } from "../../api/local-time.ts";
import { get } from "../../api/operation.ts";
import { readBugs } from "../../api/read.ts";
import { momentsIn } from "../../api/write/custom.ts";
import type { Part } from "../../api/write/parts.ts";
import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPES, type Field } from "../../wire/field.ts";
import type { BugHistory, Change, Changes } from "../../wire/history.ts";
import type { Context } from "../context.ts";

/** The moments in UTC that a body sets custom date-times to, which it holds as the tracker's own clock shows them. */
export async function momentsOf(body: JsonObject, { tracker }: Context): Promise<Readonly<Record<string, string>>> {
  if (!Object.keys(body).some((name) => name.startsWith("cf_"))) return {};
  const catalog = await tracker.catalog();
  if (Object.keys(momentsIn(body, catalog, ["UTC"])).length === 0) return {};
  return momentsIn(body, catalog, (await tracker.zone()).possible);
}

/** The parts with the moments that they set, for those who read what is changed. */
export async function withMoments(parts: readonly Part[], context: Context): Promise<readonly Part[]> {
  return Promise.all(parts.map(async (part) => ({ ...part, moments: await momentsOf(part.body, context) })));
}

/** The changes of a bug with its custom date-times as moments in UTC; a tracker's answer tells them on its own clock. */
export function changesInUtc(
  changes: Changes,
  { bug, part }: { readonly bug: Bug | undefined; readonly part: Part | undefined },
): Changes {
  const set = Object.entries(part?.moments ?? {}).filter(([name]) => changes[name] !== undefined);
  const shown = set.map(([name, added]) => [
    name,
    { removed: String((bug as JsonObject | undefined)?.[name] ?? ""), added },
  ]);
  return { ...changes, ...Object.fromEntries(shown) };
}

/**
 * A history with its custom date-times as moments in UTC; a server records them on its own clock. Those whose moment is not
 * certain stay as they were recorded.
 */
export async function historyInUtc(told: BugHistory, { tracker }: Context): Promise<BugHistory> {
  const changes = told.history.flatMap((entry) => entry.changes).filter(setsLocalTime);
  if (changes.length === 0) return told;
  const fields = await tracker.fields();
  const isTime = (change: Change) => setsLocalTime(change) && fields.some((field) => isDateTime(field, change));
  if (!changes.some(isTime)) return told;
  const { possible } = await tracker.zone();
  const inUtc = (text: string) => (isLocalTime(text) ? certainMoment(text, possible) : undefined) ?? text;
  const read = (change: Change) =>
    isTime(change) ? { ...change, removed: inUtc(change.removed), added: inUtc(change.added) } : change;
  return { ...told, history: told.history.map((entry) => ({ ...entry, changes: entry.changes.map(read) })) };
}

function setsLocalTime({ field_name, removed, added }: Change): boolean {
  return field_name.startsWith("cf_") && (isLocalTime(removed) || isLocalTime(added));
}

function isDateTime({ name, type }: Field, { field_name }: Change): boolean {
  return name === field_name && FIELD_TYPES[type as keyof typeof FIELD_TYPES] === "date and time";
}

/**
 * Reads custom date-times back from a bug that was written, since a tracker reads them in a zone of its own. A time that was
 * stored as another one is an error of the kind `partial`.
 */
export async function checkStoredTimes(id: number, body: JsonObject, context: Context): Promise<void> {
  const wanted = await momentsOf(body, context);
  if (Object.keys(wanted).length === 0) return;
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
