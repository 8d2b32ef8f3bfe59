import { askEach } from "../../api/batch.ts";
import { bugPlan } from "../../api/bug-plan.ts";
import type { Result } from "../../api/delivery/many.ts";
import { overwritten } from "../../api/write/overwritten.ts";
import { BtError } from "../../errors.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Changes } from "../../wire/history.ts";
import type { Context } from "../context.ts";
import { momentOf } from "../moment.ts";
import { type Input, textOf } from "../verb.ts";

/** How a command keeps from overwriting what others have changed; `seen` is when each bug had last been changed. */
export type Care = {
  readonly seen: ReadonlyMap<number, string>;
  readonly latest: string | undefined; // no change after this moment is to be overwritten
};

/** What `--if-unchanged` and `--unchanged-since` ask for; undefined when neither was given. */
export function careOf(input: Input, bugs: readonly Bug[], context: Context): Care | undefined {
  const since = textOf(input.flags["unchanged-since"]);
  if (!input.flags["if-unchanged"] && since === undefined) return undefined;
  const seen = new Map(bugs.map(({ id, last_change_time }) => [id ?? 0, last_change_time ?? ""]));
  return { seen, latest: since === undefined ? undefined : momentOf(since, context) };
}

/** The bugs that somebody has changed since, asked for right before they are written. */
export async function changedSince(
  ids: readonly number[],
  care: Care | undefined,
  context: Context,
): Promise<readonly Result[]> {
  if (!care) return [];
  const results: Result[] = [];
  const plan = bugPlan(["last_change_time"]);
  for await (const outcomes of askEach(ids.map(String), plan, context.tracker.ask)) {
    for (const outcome of outcomes) {
      if ("error" in outcome) results.push({ bug: outcome.ref, st: "failed", error: outcome.error });
      else results.push(...collisionOf(Number(outcome.ref), outcome.thing.last_change_time ?? "", care));
    }
  }
  return results;
}

function collisionOf(id: number, changed: string, { seen, latest }: Care): readonly Result[] {
  const limits = [seen.get(id), latest].filter((limit) => limit !== undefined);
  if (limits.every((limit) => changed <= limit)) return [];
  const error = new BtError("collision", `bug ${id} was changed by somebody else (${changed})`, { changed: "nothing" });
  return [{ bug: String(id), st: "collision", error }];
}

/** The state in which bugs were read, for trackers that refuse a change when it no longer holds. */
export function matchOf(bugs: readonly Bug[], care: Care | undefined): string | undefined {
  const tokens = bugs.flatMap(({ update_token }) => update_token ?? []);
  return care && tokens.length === bugs.length ? tokens.join(",") : undefined;
}

/** Lines about what an update overwrote that others had changed between the reading of the things and the update. */
export function overwrittenOn(
  changed: readonly { readonly id: number | string; readonly changes: Changes }[],
  read: readonly object[],
  noun = "bug",
): readonly string[] {
  const before = new Map((read as readonly JsonObject[]).map((thing) => [String(thing["id"]), thing]));
  return changed.flatMap(({ id, changes }) =>
    overwritten(changes, before.get(String(id)) ?? {}).map((line) => `${noun} ${id}: ${line}`),
  );
}

/** Reports what was overwritten: an error where the command was to change only what nobody else changed (guarded). */
export async function reportOverwritten(lines: readonly string[], isGuarded: boolean, { io }: Context): Promise<void> {
  if (lines.length === 0) return;
  if (isGuarded) {
    throw new BtError("collision", "the change was made, over a change by somebody else in the same moment", {
      details: lines,
      changed: "some",
    });
  }
  for (const line of lines) await io.err(`bt: overwrote a newer change: ${plain(line)}\n`);
}
