import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Group } from "../../wire/resources.ts";
import { GET_GROUP } from "../operations/groups.ts";
import { requestFor } from "../operations/operation.ts";
import { hasCode } from "../response/response-errors.ts";
import { readGroups, unexpectedShapeError } from "../response/response-objects.ts";
import { requestBody, writeTargets } from "../write/update-request.ts";
import { pendingFields, stateFields, type WriteState, writeState } from "../write/write-state.ts";
import type { VerifyContext, VerifyWrite } from "./write.ts";

/** Verifies a new group by its name, which is unique. */
export const verifyGroupCreate: VerifyWrite = async ({ request }, context) => {
  const { name, description } = requestBody(request);
  const group = (await fetchGroups([["names", String(name)]], context)).find((one) => one.name === name);
  if (!group) return { status: "not-found" };
  if (group.description === description) return { status: "applied", response: { id: group.id } };
  return {
    status: "not-found",
    details: [`group ${group.name} (${group.id}) has the description "${group.description}"`],
  };
};

/**
 * Verifies that all groups of an update are as requested. Trackers do not return every attribute of a group, such as
 * its icon: if nothing of the update is visible, the result is "unverifiable".
 */
export const verifyGroupUpdate: VerifyWrite = async ({ request, before = [] }, context) => {
  const ids = writeTargets(request);
  const now = await fetchGroups(
    ids.map((id) => ["ids", id] as const),
    context,
  );
  const states = ids.map((id) => {
    const group = findGroup(now, id);
    if (group === undefined) throw unexpectedShapeError(`the group ${id}`);
    return { group, state: groupWriteState(group, requestBody(request), findGroup(before, id)) };
  });
  if (states.some(({ state }) => state === "unverifiable")) return { status: "unverifiable" };
  if (states.every(({ state }) => state === "requested")) {
    const changed = states.map(({ group }) =>
      reconstructGroupChanges(group, requestBody(request), findGroup(before, String(group["id"]))),
    );
    return { status: "applied", response: { groups: changed } };
  }
  return { status: "not-found" };
};

/** State of a group after a write. Trackers hide fields of groups: without one of them, only a change that shows is evidence. */
function groupWriteState(
  group: JsonObject,
  body: JsonObject,
  before: JsonObject | undefined,
): WriteState | "unverifiable" {
  const visible = visibleFields(body, group);
  const isAllVisible = Object.keys(visible).length === stateFields(body).length;
  return isAllVisible || pendingFields(visible, before).length > 0
    ? writeState(visible, { before, now: group })
    : "unverifiable";
}

/** Reconstructed response for one group, as far as its changes are visible. */
function reconstructGroupChanges(group: JsonObject, body: JsonObject, before: JsonObject | undefined): JsonObject {
  const changes = pendingFields(visibleFields(body, group), before).map(([name]) => {
    return [name, { removed: changeValue(before?.[name]), added: changeValue(group[name]) }] as const;
  });
  return { id: Number(group["id"]), changes: Object.fromEntries(changes) };
}

function changeValue(value: Json | undefined): Json {
  return typeof value === "boolean" ? String(Number(value)) : (value ?? null);
}

async function fetchGroups(query: [string, string][], { send }: VerifyContext): Promise<Group[]> {
  try {
    return readGroups(await send(requestFor(GET_GROUP, query)));
  } catch (error) {
    if (hasCode(error, "object_does_not_exist")) return [];
    throw error;
  }
}

function findGroup(list: readonly object[], id: string): JsonObject | undefined {
  return (list as JsonObject[]).find((object) => String(object["id"]) === id || object["name"] === id);
}

function visibleFields(body: JsonObject, group: JsonObject): JsonObject {
  const visible = stateFields(body).filter((name) => group[name] !== undefined);
  return Object.fromEntries(visible.map((name) => [name, body[name] ?? null]));
}
