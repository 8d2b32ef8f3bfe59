import { compilePattern } from "../regexp.ts";
import type { Store } from "../store/store.ts";

/** Updates a user's groups by login pattern; called after the login is set. @see Bugzilla/User.pm, derive_regexp_groups */
export function deriveGroupsOfUser(store: Store, userId: number): void {
  const user = store.get<Login>("SELECT id, login FROM users WHERE id = ?", [userId]);
  for (const group of store.all<PatternGroup>("SELECT id, user_regexp FROM groups WHERE user_regexp <> ''")) {
    applyPattern(store, group, user ? [user] : []);
  }
}

/** Updates a group's members by login pattern; called after the pattern is set. */
export function deriveMembersOfGroup(store: Store, groupId: number): void {
  const group = store.get<PatternGroup>("SELECT id, user_regexp FROM groups WHERE id = ?", [groupId]);
  if (group) applyPattern(store, group, store.all<Login>("SELECT id, login FROM users"));
}

type Login = { id: number; login: string };
type PatternGroup = { id: number; user_regexp: string };

function applyPattern(store: Store, { id, user_regexp }: PatternGroup, users: readonly Login[]): void {
  const { test = () => false } = user_regexp === "" ? {} : compilePattern(user_regexp);
  for (const user of users) {
    store.run(test(user.login) ? ADD_BY_PATTERN : REMOVE_BY_PATTERN, [id, user.id]);
  }
}

const ADD_BY_PATTERN =
  "INSERT OR IGNORE INTO group_members (group_id, user_id, kind, given_by) VALUES (?, ?, 'member', 'regexp')";
const REMOVE_BY_PATTERN =
  "DELETE FROM group_members WHERE group_id = ? AND user_id = ? AND kind = 'member' AND given_by = 'regexp'";
