import { askEach } from "../../api/batch.ts";
import { bugPlan } from "../../api/bug-plan.ts";
import type { Result } from "../../api/delivery/many.ts";
import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { ChangedBug } from "../../wire/history.ts";
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

/**
 * What an update has overwritten all the same, in the moment between the last look and the change: its answer tells what
 * it removed, and that is not what was there before.
 */
export function overwritten(changed: readonly ChangedBug[], bugs: readonly Bug[]): readonly string[] {
  return changed.flatMap(({ id, changes }) => {
    const before = bugs.find((bug) => bug.id === id);
    return Object.entries(changes).flatMap(([field, { removed, added }]) => {
      const known = before?.[field as keyof Bug];
      if (typeof known !== "string" || known === removed) return [];
      return [`bug ${id}: ${field} was "${removed}" by then, not "${known}"; it is "${added}" now`];
    });
  });
}
