import { createHash } from "node:crypto";
import { KEPT_MS, momentBefore } from "../../../api/bugs/change-reach.ts";
import type { WatchEvent } from "../../../view/watch.ts";

/**
 * The time of the last change of a bug when it was seen; its changes until `ignored` do not concern the watch. `at` is the
 * time (ms, own clock) when it was seen first, until it is read again: a later change may have the same time.
 */
export type SeenChange = { readonly time: string; readonly ignored: string; readonly at?: number | undefined };

/** When an event was reported, and the values of a change: an entry of the history grows by later changes of its second. */
export type Reported = { when: string; values: Values[] };

type Values = [old: string, value: string];

/**
 * State of a watch. The mark is the greatest time of a change that was received, never a clock; `wide` is the mark
 * when a whole day was read last.
 */
export type WatchState = {
  readonly mark: string;
  readonly wide: string;
  readonly known: Set<number>; // bugs that match
  readonly seen: Map<number, SeenChange>; // bugs that changed in the last day
  readonly reported: Map<string, Reported>; // changes and comments by identity
};

/** Initial state at this mark, with no known bugs. */
export function newState(mark: string): WatchState {
  return { mark, wide: mark, known: new Set(), seen: new Map(), reported: new Map() };
}

/** Identity of a comment, or of what one user did to a field of a bug in one second. */
function eventIdentity(event: WatchEvent): string {
  const { event: kind, id, when, who, field, attachment_id, comment } = event;
  const parts = JSON.stringify([kind, id, when, who, field, attachment_id, comment]);
  return createHash("sha1").update(parts).digest("base64url").slice(0, 16);
}

export function noteReported(event: WatchEvent, { known, reported }: WatchState): void {
  if (event.event === "entered") known.add(event.id);
  else if (event.event === "left") known.delete(event.id);
  else {
    const identity = eventIdentity(event);
    const values: Values = [event.old ?? "", event.new ?? ""];
    reported.set(identity, {
      when: event.when ?? "",
      values: [...(reported.get(identity)?.values ?? []), values],
    });
  }
}

/** The changes and comments that were not reported, or what a change has beyond what was reported of it. */
export function unreportedEvents(events: WatchEvent[], { reported }: WatchState): WatchEvent[] {
  const left = new Map<string, Values[]>();
  const unreported: WatchEvent[] = [];
  for (const event of events) {
    const identity = eventIdentity(event);
    const values = left.get(identity) ?? [...(reported.get(identity)?.values ?? [])];
    left.set(identity, values);
    const rest = withoutValues(event, values);
    if (rest) unreported.push(rest);
  }
  return unreported;
}

/** An event without the values at its beginning, which are taken from the list; undefined if nothing is left. */
function withoutValues(event: WatchEvent, values: Values[]): WatchEvent | undefined {
  if (event.event === "commented") return values.length > 0 ? undefined : event;
  let [old, value] = [event.old ?? "", event.new ?? ""];
  const before = values.length;
  for (let [first] = values; first && old.startsWith(first[0]) && value.startsWith(first[1]); [first] = values) {
    [old, value] = [withoutStart(old, first[0]), withoutStart(value, first[1])];
    values.shift();
    if (old === "" && value === "") return undefined;
  }
  return values.length === before ? event : { ...event, old, new: value };
}

/** Bugzilla joins values by a space or a comma. */
function withoutStart(text: string, start: string): string {
  return start === "" ? text : text.slice(start.length).replace(/^[ ,]+/, "");
}

/** Results of a check other than its events: times of changes, affected bugs, and the mark. */
export type CheckedTimes = {
  readonly changed: ReadonlyMap<number, string>;
  readonly read: ReadonlySet<number>;
  readonly mark: string;
  readonly isWide: boolean;
  readonly at: number; // ms, own clock
};

/**
 * The state after a check whose events were reported; the same one if nothing happened. With bugs whose events could not
 * be reported the mark stays, and they count as not seen.
 */
export function afterCheck(state: WatchState, check: CheckedTimes, failed: ReadonlySet<number>): WatchState {
  const { changed, read, isWide } = check;
  const news = [...changed].filter(([id, time]) => read.has(id) || mayHaveUnreadChanges(state.seen.get(id), time));
  if (news.length === 0 && read.size === 0 && check.mark === state.mark && !isWide) return state;
  for (const [id, time] of news) {
    const before = state.seen.get(id);
    const ignored = read.has(id) ? (before?.ignored ?? "") : time;
    if (!failed.has(id)) state.seen.set(id, { time, ignored, at: firstSeenAt(before, time, check.at) });
  }
  if (failed.size > 0) return { ...state };
  return prunedState({ ...state, mark: check.mark, wide: isWide ? check.mark : state.wide });
}

/** True if a bug whose last change has this time may have changes that were not read. */
export function mayHaveUnreadChanges(seen: SeenChange | undefined, time: string | undefined): boolean {
  return seen === undefined || seen.time !== time || seen.at !== undefined;
}

/** When the change was seen first; undefined once its second is over. */
function firstSeenAt(before: SeenChange | undefined, time: string, now: number): number | undefined {
  if (before?.time !== time) return now;
  return before.at === undefined || Math.abs(now - before.at) > SECOND_MS ? undefined : before.at;
}

const SECOND_MS = 1000;

function prunedState(state: WatchState): WatchState {
  const oldest = momentBefore(state.mark, KEPT_MS);
  for (const [id, { time }] of state.seen) if (time < oldest) state.seen.delete(id);
  for (const [identity, { when }] of state.reported) if (when < oldest) state.reported.delete(identity);
  return state;
}
