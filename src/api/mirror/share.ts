import type { MirroredBug, MirrorState } from "../../wire/mirror.ts";
import type { ChangedBugs } from "./changes.ts";
import { compareIds, mirrorCriteria } from "./compare-ids.ts";
import { dropBugs, fetchBugs, type SyncContext, type SyncCount } from "./keep.ts";
import { oneOf, type SearchRow } from "./search.ts";

/** Number of ids of which a sync checks that they are still there, beside those that changed; of bugs with criteria. */
const SHARE = 500;
const SHARE_WITH_CRITERIA = 200;

/**
 * A range of ids that a sync checks, `from` inclusive and `below` exclusive, and the rows by which its bugs are listed: the
 * whole range, or with criteria the `known` bugs of the mirror in it.
 */
export type Share = {
  readonly from: number;
  readonly below: number;
  readonly rows: readonly SearchRow[];
  readonly known: readonly MirroredBug[];
};

/** The next share, from the highest id down; undefined before any id was seen. */
export function nextShare({ facts, mirror }: Pick<SyncContext, "facts" | "mirror">): Share | undefined {
  const { checkedAbove, highestId, longestPage } = facts;
  if (highestId === 0) return undefined;
  const below = checkedAbove ?? highestId + 1;
  const half = Math.ceil(longestPage / 2);
  if (mirrorCriteria(facts).length === 0) {
    const from = Math.max(1, below - Math.min(SHARE, half));
    const rows: readonly SearchRow[] = [
      ["bug_id", "greaterthaneq", String(from)],
      ["bug_id", "lessthan", String(below)],
    ];
    return { from, below, rows, known: [] };
  }
  const count = Math.max(1, Math.min(SHARE_WITH_CRITERIA, half));
  const known = mirror.bugs({ below, highest: count });
  const from = known.length < count ? 1 : (known[0]?.id ?? 1);
  return { from, below, rows: known.length === 0 ? [] : [oneOf(known.map(({ id }) => id))], known };
}

/** A share, the bugs that were listed of it, and the context of its sync. */
export type CheckedShare = {
  readonly share: Share;
  readonly listed: ChangedBugs;
  readonly count: SyncCount;
  readonly context: SyncContext;
};

/** Removes the bugs of a share that are no longer visible; without criteria, reads those that became visible. */
export async function checkShare({ share, listed, count, context }: CheckedShare): Promise<void> {
  const { times, failed } = listed;
  if (mirrorCriteria(context.facts).length === 0) {
    const { from, below } = share;
    const inRange = new Map([...times].filter(([id]) => id >= from && id < below));
    for (const id of failed.keys()) inRange.set(id, "");
    return compareIds({ from, below, times: inRange }, count, context);
  }
  const gone = share.known.filter((bug) => !times.has(bug.id) && !failed.has(bug.id));
  const missing: number[] = [];
  for (const [state, keptAs] of Object.entries(KEPT_AS)) {
    const ids = gone.filter((bug) => bug.state === state && !isUnreadable(bug)).map(({ id }) => id);
    missing.push(...(await fetchBugs(ids, { state: keptAs, count }, context)));
  }
  await dropBugs(missing, count, context);
}

/** The states in which bugs are kept that could be read after all. */
const KEPT_AS: Readonly<Record<MirrorState, "held" | "outside" | "stub">> = {
  held: "held",
  failed: "held",
  outside: "outside",
  stub: "stub",
};

/** True for a bug that was never visible: it is remembered so that it is not requested again. */
function isUnreadable({ state, reason }: MirroredBug): boolean {
  return state === "stub" && reason !== undefined;
}
