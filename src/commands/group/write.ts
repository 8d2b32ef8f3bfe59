import { stateBefore } from "../../api/delivery/standing.ts";
import { CREATE_GROUP, UPDATE_GROUP } from "../../api/groups.ts";
import { type Operation, segment, write } from "../../api/operation.ts";
import { flagName } from "../../api/parameter.ts";
import { isObject, readChanged, unexpectedShape } from "../../api/read.ts";
import { previewChanges } from "../../api/write/preview.ts";
import { checkNotEmpty } from "../../api/write/request.ts";
import { usage } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Group } from "../../wire/group.ts";
import type { Changes } from "../../wire/history.ts";
import { bodyFrom, readingOf } from "../bug/reading.ts";
import { showPlan } from "../bug/show-changes.ts";
import { overwrittenOn, reportOverwritten } from "../bug/unchanged.ts";
import type { Context } from "../context.ts";
import { chosenColumns, formatOf, isForEyes, showList, showText, wireColumns } from "../show.ts";
import { account } from "../targets.ts";
import type { Input } from "../verb.ts";
import { groupsOf } from "./get.ts";

/** `bt group create`: a new group; active unless told otherwise, since a server makes it inactive when nothing is said. */
export async function create(input: Input, context: Context): Promise<void> {
  const missing = CREATE_GROUP.parameters.filter(({ name, required }) => required && !input.flags[flagName(name)]);
  if (missing.length > 0) {
    throw usage(
      `a new group needs ${missing.map(({ name }) => `--${flagName(name)}`).join(" and ")}`,
      "bt group create --name triage --description 'Bug triage'",
    );
  }
  const request = write("POST", "/rest/group", { is_active: true, ...(await bodyOf(CREATE_GROUP, input, context)) });
  if (input.flags["dry-run"]) return showPlan(request, [], context);
  const answer = await context.tracker.deliver({ request });
  const id = isObject(answer) ? answer["id"] : undefined;
  if (typeof id !== "number") throw unexpectedShape("the number of the new group");
  const isJson = ["json", "ndjson"].includes(formatOf(context));
  if (context.io.terminal.stdout && !isJson) await context.io.err("the group was made\n");
  await context.io.out(isJson ? `${JSON.stringify({ id })}\n` : `${id}\n`);
}

/** `bt group update`: the same change on all named groups in one request. */
export async function update(input: Input, context: Context): Promise<void> {
  const body = await bodyOf(UPDATE_GROUP, input, context);
  checkNotEmpty(body, "bt group update triage --description 'Bug triage'");
  const outcomes = await groupsOf(input.args, context);
  account(outcomes, { done: "changed", thing: "groups" });
  const groups = outcomes.flatMap((outcome) => ("thing" in outcome ? [outcome.thing] : []));
  const ids = [...new Set(groups.map(({ id }) => id))];
  if (ids.length > 1 && body["name"] !== undefined) {
    throw usage(`--name can be given to one group at a time, not to ${ids.length}`);
  }
  const request = write("PUT", `/rest/group/${segment(ids[0] ?? 0)}`, { ids, ...body });
  if (input.flags["dry-run"]) {
    const previews = groups.map((group) => ({
      bug: { id: group.id, summary: group.name },
      changes: previewChanges(group as unknown as Bug, body),
    }));
    return showPlan(request, previews, context);
  }
  const before = stateBefore(groups, body);
  const changed = readChanged<ChangedGroup>(await context.tracker.deliver({ request, before }), "groups");
  await showChanged(changed, groups, context);
  await reportOverwritten(overwrittenOn(changed, groups, "group"), false, context);
}

type ChangedGroup = { readonly id: number | string; readonly changes: Changes };

async function bodyOf(operation: Operation, input: Input, context: Context): Promise<JsonObject> {
  return bodyFrom(input, operation.parameters, await readingOf(input, context, await context.tracker.catalog()));
}

async function showChanged(
  changed: readonly ChangedGroup[],
  groups: readonly Group[],
  context: Context,
): Promise<void> {
  if (["json", "ndjson"].includes(formatOf(context)) && !context.output.fields) {
    await showList(context, { columns: wireColumns<ChangedGroup>(["id", "changes"]), pages: [changed] });
    return;
  }
  const named = changed.map(({ id, changes }) => {
    const group = groups.find((one) => String(one.id) === String(id));
    return { id: Number(id), name: group?.name ?? String(id), title: group?.description, changes };
  });
  if (isForEyes(context) && !context.output.fields) {
    const { changesText } = await import("../../view/changes.ts");
    return showText(context, changesText({ changed: named }, context.output.view));
  }
  const { CHANGE_COLUMNS, changeRows } = await import("../../view/change-rows.ts");
  await showList(context, { columns: chosenColumns(CHANGE_COLUMNS, context), pages: [changeRows(named)] });
}
