import { bugPlan, commentsPlan, historyPlan, momentBefore, readPartsOfBugs } from "../../../api/bugs.ts";
import { requireField } from "../../../api/catalog/catalog.ts";
import type { SendRequest } from "../../../api/operations/operation.ts";
import { EVERY_BUG, type Query } from "../../../api/query/tree.ts";
import { receivedTime } from "../../../api/response/response-objects.ts";
import { LAST_CHANGED_FIRST } from "../../../api/search/sort.ts";
import type { WatchEvent } from "../../../view/watch.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Comment, HistoryEntry } from "../../../wire/resources.ts";
import type { Criteria } from "../../shared/criteria/criteria.ts";
import type { Context } from "../../verb.ts";

/** State between two checks. The mark is the greatest received time of a change, never a clock. */
export type WatchState = {
  readonly mark: string;
  readonly start: string; // the first mark: earlier changes are not reported
  readonly known: Set<number>; // bugs that match
  readonly seen: Map<number, string>; // last changes of the period that is read again, without those at a new mark
  readonly reported: Map<string, string>; // identities of changes and comments of that period, with their times
};

/** Initial state of a watch: the matching bugs, none of whose changes so far is reported. */
export async function startWatch(criteria: Criteria, context: Context): Promise<WatchState> {
  const { searches } = context.session;
  const newestFirst = { query: EVERY_BUG, order: LAST_CHANGED_FIRST };
  const [newest] = await searches.first(newestFirst, { include: ["last_change_time"], limit: 1 });
  const mark = newest?.last_change_time ?? NEVER;
  const seen = await readChangedSince(momentBefore(mark, REACH_MS), context);
  const matching = await collectChangeTimes(searches.pages(criteria, WANTED));
  const start = latestTime(mark, seen);
  return { mark: start, start, known: new Set(matching.keys()), seen, reported: new Map() };
}

/** A bulk update appears minutes after its stamps, and in autumn the clock of a server goes back by an hour. */
const REACH_MS = 70 * 60_000;
const NEVER = "1970-01-01T00:00:00Z";
const WANTED = { include: ["last_change_time"] };

/** Events since the last check, and the state after them: two searches, and three requests more for bugs with news. */
export async function checkWatch(state: WatchState, criteria: Criteria, context: Context) {
  const { known, seen } = state;
  const since = momentBefore(state.mark, REACH_MS);
  const changed = await readChangedSince(since, context);
  const matching = await collectChangeTimes(context.session.searches.pages(criteria, WANTED));
  const moved = new Set([...changed].filter(([id, time]) => seen.get(id) !== time).map(([id]) => id));
  const entered = [...matching.keys()].filter((id) => !known.has(id));
  const left = [...known].filter((id) => !matching.has(id));
  const read = new Set([...[...moved].filter((id) => known.has(id)), ...entered, ...left]);
  const news = await readNews([...read], since, context.session.send);
  const events = [...read].flatMap((id) => {
    const transition = matching.has(id) ? "entered" : "left";
    const bug = { id, since, isMoved: moved.has(id), news: news.get(id) ?? {} };
    return newEvents({ ...bug, transition: matching.has(id) === known.has(id) ? undefined : transition }, state);
  });
  return { events: eventsByTime(events), next: nextState(state, changed) };
}

/** The state after a check, without what is older than the next check reads again. */
function nextState(state: WatchState, changed: Times): WatchState {
  const mark = latestTime(state.mark, changed);
  const oldest = momentBefore(mark, REACH_MS);
  const isOver = (time: string) => time >= oldest && (time < mark || mark === state.mark); // more may happen in a new second
  const seen = new Map([...changed].filter(([, time]) => isOver(time)));
  for (const [identity, when] of state.reported) if (when < oldest) state.reported.delete(identity);
  return { ...state, mark, seen };
}

/** Notes an event as reported, so that no later check has it again. */
export function noteReported(event: WatchEvent, { known, reported }: WatchState): void {
  if (event.event === "entered") known.add(event.id);
  else if (event.event === "left") known.delete(event.id);
  else reported.set(identityOf(event), event.when ?? "");
}

function identityOf({ event, id, when, who, field, old, new: value, attachment_id, comment }: WatchEvent): string {
  return JSON.stringify(event === "commented" ? [comment] : [id, when, who, field, attachment_id, old, value]);
}

type Times = Map<number, string>;

function latestTime(mark: string, changed: Times): string {
  let newest = mark;
  for (const time of changed.values()) if (time > newest) newest = time;
  return newest;
}

/** Bugs of the whole tracker that changed since then. */
async function readChangedSince(since: string, { session }: Context): Promise<Times> {
  const field = requireField(await session.catalog(), "last_change_time");
  const query: Query = { kind: "test", field, op: ">=", values: [since] };
  return collectChangeTimes(session.searches.pages({ query }, WANTED));
}

async function collectChangeTimes(pages: AsyncIterable<readonly Bug[]>): Promise<Times> {
  const times = new Map<number, string>();
  for await (const page of pages)
    for (const { id, last_change_time } of page) times.set(id, receivedTime(last_change_time));
  return times;
}

/** A bug with its latest changes and comments; empty if it is no longer visible. */
type BugNews = {
  readonly bug?: Bug | undefined;
  readonly history?: readonly HistoryEntry[] | undefined;
  readonly comments?: readonly Comment[] | undefined;
};

async function readNews(ids: number[], since: string, send: SendRequest): Promise<ReadonlyMap<number, BugNews>> {
  if (ids.length === 0) return new Map();
  const bugs = await readPartsOfBugs(ids.map(String), bugPlan(BUG_FIELDS), send, "visible");
  const visible = [...bugs.keys()];
  const histories = await readPartsOfBugs(visible, historyPlan(since), send, "visible");
  const comments = await readPartsOfBugs(visible, commentsPlan(since), send, "visible");
  const newsOf = (id: string): BugNews => {
    return { bug: bugs.get(id), history: histories.get(id)?.history, comments: comments.get(id) };
  };
  return new Map(visible.map((id) => [Number(id), newsOf(id)]));
}

const BUG_FIELDS = ["summary", "creator", "creation_time", "last_change_time"];

/** A bug in a check; `since` is the start of the checked period (ISO 8601). */
type CheckedBug = {
  readonly id: number;
  readonly since: string;
  readonly isMoved: boolean;
  readonly transition: "entered" | "left" | undefined;
  readonly news: BugNews;
};

/** Events of a bug that were not reported yet. */
function newEvents({ id, since, isMoved, transition, news }: CheckedBug, state: WatchState): WatchEvent[] {
  const { bug, history = [], comments = [] } = news;
  const about = { id, summary: bug?.summary ?? null };
  const changes = history.flatMap(({ when, who, changes: made }) =>
    made.map(({ field_name: field, removed, added, attachment_id }): WatchEvent => {
      const event = { event: "changed", ...about, when, who, field, old: removed, new: added } as const;
      return { ...event, ...(attachment_id ? { attachment_id } : {}) };
    }),
  );
  const written = comments.map(({ time: when, creator: who, id: comment, count, is_private, text }): WatchEvent => {
    return { event: "commented", ...about, when, who, comment, count, is_private, text };
  });
  const all = [...changes, ...written];
  const isNew = ({ when, count }: WatchEvent) => when !== null && when >= since && when > state.start && count !== 0;
  const events = all.filter((event) => isNew(event) && !state.reported.has(identityOf(event)));
  if (transition === undefined) return events;
  const time = isMoved ? (bug?.last_change_time ?? null) : null;
  const author = all.find((one) => time !== null && one.when === time)?.who;
  const creator = bug?.creation_time === time ? bug?.creator : undefined;
  return [...events, { event: transition, ...about, when: time, who: author ?? creator ?? null }];
}

/** Events by time; at the same time by bug, `entered` first and `left` last. */
function eventsByTime(events: WatchEvent[]): WatchEvent[] {
  const time = ({ when }: WatchEvent) => when ?? "9";
  const rank = ({ event }: WatchEvent) => RANKS.indexOf(event);
  return events.toSorted((a, b) => {
    if (time(a) !== time(b)) return time(a) < time(b) ? -1 : 1;
    return a.id - b.id || rank(a) - rank(b);
  });
}

const RANKS = ["entered", "changed", "commented", "left"];
