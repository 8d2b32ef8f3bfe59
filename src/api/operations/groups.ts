import type { Operation, Parameter } from "./operation.ts";

/** Get Group: groups by id or name, or all visible ones. */
export const GET_GROUP = {
  name: "Get Group",
  method: "GET",
  path: "/rest/group",
  parameters: [
    { name: "ids", kind: "ints", aliases: ["id"], about: "only groups with this id" },
    { name: "names", kind: "texts", aliases: ["name"], about: "only groups with this name" },
    { name: "membership", kind: "switch", short: "m", aliases: ["members"], about: "include group members" },
  ],
} as const satisfies Operation;

const SETTINGS = [
  { name: "user_regexp", kind: "text", about: "regular expression; users with a matching login are members" },
  { name: "is_active", kind: "bool", about: "let bugs be restricted to the group" },
  { name: "icon_url", kind: "text", about: "URL of an icon shown next to its members" },
] as const satisfies readonly Parameter[];

export const CREATE_GROUP = {
  name: "Create Group",
  method: "POST",
  path: "/rest/group",
  parameters: [
    { name: "name", kind: "text", about: "unique name", required: true },
    { name: "description", kind: "text", short: "d", about: "description", required: true },
    ...SETTINGS,
  ],
} as const satisfies Operation;

/** Update Group; the groups are positional arguments. */
export const UPDATE_GROUP = {
  name: "Update Group",
  method: "PUT",
  path: "/rest/group/{id_or_name}",
  parameters: [
    { name: "name", kind: "text", about: "new name (one group only)" },
    { name: "description", kind: "text", short: "d", about: "description" },
    ...SETTINGS,
  ],
  list: "ids",
} as const satisfies Operation;
