import type { Json, JsonObject } from "../../wire/exchange.ts";
import { wireFieldName } from "../fields.ts";
import type { Call, Route } from "../http/call.ts";
import { firstTextValue } from "../http/input.ts";
import type { Store } from "../store/store.ts";
import { presentLogin } from "../users/users.ts";
import { readTimestamp } from "../values.ts";
import type { FieldChange } from "./draft.ts";
import { requestedBugIds } from "./find.ts";
import { readShownList } from "./stored-bug.ts";

/**
 * Route of Bug History: oldest first, `new_since` exclusive.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#bug-history
 */
export const bugHistoryRoutes: readonly Route[] = [
  { method: "GET", path: "/bug/{id}/history", handle: (call) => getHistory(call) },
];

function getHistory(call: Call): Json {
  const since = firstTextValue(call.input, "new_since");
  const after = since === undefined ? "" : readTimestamp(since);
  const ids = requestedBugIds(call);
  const aliases = readShownList(call.store, "alias", ids);
  return { bugs: ids.map((id) => ({ id, alias: aliases(id), history: entriesAfter(call, id, after) })) };
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
function entriesAfter(call: Call, bugId: number, after: string): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const row of call.store.all<ChangeRow>(CHANGES, [bugId, after])) {
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
    ...(comment_id === null ? {} : { comment: rawComment(call, comment_id) }),
  };
}

// Bugzilla adds the comment's database row to a change of its privacy.
function rawComment({ store }: Call, id: number): JsonObject {
  return (
    store.get(
      `SELECT id AS comment_id, bug_id, creator_id AS who, text AS thetext, is_private AS isprivate, 0 AS already_wrapped,
       replace(rtrim(creation_time, 'Z'), 'T', ' ') AS bug_when, printf('%.2f', work_time) AS work_time, 0 AS type,
       NULL AS extra_data
     FROM comments WHERE id = ?`,
      [id],
    ) ?? {}
  );
}

/** One row of a bug's history. */
type ActivityEntry = FieldChange & {
  readonly bugId: number;
  readonly userId: number;
  readonly time: string;
  readonly commentId?: number;
  readonly attachmentId?: number;
};

/** Adds a row to a bug's history. */
export function logActivity(store: Store, { commentId, attachmentId, ...entry }: ActivityEntry): void {
  store.run(INSERT_ACTIVITY, { ...entry, commentId: commentId ?? null, attachmentId: attachmentId ?? null });
}

const INSERT_ACTIVITY = `INSERT INTO activity (bug_id, user_id, time, field, removed, added, comment_id, attachment_id)
  VALUES (@bugId, @userId, @time, @field, @removed, @added, @commentId, @attachmentId)`;

/** Sets the time of a bug's last change. */
export function touchBug(store: Store, bugId: number, time: string): void {
  store.run("UPDATE bugs SET last_change_time = ? WHERE id = ?", [time, bugId]);
}
