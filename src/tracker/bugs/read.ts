import { createHash } from "node:crypto";
import { DEFAULT_BUG_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { customFieldRows, presentCustomValue } from "../bug-fields/values.ts";
import { FIELDS, STORED_PERSON_FIELDS, wireFieldName } from "../fields.ts";
import { presentBugFlags } from "../flags/flags.ts";
import { type Call, isEnabled, isInGroup } from "../http/call.ts";
import { type FieldSelection, firstTextValue, pickFieldParts, readFieldSelection } from "../http/input.ts";
import type { SqlRow } from "../store/store.ts";
import { presentLogin, presentUsers } from "../users/users.ts";
import { readTimestamp } from "../values.ts";
import { type FieldChange, requestedBugIds } from "./draft.ts";
import { loadCustomValues, loadList, loadShownList } from "./stored-bug.ts";

/** Get Bug: by the path and by `ids`. @throws Fault if any bug is missing or not visible */
export function getBugs(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const ids = requestedBugIds(call);
  const bugs = presentBugs(call, ids, selection);
  if (!call.requester.user || !selection.includes("update_token")) return { bugs, faults: [] };
  return { bugs: bugs.map((bug, index) => ({ ...bug, update_token: updateToken(call, ids[index] ?? 0) })), faults: [] };
}

/**
 * Update token of a bug in its current state, for the requester: time of the last change (s since 1970), a dash and a hash.
 * Any change makes a new token, also within the same second.
 */
function updateToken({ store, requester }: Call, bugId: number): string {
  const { time, entries, comments } = store.get(STATE, { bug: bugId }) as BugState;
  const state = [requester.user?.id, bugId, time, entries, comments].join(" ");
  return `${Date.parse(time) / 1000}-${createHash("sha256").update(state).digest("base64url").slice(0, 22)}`;
}

type BugState = { time: string; entries: number; comments: number };

// Every change adds a history row or a comment; if these are hidden from the requester, only the time changes.
const STATE = `
  SELECT last_change_time AS time,
    (SELECT coalesce(max(id), 0) FROM visible_activity WHERE bug_id = @bug) AS entries,
    (SELECT coalesce(max(id), 0) FROM visible_comments WHERE bug_id = @bug) AS comments
  FROM bugs WHERE id = @bug`;

/** JSON of the visible bugs among `ids`, in that order, with the selected fields the requester may see. */
export function presentBugs(call: Call, ids: readonly number[], selection: FieldSelection): JsonObject[] {
  const rows = new Map(call.store.all<BugRow>(BUGS, [ids]).map((row) => [row.id, row]));
  const visibleIds = [...rows.keys()];
  const members = [
    ...rowMembers(call, selection),
    ...relatedMembers(call, visibleIds, selection),
    ...roleMembers(call, [...rows.values()], selection),
    ...ccMembers(call, visibleIds, selection),
  ];
  return ids.flatMap((id) => rows.get(id) ?? []).map((bug) => presentBug(bug, members));
}

function presentBug(bug: BugRow, members: readonly Member[]): JsonObject {
  const shown: { [name: string]: Json } = {};
  for (const [name, read] of members) {
    const value = read(bug);
    if (value !== undefined) shown[name] = value;
  }
  return shown;
}

/** A member of the JSON of bugs: its name, and how it is read from the row of a bug; undefined where it has none. */
type Member = readonly [name: string, read: (bug: BugRow) => Json | undefined];

type BugRow = SqlRow & { id: number };

const BUGS = `
  SELECT visible_bugs.*, products.name AS product, components.name AS component,
    classifications.name AS classification, bug_duplicates.dupe_of, coalesce(open_status.is_open, 0) AS is_open
  FROM visible_bugs
  JOIN products ON products.id = visible_bugs.product_id
  JOIN components ON components.id = visible_bugs.component_id
  JOIN classifications ON classifications.id = products.classification_id
  LEFT JOIN bug_duplicates ON bug_duplicates.bug_id = visible_bugs.id
  LEFT JOIN field_values AS open_status ON open_status.name = visible_bugs.status
    AND open_status.field_id = (SELECT id FROM fields WHERE name = 'bug_status')
  WHERE visible_bugs.id IN (SELECT value FROM json_each(?))`;

// The fields that come with the row of a bug, in the order of the interface.
const ROW_FIELDS = FIELDS.filter(
  ({ column, isJoined, family }) => (column || isJoined) && family !== "person",
).toSorted((a, b) => DEFAULT_BUG_FIELDS.indexOf(a.name) - DEFAULT_BUG_FIELDS.indexOf(b.name));

function rowMembers({ requester, parameters }: Call, { includes }: FieldSelection): Member[] {
  const isTimeTracker = isInGroup(requester, parameters.timetrackinggroup);
  return ROW_FIELDS.filter(({ name, readers }) => (!readers || isTimeTracker) && includes(name)).map(
    ({ name, json }): Member => [name, (bug) => (json === "bool" ? bug[name] === 1 : (bug[name] ?? null))],
  );
}

const LISTS = ["alias", "blocks", "depends_on", "groups", "keywords", "see_also", "tags"] as const;

/** The members that are read from other tables. */
function relatedMembers(call: Call, ids: readonly number[], { includes }: FieldSelection): Member[] {
  const { store, requester, parameters } = call;
  const lists = LISTS.filter((name) => includes(name, name === "tags" ? ["extra"] : undefined));
  const members = lists.map((name): Member => {
    const shown = loadShownList(store, name, ids);
    return [name, ({ id }) => shown(id)];
  });
  if (includes("flags")) {
    const flags = presentBugFlags(call, ids);
    members.push(["flags", ({ id }) => flags.get(id) ?? []]);
  }
  if (includes("actual_time") && isInGroup(requester, parameters.timetrackinggroup)) {
    const worked = hoursWorked(call, ids);
    members.push(["actual_time", ({ id }) => worked.get(id) ?? 0]);
  }
  return [...members, ...customMembers(call, ids, includes)];
}

function hoursWorked({ store }: Call, ids: readonly number[]): ReadonlyMap<number, number> {
  const rows = store.all<{ bug_id: number; hours: number }>(
    `SELECT bug_id, round(sum(work_time), 5) AS hours FROM comments
     WHERE bug_id IN (SELECT value FROM json_each(?)) GROUP BY bug_id`,
    [ids],
  );
  return new Map(rows.map(({ bug_id, hours }) => [bug_id, hours]));
}

function customMembers({ store }: Call, ids: readonly number[], includes: FieldSelection["includes"]): Member[] {
  const fields = customFieldRows(store, "in use").filter(({ name }) => includes(name, ["default", "custom"]));
  if (fields.length === 0) return [];
  const valuesOf = loadCustomValues(store, ids);
  return fields.map(
    ({ id: field, name, type }): Member => [
      name,
      ({ id }) => {
        const values = valuesOf(field, id);
        return type === FIELD_TYPE.multiSelect ? values : presentCustomValue(type, values[0] ?? null);
      },
    ],
  );
}

function roleMembers(call: Call, bugs: readonly BugRow[], selection: FieldSelection): Member[] {
  const hasQaContacts = isEnabled(call.parameters.useqacontact);
  const roles = STORED_PERSON_FIELDS.filter(({ name }) => selection.includes(name));
  const userIds = bugs.flatMap((bug) => roles.map(({ column }) => Number(bug[column])));
  const users = presentUsers(call, userIds);
  return roles.flatMap(({ name, column, isOptional }): Member[] => {
    const userOf = (bug: BugRow) => (isOptional && !hasQaContacts ? undefined : users.get(Number(bug[column])));
    const detailOf = (bug: BugRow) => {
      const user = userOf(bug);
      return user && pickFieldParts(user, name, selection);
    };
    return [
      [name, (bug) => userOf(bug)?.name ?? ""],
      [`${name}_detail`, detailOf],
    ];
  });
}

function ccMembers(call: Call, ids: readonly number[], selection: FieldSelection): Member[] {
  if (!selection.includes("cc")) return [];
  const cc = loadList(call.store, "cc", ids);
  const userIds = [...cc.values()].flat().map(({ item }) => Number(item));
  const users = presentUsers(call, userIds);
  const usersOnCc = ({ id }: BugRow) => (cc.get(id) ?? []).flatMap(({ item }) => users.get(Number(item)) ?? []);
  return [
    ["cc", (bug) => usersOnCc(bug).map(({ name }) => name)],
    ["cc_detail", (bug) => usersOnCc(bug).map((user) => pickFieldParts(user, "cc", selection))],
  ];
}

/** Bug History: oldest first, `new_since` exclusive. */
export function getHistory(call: Call): Json {
  const since = firstTextValue(call.input, "new_since");
  const after = since === undefined ? "" : readTimestamp(since);
  const ids = requestedBugIds(call);
  const aliases = loadShownList(call.store, "alias", ids);
  return { bugs: ids.map((id) => ({ id, alias: aliases(id), history: historyAfter(call, id, after) })) };
}

type ChangeRow = FieldChange & {
  readonly time: string;
  readonly login: string;
  readonly attachment_id: number | null;
  readonly comment_id: number | null;
};

const CHANGES = `
  SELECT visible_activity.time, users.login, field, removed, added, attachment_id, comment_id
  FROM visible_activity JOIN users ON users.id = visible_activity.user_id
  WHERE visible_activity.bug_id = ? AND visible_activity.time > ?
  ORDER BY visible_activity.time, visible_activity.id`;

type HistoryEntry = { when: string; who: string; changes: JsonObject[] };

// Changes by one user in one second are one entry.
function historyAfter(call: Call, bugId: number, time: string): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const row of call.store.all<ChangeRow>(CHANGES, [bugId, time])) {
    const who = presentLogin(call, row.login);
    const last = entries.at(-1);
    const change = presentChange(call, row);
    if (last?.when === row.time && last.who === who) last.changes.push(change);
    else entries.push({ when: row.time, who, changes: [change] });
  }
  return entries;
}

function presentChange(call: Call, { field, removed, added, attachment_id, comment_id }: ChangeRow): JsonObject {
  return {
    field_name: wireFieldName(field),
    removed,
    added,
    ...(attachment_id === null ? {} : { attachment_id }),
    ...(comment_id === null ? {} : { comment: commentRow(call, comment_id) }),
  };
}

// Bugzilla adds the comment's row of its database to a change of its privacy.
function commentRow({ store }: Call, id: number): JsonObject {
  return store.get(COMMENT_ROW, [id]) as JsonObject;
}

const COMMENT_ROW = `
  SELECT id AS comment_id, bug_id, creator_id AS who, text AS thetext, is_private AS isprivate, 0 AS already_wrapped,
    replace(rtrim(creation_time, 'Z'), 'T', ' ') AS bug_when, printf('%.2f', work_time) AS work_time, 0 AS type,
    NULL AS extra_data
  FROM comments WHERE id = ?`;
