import type { BatchPlan } from "../../api/batch.ts";
import { askByNumber } from "../../api/bug-plan.ts";
import { namesOf } from "../../api/bug-ref.ts";
import { get, segment } from "../../api/operation.ts";
import { readHistories } from "../../api/read.ts";
import type { BugHistory } from "../../wire/history.ts";
import type { Context } from "../context.ts";
import { momentOf } from "../moment.ts";
import { chosenColumns, isForEyes, mapPages, showList, showText, wholeFormat, wireColumns } from "../show.ts";
import { bugTargets, gathered, showEach } from "../targets.ts";
import { type Input, textOf } from "../verb.ts";
import { historyInUtc } from "./stored-times.ts";
import { titlesOf } from "./titles.ts";

/** `bt bug history`: asks for the histories of all named bugs in few requests and accounts for each. */
export async function history(input: Input, context: Context): Promise<void> {
  const refs = await bugTargets(input.args, context);
  const since = textOf(input.flags["new-since"]);
  const plan = historyPlan(since === undefined ? [] : [["new_since", momentOf(since, context)]]);
  await showEach(askByNumber(refs, plan, context.tracker.ask), (pages) => show(pages, context), {
    lines: refs.lines,
  });
}

function historyPlan(query: readonly (readonly [string, string])[]): BatchPlan<BugHistory> {
  return {
    request: ([first = "", ...rest]) =>
      get(`/rest/bug/${segment(first)}/history`, [...rest.map((ref) => ["ids", ref] as const), ...query]),
    read: (answer) => readHistories(answer).map((thing) => ({ thing, names: namesOf(thing) })),
  };
}

/** A timeline for eyes, the answer itself as JSON, one line a change for everything else. */
async function show(histories: AsyncIterable<readonly BugHistory[]>, context: Context): Promise<void> {
  if (isForEyes(context) && !context.output.fields)
    return showTimelines(await gathered(inUtc(histories, context)), context);
  if (wholeFormat(context)) {
    await showList(context, { columns: wireColumns<BugHistory>(["id", "alias", "history"]), pages: histories });
    return;
  }
  const { HISTORY_COLUMNS, historyRows } = await import("../../view/history-rows.ts");
  await showList(context, {
    columns: chosenColumns(HISTORY_COLUMNS, context),
    pages: mapPages(inUtc(histories, context), historyRows),
  });
}

async function* inUtc(pages: AsyncIterable<readonly BugHistory[]>, context: Context): AsyncGenerator<BugHistory[]> {
  for await (const page of pages) yield await Promise.all(page.map((one) => historyInUtc(one, context)));
}

async function showTimelines(histories: readonly BugHistory[], context: Context): Promise<void> {
  const [{ historyText }, { separated }, fields, titles] = await Promise.all([
    import("../../view/history.ts"),
    import("../../view/card.ts"),
    context.tracker.fields(),
    titlesOf(
      histories.map(({ id }) => id),
      context,
    ),
  ]);
  const texts = histories.map((history) =>
    historyText({ history, fields, title: titles.get(history.id) }, context.output.view),
  );
  await showText(context, separated(texts, context.output.view));
}
