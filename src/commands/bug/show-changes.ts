import type { Bug } from "../../wire/bug.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import type { ChangedBug, Changes } from "../../wire/history.ts";
import { pathAndQuery } from "../../wire/url.ts";
import type { Context } from "../context.ts";
import { chosenColumns, formatOf, isForEyes, showList, showText, wireColumns } from "../show.ts";

/** Prints what an update did: a diff for eyes, the tracker's own answer as JSON, a line per changed field otherwise. */
export async function showChanges(
  changed: readonly ChangedBug[],
  bugs: readonly Bug[],
  context: Context,
): Promise<void> {
  const format = formatOf(context);
  if ((format === "json" || format === "ndjson") && !context.output.fields) {
    const columns = wireColumns<ChangedBug>(["id", "alias", "last_change_time", "changes"]);
    await showList(context, { columns, pages: [changed] });
    return;
  }
  await showDiff(
    changed.map((one) => ({ ...one, bug: bugs.find(({ id }) => id === one.id) })),
    context,
    false,
  );
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
    return context.io.out(`${JSON.stringify(plan, null, context.io.terminal.stdout ? 2 : 0)}\n`);
  }
  await context.io.err(
    `would send ${request.method} ${pathAndQuery(request)}\n${JSON.stringify(request.body, null, 2)}\n`,
  );
  await showDiff(
    previews.map(({ bug, changes }) => ({ id: bug.id ?? 0, changes, bug })),
    context,
    true,
  );
}

type Diff = { readonly id: number; readonly changes: Changes; readonly bug: Bug | undefined };

async function showDiff(diffs: readonly Diff[], context: Context, isPreview: boolean): Promise<void> {
  const changed = diffs.map(({ id, changes, bug }) => ({
    id,
    name: `#${id}`,
    title: bug?.summary ?? undefined,
    changes,
  }));
  if (isForEyes(context) && !context.output.fields) {
    const [{ changesText }, fields] = await Promise.all([import("../../view/changes.ts"), context.tracker.fields()]);
    return showText(context, changesText({ changed, fields, isPreview }, context.output.view));
  }
  const { CHANGE_COLUMNS, changeRows } = await import("../../view/change-rows.ts");
  await showList(context, { columns: chosenColumns(CHANGE_COLUMNS, context), pages: [changeRows(changed)] });
}
