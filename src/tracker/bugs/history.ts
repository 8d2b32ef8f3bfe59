import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { firstText } from "../input.ts";
import { shownLogin } from "../people/shown.ts";
import { readTime } from "../times.ts";
import { namedBugs } from "./find.ts";
import { readList } from "./lists.ts";
import { apiName } from "./names.ts";

/** Bug History: what changed, when and by whom, oldest first; `new_since` is exclusive. */
export const historyRoutes: readonly Route[] = [
  { method: "GET", path: "/bug/{id}/history", handle: (call) => getHistory(call) },
];

function getHistory(call: Call): Json {
  const since = firstText(call.input, "new_since");
  const after = since === undefined ? "" : readTime(since);
  const ids = namedBugs(call);
  const aliases = readList(call, "alias", ids);
  return { bugs: ids.map((id) => ({ id, alias: aliases.get(id) ?? [], history: historyOf(call, id, after) })) };
}

type ChangeRow = {
  readonly time: string;
  readonly login: string;
  readonly field: string;
  readonly removed: string;
  readonly added: string;
  readonly attachment_id: number | null;
  readonly comment_id: number | null;
};

const CHANGES = `
  SELECT visible_activity.time, users.login, field, removed, added, attachment_id, comment_id
  FROM visible_activity JOIN users ON users.id = visible_activity.user_id
  WHERE visible_activity.bug_id = ? AND visible_activity.time > ?
  ORDER BY visible_activity.time, visible_activity.id`;

type Entry = { readonly when: string; readonly who: string; readonly changes: JsonObject[] };

// What one person did in one second is one entry.
function historyOf(call: Call, bugId: number, after: string): readonly Entry[] {
  const entries: Entry[] = [];
  for (const row of call.store.all<ChangeRow>(CHANGES, [bugId, after])) {
    const who = shownLogin(call, row.login);
    const last = entries.at(-1);
    if (last?.when === row.time && last.who === who) {
      last.changes.push(shownChange(call, row));
    } else {
      entries.push({ when: row.time, who, changes: [shownChange(call, row)] });
    }
  }
  return entries;
}

function shownChange(call: Call, { field, removed, added, attachment_id, comment_id }: ChangeRow): JsonObject {
  return {
    field_name: apiName(field),
    removed,
    added,
    ...(attachment_id === null ? {} : { attachment_id }),
    ...(comment_id === null ? {} : { comment: rawComment(call, comment_id) }),
  };
}

// A change of a comment's privacy brings the comment as the recorded server stores it; nothing else shows that form.
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
