import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { texts } from "../input.ts";

/** Which groups of a user are changed, and the parameter that says how: `{ add, remove }` or `{ set }` of names. */
export type Membership = { readonly userId: number; readonly parameter: string; readonly kind: "member" | "bless" };

type Group = { readonly id: number; readonly name: string };

/**
 * Changes the groups that were given to a user directly, as `changes` of the user.
 * @see Bugzilla::User::set_groups
 */
export function changeMembership({ store, input }: Call, { userId, parameter, kind }: Membership) {
  const wanted = input[parameter];
  if (wanted === undefined || wanted === null) return {};
  if (typeof wanted !== "object" || Array.isArray(wanted)) {
    throw faults.wrongShape(parameter, 'an object like {"add": [...], "remove": [...]} or {"set": [...]}');
  }
  const named = (list: string) => texts(wanted as JsonObject, list).map((name) => groupNamed(store, name));
  const before = store.all<Group>(GIVEN, [userId, kind]);
  const isSet = (wanted as JsonObject)["set"] !== undefined;
  const target = isSet ? named("set") : [...without(before, named("remove")), ...named("add")];
  const removed = without(before, target);
  const added = without(target, before);
  for (const { id } of removed) store.run(REMOVE, [id, userId, kind]);
  for (const { id } of added) store.run(ADD, [id, userId, kind]);
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

function without(groups: readonly Group[], others: readonly Group[]): readonly Group[] {
  const ids = new Set(others.map(({ id }) => id));
  return [...new Map(groups.map((group) => [group.id, group])).values()].filter(({ id }) => !ids.has(id));
}

function namesOf(groups: readonly Group[]): string {
  return groups.map(({ name }) => name).join(",");
}

const GIVEN = `SELECT groups.id, groups.name FROM group_members JOIN groups ON groups.id = group_id
  WHERE user_id = ? AND kind = ? AND given_by = 'direct' ORDER BY groups.name`;
const REMOVE = "DELETE FROM group_members WHERE group_id = ? AND user_id = ? AND kind = ? AND given_by = 'direct'";
const ADD = "INSERT INTO group_members (group_id, user_id, kind) VALUES (?, ?, ?)";
