import { refreshBugs, type SyncContext, type SyncCount } from "./keep.ts";

/** A range of ids, `from` inclusive and `below` exclusive, and the times of the bugs in it that the mirror is to have. */
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
  const isSame = ([id, time]: readonly [number, string]) =>
    known.get(id)?.state === "held" && known.get(id)?.lastChangeTime === time;
  const differing = [...times].filter((one) => !isSame(one)).map(([id]) => id);
  const unlisted = [...known.keys()].filter((id) => !times.has(id));
  await refreshBugs([...differing, ...unlisted], count, context);
}
