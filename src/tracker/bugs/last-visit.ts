import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { requestedBugIds } from "./find.ts";

/** When a user last looked at bugs that concern him: noted on request, and told. */
export const lastVisitRoutes: readonly Route[] = [
  { method: "POST", path: "/bug_user_last_visit/{id}", handle: (call) => updateLastVisit(call) },
  { method: "GET", path: "/bug_user_last_visit/{id}", handle: (call) => lastVisits(call) },
];

function updateLastVisit(call: Call): Json {
  const userId = ownId(call);
  return requestedBugIds(call).map((bugId) => {
    if (!recordVisit(call.store, { bugId, userId, time: call.now })) {
      throw new Fault(400, 32000, `Sorry, but you are not involved with Bug ${bugId}.`);
    }
    return { id: bugId, last_visit_ts: call.now };
  });
}

/** Somebody at a bug, at a time. */
export type BugVisit = { readonly bugId: number; readonly userId: number; readonly time: string };

/** Notes that a user was at a bug that concerns him; whether it does. Changing a bug is being there, too. */
export function recordVisit(store: Store, visit: BugVisit): boolean {
  return store.run(VISIT, visit).changes > 0;
}

function lastVisits(call: Call): Json {
  const userId = ownId(call);
  return requestedBugIds(call).flatMap((id) =>
    call.store.all("SELECT bug_id AS id, time AS last_visit_ts FROM last_visits WHERE user_id = ? AND bug_id = ?", [
      userId,
      id,
    ]),
  );
}

function ownId({ requester }: Call): number {
  if (!requester.user) throw faults.loginRequired();
  return requester.user.id;
}

const VISIT = `
  INSERT INTO last_visits (user_id, bug_id, time)
  SELECT @userId, id, @time FROM bugs
  WHERE id = @bugId AND (@userId IN (assigned_to_id, creator_id, qa_contact_id)
    OR EXISTS (SELECT 1 FROM bug_cc WHERE bug_id = bugs.id AND user_id = @userId))
  ON CONFLICT (user_id, bug_id) DO UPDATE SET time = excluded.time`;
