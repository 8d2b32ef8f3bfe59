import { type Part, partOf, unchangedText } from "../../api/write/parts.ts";
import { BtError } from "../../errors.ts";
import { stablePart } from "../../view/stable.ts";
import { escapeJson } from "../../view/text.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import type { Field } from "../../wire/field.ts";
import type { ChangedBug, Changes } from "../../wire/history.ts";
import { pathAndQuery } from "../../wire/url.ts";
import type { Context } from "../context.ts";
import { chosenColumns, formatOf, isForEyes, showList, showText, wireColumns } from "../show.ts";
import { changesInUtc } from "./stored-times.ts";

/** Prints what an update did: a diff for eyes, the tracker's own answer as JSON, a line per changed field otherwise. */
export async function showChanges(
  changed: readonly ChangedBug[],
  parts: readonly Part[],
  context: Context,
): Promise<void> {
  const format = formatOf(context);
  if ((format === "json" || format === "ndjson") && !context.output.fields) {
    const columns = wireColumns<ChangedBug & NotApplied>([
      ...(["id", "alias", "last_change_time", "changes"] as const),
      "not_applied",
    ]);
    const rows = changed.map((one) => ({ ...one, not_applied: partOf(parts, one.id)?.dropped }));
    await showList(context, { columns, pages: [rows] });
    return;
  }
  const diffs = changed.map((one) => {
    const part = partOf(parts, one.id) ?? parts[0];
    const bug = part?.bugs.find(({ id }) => id === one.id);
    return { ...one, part, bug, changes: changesInUtc(one.changes, { bug, part }) };
  });
  await showDiff(diffs, false, context);
}

/** Parameters that were given and had no effect on a bug. */
type NotApplied = { readonly not_applied?: readonly string[] | undefined };

/** What a write would change on a bug. */
type Preview = { readonly bug: Bug; readonly changes: Changes; readonly part?: Part };

/** Prints what a write would send and do; without a request nothing would be sent. */
export async function showPlan(
  request: Request | undefined,
  previews: readonly Preview[],
  context: Context,
): Promise<void> {
  const format = formatOf(context);
  if (format === "json" || format === "ndjson") {
    const plan = {
      dry_run: true,
      ...(request && { method: request.method, path: pathAndQuery(request), body: request.body as JsonObject }),
      [request?.path.startsWith("/rest/group") ? "groups" : "bugs"]: previews.map(({ bug, changes, part }) => ({
        id: bug.id ?? null,
        changes: stablePart(changes, "changes"),
        not_applied: part?.dropped,
      })),
    };
    return context.io.out(`${escapeJson(JSON.stringify(plan, null, context.io.terminal.stdout ? 2 : 0))}\n`);
  }
  if (request) {
    const body = escapeJson(JSON.stringify(request.body, null, 2));
    await context.io.err(`would send ${request.method} ${pathAndQuery(request)}\n${body}\n`);
  }
  const diffs = previews.map(({ bug, changes, part }) => ({ id: bug.id ?? 0, changes, bug, part }));
  await showDiff(diffs, true, context);
}

type Diff = {
  readonly id: number;
  readonly changes: Changes;
  readonly bug: Bug | undefined;
  readonly part: Part | undefined;
};

async function showDiff(diffs: readonly Diff[], isPreview: boolean, context: Context): Promise<void> {
  const changed = diffs.map(({ id, changes, bug, part }) => ({
    id,
    name: `#${id}`,
    title: bug?.summary ?? undefined,
    changes,
    aside: asideOf(part?.body ?? {}),
    missed: part?.dropped?.length ? unchangedText(part) : undefined,
  }));
  if (isForEyes(context) && !context.output.fields) {
    const [{ changesText }, fields] = await Promise.all([import("../../view/changes.ts"), labels(context)]);
    return showText(context, changesText({ changed, fields, isPreview }, context.output.view));
  }
  for (const { id, missed } of changed) if (missed) await context.io.err(`bt: bug ${id}: ${missed}\n`);
  const { CHANGE_COLUMNS, changeRows } = await import("../../view/change-rows.ts");
  await showList(context, { columns: chosenColumns(CHANGE_COLUMNS, context), pages: [changeRows(changed)] });
}

/** The fields for their labels; what was changed is told even when the tracker does not say how they are called. */
async function labels({ tracker }: Context): Promise<readonly Field[]> {
  try {
    return await tracker.fields();
  } catch (error) {
    if (error instanceof BtError) return [];
    throw error;
  }
}

/** What a tracker records without naming it among the changes. */
function asideOf({ comment, comment_is_private, work_time }: JsonObject): string | undefined {
  const privacy = Object.keys((comment_is_private ?? {}) as JsonObject).length;
  const asides = [
    ...(comment === undefined ? [] : ["comment"]),
    ...(work_time === undefined ? [] : [`${work_time} h of work`]),
    ...(privacy === 0 ? [] : [privacy === 1 ? "privacy of a comment" : `privacy of ${privacy} comments`]),
  ];
  return asides.length > 0 ? asides.join(", ") : undefined;
}
