import { BtError } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Group } from "../../wire/group.ts";
import { get } from "../operation.ts";
import { readGroups, unexpectedShape } from "../read.ts";
import { standing, stateNames } from "./standing.ts";
import { bodyOf, type Eyes, type Look, targetsOf } from "./write.ts";

/** Looks for a new group by its name, which no other group can have. */
export const lookForGroup: Look = async ({ request }, eyes) => {
  const { name, description } = bodyOf(request);
  const group = (await groups([["names", String(name)]], eyes)).find((one) => one.name === name);
  if (!group) return { sight: "absent" };
  if (group.description === description) return { sight: "present", answer: { id: group.id } };
  return {
    sight: "overwritten",
    details: [`the group ${group.name} (${group.id}) is described as "${group.description}"`],
  };
};

/**
 * Looks whether all groups of an update are as it wanted them. What a tracker never tells, such as an icon, does not count;
 * where it tells nothing of all that was wanted, the update can be sent again without harm.
 */
export const lookAtGroups: Look = async ({ request, before = [] }, eyes) => {
  const ids = targetsOf(request);
  const now = await groups(
    ids.map((id) => ["ids", id] as const),
    eyes,
  );
  const stands = ids.map((id) => {
    const group = find(now, id);
    if (group === undefined) throw unexpectedShape(`the group ${id}`);
    const told = toldOf(bodyOf(request), group);
    return Object.keys(told).length > 0 ? standing(group, told, find(before, id)) : "as before";
  });
  if (stands.every((one) => one === "as wished")) {
    return { sight: "present", answer: { groups: ids.map((id) => ({ id: Number(id), changes: {} })) } };
  }
  if (stands.every((one) => one !== "otherwise")) return { sight: "absent" };
  return { sight: "overwritten", details: ["a group is neither as it was nor as it should be"] };
};

async function groups(query: readonly (readonly [string, string])[], { ask }: Eyes): Promise<readonly Group[]> {
  try {
    return readGroups(await ask(get("/rest/group", query)));
  } catch (error) {
    if (error instanceof BtError && error.facts.bugzillaCode === NO_SUCH_GROUP) return [];
    throw error;
  }
}

const NO_SUCH_GROUP = 51;

function find(list: readonly object[], id: string): JsonObject | undefined {
  return (list as readonly JsonObject[]).find((one) => String(one["id"]) === id || one["name"] === id);
}

function toldOf(body: JsonObject, group: JsonObject): JsonObject {
  const told = stateNames(body).filter((name) => group[name] !== undefined);
  return Object.fromEntries(told.map((name) => [name, body[name] ?? null]));
}
