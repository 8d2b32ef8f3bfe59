import type { ServerParameters } from "../parameters.ts";
import { isOn } from "../parameters.ts";
import type { Store } from "../store/store.ts";

/** A user as rules need to know one. */
export type User = {
  readonly id: number;
  readonly login: string;
  readonly real_name: string;
  readonly is_enabled: number;
  readonly disabled_text: string;
};

/** Who asks: a user or nobody, and the names of all groups that user is in, inherited and regexp ones included. */
export type Requester = {
  readonly user: User | undefined;
  readonly groups: ReadonlySet<string>;
};

/** Somebody who is not logged in. */
export const ANONYMOUS: Requester = { user: undefined, groups: new Set() };

/** A user as a requester, with the groups worked out. */
export function requesterOf(store: Store, user: User): Requester {
  return {
    user,
    groups: new Set(groupsOf(store, user.id).map((group) => group.name)),
  };
}

/** Whether the requester is in a group; no group of that name means nobody is. */
export function isIn(requester: Requester, group: string): boolean {
  return requester.groups.has(group);
}

/** One user by id, if there is one. */
export function userById(store: Store, id: number): User | undefined {
  return store.get<User>("SELECT id, login, real_name, is_enabled, disabled_text FROM users WHERE id = ?", [id]);
}

/** One user by login name in any letter case, if there is one. */
export function userByLogin(store: Store, login: string): User | undefined {
  return store.get<User>("SELECT id, login, real_name, is_enabled, disabled_text FROM users WHERE login = ?", [login]);
}

/** The groups of a user: given, through a regular expression, and through groups that are members of groups. */
export function groupsOf(store: Store, userId: number) {
  return store.all<{ readonly id: number; readonly name: string }>(
    `WITH RECURSIVE mine (id) AS (
       SELECT group_id FROM group_members WHERE user_id = ? AND kind = 'member'
       UNION
       SELECT grantor_id FROM group_inclusions JOIN mine ON member_id = mine.id WHERE kind = 'member')
     SELECT groups.id, groups.name FROM mine JOIN groups ON groups.id = mine.id ORDER BY groups.id`,
    [userId],
  );
}

/** Makes the views of store/viewer show what this requester may see; called once a request, before anything is read. */
export function becomeViewer(store: Store, requester: Requester, parameters: ServerParameters): void {
  const has = (group: string) => (group !== "" && isIn(requester, group) ? 1 : 0);
  store.run("DELETE FROM viewer");
  store.run("INSERT INTO viewer VALUES (@user, @insider, @tracker, @contacts)", {
    user: requester.user?.id ?? 0,
    insider: has(parameters.insidergroup),
    tracker: has(parameters.timetrackinggroup),
    contacts: isOn(parameters.useqacontact) ? 1 : 0,
  });
  store.run("DELETE FROM viewer_groups");
  store.run("INSERT INTO viewer_groups SELECT id FROM groups WHERE name IN (SELECT value FROM json_each(?))", [
    JSON.stringify([...requester.groups]),
  ]);
}
