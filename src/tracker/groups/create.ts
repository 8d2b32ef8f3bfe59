import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { compilePattern } from "../regexp.ts";
import { requireGroup } from "../users/requester.ts";
import { asText } from "../values.ts";
import { deriveMembersOfGroup } from "./membership.ts";

/**
 * Route of Create Group, for members of `creategroups`. A group is inactive unless `is_active` is set.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/group.html#create-group
 */
export const groupCreateRoutes: readonly Route[] = [
  { method: "POST", path: "/group", status: 201, handle: (call) => createGroup(call) },
];

function createGroup(call: Call): Json {
  requireGroup(call, "creategroups", "add new ");
  const { store, input } = call;
  const { id } = store.run(INSERT, {
    name: readGroupName(call, input["name"]),
    description: readGroupDescription(input["description"]),
    pattern: readUserRegexp(input["user_regexp"]),
    active: Number(isFlagSet(input, "is_active")),
    icon: isFlagSet(input, "icon_url") ? asText(input["icon_url"], "icon_url") : null,
  });
  for (const kind of ["member", "bless", "see"]) {
    store.run(ADMINISTRATE, [id, kind]);
  }
  deriveMembersOfGroup(store, id);
  return { id };
}

const INSERT = `INSERT INTO groups (name, description, user_regexp, is_active, icon_url)
  VALUES (@name, @description, @pattern, @active, @icon)`;

const ADMINISTRATE = `INSERT INTO group_inclusions (member_id, grantor_id, kind)
  SELECT id, ?, ? FROM groups WHERE name = 'admin'`;

/** A valid name for the group with `id` (0: a new group). @throws Fault 800 if it is empty, 801 if another group has it in any letter case */
export function readGroupName({ store }: Call, value: Json | undefined, id = 0): string {
  const name = asText(value, "name").trim();
  if (name === "") throw new Fault(400, 800, "You must enter a name for the group.");
  if (store.get("SELECT id FROM groups WHERE name = ? AND id <> ?", [name, id])) {
    throw new Fault(400, 801, `The group ${name} already exists.`);
  }
  return name;
}

/** A group's description. @throws Fault 802 if it is empty */
export function readGroupDescription(value: Json | undefined): string {
  const description = asText(value, "description").trim();
  if (description === "") throw new Fault(400, 802, "You must enter a description for the group.");
  return description;
}

/** Pattern of the logins that belong to a group automatically; "" for none. @throws Fault 803 if it is invalid */
export function readUserRegexp(value: Json | undefined): string {
  const pattern = asText(value, "user_regexp").trim();
  if (pattern !== "" && !compilePattern(pattern).test) {
    throw new Fault(400, 803, "The regular expression you entered is invalid.");
  }
  return pattern;
}
