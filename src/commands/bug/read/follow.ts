import { createHash } from "node:crypto";
import { join } from "node:path";
import { foundThings, requestAll } from "../../../api/batch.ts";
import { bugPlan, commentsPlan, historyPlan, momentBefore, readPartsOfBugs } from "../../../api/bugs.ts";
import { requireField } from "../../../api/catalog/catalog.ts";
import { collectPages } from "../../../api/lists.ts";
import { EVERY_BUG, type Query } from "../../../api/query/tree.ts";
import { receivedTime } from "../../../api/response/response-objects.ts";
import { lastChangedFirst } from "../../../api/search/sort.ts";
import { folderToWrite, readSmallFile, replaceFile, withLock } from "../../../config/files.ts";
import { BtError, isKind, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { eventText, type WatchEvent } from "../../../view/changes.ts";
import { matchText } from "../../../view/messages.ts";
import { compareTexts, escapeJson } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { waitText } from "../../../wire/exchange.ts";
import type { Comment, HistoryEntry } from "../../../wire/resources.ts";
import { type Criteria, readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts } from "../../shared/criteria/flags.ts";
import { chooseBugColumns, showList } from "../../shared/output/print.ts";
import { readTargets, reportNoTargets } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { WaitInput, WatchInput } from "../flags.ts";

/**
 * `bt bug wait`: polls until bugs match, and prints those that do.
 * @throws BtError of kind no if they do not match in time
 */
export async function waitForBugs(input: WaitInput, context: Context): Promise<void> {
  const { io, session } = context;
  const within = readDuration("within", input.within) ?? Number.POSITIVE_INFINITY;
  const ids = await readIds(input.args.filter(isBug), context);
  if (ids.length === 0) return reportNoTargets(context);
  const terms = input.args.filter((word) => !isBug(word));
  const criteria = await readCriteria(
    { args: terms.length > 0 ? terms : ["is:closed"], parameters: { id: [ids.join(",")] } },
    context,
  );
  const columns = await chooseBugColumns(context);
  const include = ["id", ...columns.flatMap((column) => column.needs)];
  const start = io.ticks();
  let found: Bug[] = [];
  for (let pause = FIRST_PAUSE_MS; !io.signal.aborted; pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS)) {
    const left = within - (io.ticks() - start);
    found = await collectPages(session.searches.pages(criteria, { include })).catch(async (error) => {
      if (left <= 0) throw error;
      await reportUnreachable(error, context);
      return [];
    });
    if (found.length >= ids.length || left <= 0) break;
    await io.sleep(Math.min(pause, left));
  }
  if (io.signal.aborted) return;
  if (found.length > 0) await showList(context, { columns, pages: [found] });
  const rest = ids.filter((id) => !found.some((bug) => bug.id === id));
  if (rest.length === 0) return;
  const bugs = `${rest.length === 1 ? "bug" : "bugs"} ${rest.join(", ")}`;
  throw new BtError("no", `no match within ${waitText(within)}: ${bugs}`);
}

const FIRST_PAUSE_MS = 5000;
const GROWTH = 1.5;
const LONGEST_PAUSE_MS = 300_000;

/** True for a word that names bugs; any other is part of the condition. */
function isBug(word: string): boolean {
  return word === "-" || /^#?\d+(?:,#?\d+)*,?$|^https?:/.test(word);
}

/** Ids of the bugs to wait for. @throws BtError of the first bug that is not visible */
async function readIds(words: string[], context: Context): Promise<number[]> {
  if (words.length === 0) throw usageError("no bugs to wait for", "bt bug wait 12 is:closed");
  const refs = await readTargets(words, context);
  const outcomes = await requestAll(refs, bugPlan(["id"]), context.session.send);
  for (const outcome of outcomes) if ("error" in outcome) throw outcome.error;
  return [...new Set(foundThings(outcomes).map(({ id }) => id))];
}

/**
 * A duration of a flag: `90s`, `30m`, `1h`, `2d`; in milliseconds. Undefined if it is not given.
 * @throws BtError of kind usage
 */
function readDuration(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(number) * (MS[unit ?? ""] ?? 0);
  if (ms > 0) return ms;
  throw usageError(`--${flag} ${JSON.stringify(text)} is not a duration`, "use 90s, 30m, 1h or 2d");
}

const MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reports an error that passes by itself, such as an unreachable tracker; throws any other. */
async function reportUnreachable(error: unknown, { io }: Context): Promise<void> {
  if (!isKind(error, "network", "busy") || io.signal.aborted) throw error;
  await note(io, `${error.message}; checking again`);
}

/** `bt bug watch`: reports changes of matching bugs until a signal, or once. */
export async function watchBugs(input: WatchInput, context: Context): Promise<void> {
  const pause = readDuration("every", input.every) ?? PAUSE_MS;
  if (input.once && input.every !== undefined) throw usageError("--once and --every cannot be used together");
  const criteria = await readCriteria(input, context);
  if (input.once) return watchOnce(input, criteria, context);
  const { io } = context;
  let state = await startWatch(criteria, context);
  if (io.terminal.stderr) await note(io, `${matchText(state.known.size)}; checking every ${waitText(pause)}`);
  for (await io.sleep(pause); !io.signal.aborted; await io.sleep(pause)) {
    try {
      const now = await readCriteria(input, context); // dates are relative to now
      state = await reportNews(state, now, context);
    } catch (error) {
      if (!io.signal.aborted) await reportUnreachable(error, context);
    }
  }
}

const PAUSE_MS = 120_000;

/** Reports the changes since the last `--once` of this tracker, login and criteria, which its mark tells. */
async function watchOnce(input: WatchInput, criteria: Criteria, context: Context): Promise<void> {
  const { io, session } = context;
  const words = [input.args, [...criteriaTexts(input)].sort()];
  const subject = JSON.stringify([session.address, (await session.login()) ?? null, words]);
  const name = createHash("sha256").update(subject).digest("hex").slice(0, 24);
  const file = join(folderToWrite("state", io), "watch", `${name}.json`);
  const report = async () => {
    const before = readMark(file);
    if (before) return void (await reportNews(before, criteria, context, file));
    const state = await startWatch(criteria, context);
    saveMark(state, file);
    await note(io, `${matchText(state.known.size)}; the next --once reports the changes from now on`);
  };
  await withLock(file, report, io);
}

/** State between two checks. The mark is the greatest received time of a change, never a clock. */
type WatchState = {
  readonly mark: string;
  readonly start: string; // the first mark: earlier changes are not reported
  readonly known: Set<number>; // bugs that match
  readonly seen: Times; // last changes of the period that is read again, without those at a new mark
  readonly reported: Map<string, string>; // identities of changes and comments of that period, with their times
};

/** Times of the last changes of bugs, by id. */
type Times = ReadonlyMap<number, string>;

/** Initial state of a watch: the matching bugs, none of whose changes so far is reported. */
async function startWatch(criteria: Criteria, context: Context): Promise<WatchState> {
  const { searches } = context.session;
  const newestFirst = { query: EVERY_BUG, order: lastChangedFirst() };
  const [newest] = await searches.first(newestFirst, { include: ["last_change_time"], limit: 1 });
  const mark = newest?.last_change_time ?? "1970-01-01T00:00:00Z";
  const seen = await readChangedSince(momentBefore(mark, REACH_MS), context);
  const matching = await readChangeTimes(criteria, context);
  const start = latestTime(mark, seen);
  return { mark: start, start, known: new Set(matching.keys()), seen, reported: new Map() };
}

/** A bulk update appears minutes after its stamps, and in autumn the clock of a server goes back by an hour. */
const REACH_MS = 70 * 60_000;

/** Bugs of the whole tracker that changed since then. */
async function readChangedSince(since: string, context: Context): Promise<Times> {
  const field = requireField(await context.session.catalog(), "last_change_time");
  const query: Query = { kind: "test", field, op: ">=", values: [since] };
  return readChangeTimes({ query }, context);
}

async function readChangeTimes(search: Pick<Criteria, "query">, { session }: Context): Promise<Times> {
  const times = new Map<number, string>();
  for await (const page of session.searches.pages(search, { include: ["last_change_time"] }))
    for (const { id, last_change_time } of page) times.set(id, receivedTime(last_change_time));
  return times;
}

function latestTime(mark: string, changed: Times): string {
  let latest = mark;
  for (const time of changed.values()) if (time > latest) latest = time;
  return latest;
}

/** Prints the events since the last check; returns the state after them, which the file of a mark gets. */
async function reportNews(state: WatchState, criteria: Criteria, context: Context, file?: string): Promise<WatchState> {
  const { known, seen, reported } = state;
  const since = momentBefore(state.mark, REACH_MS);
  const changed = await readChangedSince(since, context);
  const matching = await readChangeTimes(criteria, context);
  const moved = [...changed.keys()].filter((id) => seen.get(id) !== changed.get(id));
  const entered = [...matching.keys()].filter((id) => !known.has(id));
  const left = [...known].filter((id) => !matching.has(id));
  const changing = [...moved.filter((id) => known.has(id)), ...entered, ...left];
  const ids = [...new Set(changing)].sort((one, other) => one - other);
  const news = await readNews(ids, since, context);
  const events = ids.flatMap((id) => {
    const own = news.get(id) ?? {};
    const recent = historyEvents(id, own).filter(
      (event) => String(event.when) >= since && String(event.when) > state.start && !reported.has(identityOf(event)),
    );
    if (matching.has(id) === known.has(id)) return recent;
    const time = moved.includes(id) ? own.bug?.last_change_time : undefined;
    return matching.has(id)
      ? [transition("entered", id, time, own), ...recent]
      : [...recent, transition("left", id, time, own)];
  });
  for (const event of events.toSorted((one, other) => compareTexts(one.when ?? "9", other.when ?? "9"))) {
    await printEvent(event, context);
    if (context.io.signal.aborted) return state;
    if (event.event === "entered") known.add(event.id);
    else if (event.event === "left") known.delete(event.id);
    else reported.set(identityOf(event), event.when ?? "");
    saveMark(state, file);
  }
  const next = stateAfter(state, changed);
  saveMark(next, file);
  return next;
}

/** A bug with its latest changes and comments; empty if it is no longer visible. */
type BugNews = {
  readonly bug?: Bug | undefined;
  readonly history?: readonly HistoryEntry[] | undefined;
  readonly comments?: readonly Comment[] | undefined;
};

async function readNews(ids: number[], since: string, context: Context): Promise<ReadonlyMap<number, BugNews>> {
  if (ids.length === 0) return new Map();
  const { send } = context.session;
  const fields = ["summary", "creator", "creation_time", "last_change_time"];
  const bugs = await readPartsOfBugs(ids.map(String), bugPlan(fields), send, "visible");
  const visible = [...bugs.keys()];
  const histories = await readPartsOfBugs(visible, historyPlan(since), send, "visible");
  const comments = await readPartsOfBugs(visible, commentsPlan(since), send, "visible");
  return new Map(
    [...bugs].map(([id, bug]) => [
      Number(id),
      { bug, history: histories.get(id)?.history, comments: comments.get(id) },
    ]),
  );
}

/** The changes and comments of a bug, without its description. */
function historyEvents(id: number, { bug, history = [], comments = [] }: BugNews): WatchEvent[] {
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
  return [...changes, ...written.filter(({ count }) => count !== 0)];
}

function identityOf({ event, id, when, who, field, old, new: value, attachment_id, comment }: WatchEvent): string {
  return JSON.stringify(event === "commented" ? [comment] : [id, when, who, field, attachment_id, old, value]);
}

/** A bug that starts or stops matching, by the change of this time if there was one. */
function transition(event: "entered" | "left", id: number, time: string | null | undefined, news: BugNews): WatchEvent {
  const { bug } = news;
  const author = historyEvents(id, news).find(({ when }) => when === time)?.who;
  const creator = time && bug?.creation_time === time ? bug.creator : undefined;
  return { event, id, summary: bug?.summary ?? null, when: time ?? null, who: author ?? creator ?? null };
}

/** The state after a check, without what is older than the next check reads again. */
function stateAfter(state: WatchState, changed: Times): WatchState {
  const mark = latestTime(state.mark, changed);
  const oldest = momentBefore(mark, REACH_MS);
  const isOver = (time: string) => time >= oldest && (time < mark || mark === state.mark); // more may happen in a new second
  const seen = new Map([...changed].filter(([, time]) => isOver(time)));
  const reported = new Map([...state.reported].filter(([, when]) => when >= oldest));
  return { ...state, mark, seen, reported };
}

async function printEvent(event: WatchEvent, { io, output }: Context): Promise<void> {
  const json = `${escapeJson(JSON.stringify(event))}\n`;
  const text = () => eventText(JSON.parse(io.hide(json)), output.view); // hidden before it is cut
  await io.out(output.format === "table" ? text() : json);
}

function saveMark({ known, seen, reported, ...state }: WatchState, file: string | undefined): void {
  const lists = { known: [...known], seen: [...seen], reported: [...reported] };
  if (file !== undefined) replaceFile(file, JSON.stringify({ ...state, ...lists }));
}

/** The state of a mark; undefined if it is new. @throws BtError of kind local if damaged */
function readMark(file: string): WatchState | undefined {
  const found = readSmallFile(file, { largest: MAX_BYTES });
  if (found === undefined) return undefined;
  try {
    const { known, seen, reported, mark, start } = JSON.parse(found.text);
    return { mark, start, known: new Set(known), seen: new Map(seen), reported: new Map(reported) };
  } catch {
    throw new BtError("local", `cannot use the mark ${file}`, { hint: "delete it to start over" });
  }
}

const MAX_BYTES = 256 * 1024 * 1024;
