import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { readSelection } from "../selection.ts";
import { namedBugs } from "./find.ts";
import { readBugs } from "./read.ts";
import { updateToken } from "./token.ts";

/** Get Bug: one by number or alias, or several through `ids`. All are given or, with one that may not be, none. */
export const getRoutes: readonly Route[] = [
  { method: "GET", path: "/bug/", handle: (call) => getBugs(call) },
  { method: "GET", path: "/bug/{id}", handle: (call) => getBugs(call) },
];

function getBugs(call: Call): Json {
  const selection = readSelection(call.input);
  const ids = namedBugs(call);
  const bugs = readBugs(call, ids, selection);
  const withToken = call.requester.user !== undefined && selection.wants("update_token");
  return { bugs: withToken ? bugs.map((bug, index) => tokened(call, bug, ids[index] ?? 0)) : bugs, faults: [] };
}

function tokened(call: Call, bug: JsonObject, id: number): JsonObject {
  return {
    ...bug,
    update_token: updateToken(call, id),
  };
}
