import { requestEach } from "../../../api/batch.ts";
import { bugPlan } from "../../../api/bugs/bug-numbers.ts";
import { withThreads } from "../../../api/bugs/bug-parts.ts";
import { BLAME_COLUMNS, type BlamedValue, blamedValues } from "../../../view/blame.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { historyInUtc } from "../../shared/changes/date-times.ts";
import { chosenColumns, showList } from "../../shared/output/print.ts";
import { printFound, readTargetsOrText } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { BlameInput } from "./flags.ts";

/** `bt bug blame`: who set each current value of bugs, and when. */
export async function blameBugs(input: BlameInput, context: Context): Promise<void> {
  const { refs, lines } = await readTargetsOrText(input, context);
  const isOne = refs.length === 1 && context.output.view.terminal;
  const columns = isOne ? BLAME_COLUMNS.filter(({ name }) => name !== "id") : BLAME_COLUMNS;
  await printFound(
    requestEach(refs, bugPlan(["_default"]), context.session.send),
    async (pages) => {
      await showList(context, {
        columns: chosenColumns(context.output.fields ? BLAME_COLUMNS : columns, context),
        pages: readBlamedValues(pages, context),
      });
    },
    { identity: ({ id }) => id, lines },
  );
}

async function* readBlamedValues(pages: AsyncIterable<Bug[]>, context: Context): AsyncGenerator<BlamedValue[]> {
  const options = { comments: false, history: true, last: undefined, since: undefined };
  const { serverZone } = context.output.view;
  for await (const page of withThreads(pages, options, context.session.send)) {
    const hasAdded = page.some((bug) => Object.keys(bug).some((name) => name.startsWith("cf_")));
    const fields = hasAdded ? await context.session.metadata.fields() : undefined;
    const values = page.map(async (bug) => {
      const { history } = await historyInUtc({ id: bug.id, alias: [], history: bug.history ?? [] }, context);
      return blamedValues(bug, history, { fields, serverZone });
    });
    yield (await Promise.all(values)).flat();
  }
}
