import { createHash } from "node:crypto";
import { join } from "node:path";
import { foundThings, requestAll } from "../../../api/batch.ts";
import { bugPlan, commentsPlan, historyPlan, momentBefore, readPartsOfBugs } from "../../../api/bugs.ts";
import { requireField } from "../../../api/catalog/catalog.ts";
import { collectPages, partition } from "../../../api/lists.ts";
import { EVERY_BUG, type Query } from "../../../api/query/tree.ts";
import { receivedTime } from "../../../api/response/response-objects.ts";
import { lastChangedFirst } from "../../../api/search/sort.ts";
import { folderToWrite, readSmallFile, replaceFile, withLock } from "../../../config/files.ts";
import { BtError, isKind, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { ownLogin } from "../../../session/session.ts";
import { neededFields } from "../../../view/bug-columns.ts";
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
  const [words, terms] = partition(input.args, isBugArgument);
  const ids = await readBugIds(words, context);
  if (ids.length === 0) return reportNoTargets(context);
  const criteria = await readCriteria(
    { args: terms.length > 0 ? terms : ["is:closed"], parameters: { id: [ids.join(",")] } },
    context,
  );
  const columns = await chooseBugColumns(context);
  const include = ["id", ...neededFields(columns)];
  const start = io.ticks();
  let found: Bug[] = [];
  for (let pause = FIRST_PAUSE_MS; !io.signal.aborted; pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MS)) {
    const left = within - (io.ticks() - start);
    found = await collectPages(session.searches.pages(criteria, { include })).catch(async (error) => {
      if (left <= 0) throw error;
      await noteTemporaryError(error, context);
      return []; // checked again after the pause
    });
    if (found.length >= ids.length || left <= 0) break;
    await io.sleep(Math.min(pause, left));
  }
  if (io.signal.aborted) return;
  if (found.length > 0) await showList(context, { columns, pages: [found] });
  const unmatched = ids.filter((id) => !found.some((bug) => bug.id === id));
  if (unmatched.length === 0) return;
  const bugs = `${unmatched.length === 1 ? "bug" : "bugs"} ${unmatched.join(", ")}`;
  throw new BtError("no", `no match within ${waitText(within)}: ${bugs}`);
}

const FIRST_PAUSE_MS = 5000;
const PAUSE_GROWTH = 1.5;
const LONGEST_PAUSE_MS = 300_000;

/** True for a word that names bugs (`-`, `12,#13`, a URL); any other word is a term of the condition. */
function isBugArgument(word: string): boolean {
  return word === "-" || /^#?\d+(?:,#?\d+)*,?$|^https?:/.test(word);
}

/** Ids of the bugs to wait for. @throws BtError of the first bug that is not visible */
async function readBugIds(words: string[], context: Context): Promise<number[]> {
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
  const ms = Number(number) * (MS_PER_UNIT[unit ?? ""] ?? 0);
  if (ms > 0) return ms; // NaN without a match
  throw usageError(`--${flag} ${JSON.stringify(text)} is not a duration`, "use 90s, 30m, 1h or 2d");
}

const MS_PER_UNIT: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Notes an error that may pass by itself, such as an unreachable tracker. @throws any other error */
async function noteTemporaryError(error: unknown, { io }: Context): Promise<void> {
  if (!isKind(error, "network", "busy") || io.signal.aborted) throw error;
  await note(io, `${error.message}; checking again`);
}

/** `bt bug watch`: reports changes of matching bugs until a signal, or once. */
export async function watchBugs(input: WatchInput, context: Context): Promise<void> {
  const pause = readDuration("every", input.every) ?? DEFAULT_PAUSE_MS;
  if (input.once && input.every !== undefined) throw usageError("--once and --every cannot be used together");
  const criteria = await readCriteria(input, context);
  if (input.once) return watchOnce(input, criteria, context);
  const { io } = context;
  let state = await startWatch(criteria, context);
  if (io.terminal.stderr) await note(io, `${matchText(state.matching.size)}; checking every ${waitText(pause)}`);
  for (await io.sleep(pause); !io.signal.aborted; await io.sleep(pause)) {
    try {
      const now = await readCriteria(input, context); // dates are relative to now
      state = await reportNews(state, now, context);
    } catch (error) {
      if (!io.signal.aborted) await noteTemporaryError(error, context);
    }
  }
}

const DEFAULT_PAUSE_MS = 120_000;

/** Reports the changes since the last `--once` of this tracker, login and criteria, whose state is in a file. */
async function watchOnce(input: WatchInput, criteria: Criteria, context: Context): Promise<void> {
  const { io, session } = context;
  const words = [input.args, [...criteriaTexts(input)].sort()];
  const identity = JSON.stringify([session.address, (await ownLogin(session)) ?? null, words]);
  const name = createHash("sha256").update(identity).digest("hex").slice(0, 24);
  const file = join(folderToWrite("state", io), "watch", `${name}.json`);
  const report = async () => {
    const before = readState(file);
    if (before) return void (await reportNews(before, criteria, context, file));
    const state = await startWatch(criteria, context);
    saveState(state, file);
    await note(io, `${matchText(state.matching.size)}; the next --once reports the changes from now on`);
  };
  await withLock(file, report, io);
}

/** State between two checks. Its times are those of the tracker, never of this machine's clock. */
type WatchState = {
  readonly latest: string; // time of the latest change that was seen in the whole tracker
  readonly start: string; // the first `latest`: earlier changes are not reported
  readonly matching: Set<number>; // bugs that match
  readonly times: ChangeTimes; // in the overlap with the next check, except in a new second
  readonly reported: Map<string, string>; // keys of the events of the overlap, with their times
};

/** Times of the last changes of bugs, by id. */
type ChangeTimes = ReadonlyMap<number, string>;

/** Initial state of a watch: the matching bugs, none of whose changes so far is reported. */
async function startWatch(criteria: Criteria, context: Context): Promise<WatchState> {
  const { searches } = context.session;
  const newestFirst = { query: EVERY_BUG, order: lastChangedFirst() };
  const [newest] = await searches.first(newestFirst, { include: ["last_change_time"], limit: 1 });
  const latest = newest?.last_change_time ?? "1970-01-01T00:00:00Z";
  const times = await readChangeTimesSince(momentBefore(latest, OVERLAP_MS), context);
  const matching = await readChangeTimes(criteria, context);
  const start = latestTime(latest, times);
  return { latest: start, start, matching: new Set(matching.keys()), times, reported: new Map() };
}

/**
 * The period before the latest change that each check reads again: a bulk update appears minutes after its stamps, and in
 * autumn the clock of a server goes back by an hour.
 */
const OVERLAP_MS = 70 * 60_000;

/** Change times of the bugs of the whole tracker that changed since a time. */
async function readChangeTimesSince(since: string, context: Context): Promise<ChangeTimes> {
  const field = requireField(await context.session.catalog(), "last_change_time");
  const query: Query = { kind: "test", field, op: ">=", values: [since] };
  return readChangeTimes({ query }, context);
}

async function readChangeTimes(search: Pick<Criteria, "query">, { session }: Context): Promise<ChangeTimes> {
  const times = new Map<number, string>();
  for await (const page of session.searches.pages(search, { include: ["last_change_time"] }))
    for (const { id, last_change_time } of page) times.set(id, receivedTime(last_change_time));
  return times;
}

function latestTime(first: string, times: ChangeTimes): string {
  let latest = first;
  for (const time of times.values()) if (time > latest) latest = time;
  return latest;
}

/** Prints the events since the last check; returns the state after them, and saves it if `file` is given. */
async function reportNews(state: WatchState, criteria: Criteria, context: Context, file?: string): Promise<WatchState> {
  const { matching, reported } = state;
  const { events, times } = await readEvents(state, criteria, context);
  for (const event of events) {
    await printEvent(event, context);
    if (context.io.signal.aborted) return state;
    if (event.event === "entered") matching.add(event.id);
    else if (event.event === "left") matching.delete(event.id);
    else reported.set(eventKey(event), event.when ?? "");
    saveState(state, file);
  }
  const next = stateAfter(state, times);
  saveState(next, file);
  return next;
}

/** The events that are not reported yet, in order of time, and the change times that the check read. */
async function readEvents(state: WatchState, criteria: Criteria, context: Context) {
  const since = momentBefore(state.latest, OVERLAP_MS);
  const times = await readChangeTimesSince(since, context);
  const matching = await readChangeTimes(criteria, context);
  const isModified = (id: number) => times.has(id) && times.get(id) !== state.times.get(id);
  const hasEnteredOrLeft = (id: number) => matching.has(id) !== state.matching.has(id);
  const ids = [...new Set([...state.matching, ...matching.keys()])]
    .filter((id) => isModified(id) || hasEnteredOrLeft(id))
    .sort((one, other) => one - other);
  const news = await readNews(ids, since, context);
  const events = ids.flatMap((id) => {
    const bugNews = news.get(id) ?? {};
    const changes = changeEvents(id, bugNews).filter((event) => isUnreported(event, since, state));
    if (!hasEnteredOrLeft(id)) return changes;
    const time = isModified(id) ? bugNews.bug?.last_change_time : undefined;
    if (matching.has(id)) return [matchEvent("entered", id, time, bugNews), ...changes];
    return [...changes, matchEvent("left", id, time, bugNews)];
  });
  events.sort((one, other) => compareTexts(one.when ?? AFTER_ALL_TIMES, other.when ?? AFTER_ALL_TIMES));
  return { events, times };
}

const AFTER_ALL_TIMES = "9"; // times are ISO 8601

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
function changeEvents(id: number, { bug, history = [], comments = [] }: BugNews): WatchEvent[] {
  const about = { id, summary: bug?.summary ?? null };
  const changes = history.flatMap(({ when, who, changes: made }) =>
    made.map(({ field_name: field, removed, added, attachment_id }): WatchEvent => {
      return { event: "changed", ...about, when, who, field, old: removed, new: added, attachment_id };
    }),
  );
  const written = comments.map(({ time: when, creator: who, id: comment, count, is_private, text }): WatchEvent => {
    return { event: "commented", ...about, when, who, comment, count, is_private, text };
  });
  return [...changes, ...written.filter(({ count }) => count !== 0)];
}

function isUnreported(event: WatchEvent, since: string, { start, reported }: WatchState): boolean {
  const { when } = event;
  return when !== null && when >= since && when > start && !reported.has(eventKey(event));
}

/** Equal for the same event in two responses. */
function eventKey({ event, id, when, who, field, old, new: value, attachment_id, comment }: WatchEvent): string {
  return JSON.stringify(event === "commented" ? [comment] : [id, when, who, field, attachment_id, old, value]);
}

/** A bug that starts or stops matching, by the change of this time if there was a change. */
function matchEvent(event: "entered" | "left", id: number, time: Bug["last_change_time"], news: BugNews): WatchEvent {
  const { bug } = news;
  const author = changeEvents(id, news).find(({ when }) => when === time)?.who;
  const creator = time && bug?.creation_time === time ? bug.creator : undefined;
  return { event, id, summary: bug?.summary ?? null, when: time ?? null, who: author ?? creator ?? null };
}

/** The state after a check, without what is older than the overlap with the next check. */
function stateAfter(state: WatchState, changed: ChangeTimes): WatchState {
  const latest = latestTime(state.latest, changed);
  const oldest = momentBefore(latest, OVERLAP_MS);
  const isFinal = (time: string) => time < latest || latest === state.latest; // more may happen in a new second
  const times = new Map([...changed].filter(([, time]) => time >= oldest && isFinal(time)));
  const reported = new Map([...state.reported].filter(([, when]) => when >= oldest));
  return { ...state, latest, times, reported };
}

async function printEvent(event: WatchEvent, { io, output }: Context): Promise<void> {
  const json = `${escapeJson(JSON.stringify(event))}\n`;
  if (output.format !== "table") return io.out(json);
  await io.out(eventText(JSON.parse(io.hide(json)), output.view)); // a key is hidden before the text is cut
}

function saveState({ latest, start, matching, times, reported }: WatchState, file: string | undefined): void {
  const saved = { mark: latest, start, known: [...matching], seen: [...times], reported: [...reported] };
  if (file !== undefined) replaceFile(file, JSON.stringify(saved));
}

/** The saved state; undefined before the first check. @throws BtError of kind local if the file is damaged */
function readState(file: string): WatchState | undefined {
  const found = readSmallFile(file, { largest: MAX_BYTES });
  if (found === undefined) return undefined;
  try {
    const { mark, start, known, seen, reported } = JSON.parse(found.text);
    const latest = receivedTime(mark);
    return { latest, start, matching: new Set(known), times: new Map(seen), reported: new Map(reported) };
  } catch {
    throw new BtError("local", `cannot use the watch state ${file}`, { hint: "delete it to start over" });
  }
}

const MAX_BYTES = 256 * 1024 * 1024;
