import { bugPlan } from "../../../api/bugs/bug-numbers.ts";
import { commentsPlan, historyPlan, readPartsOfVisibleBugs } from "../../../api/bugs/bug-parts.ts";
import { dayBefore, momentBefore, rereadReach } from "../../../api/bugs/change-reach.ts";
import { requireField } from "../../../api/catalog/catalog.ts";
import type { SendRequest } from "../../../api/operations/operation.ts";
import { allOf, EVERY_BUG, type Query } from "../../../api/query/tree.ts";
import { receivedTime } from "../../../api/response/response-objects.ts";
import { PAGE_SIZE } from "../../../api/search/pages.ts";
import { LAST_CHANGED_FIRST } from "../../../api/search/sort.ts";
import type { WatchEvent } from "../../../view/watch.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Comment, HistoryEntry } from "../../../wire/resources.ts";
import type { Criteria } from "../../shared/criteria/criteria.ts";
import type { Context } from "../../verb.ts";
import {
  type CheckedTimes,
  mayHaveUnreadChanges,
  newState,
  noteReported,
  unreportedEvents,
  type WatchState,
} from "./watch-state.ts";

/** Result of a check. */
export type WatchCheck = CheckedTimes & { readonly events: readonly WatchEvent[] };

/** Times of the last change by bug. */
type Times = ReadonlyMap<number, string>;

/** Initial state of a watch: the matching bugs, and the changes of the last day. */
export async function startWatch(criteria: Criteria, context: Context): Promise<WatchState> {
  const newest = await readNewestChange(context);
  const changed = await readChangedSince(dayBefore(newest), context);
  const matching = await collectChangeTimes(context.session.searches.pages(criteria, WANTED));
  const state = newState(latestTime(newest, changed));
  for (const id of matching.keys()) state.known.add(id);
  for (const [id, time] of changed) state.seen.set(id, { time, ignored: time });
  await noteLatest(state, changed, context);
  return state;
}

/** Notes what happened to the bugs that changed last as reported: more may happen to them in the same second. */
async function noteLatest(state: WatchState, changed: Times, context: Context): Promise<void> {
  const ids = [...state.known].filter((id) => changed.get(id) === state.mark);
  const since = momentBefore(state.mark, 1000);
  const news = await readNews(ids, since, context.session.send);
  for (const id of ids) {
    state.seen.set(id, { time: state.mark, ignored: since, at: context.io.now().getTime() });
    const events = newEvents({ id, since, transition: undefined, news: news.get(id) ?? {} }, state);
    for (const event of events) noteReported(event, state);
  }
}

/**
 * Events since the last check: by one request if nothing changed, else about five for changes, matches, and the
 * summaries, histories and comments of the affected bugs.
 */
export async function checkWatch(state: WatchState, criteria: Criteria, context: Context): Promise<WatchCheck> {
  const { known, seen } = state;
  const at = context.io.now().getTime();
  const { since, isWide } = rereadReach(state);
  const changed = await readChangedSince(since, context);
  const moved = [...changed.keys()].filter((id) => mayHaveUnreadChanges(seen.get(id), changed.get(id)));
  const isWhole = isWide || criteria.passed !== undefined || known.size < PAGE_SIZE;
  const unchanged = { changed, mark: latestTime(state.mark, changed), isWide, at };
  if (moved.length === 0 && !isWhole) return { ...unchanged, events: [], read: new Set() };
  const query = allOf([criteria.query, await changedTest(since, context)]);
  const searched = isWhole ? criteria : { ...criteria, query };
  const matching = await collectChangeTimes(context.session.searches.pages(searched, WANTED));
  const isMoved = new Set(moved);
  const entered = [...matching.keys()].filter((id) => !known.has(id));
  const left = [...known].filter((id) => !matching.has(id) && (isWhole || isMoved.has(id)));
  const read = new Set([...moved.filter((id) => known.has(id) || matching.has(id)), ...entered, ...left]);
  const news = await readNews([...read], since, context.session.send);
  const transition = (id: number) => {
    if (matching.has(id) === known.has(id)) return undefined;
    return matching.has(id) ? "entered" : "left";
  };
  const events = [...read].flatMap((id) =>
    newEvents({ id, since, transition: transition(id), news: news.get(id) ?? {} }, state),
  );
  return { ...unchanged, events: eventsByTime(events), read };
}

const WANTED = { include: ["last_change_time"] };

/** Time of the last change on the tracker. */
async function readNewestChange(context: Context): Promise<string> {
  const search = { query: EVERY_BUG, order: LAST_CHANGED_FIRST };
  const [newest] = await context.session.searches.first(search, { include: ["last_change_time"], limit: 1 });
  return newest?.last_change_time ?? NEVER;
}

const NEVER = "1970-01-01T00:00:00Z";

function latestTime(mark: string, changed: Times): string {
  let newest = mark;
  for (const time of changed.values()) if (time > newest) newest = time;
  return newest;
}

/** Bugs of the whole tracker that changed since then. */
async function readChangedSince(since: string, context: Context): Promise<Times> {
  const query = await changedTest(since, context);
  return collectChangeTimes(context.session.searches.pages({ query }, WANTED));
}

async function changedTest(since: string, { session }: Context): Promise<Query> {
  const field = requireField(await session.metadata.catalog(), "last_change_time");
  return { kind: "test", field, op: ">=", values: [since] };
}

async function collectChangeTimes(pages: AsyncIterable<readonly Bug[]>): Promise<Times> {
  const times = new Map<number, string>();
  for await (const page of pages)
    for (const { id, last_change_time } of page) times.set(id, receivedTime(last_change_time));
  return times;
}

/** Titles, histories and comments of bugs by id; a bug that is no longer visible has none. */
async function readNews(ids: number[], since: string, send: SendRequest): Promise<ReadonlyMap<number, BugNews>> {
  if (ids.length === 0) return new Map();
  const bugs = await readPartsOfVisibleBugs(ids.map(String), bugPlan(BUG_FIELDS), send);
  const visible = [...bugs.keys()];
  const histories = await readPartsOfVisibleBugs(visible, historyPlan(since), send);
  const comments = await readPartsOfVisibleBugs(visible, commentsPlan(since), send);
  const news = (id: string) => ({
    bug: bugs.get(id),
    history: histories.get(id)?.history,
    comments: comments.get(id),
  });
  return new Map(visible.map((id) => [Number(id), news(id)]));
}

const BUG_FIELDS = ["summary", "creator", "creation_time", "last_change_time"];

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
  readonly transition: "entered" | "left" | undefined;
  readonly news: BugNews;
};

/** Events of a bug that were not reported yet. */
function newEvents({ id, since, transition, news }: CheckedBug, state: WatchState): WatchEvent[] {
  const { bug, history = [], comments = [] } = news;
  const before = state.seen.get(id);
  const isNew = (event: WatchEvent) =>
    event.when !== null && event.when >= since && event.when > (before?.ignored ?? "");
  const about = { id, summary: bug?.summary ?? null };
  const changes = history.flatMap((entry) =>
    entry.changes.map(({ field_name, removed, added, attachment_id }): WatchEvent => {
      const { when: time, who: author } = entry;
      const values = { field: field_name, old: removed, new: added };
      const event = { event: "changed", ...about, when: time, who: author, ...values } as const;
      return { ...event, ...(attachment_id ? { attachment_id } : {}) };
    }),
  );
  const written = comments.map(({ time, creator, id: comment, count, is_private, text }): WatchEvent => {
    return { event: "commented", ...about, when: time, who: creator, comment, count, is_private, text };
  });
  const last = bug?.last_change_time;
  const isMoved = typeof last === "string" && last >= since && mayHaveUnreadChanges(before, last);
  const when = isMoved ? last : null;
  const all = [...changes, ...written];
  const who = all.find((one) => when !== null && one.when === when)?.who ?? creatorAt(when, bug);
  const unreported = unreportedEvents(
    all.filter((one) => one.count !== 0 && isNew(one)),
    state,
  );
  if (transition !== undefined) unreported.push({ event: transition, ...about, when, who });
  return unreported;
}

/** The reporter of a bug that has not changed since it was filed. */
function creatorAt(when: string | null, bug: Bug | undefined): string | null {
  return when !== null && bug?.creation_time === when ? (bug.creator ?? null) : null;
}

/** Events by time; at the same time by bug, `entered` first and `left` last. */
function eventsByTime(events: WatchEvent[]): WatchEvent[] {
  const place = ({ when, id, event }: WatchEvent) => [when ?? "9", id, RANKS.indexOf(event)] as const;
  return events.toSorted((one, other) => comparePlaces(place(one), place(other)));
}

const RANKS = ["entered", "changed", "commented", "left"];

type Place = readonly [when: string, id: number, rank: number];

function comparePlaces([when, id, rank]: Place, other: Place): number {
  if (when !== other[0]) return when < other[0] ? -1 : 1;
  return id - other[1] || rank - other[2];
}
