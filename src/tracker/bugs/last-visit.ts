import type { Json } from "../../wire/exchange.ts";
import { PERSON_COLUMNS } from "../fields.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { requestedBugIds } from "./find.ts";

/**
 * Routes of Update Last Visited and Get Last Visited.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug-user-last-visit.html
 */
export const lastVisitRoutes: readonly Route[] = [
  { method: "POST", path: "/bug_user_last_visit/{id}", handle: (call) => updateLastVisit(call) },
  { method: "GET", path: "/bug_user_last_visit/{id}", handle: (call) => getLastVisits(call) },
];

function updateLastVisit(call: Call): Json {
  const userId = requesterId(call);
  return requestedBugIds(call).map((bugId) => {
    if (!recordVisit(call.store, { bugId, userId, time: call.now })) {
      throw new Fault("other", `Sorry, but you are not involved with Bug ${bugId}.`);
    }
    return { id: bugId, last_visit_ts: call.now };
  });
}

export type BugVisit = { bugId: number; userId: number; time: string };

/** Upserts the last-visit time if the user is assignee, reporter, QA contact or on CC; returns false otherwise. */
export function recordVisit(store: Store, visit: BugVisit): boolean {
  return store.run(UPSERT_VISIT, visit).changes > 0;
}

function getLastVisits(call: Call): Json {
  const userId = requesterId(call);
  return requestedBugIds(call).flatMap((id) =>
    call.store.all("SELECT bug_id AS id, time AS last_visit_ts FROM last_visits WHERE user_id = ? AND bug_id = ?", [
      userId,
      id,
    ]),
  );
}

function requesterId({ requester }: Call): number {
  if (!requester.user) throw faults.loginRequired();
  return requester.user.id;
}

const UPSERT_VISIT = `
  INSERT INTO last_visits (user_id, bug_id, time)
  SELECT @userId, id, @time FROM bugs
  WHERE id = @bugId AND (@userId IN (${PERSON_COLUMNS.join(", ")})
    OR EXISTS (SELECT 1 FROM bug_cc WHERE bug_id = bugs.id AND user_id = @userId))
  ON CONFLICT (user_id, bug_id) DO UPDATE SET time = excluded.time`;
