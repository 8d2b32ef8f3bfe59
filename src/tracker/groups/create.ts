import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { isGiven } from "../input.ts";
import { needGroup } from "../people/rights.ts";
import { asText } from "../rules/text.ts";
import { deriveMembersOfGroup } from "./derive.ts";
import { readDescription, readName, readUserRegexp } from "./values.ts";

/** Create Group, for those who create groups. A group can be used for bugs only when that is said. */
export const groupCreateRoutes: readonly Route[] = [
  { method: "POST", path: "/group", status: 201, handle: (call) => createGroup(call) },
];

function createGroup(call: Call): Json {
  needGroup(call, "creategroups", "add new ");
  const { store, input } = call;
  const { id } = store.run(INSERT, {
    name: readName(call, input["name"]),
    description: readDescription(input["description"]),
    pattern: readUserRegexp(input["user_regexp"]),
    active: Number(isGiven(input, "is_active")),
    icon: isGiven(input, "icon_url") ? asText(input["icon_url"], "icon_url") : null,
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
