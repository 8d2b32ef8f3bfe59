import type { Call } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import type { Person } from "../rules/bug.ts";
import { type User, userByLogin } from "./requester.ts";

/** The user with this login name in any letter case, refused when there is none. */
export function findPerson({ store }: Call, login: string): Person {
  const user = userByLogin(store, login.trim());
  if (!user) {
    throw new Fault(
      404,
      51,
      `There is no user named '${login}'. Either you mis-typed the name or that user has not yet registered for a Bugzilla account.`,
    );
  }
  return { id: user.id, login: user.login };
}

/** The logged-in user who asks; refused for anybody else. */
export function loggedIn({ requester }: Call): User {
  if (!requester.user) throw faults.loginRequired();
  return requester.user;
}
