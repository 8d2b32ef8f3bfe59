import { ATTACHMENTS_OF_BUGS, commentsPlan, historyPlan, readPartsOfBugs } from "../../api/bugs.ts";
import { ifOffered } from "../../api/facts.ts";
import { isSameLogin } from "../../api/people.ts";
import { dayIn } from "../../api/query/dates.ts";
import { fieldTest } from "../../api/query/families.ts";
import { allOf, anyOf, type Test } from "../../api/query/tree.ts";
import type { Search } from "../../api/search/search.ts";
import { lastChangedFirst } from "../../api/search/sort.ts";
import { openJobs, type StoredJob } from "../../jobs/job-files.ts";
import { loadReadMarks } from "../../session/memory.ts";
import { note } from "../../session/note.ts";
import { loginOrFail, type Session } from "../../session/session.ts";
import type { Column } from "../../view/column.ts";
import { recordJson } from "../../view/listing.ts";
import { compareTexts, countText } from "../../view/text.ts";
import {
  TODO_BUG_COLUMNS,
  TODO_COLUMNS,
  TODO_SECTIONS,
  TODO_USUAL_COLUMNS,
  type TodoItem,
  todoText,
} from "../../view/todo.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Attachment, Flag, HistoryEntry } from "../../wire/resources.ts";
import { DAY_MS, timestamp } from "../../wire/time.ts";
import { chosenColumns, isForCards, isJson, jsonText, showList, showText } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** `bt todo`: what waits for the user, in sections. */
export async function showTodo({ days = 30 }: { days?: number | undefined }, context: Context): Promise<void> {
  const { io, session, output } = context;
  const columns = chosenColumns(isJson(context) || output.fields ? TODO_COLUMNS : TODO_USUAL_COLUMNS, context);
  const { items, gaps } = await readTodo(await loginOrFail(session), days, context);
  await showItems(items, columns, context);
  for (const gap of gaps) await note(io, gap);
  const isUnknown = ({ job, state }: StoredJob) => state === "unknown" && job?.head.tracker === session.address;
  const unknown = openJobs(io).filter(isUnknown).length;
  if (unknown > 0) await note(io, `${countText(unknown, "job")} with unknown outcome: bt job list`);
  if (items.length === 0 && io.terminal.stdout) await note(io, "nothing to do");
}

async function showItems(
  items: readonly TodoItem[],
  columns: readonly Column<TodoItem>[],
  context: Context,
): Promise<void> {
  const { format } = context.output;
  if (isForCards(context)) await showText(context, todoText(items, context.output.view));
  else if (format === "json") await showText(context, jsonText(todoJson(items, columns), context));
  else if (format === "ids") {
    const itemsByBug = new Map(items.map((item) => [item.bug.id, item])); // prints each id once
    await showList(context, { columns, pages: [[...itemsByBug.values()]] });
  } else await showList(context, { columns, pages: [items] });
}

/** An object with a list for each section. */
function todoJson(items: readonly TodoItem[], columns: readonly Column<TodoItem>[]): JsonObject {
  const shown = columns.filter(({ name }) => name !== "section");
  const records = (name: TodoItem["section"]) =>
    items.filter(({ section }) => section === name).map((item) => recordJson(shown, item));
  return Object.fromEntries(TODO_SECTIONS.map((name) => [name, records(name)] as const));
}

/** Reads what waits for a user, and what the list lacks, mostly in four requests. */
async function readTodo(login: string, days: number, { io, session, output }: Context) {
  const { send } = session;
  const now = io.now().getTime();
  const daysAgo = (count: number) => timestamp(now - count * DAY_MS);
  const search = todoSearch(login, daysAgo(days + 1)); // a tracker in another zone than UTC compares some hours off
  const bugs = await session.searches.first(search, { include: TODO_FIELDS, limit: MAX_BUGS });
  const attachments = await ifOffered(readPartsOfBugs(idsOf(bugs), ATTACHMENTS_OF_BUGS, send, "visible"));
  const items = [
    ...requestItems(bugs, attachments ?? new Map(), login),
    ...assignedAndOverdueItems(bugs, login, dayIn(output.view.timeZone, now)),
    ...(await readChangedItems(bugs, login, daysAgo(days), session)),
  ];
  const gaps: string[] = [];
  if (bugs.length === MAX_BUGS) gaps.push(`more than ${MAX_BUGS} bugs: only those changed last are listed`);
  if (attachments === undefined) gaps.push("the tracker does not list flags of attachments");
  return { items: TODO_SECTIONS.flatMap((section) => items.filter((item) => item.section === section)), gaps };
}

const MAX_BUGS = 1000;

/**
 * The search of the to-do list: flag requests to and by the user (of attachments too), open bugs
 * assigned to them, and bugs of theirs that changed. It may find bugs that the list leaves out.
 */
function todoSearch(login: string, since: string): Search {
  const isUser = (name: string) => fieldTest(name, "=", login);
  const query = anyOf<Test>([
    isUser("requestee"),
    allOf([isUser("setter"), fieldTest("flags", "~", "?")]),
    allOf([isUser("assigned_to"), fieldTest("resolution", "empty")]),
    allOf([anyOf(["assigned_to", "creator", "cc"].map(isUser)), fieldTest("last_change_time", ">=", since)]),
  ]);
  return { query, order: lastChangedFirst() };
}

/** Bugs of the user that others changed after `start` and since the user read them, last changed first. */
async function readChangedItems(
  bugs: readonly Bug[],
  login: string,
  start: string,
  { send, memory }: Session,
): Promise<TodoItem[]> {
  const marks = await loadReadMarks(memory);
  const seenUntil = ({ id }: Bug) => {
    const readTime = marks.get(id) ?? "";
    return readTime > start ? readTime : start;
  };
  const changed = bugs.filter((bug) => isOwnBug(bug, login) && (bug.last_change_time ?? "") > seenUntil(bug));
  const [oldest] = changed.map(seenUntil).sort(compareTexts);
  if (oldest === undefined) return [];
  const [histories, commentLists] = await Promise.all([
    readPartsOfBugs(idsOf(changed), historyPlan(oldest), send, "visible"),
    readPartsOfBugs(idsOf(changed), commentsPlan(oldest), send, "visible"),
  ]);
  const items = changed.flatMap((bug) => {
    const { history = [] } = histories.get(String(bug.id)) ?? {};
    const comments = commentLists.get(String(bug.id)) ?? [];
    const events = [
      ...history,
      ...comments.map(({ creator, creation_time }) => ({ who: creator, when: creation_time })),
    ];
    const unseen = events.filter(({ who, when }) => !isSameLogin(who, login) && when > seenUntil(bug));
    return changedItem(bug, unseen);
  });
  return items.sort((one, other) => compareTexts(other.time, one.time));
}

function idsOf(bugs: readonly Bug[]): string[] {
  return bugs.map(({ id }) => String(id));
}

const TODO_FIELDS = ["id", "is_open", ...TODO_BUG_COLUMNS, "cc", "flags"];

/** Flag requests of bugs and attachments to and by the user, oldest first. */
function requestItems(
  bugs: readonly Bug[],
  attachments: ReadonlyMap<string, readonly Attachment[]>,
  login: string,
): TodoItem[] {
  const items: TodoItem[] = [];
  for (const bug of bugs) {
    for (const flag of bug.flags ?? []) items.push(...requestItem(bug, flag, login));
    for (const { id: attachment, flags = [] } of attachments.get(String(bug.id)) ?? [])
      for (const flag of flags) items.push(...requestItem(bug, flag, login, { attachment }));
  }
  return items.sort((one, other) => compareTexts(one.time, other.time));
}

/** The item for a flag request to or by the user; [] for another flag. */
function requestItem(bug: Bug, flag: Flag, login: string, place: { attachment?: number } = {}): TodoItem[] {
  if (flag.status !== "?") return [];
  const shared = { bug, ...place, flag: `${flag.name}?`, time: flag.modification_date };
  if (isSameLogin(flag.requestee, login)) return [{ ...shared, section: "asked_of_me", user: flag.setter }];
  if (isSameLogin(flag.setter, login)) return [{ ...shared, section: "asked_by_me", user: flag.requestee }];
  return [];
}

/** Open bugs of the user, last changed first, then their overdue bugs; `today` is YYYY-MM-DD. */
function assignedAndOverdueItems(bugs: readonly Bug[], login: string, today: string): TodoItem[] {
  const assigned = bugs.filter((bug) => bug.is_open !== false && isSameLogin(bug.assigned_to, login));
  const overdue = assigned.filter(({ deadline }) => deadline && deadline.slice(0, today.length) < today);
  return [
    ...assigned
      .toSorted((one, other) => compareTexts(other.last_change_time, one.last_change_time))
      .map((bug) => ({ section: "assigned" as const, bug })),
    ...overdue
      .toSorted((one, other) => compareTexts(one.deadline, other.deadline))
      .map((bug) => ({ section: "overdue" as const, bug })),
  ];
}

/** True for a bug that the user is assigned to, has reported or is on the CC list of. */
function isOwnBug({ assigned_to, creator, cc }: Bug, login: string): boolean {
  return [assigned_to, creator, ...(cc ?? [])].some((person) => isSameLogin(person, login));
}

/** The item for changes and comments of a bug; a comment and its change count as one. [] without any. */
function changedItem(bug: Bug, events: readonly Pick<HistoryEntry, "who" | "when">[]): TodoItem[] {
  const last = events.toSorted((one, other) => compareTexts(one.when, other.when)).at(-1);
  if (!last) return [];
  const changes = new Set(events.map(({ who, when }) => `${when} ${who}`)).size;
  return [{ section: "changed", bug, user: last.who, time: last.when, changes }];
}
