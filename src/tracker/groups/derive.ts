import { readPattern } from "../pattern.ts";
import type { Store } from "../store/store.ts";

/** Works out anew which groups a user is in by the pattern of his login; after the login was made or changed. */
export function deriveGroupsOfUser(store: Store, userId: number): void {
  const user = store.get<Login>("SELECT id, login FROM users WHERE id = ?", [userId]);
  for (const group of store.all<Patterned>("SELECT id, user_regexp FROM groups WHERE user_regexp <> ''")) {
    derive(store, group, user ? [user] : []);
  }
}

/** Works out anew who is in a group by its pattern; after the pattern was set or changed. */
export function deriveMembersOfGroup(store: Store, groupId: number): void {
  const group = store.get<Patterned>("SELECT id, user_regexp FROM groups WHERE id = ?", [groupId]);
  if (group) derive(store, group, store.all<Login>("SELECT id, login FROM users"));
}

type Login = { readonly id: number; readonly login: string };
type Patterned = { readonly id: number; readonly user_regexp: string };

function derive(store: Store, { id, user_regexp }: Patterned, users: readonly Login[]): void {
  const { test = () => false } = user_regexp === "" ? {} : readPattern(user_regexp);
  for (const user of users) {
    store.run(test(user.login) ? ADD : REMOVE, [id, user.id]);
  }
}

const ADD = "INSERT OR IGNORE INTO group_members (group_id, user_id, kind, given_by) VALUES (?, ?, 'member', 'regexp')";
const REMOVE =
  "DELETE FROM group_members WHERE group_id = ? AND user_id = ? AND kind = 'member' AND given_by = 'regexp'";
