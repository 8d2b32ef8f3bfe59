import type { MirrorFacts } from "../../wire/mirror.ts";
import type { QueryPair } from "../query/chart.ts";
import { dropBugs, fetchBugs, type SyncContext, type SyncCount } from "./keep.ts";

/** A range of ids, `from` inclusive and `below` exclusive, and the times of the bugs in it that meet the criteria. */
export type ListedRange = {
  readonly from: number;
  readonly below: number;
  readonly times: ReadonlyMap<number, string>;
};

/**
 * Synchronizes a range of ids with the tracker in both directions: new bugs and missed changes are read, and bugs that
 * the tracker does not list are read once more, and removed if they are not visible.
 */
export async function compareIds(
  { from, below, times }: ListedRange,
  count: SyncCount,
  context: SyncContext,
): Promise<void> {
  const known = new Map(context.mirror.bugs({ from, below }).map((bug) => [bug.id, bug]));
  const differing = [...times].filter(([id, time]) => {
    const bug = known.get(id);
    return bug?.state !== "held" || bug.lastChangeTime !== time;
  });
  const isOurs = (state: string | undefined) => state === "held" || state === "failed";
  const unlisted = [...known.keys()].filter((id) => !times.has(id) && isOurs(known.get(id)?.state));
  const missing = await fetchBugs(
    differing.map(([id]) => id),
    { state: "held", count },
    context,
  );
  await dropBugs(missing, count, context);
  await settleUnlisted(unlisted, count, context);
}

/** Reads bugs that no longer meet the criteria, and removes those that are not visible. */
async function settleUnlisted(ids: readonly number[], count: SyncCount, context: SyncContext): Promise<void> {
  const state = mirrorCriteria(context.facts).length > 0 ? "outside" : "held";
  await dropBugs(await fetchBugs(ids, { state, count }, context), count, context);
}

/** The criteria of a mirror as parameters of a search; none for all bugs. */
export function mirrorCriteria({ compiled }: Pick<MirrorFacts, "compiled">): readonly QueryPair[] {
  return JSON.parse(compiled) as readonly QueryPair[];
}
