import { BtError } from "../../errors.ts";
import { escapeJson } from "../../view/text.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import type { Field } from "../../wire/field.ts";
import type { ChangedBug, Changes } from "../../wire/history.ts";
import { pathAndQuery } from "../../wire/url.ts";
import type { Context } from "../context.ts";
import { chosenColumns, formatOf, isForEyes, showList, showText, wireColumns } from "../show.ts";

/** Prints what an update did: a diff for eyes, the tracker's own answer as JSON, a line per changed field otherwise. */
export async function showChanges(
  changed: readonly ChangedBug[],
  { bugs, body }: { readonly bugs: readonly Bug[]; readonly body: JsonObject },
  context: Context,
): Promise<void> {
  const format = formatOf(context);
  if ((format === "json" || format === "ndjson") && !context.output.fields) {
    const columns = wireColumns<ChangedBug>(["id", "alias", "last_change_time", "changes"]);
    await showList(context, { columns, pages: [changed] });
    return;
  }
  const diffs = changed.map((one) => ({ ...one, bug: bugs.find(({ id }) => id === one.id) }));
  await showDiff(diffs, { body, isPreview: false }, context);
}

/** Prints what an update would send and do. */
export async function showPlan(
  request: Request,
  previews: readonly { readonly bug: Bug; readonly changes: Changes }[],
  context: Context,
): Promise<void> {
  const format = formatOf(context);
  if (format === "json" || format === "ndjson") {
    const plan = {
      dry_run: true,
      method: request.method,
      path: pathAndQuery(request),
      body: request.body as JsonObject,
      bugs: previews.map(({ bug, changes }) => ({ id: bug.id, changes })),
    };
    return context.io.out(`${escapeJson(JSON.stringify(plan, null, context.io.terminal.stdout ? 2 : 0))}\n`);
  }
  await context.io.err(
    `would send ${request.method} ${pathAndQuery(request)}\n${escapeJson(JSON.stringify(request.body, null, 2))}\n`,
  );
  const diffs = previews.map(({ bug, changes }) => ({ id: bug.id ?? 0, changes, bug }));
  await showDiff(diffs, { body: request.body as JsonObject, isPreview: true }, context);
}

type Diff = { readonly id: number; readonly changes: Changes; readonly bug: Bug | undefined };

type Made = { readonly body: JsonObject; readonly isPreview: boolean };

async function showDiff(diffs: readonly Diff[], { body, isPreview }: Made, context: Context): Promise<void> {
  const aside = asideOf(body);
  const changed = diffs.map(({ id, changes, bug }) => ({
    id,
    name: `#${id}`,
    title: bug?.summary ?? undefined,
    changes,
    aside,
  }));
  if (isForEyes(context) && !context.output.fields) {
    const [{ changesText }, fields] = await Promise.all([import("../../view/changes.ts"), labels(context)]);
    return showText(context, changesText({ changed, fields, isPreview }, context.output.view));
  }
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
