import { createHash } from "node:crypto";
import { KEPT_MS, momentBefore } from "../../../api/change-reach.ts";
import type { WatchEvent } from "../../../view/watch.ts";

/** The time of the last change of a bug when it was seen; its changes until `ignored` do not concern the watch. */
export type SeenChange = { readonly time: string; readonly ignored: string };

/**
 * State of a watch. The mark is the greatest time of a change that was received, never a clock; `wide` is the mark
 * when a whole day was read last.
 */
export type WatchState = {
  readonly mark: string;
  readonly wide: string;
  readonly known: Set<number>; // bugs that match
  readonly seen: Map<number, SeenChange>; // bugs that changed in the last day
  readonly told: Map<string, string>; // times of the changes and comments that were reported, by identity
};

/** Initial state at this mark, with no known bugs. */
export function newState(mark: string): WatchState {
  return { mark, wide: mark, known: new Set(), seen: new Map(), told: new Map() };
}

/** Identity of a change or a comment. */
export function identityOf(event: WatchEvent): string {
  const { event: kind, id, when, who, field, old, new: value, attachment_id, comment } = event;
  const parts = JSON.stringify([kind, id, when, who, field, old, value, attachment_id, comment]);
  return createHash("sha1").update(parts).digest("base64url").slice(0, 16);
}

/** Notes an event as reported. */
export function noteReported(event: WatchEvent, { known, told }: WatchState): void {
  if (event.event === "entered") known.add(event.id);
  else if (event.event === "left") known.delete(event.id);
  else told.set(identityOf(event), event.when ?? "");
}

/** Results of a check other than its events: times of changes, affected bugs, and the mark. */
export type CheckedTimes = {
  readonly changed: ReadonlyMap<number, string>;
  readonly read: ReadonlySet<number>;
  readonly mark: string;
  readonly isWide: boolean;
};

/**
 * The state after a check whose events were reported; the same one if nothing happened. With bugs whose events could not
 * be reported the mark stays, and they count as not seen.
 */
export function afterCheck(state: WatchState, check: CheckedTimes, failed: ReadonlySet<number>): WatchState {
  const { changed, read, isWide } = check;
  const news = [...changed].filter(([id, time]) => read.has(id) || state.seen.get(id)?.time !== time);
  if (news.length === 0 && read.size === 0 && check.mark === state.mark && !isWide) return state;
  for (const [id, time] of news) {
    const ignored = read.has(id) ? (state.seen.get(id)?.ignored ?? "") : time;
    if (!failed.has(id)) state.seen.set(id, { time, ignored });
  }
  if (failed.size > 0) return { ...state };
  return pruned({ ...state, mark: check.mark, wide: isWide ? check.mark : state.wide });
}

function pruned(state: WatchState): WatchState {
  const oldest = momentBefore(state.mark, KEPT_MS);
  for (const [id, { time }] of state.seen) if (time < oldest) state.seen.delete(id);
  for (const [identity, time] of state.told) if (time < oldest) state.told.delete(identity);
  return state;
}
