import type { Bug, Person } from "./bug.ts";

/** Somebody whom a change concerns, and as what: "assignee", "cc". */
export type Concerned = { readonly person: Person; readonly roles: readonly string[] };

/** Everybody whom a change concerns: who has a part in the bug now or had one before, and who is or was asked about it. */
export function concerned(before: Bug, after: Bug): readonly Concerned[] {
  const roles = new Map<number, { readonly person: Person; readonly roles: Set<string> }>();
  for (const bug of [after, before]) {
    for (const { person, role } of parts(bug)) {
      const known = roles.get(person.id) ?? { person, roles: new Set() };
      known.roles.add(role);
      roles.set(person.id, known);
    }
  }
  return [...roles.values()].map((known) => ({ person: known.person, roles: [...known.roles] }));
}

type Part = { readonly role: string; readonly person: Person };

function parts({ assigned_to, creator, qa_contact, cc, flags }: Bug): readonly Part[] {
  return [
    { role: "assignee", person: assigned_to },
    { role: "reporter", person: creator },
    ...(qa_contact ? [{ role: "QA contact", person: qa_contact }] : []),
    ...cc.map((person) => ({ role: "cc", person })),
    ...flags.flatMap(({ requestee, name }) => (requestee ? [{ role: `asked for ${name}`, person: requestee }] : [])),
  ];
}
