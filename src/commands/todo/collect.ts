import { partition } from "../../api/lists.ts";
import { GET_BUG_ATTACHMENTS } from "../../api/operations/attachments.ts";
import { BUG_HISTORY } from "../../api/operations/bugs.ts";
import { GET_COMMENTS } from "../../api/operations/comments.ts";
import { requestFor, type SendRequest } from "../../api/operations/operation.ts";
import { GET_LAST_VISITS } from "../../api/operations/tracker.ts";
import { optional } from "../../api/optional.ts";
import { wireMoment } from "../../api/query/dates.ts";
import { isObject, readBugAttachments, readBugComments, readHistories } from "../../api/response/response-objects.ts";
import { type BugSearch, PLAIN_SEARCH, type SearchTools } from "../../api/search/bug-search.ts";
import { firstBugs } from "../../api/search/search.ts";
import type { ReadMarks } from "../../session/memory/read-marks.ts";
import { TODO_SECTIONS, type TodoItem } from "../../view/todo.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Attachment } from "../../wire/resources.ts";
import {
  assignedItems,
  changedItem,
  compared,
  hiddenDeadlines,
  isOwnBug,
  requestItems,
  TODO_FIELDS,
  todoQuery,
} from "./sections.ts";

/** The user, how far back changes count, and what they have read. */
export type TodoScope = {
  readonly login: string;
  readonly now: Date;
  readonly days: number;
  readonly today: string; // YYYY-MM-DD
  readonly marks: ReadMarks;
};

/** Items by section, and notices about missing data. */
export type Todo = { readonly items: readonly TodoItem[]; readonly notices: readonly string[] };

/** Reads the work of a user by at most five requests: a search, attachments, visits, histories and comments. */
export async function collectTodo(scope: TodoScope, tools: SearchTools): Promise<Todo> {
  const { login, today } = scope;
  const { send } = tools;
  const bugs = await firstBugs(searchFor(scope), { include: TODO_FIELDS, limit: MAX_BUGS }, tools);
  const attachments = await attachmentsOf(bugs, login, send);
  const assigned = assignedItems(bugs, login, today);
  const changed = await changedItems(bugs, scope, send);
  const items = [...requestItems(bugs, attachments.found, login), ...assigned, ...changed.items];
  return {
    items: TODO_SECTIONS.flatMap((section) => items.filter((item) => item.section === section)),
    notices: [
      ...(bugs.length < MAX_BUGS ? [] : [`more than ${MAX_BUGS} bugs: only those changed last are listed`]),
      ...attachments.notices,
      ...changed.notices,
      ...hiddenDeadlines(assigned),
    ],
  };
}

const MAX_BUGS = 5000;

/** Bugs in one request, well within its length limit. */
const MAX_IDS = 500;

/** The search of the to-do list. A tracker in another zone than UTC compares times some hours off; a day more covers that. */
function searchFor({ login, now, days }: TodoScope): BugSearch {
  const query = todoQuery(login, wireMoment(now.getTime() - (days + 1) * DAY));
  return { ...PLAIN_SEARCH, query, order: "changeddate DESC,bug_id", zone: "UTC" };
}

type Found<Thing> = { found: ReadonlyMap<number, Thing>; notices: string[] };

/** Attachments of as many bugs as fit into a request, first of those that were found for no other reason. */
async function attachmentsOf(bugs: readonly Bug[], login: string, send: SendRequest): Promise<Found<Attachment[]>> {
  const isOther = (bug: Bug) => isOwnBug(bug, login) || requestItems([bug], new Map(), login).length > 0;
  const ids = idsOf(partition(bugs, (bug) => !isOther(bug)).flat()).slice(0, MAX_IDS);
  const left = bugs.length - ids.length;
  if (ids.length === 0) return { found: new Map(), notices: [] };
  const answer = await optional(requestFor(GET_BUG_ATTACHMENTS, { ids, include_fields: "id,bug_id,flags" }), send);
  if (answer === undefined) return { found: new Map(), notices: ["the tracker does not list flags of attachments"] };
  return {
    found: new Map([...readBugAttachments(answer)].map(([id, list]) => [Number(id), list] as const)),
    notices: left > 0 ? [`attachment flags of the ${left} bugs that changed longest ago were not read`] : [],
  };
}

type ChangedItems = Pick<Todo, "items" | "notices">;

/** Own bugs that others changed since the user read them, last changed first. */
async function changedItems(bugs: readonly Bug[], scope: TodoScope, send: SendRequest): Promise<ChangedItems> {
  const { login, marks } = scope;
  const start = wireMoment(scope.now.getTime() - scope.days * DAY);
  const changedAfter = (bug: Bug, time = "") => (bug.last_change_time ?? "") > time;
  const own = bugs.filter((bug) => isOwnBug(bug, login) && changedAfter(bug, start));
  const unread = own.filter((bug) => changedAfter(bug, marks.get(bug.id)));
  const listed = unread.slice(0, MAX_IDS);
  const visits = await visitsOf(listed, send);
  const readAt = ({ id }: Bug) => [start, marks.get(id), visits.found.get(id)].reduce(later, "");
  const due = listed.filter((bug) => changedAfter(bug, readAt(bug)));
  const left = unread.length - listed.length;
  return {
    items: await itemsOf(due, { readAt, login }, send),
    notices: [
      ...visits.notices,
      ...(left > 0 ? [`changes of the ${left} bugs that changed longest ago were not read`] : []),
    ],
  };
}

const DAY = 24 * 60 * 60 * 1000;

function later(one: string, other: string | undefined): string {
  return compared(one, other) < 0 ? (other ?? "") : one;
}

/** Times at which the user last visited bugs on the web, where the tracker reports them. */
async function visitsOf(bugs: Bug[], send: SendRequest): Promise<Found<string>> {
  if (bugs.length === 0) return { found: new Map(), notices: [] };
  const answer = await optional(requestFor(GET_LAST_VISITS, { ids: idsOf(bugs) }), send);
  if (!Array.isArray(answer)) {
    const notice = "the tracker does not report your visits: changes count since the last bt bug get on this machine";
    return { found: new Map(), notices: [notice] };
  }
  const visits = answer.filter(isObject).map(({ id, last_visit_ts }) => [Number(id), String(last_visit_ts)] as const);
  return { found: new Map(visits), notices: [] };
}

type Reading = { readAt: (bug: Bug) => string; login: string };

async function itemsOf(bugs: Bug[], { readAt, login }: Reading, send: SendRequest): Promise<TodoItem[]> {
  const [oldest] = bugs.map(readAt).sort(compared);
  if (oldest === undefined) return [];
  const since = { ids: idsOf(bugs), new_since: oldest };
  const [histories, comments] = await Promise.all([
    send(requestFor(BUG_HISTORY, since)).then(readHistories),
    send(requestFor(GET_COMMENTS, { ...since, include_fields: "id,bug_id,creator,creation_time" })).then(
      readBugComments,
    ),
  ]);
  const items = bugs.flatMap((bug) => {
    const history = histories.filter(({ id }) => id === bug.id).flatMap((one) => one.history);
    const activity = { history, comments: comments.get(String(bug.id)) ?? [], login };
    return changedItem(bug, readAt(bug), activity) ?? [];
  });
  return items.sort((one, other) => compared(other.time, one.time));
}

function idsOf(bugs: Bug[]): number[] {
  return bugs.map(({ id }) => id);
}
