import { foundThings } from "../../api/batch.ts";
import { commandFlagName, type Operation, type Parameter, requestFor } from "../../api/operations/operation.ts";
import { CREATE_GROUP, UPDATE_GROUP } from "../../api/operations/tracker.ts";
import { readChangedItems, unexpectedShapeError } from "../../api/response/response-objects.ts";
import { overwrittenLines, previewChanges } from "../../api/write/changes.ts";
import { checkNotEmpty } from "../../api/write/checks.ts";
import { stateBefore } from "../../api/write/write-state.ts";
import type { FlagValues } from "../../command-flag.ts";
import { usageError } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Changes, Group } from "../../wire/resources.ts";
import { changedThing, noteOverwritten, showChanged, showCreated, showPlanned } from "../shared/change/written.ts";
import { reportOutcomes } from "../shared/targets.ts";
import { bodyFrom, readValueContext } from "../shared/write-body.ts";
import type { Context } from "../verb.ts";
import { readNamedGroups } from "./get.ts";

/** Input of `bt group create` and `bt group update`. */
type GroupInput = { args: string[]; readonly parameters: FlagValues; readonly dryRun: boolean };

/** `bt group create`: creates a group, active by default; servers would make it inactive. */
export async function createGroup(input: GroupInput, context: Context): Promise<void> {
  const values: FlagValues = input.parameters;
  const parameters: readonly Parameter[] = CREATE_GROUP.parameters;
  const missing = parameters.filter(({ name, required }) => required && !values[commandFlagName(name)]);
  if (missing.length > 0) {
    const flags = missing.map(({ name }) => `--${commandFlagName(name)}`);
    throw usageError(
      `missing required flags: ${flags.join(" and ")}`,
      `add ${flags.map((flag) => `${flag} TEXT`).join(" ")}`,
    );
  }
  const request = requestFor(CREATE_GROUP, {
    is_active: true,
    ...(await groupBody(CREATE_GROUP, values, context)),
  });
  if (input.dryRun) return showPlanned([request], [], context);
  const journal = await context.session.journal();
  const response = await journal.deliver("group create", { request });
  const id = isObject(response) ? response["id"] : undefined;
  if (typeof id !== "number") throw unexpectedShapeError("the number of the new group");
  const sentence = `created group ${values["name"]} (${id})`;
  await showCreated([{ id: String(id), result: "created" }], () => ({ sentence }), context);
}

/** `bt group update`: the same update of all given groups in one request. */
export async function updateGroups(input: GroupInput, context: Context): Promise<void> {
  const body = await groupBody(UPDATE_GROUP, input.parameters, context);
  checkNotEmpty(body);
  const outcomes = await readNamedGroups(input.args, context);
  reportOutcomes(outcomes, { done: "changed", thing: "groups" });
  const groups = foundThings(outcomes);
  const ids = [...new Set(groups.map(({ id }) => id))];
  if (ids.length > 1 && body["name"] !== undefined) {
    throw usageError(`--name requires a single group, not ${ids.length}`);
  }
  const request = requestFor(UPDATE_GROUP, { ids, ...body });
  if (input.dryRun) {
    const previews = groups.map((group) =>
      shownGroup(group.id, group, previewChanges(group as JsonObject, body), true),
    );
    return showPlanned([request], previews, context, "groups");
  }
  const before = stateBefore(groups, body);
  const journal = await context.session.journal();
  const response = await journal.deliver("group update", { request, before });
  const changed = readChangedItems<ChangedGroup>(response, "groups");
  const groupOf = (id: ChangedGroup["id"]) => groups.find((one) => String(one.id) === String(id));
  await showChanged(
    changed.map(({ id, changes }) => shownGroup(id, groupOf(id), changes)),
    context,
  );
  await noteOverwritten(
    changed.flatMap(({ id, changes }) =>
      overwrittenLines((groupOf(id) ?? {}) as JsonObject, body, changes).map((line) => `group ${id}: ${line}`),
    ),
    context,
  );
}

type ChangedGroup = { id: number | string; changes: Changes };

async function groupBody(operation: Operation, values: FlagValues, context: Context): Promise<JsonObject> {
  return bodyFrom(
    values,
    operation.parameters,
    await readValueContext(values, context, await context.session.catalog()),
  );
}

function shownGroup(id: ChangedGroup["id"], group: Group | undefined, changes: Changes, isPreview = false) {
  return changedThing({ id, name: group?.name ?? String(id), title: group?.description, changes }, isPreview);
}
