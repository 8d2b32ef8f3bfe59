import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { isFlagSet, readIdsAndNames } from "../http/input.ts";
import { isInGroup } from "../users/requester.ts";

/**
 * Routes of Get Group: all visible groups, or those named; members with `membership`.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/group.html#get-group
 */
export const groupRoutes: readonly Route[] = [
  { method: "GET", path: "/group", handle: (call) => getGroups(call) },
  { method: "GET", path: "/group/{id_or_name}", handle: (call) => getGroups(call) },
];

function getGroups(call: Call): Json {
  const found = requestedGroups(call);
  const rights = groupRights(call);
  const withMembers = isFlagSet(call.input, "membership");
  const groups = found.map((group) => ({
    ...presentGroup(group, rights),
    ...(withMembers ? { membership: visibleMembers(call, group, rights) } : {}),
  }));
  return { groups };
}

/** The groups that a request names, or all that the requester may see. @throws Fault 410, 805, or 51 for an unknown name */
export function requestedGroups(call: Call): GroupRow[] {
  if (!call.requester.user) throw faults.loginRequired();
  const rights = groupRights(call);
  return namedGroups(call) ?? visibleGroups(call, rights);
}

type GroupRights = {
  seesAllFields: boolean; // may see all fields of a group
  seesAllGroups: boolean;
  blessable: ReadonlySet<number>;
};

function groupRights(call: Call): GroupRights {
  const seesAllFields = isInGroup(call.requester, "creategroups");
  const seesAllGroups = seesAllFields || isInGroup(call.requester, "editusers");
  const blessable = blessableGroups(call);
  if (!seesAllGroups && blessable.size === 0) {
    throw new Fault(
      400,
      805,
      "In order to view groups, you need to be a member of the 'editusers' or 'creategroups' group, or have bless privileges to at least one group.",
    );
  }
  return { seesAllFields, seesAllGroups, blessable };
}

type GroupRow = {
  id: number;
  name: string;
  description: string;
  is_bug_group: number;
  user_regexp: string;
  is_active: number;
};

const ALL = `SELECT id, name, description, is_bug_group, user_regexp, is_active FROM groups
  ORDER BY is_bug_group, name`;
const BY_IDS = `SELECT id, name, description, is_bug_group, user_regexp, is_active FROM groups
  WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`;
const BY_NAME = `SELECT id, name, description, is_bug_group, user_regexp, is_active FROM groups
  WHERE name = ?`;

function visibleGroups({ store }: Call, { seesAllGroups, blessable }: GroupRights): GroupRow[] {
  return store.all<GroupRow>(ALL).filter(({ id }) => seesAllGroups || blessable.has(id));
}

// Unknown ids are skipped, unknown names are an error, as in Bugzilla.
function namedGroups(call: Call): GroupRow[] | undefined {
  const { ids, names } = readIdsAndNames(call);
  if (ids.length + names.length === 0) return undefined;
  if (ids.some((id) => !/^\d+$/.test(id))) throw faults.notANumber("passed to Bugzilla::Group::new_from_list");
  const found = [
    ...call.store.all<GroupRow>(BY_IDS, [JSON.stringify(ids.map(Number))]),
    ...names.map((name) => groupNamed(call, name)),
  ];
  return [...new Map(found.map((group) => [group.id, group])).values()];
}

function groupNamed({ store }: Call, name: string): GroupRow {
  const group = store.get<GroupRow>(BY_NAME, [name]);
  if (!group) throw faults.noSuchObject("group", name);
  return group;
}

function presentGroup({ id, name, description, ...rest }: GroupRow, { seesAllFields }: GroupRights): JsonObject {
  return {
    id,
    name,
    description,
    ...(seesAllFields
      ? { is_bug_group: rest.is_bug_group === 1, is_active: rest.is_active === 1, user_regexp: rest.user_regexp }
      : {}),
  };
}

function visibleMembers(call: Call, { id, name }: GroupRow, { seesAllFields, blessable }: GroupRights): JsonObject[] {
  if (!seesAllFields && !blessable.has(id)) {
    throw new Fault(400, 32000, `You are not allowed to see members of the ${name} group.`);
  }
  return groupMembers(call, id);
}

/** Members of a group, inherited ones included. */
function groupMembers({ store }: Call, groupId: number): JsonObject[] {
  return store
    .all<MemberRow>(MEMBERS, [groupId])
    .map(({ login, is_enabled, email_enabled, disabled_text, ...user }) => ({
      ...user,
      name: login,
      email: login,
      can_login: is_enabled === 1,
      email_enabled: email_enabled === 1,
      login_denied_text: disabled_text,
    }));
}

type MemberRow = {
  id: number;
  login: string;
  real_name: string;
  is_enabled: number;
  email_enabled: number;
  disabled_text: string;
};

const MEMBERS = `
  WITH RECURSIVE included (id) AS (
    VALUES (?)
    UNION
    SELECT member_id FROM group_inclusions JOIN included ON grantor_id = included.id WHERE kind = 'member')
  SELECT DISTINCT users.id, login, real_name, is_enabled, email_enabled, disabled_text
  FROM users JOIN group_members ON group_members.user_id = users.id AND kind = 'member'
  WHERE group_members.group_id IN (SELECT id FROM included) ORDER BY login`;

/** Ids of the groups whose members the requester may change; all for `editusers`. @see Bugzilla/User.pm, bless_groups */
export function blessableGroups({ store, requester }: Call): ReadonlySet<number> {
  const rows = isInGroup(requester, "editusers")
    ? store.all<{ id: number }>("SELECT id FROM groups")
    : store.all<{ id: number }>(BLESSED, [requester.user?.id ?? null]);
  return new Set(rows.map(({ id }) => id));
}

const BLESSED = `
  SELECT group_id AS id FROM group_members WHERE user_id = ? AND kind = 'bless'
  UNION
  SELECT grantor_id FROM group_inclusions
  WHERE kind = 'bless' AND member_id IN (SELECT group_id FROM viewer_groups)`;
