import { createHash } from "node:crypto";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";

/**
 * Refuses a change of bugs that somebody else has changed since they were read, for requesters who want that: `If-Match`
 * holds the update tokens of the bugs as they were read, with or without quotes, separated by commas.
 */
export function refuseModifiedSince(call: Call, bugIds: readonly number[]): void {
  const wanted = call.headers["if-match"] ?? "*";
  const tokens = new Set(wanted.split(",").map((token) => token.trim().replace(/^"(.*)"$/, "$1")));
  const changed = tokens.has("*") ? [] : bugIds.filter((id) => !tokens.has(updateToken(call, id)));
  if (changed.length > 0) {
    throw new Fault(
      409,
      32000,
      `Somebody else changed bug ${changed.join(", ")} since you read it; nothing was changed.`,
    );
  }
}

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
