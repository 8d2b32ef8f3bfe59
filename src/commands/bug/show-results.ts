import { addResults, type BugResult, type BulkTally } from "../../api/delivery/bulk.ts";
import { READER_GONE } from "../../io.ts";
import type { PagedOutput } from "../../session/pager.ts";
import {
  NO_PROGRESS,
  progressLine,
  RESULT_COLUMNS,
  type ResultRow,
  SHOWN_RESULT_COLUMNS,
} from "../../view/change-rows.ts";
import { listing } from "../../view/listing.ts";
import { chosenColumns, outputFormat } from "../output.ts";
import type { Context } from "../verb.ts";

/**
 * Prints the results of a bulk update, a line each, with a progress bar on a terminal. If the output fails, the update
 * continues and the failure is returned at the end.
 */
export async function showResults(
  pages: AsyncIterable<readonly BugResult[]>,
  start: BulkTally,
  context: Context,
): Promise<{ readonly tally: BulkTally; readonly failure: unknown }> {
  const format = outputFormat(context);
  const columns = format === "table" ? SHOWN_RESULT_COLUMNS : RESULT_COLUMNS;
  const list = listing(format, chosenColumns(columns, context), context.output.view);
  const write = persistent(
    format === "json" ? context.output.open() : { write: context.io.out, end: async () => undefined },
  );
  const bar = progress(context);
  let tally = start;
  let isFirst = true;
  for await (const page of pages) {
    tally = addResults(tally, page);
    const rows = page.map(rowOf);
    await bar.away();
    await write.out((isFirst ? list.head(rows) : "") + list.page(rows));
    isFirst = false;
    await bar.draw(tally);
  }
  await bar.away();
  await write.out((isFirst ? list.head([]) : "") + list.tail());
  await write.end();
  return { tally, failure: write.failure() };
}

/** Output that remembers its first failure and ignores further text. */
function persistent(sheet: Pick<PagedOutput, "write" | "end">) {
  let failure: unknown;
  const attempt = async (write: () => Promise<void>) => {
    if (failure !== undefined) return;
    await write().catch((error) => {
      failure = error;
    });
  };
  return {
    out: (text: string) => attempt(() => sheet.write(text)),
    end: () => attempt(sheet.end),
    failure: () => (failure === READER_GONE ? undefined : failure),
  };
}

function progress({ io }: Context) {
  const isDrawn = io.terminal.stderr && io.env["TERM"] !== "dumb";
  return {
    draw: async ({ total, succeeded, failed }: BulkTally) => {
      if (isDrawn) await io.err(progressLine(succeeded + failed.length, total, io.size().columns));
    },
    away: async () => {
      if (isDrawn) await io.err(NO_PROGRESS);
    },
  };
}

function rowOf({ bug, st, note, changed, error }: BugResult): ResultRow {
  const { message, kind, facts } = error ?? {};
  const why = error && { kind: String(kind), message: String(message), code: facts?.bugzillaCode ?? null };
  const { changes, last_change_time } = changed ?? {};
  return { id: bug, result: note ?? st, changes, last_change_time, error: why };
}
