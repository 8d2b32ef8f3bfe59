import { BtError } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Group } from "../../wire/group.ts";
import { get } from "../operation.ts";
import { readGroups, unexpectedShape } from "../read.ts";
import { openWishes, type Standing, standing, stateNames } from "./standing.ts";
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
 * Looks whether all groups of an update are as it wanted them. Trackers do not show everything of a group, such as its icon:
 * where nothing that was to be changed can be seen, nothing is found out.
 */
export const lookAtGroups: Look = async ({ request, before = [] }, eyes) => {
  const ids = targetsOf(request);
  const now = await groups(
    ids.map((id) => ["ids", id] as const),
    eyes,
  );
  const seen = ids.map((id) => {
    const group = find(now, id);
    if (group === undefined) throw unexpectedShape(`the group ${id}`);
    return { group, stands: standingOf(group, bodyOf(request), find(before, id)) };
  });
  if (seen.some(({ stands }) => stands === "hidden")) return { sight: "hidden" };
  if (seen.every(({ stands }) => stands === "as wished")) {
    const changed = seen.map(({ group }) => changedGroup(group, bodyOf(request), find(before, String(group["id"]))));
    return { sight: "present", answer: { groups: changed } };
  }
  if (seen.every(({ stands }) => stands !== "otherwise")) return { sight: "absent" };
  return { sight: "overwritten", details: ["a group is neither as it was nor as it should be"] };
};

function standingOf(group: JsonObject, body: JsonObject, before: JsonObject | undefined): Standing | "hidden" {
  const shown = shownOf(body, group);
  const isAllShown = Object.keys(shown).length === stateNames(body).length;
  return isAllShown || openWishes(shown, before).length > 0 ? standing(group, shown, before) : "hidden";
}

/** The answer that was lost, as far as the group shows what was changed. */
function changedGroup(group: JsonObject, body: JsonObject, before: JsonObject | undefined): JsonObject {
  const changes = openWishes(shownOf(body, group), before).map(([name]) => {
    return [name, { removed: sideOf(before?.[name]), added: sideOf(group[name]) }] as const;
  });
  return { id: Number(group["id"]), changes: Object.fromEntries(changes) };
}

function sideOf(value: Json | undefined): Json {
  return typeof value === "boolean" ? String(Number(value)) : (value ?? null);
}

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

function shownOf(body: JsonObject, group: JsonObject): JsonObject {
  const shown = stateNames(body).filter((name) => group[name] !== undefined);
  return Object.fromEntries(shown.map((name) => [name, body[name] ?? null]));
}
