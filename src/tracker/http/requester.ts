import type { Person } from "../bug.ts";
import type { Store } from "../store/store.ts";
import { type Call, isEnabled, type Requester, type ServerParameters, type User } from "./call.ts";
import { Fault, faults } from "./fault.ts";

export const ANONYMOUS: Requester = { user: undefined, groups: new Set() };

export function asRequester(store: Store, user: User): Requester {
  return {
    user,
    groups: new Set(groupsOfUser(store, user.id).map((group) => group.name)),
  };
}

/** True if the requester is in the named group; false if there is no such group. */
export function isInGroup(requester: Requester, group: string): boolean {
  return requester.groups.has(group);
}

export function userById(store: Store, id: number): User | undefined {
  return store.get<User>(`${USERS} WHERE id = ?`, [id]);
}

/** The user with this login name in any letter case; undefined if there is none. */
export function userByLogin(store: Store, login: string): User | undefined {
  return store.get<User>(`${USERS} WHERE login = ?`, [login]);
}

export const USERS = `SELECT id, login, real_name, disabled_text = '' AS is_enabled, disabled_text, email_enabled
  FROM users`;

/**
 * The groups of a user, by id: direct, by regular expression, and inherited.
 * @see Bugzilla/User.pm, groups
 */
export function groupsOfUser(store: Store, userId: number) {
  return store.all<{ id: number; name: string }>(
    `WITH RECURSIVE mine (id) AS (
       SELECT group_id FROM group_members WHERE user_id = ? AND kind = 'member'
       UNION
       SELECT grantor_id FROM group_inclusions JOIN mine ON member_id = mine.id WHERE kind = 'member')
     SELECT groups.id, groups.name FROM mine JOIN groups ON groups.id = mine.id ORDER BY groups.id`,
    [userId],
  );
}

/** Ids of the members of a group, inherited ones included. */
export function memberIds(store: Store, groupId: number): number[] {
  return store.all<{ id: number }>(MEMBERS, [groupId]).map(({ id }) => id);
}

const MEMBERS = `
  WITH RECURSIVE counted (id) AS (
    VALUES (?)
    UNION
    SELECT member_id FROM group_inclusions JOIN counted ON grantor_id = counted.id WHERE kind = 'member')
  SELECT DISTINCT user_id AS id FROM group_members JOIN counted ON group_id = counted.id WHERE kind = 'member'`;

/** Stands for the id of an anonymous requester. */
const NOBODY = 0;

/** Restricts the `visible_...` views to what the requester may see; called before any read. */
export function becomeViewer(store: Store, requester: Requester, parameters: ServerParameters): void {
  const memberOf = (group: string) => (group !== "" && isInGroup(requester, group) ? 1 : 0);
  store.run("DELETE FROM viewer");
  store.run("INSERT INTO viewer VALUES (@user, @insider, @tracker, @contacts)", {
    user: requester.user?.id ?? NOBODY,
    insider: memberOf(parameters.insidergroup),
    tracker: memberOf(parameters.timetrackinggroup),
    contacts: isEnabled(parameters.useqacontact) ? 1 : 0,
  });
  store.run("DELETE FROM viewer_groups");
  store.run("INSERT INTO viewer_groups SELECT id FROM groups WHERE name IN (SELECT value FROM json_each(?))", [
    JSON.stringify([...requester.groups]),
  ]);
}

/** What `work` returns while the `visible_...` views show what another user may see. */
export function asViewer<T>({ store, requester, parameters }: Call, userId: number, work: (viewer: Requester) => T): T {
  if (userId === requester.user?.id) return work(requester);
  const user = userById(store, userId);
  const viewer = user ? asRequester(store, user) : ANONYMOUS;
  becomeViewer(store, viewer, parameters);
  try {
    return work(viewer);
  } finally {
    becomeViewer(store, requester, parameters);
  }
}

/** The user with this login in any letter case. @throws Fault object_does_not_exist */
export function findPerson({ store }: Call, login: string): Person {
  const user = userByLogin(store, login.trim());
  if (!user) throw faults.noSuchUser(login);
  return { id: user.id, login: user.login };
}

/** The requesting user. @throws Fault login_required if nobody is logged in */
export function requireLogin({ requester }: Call): User {
  if (!requester.user) throw faults.loginRequired();
  return requester.user;
}

/** @throws Fault login_required, or auth_failure outside the group, whose message `action` completes */
export function requireGroup({ requester }: Call, group: string, action: string): void {
  if (!requester.user) throw faults.loginRequired();
  if (!isInGroup(requester, group)) throw faults.notInGroup(group, action);
}

/**
 * Lets only the insider group make a comment or an attachment private, or public.
 * @throws Fault user_not_insider
 */
export function requireInsider({ requester, parameters }: Call): void {
  if (!isInGroup(requester, parameters.insidergroup)) {
    throw new Fault(
      "user_not_insider",
      "Sorry, but you are not allowed to (un)mark comments or attachments as private.",
    );
  }
}
