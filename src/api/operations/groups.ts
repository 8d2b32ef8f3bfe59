import type { Operation } from "./operation.ts";
import type { Parameter } from "./parameter.ts";

/** Get Group: some by id or name, or all that the requester may see. */
export const GET_GROUP: Operation = {
  name: "Get Group",
  method: "GET",
  path: "/rest/group",
  parameters: [
    { name: "ids", kind: "ints", aliases: ["id"], about: "group number" },
    { name: "names", kind: "texts", aliases: ["name"], about: "group name" },
    { name: "membership", kind: "switch", short: "m", aliases: ["members"], about: "with the people in it" },
  ],
};

const SETTINGS: readonly Parameter[] = [
  { name: "user_regexp", kind: "text", about: "logins that match this regular expression are members" },
  { name: "is_active", kind: "bool", about: "yes: bugs can be restricted to it; no: it only holds people" },
  { name: "icon_url", kind: "text", about: "address of a small icon shown beside its members" },
];

/** Create Group. */
export const CREATE_GROUP: Operation = {
  name: "Create Group",
  method: "POST",
  path: "/rest/group",
  parameters: [
    { name: "name", kind: "text", about: "short unique name", required: true },
    { name: "description", kind: "text", short: "d", about: "the name for people", required: true },
    ...SETTINGS,
  ],
};

/** Update Group: the groups themselves are the arguments. */
export const UPDATE_GROUP: Operation = {
  name: "Update Group",
  method: "PUT",
  path: "/rest/group/{id_or_name}",
  parameters: [
    { name: "name", kind: "text", about: "new name; for one group only" },
    { name: "description", kind: "text", short: "d", about: "the name for people" },
    ...SETTINGS,
  ],
};
