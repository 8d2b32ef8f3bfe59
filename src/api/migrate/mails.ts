import { DEFAULT_PEOPLE } from "../../wire/default-people.ts";
import type { Census, MailedPeople } from "./census.ts";
import { hasPerson, type Target } from "./target.ts";

/**
 * Maximum number of mails that a target sends: one per change to each user of the bug (`others`), and to its reporter,
 * who is the login (`own`).
 */
export function mailEstimate({ mailings }: Census, target: Target): { readonly others: number; readonly own: number } {
  const all = [...mailings.values()];
  return {
    others: all.reduce((sum, { people, requests }) => sum + requests * recipients(people, target), 0),
    own: all.reduce((sum, { requests }) => sum + requests, 0),
  };
}

/** Number of people who get the mails of a bug, without the login. */
function recipients(people: MailedPeople, target: Target): number {
  const { users, me } = target;
  const isThere = (login: string) => users.has(login.toLowerCase());
  const roles = DEFAULT_PEOPLE.map(({ field }) => people[field]);
  const logins = new Set([...roles, ...people.cc].filter(isThere).map((login) => login.toLowerCase()));
  logins.delete(me?.toLowerCase() ?? "");
  const byDefault = DEFAULT_PEOPLE.filter((person) => hasPerson(target, person) && !isThere(people[person.field]));
  return logins.size + byDefault.length;
}
