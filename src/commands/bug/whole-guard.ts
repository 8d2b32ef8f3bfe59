import { askEach } from "../../api/batch.ts";
import { bugPlan } from "../../api/bug-plan.ts";
import type { Result } from "../../api/delivery/many.ts";
import { startOf, wholeEditNames } from "../../api/write/whole-edits.ts";
import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";

/**
 * The bugs on which a field that is written as a whole is no longer as it was read: the value that was made of it would
 * take back what somebody else did. Read right before they are written; nothing is asked where no field is edited so.
 */
export async function startsMoved(
  bugs: readonly Bug[],
  body: JsonObject,
  context: Context,
): Promise<readonly Result[]> {
  const names = wholeEditNames(body);
  if (names.length === 0) return [];
  const before = new Map(bugs.map((bug) => [String(bug.id), bug as JsonObject]));
  const moved: Result[] = [];
  for await (const outcomes of askEach([...before.keys()], bugPlan(names), context.tracker.ask)) {
    for (const outcome of outcomes) {
      if ("error" in outcome) moved.push({ bug: outcome.ref, st: "failed", error: outcome.error });
      else
        moved.push(...movedOn(outcome.ref, names, { now: outcome.thing as JsonObject, was: before.get(outcome.ref) }));
    }
  }
  return moved;
}

type Sides = { readonly now: JsonObject; readonly was: JsonObject | undefined };

function movedOn(bug: string, names: readonly string[], { now, was }: Sides): readonly Result[] {
  const name = names.find((one) => startOf(now, [one]) !== startOf(was, [one]));
  if (name === undefined) return [];
  const message = `bug ${bug}: somebody else changed ${name} from "${shown(was?.[name])}" to "${shown(now[name])}"`;
  const error = new BtError("collision", message, { hint: "run the command again", changed: "nothing" });
  return [{ bug, st: "collision", error }];
}

function shown(value: Json | undefined): string {
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}
