import type { Call } from "../call.ts";
import { isOn } from "../parameters.ts";
import type { Bug, Person } from "../rules/bug.ts";
import { isVisibleTo } from "../rules/visibility.ts";
import { groupsOf } from "./requester.ts";

/** Whether somebody other than the requester may see a bug. */
export function maySee({ store, parameters }: Call, person: Person, bug: Bug): boolean {
  return isVisibleTo(bug, {
    person,
    groupIds: new Set(groupsOf(store, person.id).map(({ id }) => id)),
    hasQaContacts: isOn(parameters.useqacontact),
  });
}

/** Whether somebody other than the requester may grant flags of a type. */
export function mayGrantFlags({ store }: Call, person: Person, typeId: number): boolean {
  const group = store.get<{ readonly id: number | null }>("SELECT grant_group_id AS id FROM flag_types WHERE id = ?", [
    typeId,
  ]);
  return group?.id == null || groupsOf(store, person.id).some(({ id }) => id === group.id);
}
