import { BtError } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Group } from "../../wire/resources.ts";
import { getRequest } from "../operations/operation.ts";
import { readGroups, unexpectedShape } from "../response/response-objects.ts";
import { requestBody, type VerifyContext, type VerifyWrite, writeTargets } from "./write.ts";
import { pendingFields, stateFields, type WriteState, writeState } from "./write-state.ts";

/** Looks for a new group by its name, which no other group can have. */
export const verifyGroupCreate: VerifyWrite = async ({ request }, eyes) => {
  const { name, description } = requestBody(request);
  const group = (await groups([["names", String(name)]], eyes)).find((one) => one.name === name);
  if (!group) return { sight: "absent" };
  if (group.description === description) return { sight: "present", answer: { id: group.id } };
  return {
    sight: "overwritten",
    details: [`the group ${group.name} (${group.id}) is described as "${group.description}"`],
  };
};

/**
 * Looks whether all groups of an update are as it wanted them. Trackers do not show everything of a group, such as its icon:
 * where nothing that was to be changed can be seen, nothing is found out.
 */
export const verifyGroupUpdate: VerifyWrite = async ({ request, before = [] }, eyes) => {
  const ids = writeTargets(request);
  const now = await groups(
    ids.map((id) => ["ids", id] as const),
    eyes,
  );
  const seen = ids.map((id) => {
    const group = find(now, id);
    if (group === undefined) throw unexpectedShape(`the group ${id}`);
    return { group, stands: groupState(group, requestBody(request), find(before, id)) };
  });
  if (seen.some(({ stands }) => stands === "hidden")) return { sight: "hidden" };
  if (seen.every(({ stands }) => stands === "as wished")) {
    const changed = seen.map(({ group }) =>
      changedGroup(group, requestBody(request), find(before, String(group["id"]))),
    );
    return { sight: "present", answer: { groups: changed } };
  }
  if (seen.every(({ stands }) => stands !== "otherwise")) return { sight: "absent" };
  return { sight: "overwritten", details: ["a group is neither as it was nor as it should be"] };
};

function groupState(group: JsonObject, body: JsonObject, before: JsonObject | undefined): WriteState | "hidden" {
  const shown = shownOf(body, group);
  const isAllShown = Object.keys(shown).length === stateFields(body).length;
  return isAllShown || pendingFields(shown, before).length > 0 ? writeState(group, shown, before) : "hidden";
}

/** The answer that was lost, as far as the group shows what was changed. */
function changedGroup(group: JsonObject, body: JsonObject, before: JsonObject | undefined): JsonObject {
  const changes = pendingFields(shownOf(body, group), before).map(([name]) => {
    return [name, { removed: sideOf(before?.[name]), added: sideOf(group[name]) }] as const;
  });
  return { id: Number(group["id"]), changes: Object.fromEntries(changes) };
}

function sideOf(value: Json | undefined): Json {
  return typeof value === "boolean" ? String(Number(value)) : (value ?? null);
}

async function groups(
  query: readonly (readonly [string, string])[],
  { ask }: VerifyContext,
): Promise<readonly Group[]> {
  try {
    return readGroups(await ask(getRequest("/rest/group", query)));
  } catch (error) {
    if (error instanceof BtError && error.facts.bugzillaCode === NO_SUCH_GROUP) return [];
    throw error;
  }
}

const NO_SUCH_GROUP = 51;

function find(list: readonly object[], id: string): JsonObject | undefined {
  return (list as readonly JsonObject[]).find((one) => String(one["id"]) === id || one["name"] === id);
}

function shownOf(body: JsonObject, group: JsonObject): JsonObject {
  const shown = stateFields(body).filter((name) => group[name] !== undefined);
  return Object.fromEntries(shown.map((name) => [name, body[name] ?? null]));
}
