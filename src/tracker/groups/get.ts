import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { idsAndNames, isGiven } from "../input.ts";
import { isIn } from "../people/requester.ts";
import { blessableGroups } from "./bless.ts";
import { membersOf } from "./members.ts";

/** Get Group: all that the requester may know of, or those named by id or name, with their members when asked. */
export const groupRoutes: readonly Route[] = [
  { method: "GET", path: "/group", handle: (call) => getGroups(call) },
  { method: "GET", path: "/group/{id_or_name}", handle: (call) => getGroups(call) },
];

function getGroups(call: Call): Json {
  if (!call.requester.user) throw faults.loginRequired();
  const rights = rightsOf(call);
  const withMembers = isGiven(call.input, "membership");
  const groups = (namedGroups(call) ?? knownGroups(call, rights)).map((group) => ({
    ...shown(group, rights),
    ...(withMembers ? { membership: members(call, group, rights) } : {}),
  }));
  return { groups };
}

type Rights = {
  readonly isFull: boolean; // every member of the group objects
  readonly seesAll: boolean;
  readonly blessable: ReadonlySet<number>;
};

function rightsOf(call: Call): Rights {
  const isFull = isIn(call.requester, "creategroups");
  const seesAll = isFull || isIn(call.requester, "editusers");
  const blessable = blessableGroups(call);
  if (!seesAll && blessable.size === 0) {
    throw new Fault(
      400,
      805,
      "In order to view groups, you need to be a member of the 'editusers' or 'creategroups' group, or have bless privileges to at least one group.",
    );
  }
  return { isFull, seesAll, blessable };
}

type GroupRow = {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly is_bug_group: number;
  readonly user_regexp: string;
  readonly is_active: number;
};

const ALL = `SELECT id, name, description, is_bug_group, user_regexp, is_active FROM groups
  ORDER BY is_bug_group, name`;
const BY_IDS = `SELECT id, name, description, is_bug_group, user_regexp, is_active FROM groups
  WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`;
const BY_NAME = `SELECT id, name, description, is_bug_group, user_regexp, is_active FROM groups
  WHERE name = ?`;

function knownGroups({ store }: Call, { seesAll, blessable }: Rights): readonly GroupRow[] {
  return store.all<GroupRow>(ALL).filter(({ id }) => seesAll || blessable.has(id));
}

// Unknown ids are left out, unknown names refused, as on a real server.
function namedGroups(call: Call): readonly GroupRow[] | undefined {
  const { ids, names } = idsAndNames(call);
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

function shown({ id, name, description, ...rest }: GroupRow, { isFull }: Rights): JsonObject {
  return {
    id,
    name,
    description,
    ...(isFull
      ? { is_bug_group: rest.is_bug_group === 1, is_active: rest.is_active === 1, user_regexp: rest.user_regexp }
      : {}),
  };
}

function members(call: Call, { id, name }: GroupRow, { isFull, blessable }: Rights): readonly JsonObject[] {
  if (!isFull && !blessable.has(id)) {
    throw new Fault(400, 32000, `You are not allowed to see members of the ${name} group.`);
  }
  return membersOf(call, id);
}
