import type { Bug, Person } from "./bug.ts";

/** Somebody whom a change concerns, and as what: "assignee", "cc". */
export type Concerned = { readonly person: Person; readonly roles: readonly string[] };

/** Everybody whom a change concerns: who has a part in the bug now or had one before, who is or was asked about it, and others. */
export function concerned(before: Bug, after: Bug, others: readonly Part[] = []): readonly Concerned[] {
  const roles = new Map<number, { readonly person: Person; readonly roles: Set<string> }>();
  for (const { person, role } of [...parts(after), ...parts(before), ...others]) {
    const known = roles.get(person.id) ?? { person, roles: new Set() };
    known.roles.add(role);
    roles.set(person.id, known);
  }
  return [...roles.values()].map((known) => ({ person: known.person, roles: [...known.roles] }));
}

/** A part that somebody has in a bug, or in a change of it. */
export type Part = { readonly role: string; readonly person: Person };

function parts({ assigned_to, creator, qa_contact, cc, flags }: Bug): readonly Part[] {
  return [
    { role: "assignee", person: assigned_to },
    { role: "reporter", person: creator },
    ...(qa_contact ? [{ role: "QA contact", person: qa_contact }] : []),
    ...cc.map((person) => ({ role: "cc", person })),
    ...flags.flatMap(({ requestee, name }) => (requestee ? [{ role: `asked for ${name}`, person: requestee }] : [])),
  ];
}
