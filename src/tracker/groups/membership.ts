import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { textValues } from "../http/input.ts";
import { compilePattern } from "../regexp.ts";
import type { Store } from "../store/store.ts";

/** Which groups of a user are changed, and the parameter that says how: `{ add, remove }` or `{ set }` of names. */
export type MembershipChange = {
  readonly userId: number;
  readonly parameter: string;
  readonly kind: "member" | "bless";
};

type Group = { readonly id: number; readonly name: string };

/**
 * Changes the groups that were given to a user directly, as `changes` of the user.
 * @see Bugzilla::User::set_groups
 */
export function changeMembership({ store, input }: Call, { userId, parameter, kind }: MembershipChange) {
  const wanted = input[parameter];
  if (wanted === undefined || wanted === null) return {};
  if (typeof wanted !== "object" || Array.isArray(wanted)) {
    throw faults.wrongShape(parameter, 'an object like {"add": [...], "remove": [...]} or {"set": [...]}');
  }
  const named = (list: string) => textValues(wanted as JsonObject, list).map((name) => groupNamed(store, name));
  const before = store.all<Group>(GIVEN, [userId, kind]);
  const isSet = (wanted as JsonObject)["set"] !== undefined;
  const target = isSet ? named("set") : [...groupsNotIn(before, named("remove")), ...named("add")];
  const removed = groupsNotIn(before, target);
  const added = groupsNotIn(target, before);
  for (const { id } of removed) store.run(REMOVE_DIRECT, [id, userId, kind]);
  for (const { id } of added) store.run(ADD_DIRECT, [id, userId, kind]);
  return added.length + removed.length === 0
    ? {}
    : { [parameter]: { removed: namesOf(removed), added: namesOf(added) } };
}

function groupNamed(store: Call["store"], name: string): Group {
  const group = store.get<Group>("SELECT id, name FROM groups WHERE name = ?", [name]);
  if (!group) {
    throw new Fault(
      401,
      304,
      `Sorry, you aren't a member of the '${name}' group, and you don't have permissions to add or remove people from a group, and so you are not authorized to add, modify or delete users.`,
    );
  }
  return group;
}

function groupsNotIn(groups: readonly Group[], others: readonly Group[]): readonly Group[] {
  const ids = new Set(others.map(({ id }) => id));
  return [...new Map(groups.map((group) => [group.id, group])).values()].filter(({ id }) => !ids.has(id));
}

function namesOf(groups: readonly Group[]): string {
  return groups.map(({ name }) => name).join(",");
}

const GIVEN = `SELECT groups.id, groups.name FROM group_members JOIN groups ON groups.id = group_id
  WHERE user_id = ? AND kind = ? AND given_by = 'direct' ORDER BY groups.name`;
const REMOVE_DIRECT =
  "DELETE FROM group_members WHERE group_id = ? AND user_id = ? AND kind = ? AND given_by = 'direct'";
const ADD_DIRECT = "INSERT INTO group_members (group_id, user_id, kind) VALUES (?, ?, ?)";

/** Works out anew which groups a user is in by the pattern of his login; after the login was made or changed. */
export function deriveGroupsOfUser(store: Store, userId: number): void {
  const user = store.get<Login>("SELECT id, login FROM users WHERE id = ?", [userId]);
  for (const group of store.all<Patterned>("SELECT id, user_regexp FROM groups WHERE user_regexp <> ''")) {
    applyPattern(store, group, user ? [user] : []);
  }
}

/** Works out anew who is in a group by its pattern; after the pattern was set or changed. */
export function deriveMembersOfGroup(store: Store, groupId: number): void {
  const group = store.get<Patterned>("SELECT id, user_regexp FROM groups WHERE id = ?", [groupId]);
  if (group) applyPattern(store, group, store.all<Login>("SELECT id, login FROM users"));
}

type Login = { readonly id: number; readonly login: string };
type Patterned = { readonly id: number; readonly user_regexp: string };

function applyPattern(store: Store, { id, user_regexp }: Patterned, users: readonly Login[]): void {
  const { test = () => false } = user_regexp === "" ? {} : compilePattern(user_regexp);
  for (const user of users) {
    store.run(test(user.login) ? ADD_BY_PATTERN : REMOVE_BY_PATTERN, [id, user.id]);
  }
}

const ADD_BY_PATTERN =
  "INSERT OR IGNORE INTO group_members (group_id, user_id, kind, given_by) VALUES (?, ?, 'member', 'regexp')";
const REMOVE_BY_PATTERN =
  "DELETE FROM group_members WHERE group_id = ? AND user_id = ? AND kind = 'member' AND given_by = 'regexp'";
