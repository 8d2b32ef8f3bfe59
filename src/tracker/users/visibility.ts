import type { Bug, Person } from "../bugs/bug.ts";
import type { Call } from "../http/call.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { groupsOfUser } from "./requester.ts";

/** Who looks at a bug: a person, the groups that person is in, and whether QA contacts count here. */
export type BugViewer = {
  readonly person: Person;
  readonly groupIds: ReadonlySet<number>;
  readonly hasQaContacts: boolean;
};

/** Whether somebody may see a bug: by being in all its groups, or by a part in it. The rule of the view visible_bugs. */
export function isBugVisibleTo(bug: Bug, { person, groupIds, hasQaContacts }: BugViewer): boolean {
  const is = (other: Person | null) => other?.id === person.id;
  return (
    bug.groups.every(({ id }) => groupIds.has(id)) ||
    is(bug.assigned_to) ||
    (hasQaContacts && is(bug.qa_contact)) ||
    (bug.is_creator_accessible && is(bug.creator)) ||
    (bug.is_cc_accessible && bug.cc.some(is))
  );
}

/** Whether somebody other than the requester may see a bug. */
export function maySeeBug({ store, parameters }: Call, person: Person, bug: Bug): boolean {
  return isBugVisibleTo(bug, {
    person,
    groupIds: new Set(groupsOfUser(store, person.id).map(({ id }) => id)),
    hasQaContacts: isEnabled(parameters.useqacontact),
  });
}

/** Whether somebody other than the requester may grant flags of a type. */
export function mayGrantFlagsOfType({ store }: Call, person: Person, typeId: number): boolean {
  const group = store.get<{ readonly id: number | null }>("SELECT grant_group_id AS id FROM flag_types WHERE id = ?", [
    typeId,
  ]);
  return group?.id == null || groupsOfUser(store, person.id).some(({ id }) => id === group.id);
}

/**
 * Whether the requester may see a user: anybody, or with `usevisibilitygroups` those in a group that is visible to one of
 * the requester's groups.
 * @see Bugzilla::User::can_see_user
 */
export function userVisibility(call: Call): (userId: number) => boolean {
  if (!isEnabled(call.parameters.usevisibilitygroups)) return () => true;
  const visible = new Set(call.store.all<{ readonly id: number }>(VISIBLE).map(({ id }) => id));
  return (userId) => groupsOfUser(call.store, userId).some(({ id }) => visible.has(id));
}

const VISIBLE = `SELECT DISTINCT grantor_id AS id FROM group_inclusions
  WHERE kind = 'see' AND member_id IN (SELECT group_id FROM viewer_groups)`;
