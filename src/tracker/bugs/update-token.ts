import { createHash } from "node:crypto";
import type { Call } from "../http/call.ts";

/**
 * Update token of a bug in its current state, for the requester: time of the last change (s since 1970), a dash and a hash.
 * Any change makes a new token, also within the same second.
 */
export function updateToken({ store, requester }: Call, bugId: number): string {
  const { time = "", entries = 0, comments = 0 } = store.get<BugState>(STATE, { bug: bugId }) ?? {};
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
