import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { requireGroup } from "../users/requester.ts";
import { asText } from "../values.ts";
import { readGroupDescription, readGroupName, readUserRegexp } from "./create.ts";
import { deriveMembersOfGroup } from "./membership.ts";

/**
 * Route of Update Group, for members of `creategroups`: one change for all groups named.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/group.html#update-group
 */
export const groupUpdateRoutes: readonly Route[] = [
  { method: "PUT", path: "/group/{id_or_name}", handle: (call) => updateGroups(call) },
];

function updateGroups(call: Call): Json {
  requireGroup(call, "creategroups", "add, modify or delete ");
  checkParameters(call.input);
  const groups = namedGroups(call);
  if (groups.length > 1 && call.input["name"] !== undefined) {
    throw new Fault(400, 32000, "You cannot set the name when modifying several groups at once.");
  }
  return { groups: groups.map((group) => ({ id: group.id, changes: changeGroup(call, group) })) };
}

type GroupRow = {
  id: number;
  name: string;
  description: string;
  user_regexp: string;
  is_active: number;
  icon_url: string | null;
};

type Values = Omit<GroupRow, "id">;

const READERS: { readonly [Name in keyof Values]: (call: Call, group: GroupRow) => Values[Name] } = {
  name: (call, { id }) => readGroupName(call, call.input["name"], id),
  description: ({ input }) => readGroupDescription(input["description"]),
  user_regexp: ({ input }) => readUserRegexp(input["user_regexp"]),
  is_active: ({ input }) => Number(isFlagSet(input, "is_active")),
  icon_url: ({ input }) => asText(input["icon_url"], "icon_url") || null,
};

const TARGETS = ["ids", "names"];
const CREDENTIALS = /^(Bugzilla_)?(api_key|token|login|password|restrict_?login)$|^callback$/;

function checkParameters(input: JsonObject): void {
  const known = new Set([...Object.keys(READERS), ...TARGETS]);
  const unknown = Object.keys(input).find((name) => !known.has(name) && !CREDENTIALS.test(name));
  if (unknown !== undefined) {
    throw new Fault(400, 67399, `The requested method 'Bugzilla::Group::set_${unknown}' was not found.`);
  }
}

// `ids` or `names` in the body override the path, as in Bugzilla.
function namedGroups({ store, input, path }: Call): GroupRow[] {
  const part = path["id_or_name"] ?? "";
  const isId = /^\d+$/.test(part);
  const ids = readTargets(input, "ids") ?? (isId ? [part] : []);
  const names = readTargets(input, "names") ?? (isId ? [] : [part]);
  const found = [
    ...names.map((name) =>
      orThrow(store.get<GroupRow>(`${GROUP} name = ?`, [name]), faults.noSuchObject("group", name)),
    ),
    ...ids.map((id) => orThrow(store.get<GroupRow>(`${GROUP} id = ?`, [Number(id)]), faults.noSuchId("group", id))),
  ];
  return [...new Map(found.map((group) => [group.id, group])).values()];
}

const GROUP = "SELECT id, name, description, user_regexp, is_active, icon_url FROM groups WHERE";

function readTargets(input: JsonObject, name: string): string[] | undefined {
  const sent = input[name];
  if (sent !== undefined && !Array.isArray(sent)) throw faults.wrongShape(name, "a list");
  return (sent as Json[] | undefined)?.map((item) => asText(item, name));
}

function orThrow(group: GroupRow | undefined, fault: Fault): GroupRow {
  if (!group) throw fault;
  return group;
}

function changeGroup(call: Call, group: GroupRow): JsonObject {
  const sent = Object.entries(READERS).filter(([name]) => call.input[name] !== undefined);
  const after: GroupRow = { ...group, ...Object.fromEntries(sent.map(([name, read]) => [name, read(call, group)])) };
  call.store.run(UPDATE, { ...after });
  if (after.user_regexp !== group.user_regexp) deriveMembersOfGroup(call.store, group.id);
  if (after.name !== group.name) renameInParameters(call, { from: group.name, to: after.name });
  return Object.fromEntries(
    Object.keys(READERS)
      .map((name) => [name, group[name as keyof Values], after[name as keyof Values]] as const)
      .filter(([, removed, added]) => removed !== added)
      .map(([name, removed, added]) => [name, { removed: textOrNull(removed), added: textOrNull(added) }]),
  );
}

function textOrNull(value: string | number | null): string | null {
  return value === null ? null : String(value);
}

const UPDATE = `UPDATE groups SET name = @name, description = @description, user_regexp = @user_regexp,
  is_active = @is_active, icon_url = @icon_url WHERE id = @id`;

// Server parameters that name the group follow its new name.
function renameInParameters({ store, parameters }: Call, { from, to }: { from: string; to: string }): void {
  for (const name of ["comment_taggers_group", "insidergroup", "timetrackinggroup"] as const) {
    if (parameters[name] === from) store.run(SET_PARAMETER, [name, to]);
  }
}

const SET_PARAMETER = `INSERT INTO parameters (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
