import { askEach, type BatchPlan, type Outcome } from "../../api/batch.ts";
import { get, segment } from "../../api/operation.ts";
import { readHistories } from "../../api/read.ts";
import type { BugHistory } from "../../wire/history.ts";
import type { Context } from "../context.ts";
import { momentOf } from "../moment.ts";
import { chosenColumns, formatOf, isForEyes, showList, showText, wireColumns } from "../show.ts";
import { account, bugTargets } from "../targets.ts";
import { type Input, textOf } from "../verb.ts";
import { isNamed } from "./get.ts";

/** `bt bug history`: asks for the histories of all named bugs in few requests and accounts for each. */
export async function history(input: Input, context: Context): Promise<void> {
  const refs = await bugTargets(input.args, context);
  const since = textOf(input.flags["new-since"]);
  const plan = historyPlan(since === undefined ? [] : [["new_since", momentOf(since, context)]]);
  const outcomes: Outcome<BugHistory>[] = [];
  for await (const batch of askEach(refs, plan, context.tracker.ask)) outcomes.push(...batch);
  await show(
    outcomes.flatMap((outcome) => ("thing" in outcome ? [outcome.thing] : [])),
    context,
  );
  account(outcomes);
}

function historyPlan(query: readonly (readonly [string, string])[]): BatchPlan<BugHistory> {
  return {
    request: ([first = "", ...rest]) =>
      get(`/rest/bug/${segment(first)}/history`, [...rest.map((ref) => ["ids", ref] as const), ...query]),
    read: (answer) => readHistories(answer).map((thing) => ({ thing, isOf: (ref) => isNamed(thing, ref) })),
  };
}

/** A timeline for eyes, the answer itself as JSON, one line a change for everything else. */
async function show(histories: readonly BugHistory[], context: Context): Promise<void> {
  const format = formatOf(context);
  if (isForEyes(context) && !context.output.fields) return showTimelines(histories, context);
  if ((format === "json" || format === "ndjson") && !context.output.fields) {
    await showList(context, { columns: wireColumns<BugHistory>(["id", "alias", "history"]), pages: [histories] });
    return;
  }
  const { HISTORY_COLUMNS, historyRows } = await import("../../view/history-rows.ts");
  await showList(context, { columns: chosenColumns(HISTORY_COLUMNS, context), pages: [historyRows(histories)] });
}

async function showTimelines(histories: readonly BugHistory[], context: Context): Promise<void> {
  if (histories.length === 0) return;
  const [{ historyText }, { separated }, fields] = await Promise.all([
    import("../../view/history.ts"),
    import("../../view/card.ts"),
    context.tracker.fields(),
  ]);
  const texts = histories.map((history) => historyText({ history, fields }, context.output.view));
  await showText(context, separated(texts, context.output.view));
}
