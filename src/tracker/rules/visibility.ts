import type { Bug, Person } from "./bug.ts";

/** Who looks at a bug: a person, the groups that person is in, and whether QA contacts count here. */
export type Onlooker = {
  readonly person: Person;
  readonly groupIds: ReadonlySet<number>;
  readonly hasQaContacts: boolean;
};

/** Whether somebody may see a bug: by being in all its groups, or by a part in it. The rule of the view visible_bugs. */
export function isVisibleTo(bug: Bug, { person, groupIds, hasQaContacts }: Onlooker): boolean {
  const is = (other: Person | null) => other?.id === person.id;
  return (
    bug.groups.every(({ id }) => groupIds.has(id)) ||
    is(bug.assigned_to) ||
    (hasQaContacts && is(bug.qa_contact)) ||
    (bug.is_creator_accessible && is(bug.creator)) ||
    (bug.is_cc_accessible && bug.cc.some(is))
  );
}
