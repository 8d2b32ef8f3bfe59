import { requestEach } from "../../api/batch.ts";
import { bugPlan } from "../../api/bug-numbers.ts";
import { usage } from "../../errors.ts";
import { DURATION_COLUMNS, durationTable, type StatusDuration, statusDurations } from "../../view/durations.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { chosenColumns, isForCards, showList } from "../output.ts";
import { bugsToRead, collectPages, showFound } from "../targets.ts";
import type { Context, Input } from "../verb.ts";
import { withThreads } from "./thread.ts";

/** `bt bug history --durations`: the time that bugs have spent in each status. */
export async function showDurations(input: Input, context: Context): Promise<void> {
  for (const flag of ["new-since", "field", "author"]) {
    if (input.flags[flag] === undefined) continue;
    throw usage(`--durations and --${flag} cannot be used together`, "durations cover the whole history");
  }
  const refs = await bugsToRead(input, context);
  await showFound(
    requestEach(refs, bugPlan(["status", "creation_time"]), context.session.ask),
    async (pages) => {
      const rows = durationsOf(pages, context);
      if (!isForCards(context)) {
        await showList(context, { columns: chosenColumns(DURATION_COLUMNS, context), pages: rows });
        return;
      }
      const all = await collectPages(rows);
      await showList(context, { columns: durationTable(all, context.output.view), pages: [all] });
    },
    { identity: ({ id }) => id, lines: refs.lines },
  );
}

async function* durationsOf(
  pages: AsyncIterable<readonly Bug[]>,
  context: Context,
): AsyncGenerator<readonly StatusDuration[]> {
  const wish = { comments: false, history: true, last: undefined, since: undefined };
  for await (const page of withThreads(pages, wish, context)) {
    yield page.flatMap((bug) => statusDurations(bug, bug.history ?? [], context.io.now()));
  }
}
