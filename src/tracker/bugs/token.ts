import { createHash } from "node:crypto";
import type { Call } from "../call.ts";

/**
 * The mark of a bug as it stands, for one user; any change makes another one, within a second too. Its form is the web
 * interface's: the time of the last change, a dash, and what cannot be guessed.
 */
export function updateToken({ store, requester }: Call, bugId: number): string {
  const { time = "", entries = 0, comments = 0 } = store.get<State>(STATE, { bug: bugId }) ?? {};
  const state = [requester.user?.id, bugId, time, entries, comments].join(" ");
  return `${Date.parse(time) / 1000}-${createHash("sha256").update(state).digest("base64url").slice(0, 22)}`;
}

type State = { readonly time: string; readonly entries: number; readonly comments: number };

// Every change of a bug adds to its history or its comments; of hidden ones the token depends on the time alone.
const STATE = `
  SELECT last_change_time AS time,
    (SELECT coalesce(max(id), 0) FROM visible_activity WHERE bug_id = @bug) AS entries,
    (SELECT coalesce(max(id), 0) FROM visible_comments WHERE bug_id = @bug) AS comments
  FROM bugs WHERE id = @bug`;
