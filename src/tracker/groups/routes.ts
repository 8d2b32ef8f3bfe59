import type { Json, JsonObject } from "../../wire/exchange.ts";
import { type Call, isInGroup, memberIds, requireGroup, requireLogin, USERS, type User } from "../http/call.ts";
import {
  type ColumnReaders,
  isTruthy,
  readIdsAndNames,
  readWholeNumbers,
  refuseUnknownParameters,
  storeChangedColumns,
  textValues,
} from "../http/input.ts";
import type { Store } from "../store/store.ts";
import { asText, compilePattern, Fault, faults, uniqueById, withBooleans } from "../values.ts";

/**
 * Get Group: all visible groups, or those named; members with `membership`.
 * @throws Fault group_cannot_view for a requester who may see none, other for one who may not see the members of a group
 */
export function getGroups(call: Call): Json {
  requireLogin(call);
  const seesAllFields = isInGroup(call.requester, "creategroups");
  const seesAllGroups = seesAllFields || isInGroup(call.requester, "editusers");
  const blessable = blessableGroups(call);
  if (!seesAllGroups && blessable.size === 0)
    throw new Fault(
      "group_cannot_view",
      "In order to view groups, you need to be a member of the 'editusers' or 'creategroups' group, or have bless privileges to at least one group.",
    );
  const all = call.store.all<GroupRow>(`${GROUPS} ORDER BY is_bug_group, name`);
  const groups = namedGroups(call) ?? all.filter(({ id }) => seesAllGroups || blessable.has(id));
  const withMembers = isTruthy(call.input, "membership");
  const hidden = withMembers ? groups.find(({ id }) => !seesAllFields && !blessable.has(id)) : undefined;
  if (hidden) throw new Fault("other", `You are not allowed to see members of the ${hidden.name} group.`);
  return {
    groups: groups.map(({ icon_url: _icon, is_bug_group, is_active, user_regexp, ...group }) => ({
      ...group,
      ...(seesAllFields ? withBooleans({ is_bug_group, is_active, user_regexp }) : {}),
      ...(withMembers ? { membership: presentMembers(call, group.id) } : {}),
    })),
  };
}

type GroupRow = {
  id: number;
  name: string;
  description: string;
  is_bug_group: number;
  user_regexp: string;
  is_active: number;
  icon_url: string | null;
};

const GROUPS = "SELECT id, name, description, is_bug_group, user_regexp, is_active, icon_url FROM groups";

/** The groups that a request names; undefined if none. Unknown ids are skipped, as in Bugzilla. */
function namedGroups(call: Call): GroupRow[] | undefined {
  const { ids, names } = readIdsAndNames(call);
  if (ids.length + names.length === 0) return undefined;
  const numbers = readWholeNumbers(ids, "passed to Bugzilla::Group::new_from_list");
  const byIds = call.store.all<GroupRow>(`${GROUPS} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`, [
    numbers,
  ]);
  return uniqueById([...byIds, ...names.map((name) => findGroup(call, "name", name))]);
}

function findGroup({ store }: Call, by: "id" | "name", value: string): GroupRow {
  const column = by === "id" ? "CAST(id AS TEXT)" : "name";
  const group = store.get<GroupRow>(`${GROUPS} WHERE ${column} = ?`, [value]);
  if (group) return group;
  throw by === "id" ? faults.noSuchId("group", value) : faults.noSuchObject("group", value);
}

function presentMembers({ store }: Call, id: number): JsonObject[] {
  return store.all<User>(MEMBERS, [memberIds(store, id)]).map((user) => ({
    id: user.id,
    real_name: user.real_name,
    name: user.login,
    email: user.login,
    can_login: user.is_enabled === 1,
    email_enabled: user.email_enabled === 1,
    login_denied_text: user.disabled_text,
  }));
}

const MEMBERS = `${USERS} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY login`;

/** Ids of the groups whose members the requester may change; all for `editusers`. @see Bugzilla/User.pm, bless_groups */
export function blessableGroups({ store, requester }: Call): ReadonlySet<number> {
  return new Set(
    isInGroup(requester, "editusers")
      ? store.values("SELECT id FROM groups")
      : store.values(BLESSED, [requester.user?.id ?? null]),
  );
}

const BLESSED = `
  SELECT group_id AS id FROM group_members WHERE user_id = ? AND kind = 'bless'
  UNION
  SELECT grantor_id FROM group_inclusions
  WHERE kind = 'bless' AND member_id IN (SELECT group_id FROM viewer_groups)`;

/** Create Group; inactive unless `is_active` is set. */
export function createGroup(call: Call): Json {
  requireGroup(call, "creategroups", "add new ");
  const columns = Object.entries(GROUP_READERS).map(([name, read]) => [name, read(call, NEW_GROUP)]);
  const { id } = call.store.run(INSERT, Object.fromEntries(columns));
  for (const kind of ["member", "bless"]) call.store.run(INCLUDE_ADMINS, [id, kind]);
  deriveRegexpMembers(call.store);
  return { id };
}

const NEW_GROUP = { id: 0, name: "", description: "", is_bug_group: 1, user_regexp: "", is_active: 0, icon_url: null };

const INSERT = `INSERT INTO groups (name, description, user_regexp, is_active, icon_url)
  VALUES (@name, @description, @user_regexp, @is_active, @icon_url)`;

const INCLUDE_ADMINS = `INSERT INTO group_inclusions (member_id, grantor_id, kind)
  SELECT id, ?, ? FROM groups WHERE name = 'admin'`;

/** Update Group: one change of all groups named. */
export function updateGroups(call: Call): Json {
  requireGroup(call, "creategroups", "add, modify or delete ");
  const groups = uniqueById(groupsToUpdate(call));
  refuseUnknownParameters(call.input, "Group", [...Object.keys(GROUP_READERS), "ids", "names"]);
  if (groups.length > 1 && call.input["name"] !== undefined)
    throw new Fault("other", "You cannot set the name when modifying several groups at once.");
  return {
    groups: groups.map((before) => {
      const { after, changes } = storeChangedColumns(call, "groups", before, GROUP_READERS);
      if (after.user_regexp !== before.user_regexp) deriveRegexpMembers(call.store);
      if (after.name !== before.name) renameInParameters(call, before.name, after.name);
      return { id: after.id, changes };
    }),
  };
}

/** Groups by name and by id; `ids` and `names` in the input replace those in the path. */
function groupsToUpdate(call: Call): GroupRow[] {
  const { path, input } = call;
  const idOrName = path["id_or_name"] ?? "";
  const inPath = /^\d+$/.test(idOrName) ? { ids: [idOrName] } : { names: [idOrName] };
  for (const parameter of ["ids", "names"])
    if (input[parameter] !== undefined && !Array.isArray(input[parameter]))
      throw faults.wrongShape(parameter, "a list");
  const named = { ...inPath, ...input };
  return [
    ...textValues(named, "names").map((name) => findGroup(call, "name", name)),
    ...textValues(named, "ids").map((id) => findGroup(call, "id", id)),
  ];
}

const GROUP_READERS: ColumnReaders<GroupRow, Exclude<keyof GroupRow, "id" | "is_bug_group">> = {
  name: ({ store, input }, { id }) => {
    const name = asText(input["name"], "name").trim();
    if (name === "") throw new Fault("empty_group_name", "You must enter a name for the group.");
    if (store.get("SELECT id FROM groups WHERE name = ? AND id <> ?", [name, id]))
      throw new Fault("group_exists", `The group ${name} already exists.`);
    return name;
  },
  description: ({ input }) => {
    const description = asText(input["description"], "description").trim();
    if (description !== "") return description;
    throw new Fault("empty_group_description", "You must enter a description for the group.");
  },
  // of the logins that belong to the group automatically; "" for none
  user_regexp: ({ input }) => {
    const pattern = asText(input["user_regexp"], "user_regexp").trim();
    if (pattern === "" || compilePattern(pattern).test) return pattern;
    throw new Fault("invalid_regexp", "The regular expression you entered is invalid.");
  },
  is_active: ({ input }) => Number(isTruthy(input, "is_active")),
  icon_url: ({ input }) => asText(input["icon_url"], "icon_url") || null,
};

// Server parameters that name the group follow its new name.
function renameInParameters({ store, parameters }: Call, from: string, to: string): void {
  for (const name of ["comment_taggers_group", "insidergroup", "timetrackinggroup"] as const) {
    if (parameters[name] === from) store.run(SET_PARAMETER, [name, to]);
  }
}

const SET_PARAMETER = `INSERT INTO parameters (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** Makes the users whose logins match the patterns of groups their members. @see Bugzilla/User.pm, derive_regexp_groups */
export function deriveRegexpMembers(store: Store): void {
  const users = store.all<{ id: number; login: string }>("SELECT id, login FROM users");
  store.run("DELETE FROM group_members WHERE given_by = 'regexp'");
  const groups = "SELECT id, user_regexp FROM groups WHERE user_regexp <> ''";
  for (const { id, user_regexp } of store.all<{ id: number; user_regexp: string }>(groups)) {
    const { test = () => false } = compilePattern(user_regexp);
    for (const user of users) if (test(user.login)) store.run(ADD_MEMBER, [id, user.id]);
  }
}

const ADD_MEMBER = "INSERT INTO group_members (group_id, user_id, kind, given_by) VALUES (?, ?, 'member', 'regexp')";
