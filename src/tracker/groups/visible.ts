import type { Call } from "../call.ts";
import { isOn } from "../parameters.ts";
import { groupsOf } from "../people/requester.ts";

/**
 * Whether the requester may see a user: anybody, or with `usevisibilitygroups` those in a group that is visible to one of
 * the requester's groups.
 * @see Bugzilla::User::can_see_user
 */
export function userVisibility(call: Call): (userId: number) => boolean {
  if (!isOn(call.parameters.usevisibilitygroups)) return () => true;
  const visible = new Set(call.store.all<{ readonly id: number }>(VISIBLE).map(({ id }) => id));
  return (userId) => groupsOf(call.store, userId).some(({ id }) => visible.has(id));
}

const VISIBLE = `SELECT DISTINCT grantor_id AS id FROM group_inclusions
  WHERE kind = 'see' AND member_id IN (SELECT group_id FROM viewer_groups)`;
