import type { WatchEvent } from "../../../view/watch.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Comment, HistoryEntry } from "../../../wire/resources.ts";
import { identityOf, type WatchState } from "./watch-state.ts";

/** A bug with its latest changes and comments; empty if it is not visible. */
export type BugNews = {
  readonly bug?: Bug | undefined;
  readonly history?: readonly HistoryEntry[] | undefined;
  readonly comments?: readonly Comment[] | undefined;
};

/** A bug in a check: the start of the checked period (ISO 8601), and whether it started or stopped matching. */
export type CheckedBug = {
  readonly id: number;
  readonly since: string;
  readonly turn: "entered" | "left" | undefined;
  readonly news: BugNews;
};

/** Events of a bug that were not reported yet. */
export function eventsOf({ id, since, turn, news }: CheckedBug, { seen, told }: WatchState): WatchEvent[] {
  const { bug, history = [], comments = [] } = news;
  const before = seen.get(id);
  const isNew = ({ when }: WatchEvent) => when !== null && when >= since && when > (before?.ignored ?? "");
  const about = { id, summary: bug?.summary ?? null };
  const changes = history.flatMap(({ when, who, changes: fields }) =>
    fields.map(({ field_name, removed, added, attachment_id }): WatchEvent => {
      const values = { field: field_name, old: removed, new: added };
      return { event: "changed", ...about, when, who, ...values, ...(attachment_id ? { attachment_id } : {}) };
    }),
  );
  const written = comments.map(({ time, creator, id: comment, count, is_private, text }): WatchEvent => {
    return { event: "commented", ...about, when: time, who: creator, comment, count, is_private, text };
  });
  const last = bug?.last_change_time;
  const isMoved = typeof last === "string" && last >= since && last !== before?.time;
  const when = isMoved ? last : null;
  const all = [...changes, ...written];
  const who = all.find((one) => when !== null && one.when === when)?.who ?? creatorAt(when, bug);
  const reported = all.filter((one) => one.count !== 0 && isNew(one) && !told.has(identityOf(one)));
  return [...reported, ...(turn === undefined ? [] : [{ event: turn, ...about, when, who }])];
}

/** The reporter of a bug that has not changed since it was filed. */
function creatorAt(when: string | null, bug: Bug | undefined): string | null {
  return when !== null && bug?.creation_time === when ? (bug.creator ?? null) : null;
}

/** Events by time; at the same time by bug, `entered` first and `left` last. */
export function inOrder(events: WatchEvent[]): WatchEvent[] {
  const place = ({ when, id, event }: WatchEvent) => [when ?? "9", id, RANKS.indexOf(event)] as const;
  return events.toSorted((one, other) => compared(place(one), place(other)));
}

const RANKS = ["entered", "changed", "commented", "left"];

type Place = readonly [when: string, id: number, rank: number];

function compared([when, id, rank]: Place, other: Place): number {
  if (when !== other[0]) return when < other[0] ? -1 : 1;
  return id - other[1] || rank - other[2];
}
