import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { textValues } from "../http/input.ts";
import { compilePattern } from "../regexp.ts";
import type { Store } from "../store/store.ts";
import { uniqueBy } from "../unique-by.ts";

/** User, kind of membership, and name of the parameter with the edit: `{add, remove}` or `{set}` of group names. */
export type MembershipChange = {
  readonly userId: number;
  readonly parameter: string;
  readonly kind: "member" | "bless";
};

type Group = { readonly id: number; readonly name: string };

/**
 * Updates the direct groups of a user; returns the `changes` of Update User, empty if nothing changed.
 * @throws Fault auth_failure for an unknown group
 * @see Bugzilla/User.pm, set_groups
 */
export function changeMembership({ store, input }: Call, { userId, parameter, kind }: MembershipChange) {
  const edit = input[parameter];
  if (edit === undefined || edit === null) return {};
  if (typeof edit !== "object" || Array.isArray(edit)) {
    throw faults.wrongShape(parameter, 'an object like {"add": [...], "remove": [...]} or {"set": [...]}');
  }
  const groupsOf = (list: string) => textValues(edit as JsonObject, list).map((name) => grantedGroup(store, name));
  const current = store.all<Group>(DIRECT_GROUPS, [userId, kind]);
  const isSet = (edit as JsonObject)["set"] !== undefined;
  const target = isSet ? groupsOf("set") : [...groupsNotIn(current, groupsOf("remove")), ...groupsOf("add")];
  const removed = groupsNotIn(current, target);
  const added = groupsNotIn(target, current);
  for (const { id } of removed) store.run(REMOVE_DIRECT, [id, userId, kind]);
  for (const { id } of added) store.run(ADD_DIRECT, [id, userId, kind]);
  return added.length + removed.length === 0
    ? {}
    : { [parameter]: { removed: joinedGroupNames(removed), added: joinedGroupNames(added) } };
}

function grantedGroup(store: Call["store"], name: string): Group {
  const group = store.get<Group>("SELECT id, name FROM groups WHERE name = ?", [name]);
  if (!group) {
    throw new Fault(
      "auth_failure",
      `Sorry, you aren't a member of the '${name}' group, and you don't have permissions to add or remove people from a group, and so you are not authorized to add, modify or delete users.`,
    );
  }
  return group;
}

function groupsNotIn(groups: readonly Group[], others: readonly Group[]): Group[] {
  const ids = new Set(others.map(({ id }) => id));
  return uniqueBy(groups, (group) => group.id).filter(({ id }) => !ids.has(id));
}

function joinedGroupNames(groups: Group[]): string {
  return groups.map(({ name }) => name).join(",");
}

const DIRECT_GROUPS = `SELECT groups.id, groups.name FROM group_members JOIN groups ON groups.id = group_id
  WHERE user_id = ? AND kind = ? AND given_by = 'direct' ORDER BY groups.name`;
const REMOVE_DIRECT =
  "DELETE FROM group_members WHERE group_id = ? AND user_id = ? AND kind = ? AND given_by = 'direct'";
const ADD_DIRECT = "INSERT INTO group_members (group_id, user_id, kind) VALUES (?, ?, ?)";

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
