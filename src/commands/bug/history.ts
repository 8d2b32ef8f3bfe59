import type { BatchPlan } from "../../api/batch.ts";
import { requestByNumber } from "../../api/bug-numbers.ts";
import { bugNames } from "../../api/bug-ref.ts";
import { BUG_HISTORY } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readHistories } from "../../api/response/response-objects.ts";
import { flagValue } from "../../session/flags.ts";
import type { BugHistory } from "../../wire/resources.ts";
import { momentOf } from "../input-text.ts";
import { chosenColumns, isForCards, mapPages, showCards, showList, wholeFormat, wireColumns } from "../output.ts";
import { bugsToRead, bugTitles, collectPages, showFound } from "../targets.ts";
import type { Context, Input } from "../verb.ts";
import { historyInUtc } from "./changes.ts";

/** `bt bug history`: reads the histories of all given bugs in few requests, and reports those not found. */
export async function showBugHistory(input: Input, context: Context): Promise<void> {
  const refs = await bugsToRead(input, context);
  const since = flagValue(input.flags["new-since"]);
  const plan = historyPlan(since === undefined ? undefined : momentOf(since, context));
  await showFound(requestByNumber(refs, plan, context.session.ask), (pages) => show(pages, context), {
    lines: refs.lines,
  });
}

/** Plan for reading the histories of bugs. */
export function historyPlan(new_since: string | undefined): BatchPlan<BugHistory> {
  return {
    request: (ids) => requestFor(BUG_HISTORY, { ids, new_since }),
    read: (answer) => readHistories(answer).map((thing) => ({ thing, names: bugNames(thing) })),
  };
}

/** A timeline on a terminal, the response as JSON, else one line per change. */
async function show(histories: AsyncIterable<readonly BugHistory[]>, context: Context): Promise<void> {
  if (isForCards(context)) return showTimelines(await collectPages(inUtc(histories, context)), context);
  if (wholeFormat(context)) {
    await showList(context, { columns: wireColumns<BugHistory>(["id", "alias", "history"]), pages: histories });
    return;
  }
  const { HISTORY_COLUMNS, historyRows } = await import("../../view/change-rows.ts");
  await showList(context, {
    columns: chosenColumns(HISTORY_COLUMNS, context),
    pages: mapPages(inUtc(histories, context), historyRows),
  });
}

async function* inUtc(pages: AsyncIterable<readonly BugHistory[]>, context: Context): AsyncGenerator<BugHistory[]> {
  for await (const page of pages) yield await Promise.all(page.map((one) => historyInUtc(one, context)));
}

async function showTimelines(histories: readonly BugHistory[], context: Context): Promise<void> {
  const [{ historyText }, fields, titles] = await Promise.all([
    import("../../view/changes.ts"),
    context.session.fields(),
    bugTitles(
      histories.map(({ id }) => id),
      context,
    ),
  ]);
  const texts = histories.map((one) =>
    historyText({ history: one, fields, title: titles.get(one.id) }, context.output.view),
  );
  await showCards(context, texts);
}
