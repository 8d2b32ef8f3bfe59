import { deriveGroupsOfUser, deriveMembersOfGroup } from "../groups/membership.ts";
import type { Store } from "../store/store.ts";
import { idByName, putRow } from "./lookup.ts";

export type GroupSetup = {
  name: string;
  description?: string;
  is_bug_group?: boolean;
  is_active?: boolean;
  user_regexp?: string;
  icon_url?: string;
  members?: string[]; // groups whose members are members of this one
  blessed_by?: string[]; // groups whose members may change the membership
  visible_to?: string[]; // groups whose members see the members of this one
};

export type UserSetup = {
  login: string;
  real_name?: string;
  groups?: string[]; // direct ones
  blesses?: string[]; // groups whose membership they may change
  email_enabled?: boolean;
  disabled_text?: string; // reason for a disabled account; "" enables it
};

export type AccountsSetup = { groups?: GroupSetup[]; users?: UserSetup[] };

/** Creates or updates groups and users. */
export function applyUsersAndGroups(store: Store, { groups = [], users = [] }: AccountsSetup): void {
  for (const group of groups) {
    const { name, members: _, blessed_by: _by, visible_to: _to, ...given } = group;
    const defaults = { description: name, is_bug_group: true, is_active: true, user_regexp: "" };
    putRow(store, "groups", { name }, given, defaults);
  }
  for (const group of groups) {
    applyInclusions(store, group);
  }
  for (const user of users) {
    applyUser(store, user);
  }
  for (const { name } of groups.filter(({ user_regexp }) => user_regexp !== undefined)) {
    deriveMembersOfGroup(store, idByName(store, "group", name));
  }
}

/** Stored kind of group inclusion by its name in a setup. */
export const INCLUSION_KINDS = { members: "member", blessed_by: "bless", visible_to: "see" } as const;

function applyInclusions(store: Store, group: GroupSetup): void {
  for (const [part, kind] of Object.entries(INCLUSION_KINDS)) {
    const others = group[part as keyof typeof INCLUSION_KINDS];
    if (others === undefined) continue;
    const id = idByName(store, "group", group.name);
    store.run(EXCLUDE, [id, kind]);
    for (const other of others) store.run(INCLUDE, [idByName(store, "group", other), id, kind]);
  }
}

const EXCLUDE = `DELETE FROM group_inclusions
  WHERE grantor_id = ? AND kind = ? AND (kind <> 'member' OR member_id <> grantor_id)`;
const INCLUDE = "INSERT OR IGNORE INTO group_inclusions (member_id, grantor_id, kind) VALUES (?, ?, ?)";

function applyUser(store: Store, user: UserSetup): void {
  const { login, groups: _, blesses: _blesses, ...given } = user;
  const is_enabled = given.disabled_text === undefined ? undefined : given.disabled_text === "";
  const defaults = { real_name: "", email_enabled: true, disabled_text: "", is_enabled: true };
  putRow(store, "users", { login }, { ...given, is_enabled }, defaults);
  const userId = idByName(store, "user", user.login);
  setGroups(store, userId, "member", user.groups);
  setGroups(store, userId, "bless", user.blesses);
  deriveGroupsOfUser(store, userId);
}

function setGroups(store: Store, userId: number, kind: "member" | "bless", groups?: string[]): void {
  if (groups === undefined) return;
  store.run("DELETE FROM group_members WHERE user_id = ? AND kind = ? AND given_by = 'direct'", [userId, kind]);
  for (const group of groups) {
    store.run("INSERT OR IGNORE INTO group_members (group_id, user_id, kind) VALUES (?, ?, ?)", [
      idByName(store, "group", group),
      userId,
      kind,
    ]);
  }
}
