import { requireField, STANDARD_FIELDS } from "../../api/catalog.ts";
import { allOf, anyOf, type Query } from "../../api/query/tree.ts";
import { isSameLogin } from "../../api/write/flag-requests.ts";
import { TODO_BUG_COLUMNS, type TodoItem } from "../../view/todo.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Flag } from "../../wire/bug-values.ts";
import type { Attachment, BugHistory, Comment } from "../../wire/resources.ts";

/** Fields of bugs that the sections need. */
export const TODO_FIELDS = ["id", "is_open", ...TODO_BUG_COLUMNS, "cc", "flags"];

/**
 * Query for every bug that may be in a section: flag requests to and by the user (of attachments too), open bugs assigned to
 * them, and bugs of theirs that changed since a time. It may find more.
 */
export function todoQuery(login: string, since: string): Query {
  const isUser = (name: string) => test(name, "=", login);
  return anyOf([
    isUser("requestee"),
    allOf([isUser("setter"), test("flags", "~", "?")]),
    allOf([isUser("assigned_to"), test("resolution", "empty")]),
    allOf([anyOf(["assigned_to", "creator", "cc"].map(isUser)), test("last_change_time", ">=", since)]),
  ]);
}

function test(name: string, op: "=" | "~" | ">=" | "empty", ...values: string[]): Query {
  return { kind: "test", field: requireField(STANDARD_FIELDS, name), op, values };
}

/** Flag requests on a bug and its attachments that wait for the user, or that the user waits for; oldest first. */
export function requestItems(
  bugs: readonly Bug[],
  attachments: ReadonlyMap<number, Attachment[]>,
  login: string,
): TodoItem[] {
  const items = bugs.flatMap((bug) => [
    ...(bug.flags ?? []).flatMap((flag) => requestItem(bug, flag, login)),
    ...(attachments.get(bug.id) ?? []).flatMap(({ id, flags = [] }) =>
      flags.flatMap((flag) => requestItem(bug, flag, login).map((item) => ({ ...item, attachment: id }))),
    ),
  ]);
  return items.sort((one, other) => compared(one.time, other.time));
}

function requestItem(bug: Bug, flag: Flag, login: string): TodoItem[] {
  if (flag.status !== "?") return [];
  const shared = { bug, flag: `${flag.name}?`, time: flag.modification_date };
  if (isSameLogin(flag.requestee, login)) return [{ ...shared, section: "asked_of_me", user: flag.setter }];
  if (isSameLogin(flag.setter, login)) return [{ ...shared, section: "asked_by_me", user: flag.requestee }];
  return [];
}

/** Open bugs assigned to the user, last changed first, and those whose deadline is before a day (YYYY-MM-DD). */
export function assignedItems(bugs: readonly Bug[], login: string, today: string): TodoItem[] {
  const assigned = bugs.filter((bug) => bug.is_open !== false && isSameLogin(bug.assigned_to, login));
  const late = assigned.filter(({ deadline }) => deadline && deadline.slice(0, today.length) < today);
  return [
    ...assigned
      .toSorted((one, other) => compared(other.last_change_time, one.last_change_time))
      .map((bug) => ({ section: "assigned" as const, bug })),
    ...late
      .toSorted((one, other) => compared(one.deadline, other.deadline))
      .map((bug) => ({ section: "overdue" as const, bug })),
  ];
}

/** The notice that there are no overdue bugs because the tracker does not show when they are due. */
export function hiddenDeadlines(assigned: TodoItem[]): string[] {
  const isShown = assigned.length === 0 || assigned.some(({ bug }) => bug.deadline !== undefined);
  return isShown ? [] : ["the tracker does not show you deadlines, so none can be overdue"];
}

/** True for a bug that the user is assigned to, has reported or is on the CC list of. */
export function isOwnBug({ assigned_to, creator, cc }: Bug, login: string): boolean {
  return [assigned_to, creator, ...(cc ?? [])].some((one) => isSameLogin(one, login));
}

/** Others' changes and comments on a bug after a time; undefined if there are none. */
export function changedItem(
  bug: Bug,
  since: string,
  { history, comments, login }: BugActivity & { login: string },
): TodoItem | undefined {
  const events = [
    ...history.map(({ who, when }) => ({ who, when })),
    ...comments.map(({ creator, creation_time }) => ({ who: creator, when: creation_time })),
  ]
    .filter(({ who, when }) => !isSameLogin(who, login) && when > since)
    .sort((one, other) => compared(one.when, other.when));
  const last = events.at(-1);
  if (!last) return undefined;
  const changes = new Set(events.map(({ who, when }) => `${when} ${who}`)).size;
  return { section: "changed", bug, user: last.who, time: last.when, changes };
}

/** History entries and comments of one bug. */
export type BugActivity = { readonly history: BugHistory["history"]; readonly comments: readonly Comment[] };

/** Order of two texts that sort by code unit, as times do. */
export function compared(one: string | null | undefined, other: string | null | undefined): number {
  const [first, second] = [one ?? "", other ?? ""];
  return first < second ? -1 : Number(first > second);
}
