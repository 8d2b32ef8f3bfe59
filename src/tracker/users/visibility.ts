import type { Bug, Person } from "../bug.ts";
import type { Call } from "../http/call.ts";
import { groupsOfUser } from "../http/requester.ts";
import { isEnabled } from "../http/server-parameters.ts";

/** A user, the ids of their groups, and whether the tracker uses QA contacts. */
export type BugViewer = {
  readonly person: Person;
  readonly groupIds: ReadonlySet<number>;
  readonly hasQaContacts: boolean;
};

/**
 * True if a user may see a bug: as a member of all its groups, or by a role in it. Same rule as the view `visible_bugs`.
 * @see Bugzilla/User.pm, visible_bugs
 */
export function isBugVisibleTo(bug: Bug, { person, groupIds, hasQaContacts }: BugViewer): boolean {
  const isViewer = (other: Person | null) => other?.id === person.id;
  return (
    bug.groups.every(({ id }) => groupIds.has(id)) ||
    isViewer(bug.assigned_to) ||
    (hasQaContacts && isViewer(bug.qa_contact)) ||
    (bug.is_creator_accessible && isViewer(bug.creator)) ||
    (bug.is_cc_accessible && bug.cc.some(isViewer))
  );
}

/** True if a user other than the requester may see a bug. */
export function maySeeBug({ store, parameters }: Call, person: Person, bug: Bug): boolean {
  return isBugVisibleTo(bug, {
    person,
    groupIds: new Set(groupsOfUser(store, person.id).map(({ id }) => id)),
    hasQaContacts: isEnabled(parameters.useqacontact),
  });
}

/** True if a user other than the requester may grant flags of a type. */
export function mayGrantFlagsOfType({ store }: Call, person: Person, typeId: number): boolean {
  const group = store.get<{ id: number | null }>("SELECT grant_group_id AS id FROM flag_types WHERE id = ?", [typeId]);
  return group?.id == null || groupsOfUser(store, person.id).some(({ id }) => id === group.id);
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
