import { get } from "../../api/operation.ts";
import { readBugs } from "../../api/read.ts";
import { momentsIn } from "../../api/write/custom.ts";
import type { Part } from "../../api/write/parts.ts";
import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Changes } from "../../wire/history.ts";
import type { Context } from "../context.ts";

/** The moments in UTC that a body sets custom date-times to, which it holds as the tracker's own clock shows them. */
export async function momentsOf(body: JsonObject, { tracker }: Context): Promise<Readonly<Record<string, string>>> {
  if (!Object.keys(body).some((name) => name.startsWith("cf_"))) return {};
  const catalog = await tracker.catalog();
  if (Object.keys(momentsIn(body, catalog, "UTC")).length === 0) return {};
  return momentsIn(body, catalog, (await tracker.zone()).possible[0] ?? "UTC");
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
