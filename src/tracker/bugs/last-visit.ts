import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../http/call.ts";
import { requireLogin } from "../http/requester.ts";
import { requestedBugIds } from "./find.ts";

/**
 * Route of Get Last Visited: the times of the requester's last changes of these bugs.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug-user-last-visit.html
 */
export const lastVisitRoutes: readonly Route[] = [
  { method: "GET", path: "/bug_user_last_visit/{id}", handle: (call) => getLastVisits(call) },
];

function getLastVisits(call: Call): Json {
  const { id: user } = requireLogin(call);
  const sql = "SELECT bug_id AS id, time AS last_visit_ts FROM last_visits WHERE user_id = ? AND bug_id = ?";
  return requestedBugIds(call).flatMap((id) => call.store.all(sql, [user, id]));
}
