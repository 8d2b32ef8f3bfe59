import { isBugVisible } from "../bugs/find.ts";
import type { Call } from "../http/call.ts";
import { asViewer, groupsOfUser } from "../http/requester.ts";
import { isEnabled } from "../http/server-parameters.ts";

/** True if a user other than the requester may see a bug, as it is stored. */
export function maySeeBug(call: Call, userId: number, bugId: number): boolean {
  return asViewer(call, userId, () => isBugVisible(call.store, bugId));
}

/**
 * Predicate of the users (by id) that the requester may see: all, or with `usevisibilitygroups` those in a group visible
 * to one of the requester's groups.
 * @see Bugzilla/User.pm, can_see_user
 */
export function userVisibility(call: Call): (userId: number) => boolean {
  if (!isEnabled(call.parameters.usevisibilitygroups)) return () => true;
  const visible = new Set(call.store.all<{ id: number }>(VISIBLE_GROUPS).map(({ id }) => id));
  return (userId) => groupsOfUser(call.store, userId).some(({ id }) => visible.has(id));
}

const VISIBLE_GROUPS = `SELECT DISTINCT grantor_id AS id FROM group_inclusions
  WHERE kind = 'see' AND member_id IN (SELECT group_id FROM viewer_groups)`;
