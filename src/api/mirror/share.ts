import type { Chart } from "../query/chart.ts";
import { allOf } from "../query/tree.ts";
import type { ChangedBugs } from "./changes.ts";
import { compareIds } from "./compare-ids.ts";
import type { SyncContext, SyncCount } from "./keep.ts";
import { partChart } from "./part.ts";
import { chartRow } from "./search.ts";

/** Number of ids of which a sync checks that they are still there, beside those that changed. */
const SHARE = 500;

/** A range of ids that a sync checks, `from` inclusive and `below` exclusive. */
export type Share = { readonly from: number; readonly below: number };

/**
 * The next share, from the highest id down; undefined before any id was seen. Of a mirror of products it spans as many of
 * its bugs.
 */
export function nextShare({ facts, mirror }: Pick<SyncContext, "facts" | "mirror">): Share | undefined {
  const { checkedAbove, highestId, longestPage, products } = facts;
  if (highestId === 0) return undefined;
  const below = checkedAbove ?? highestId + 1;
  const size = Math.max(1, Math.min(SHARE, Math.ceil(longestPage / 2)));
  if (products.length === 0) return { from: Math.max(1, below - size), below };
  const known = mirror.bugs({ below, highest: size });
  return { from: known.length < size ? 1 : (known[0]?.id ?? 1), below };
}

/** Condition for the bugs of a share. */
export function shareChart({ from, below }: Share, { facts }: Pick<SyncContext, "facts">): Chart {
  return allOf([
    chartRow(["bug_id", "greaterthaneq", String(from)]),
    chartRow(["bug_id", "lessthan", String(below)]),
    partChart(facts),
  ]);
}

/** Removes the bugs of a share that are no longer visible, and reads those that became visible. */
export async function checkShare(
  { from, below }: Share,
  { times, others, failed }: ChangedBugs,
  count: SyncCount,
  context: SyncContext,
): Promise<void> {
  const listed = [...times].filter(([id]) => id >= from && id < below && !others.has(id));
  const inRange = new Map(listed);
  for (const id of failed.keys()) if (id >= from && id < below) inRange.set(id, "");
  await compareIds({ from, below, times: inRange }, count, context);
}
