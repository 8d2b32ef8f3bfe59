import { chooseFields } from "../../api/bug-fields.ts";
import { wholeNumber } from "../../api/number.ts";
import { pageMemory, type SearchPlan, searchPages } from "../../api/pages.ts";
import { BtError } from "../../errors.ts";
import type { BugColumn } from "../../view/bug-columns.ts";
import type { Bug } from "../../wire/bug.ts";
import type { Context } from "../context.ts";
import { formatOf, showList } from "../show.ts";
import { type Input, textOf } from "../verb.ts";
import { readCriteria } from "./criteria.ts";

/** `bt bug search`: checks every name and value, asks page by page, and prints each page as it comes. */
export async function search(input: Input, context: Context): Promise<void> {
  const columns = await columnsFor(context);
  const size = sizeOf(input, context);
  const { needs, ...criteria } = await readCriteria(input, context);
  const include = [...new Set([...columns.flatMap((column) => column.needs), ...needs])];
  const plan: SearchPlan = { ...criteria, include, limit: size.asked, offset: size.offset };
  const pages = searchPages(plan, context.tracker.ask, pageMemory(context.tracker.memory));
  const shown = trimmed(pages, size.shown);
  const count = await showList(context, { columns, pages: shown.pages });
  if (shown.more())
    await context.io.err(`${count} bugs shown, more exist: --limit N shows N of them, --all shows all\n`);
  if (count === 0 && context.io.terminal.stdout) await context.io.err("no bug matches\n");
  if (count === 0 && input.flags["fail-empty"]) throw new BtError("no", "no bug matches");
}

/** How many bugs are asked for and how many of them shown: one more is asked for where more would be worth a notice. */
type Size = { readonly asked: number | undefined; readonly shown: number; readonly offset: number };

function sizeOf(input: Input, context: Context): Size {
  const [limit, offset] = [textOf(input.flags["limit"]), textOf(input.flags["offset"])];
  const wanted = limit === undefined ? undefined : wholeNumber("limit", limit);
  if (wanted && input.flags["all"]) throw usage("--all and --limit do not go together");
  if (offset !== undefined && !wanted)
    throw usage("--offset needs --limit", "give the length of the page with --limit");
  const skipped = offset === undefined ? 0 : wholeNumber("offset", offset);
  if (wanted) return { asked: wanted, shown: wanted, offset: skipped };
  if (wanted === 0 || input.flags["all"] || !context.io.terminal.stdout || formatOf(context) !== "table") {
    return { asked: undefined, shown: Number.POSITIVE_INFINITY, offset: 0 };
  }
  const screen = Math.max(MIN_SCREEN, context.io.size().rows - SCREEN_REST);
  return { asked: screen + 1, shown: screen, offset: 0 };
}

const MIN_SCREEN = 10;
const SCREEN_REST = 4; // heading, notice, prompt, and one to breathe

async function columnsFor(context: Context): Promise<readonly BugColumn[]> {
  const { bugColumn, usualBugColumns } = await import("../../view/bug-columns.ts");
  const { fields, view } = context.output;
  const format = formatOf(context);
  if (!fields) return usualBugColumns(format, view).filter(({ name }) => format !== "ids" || name === "id");
  const { keys } = await chooseFields(fields, context.tracker.catalog);
  const known = keys.some((key) => key.startsWith("cf_")) ? await context.tracker.fields() : [];
  return keys.flatMap((key) => bugColumn(key, known) ?? []);
}

function trimmed(pages: AsyncIterable<readonly Bug[]>, most: number) {
  let left = most;
  let more = false;
  async function* cut() {
    for await (const page of pages) {
      if (page.length > left) more = true;
      const shown = page.slice(0, left);
      left -= shown.length;
      yield shown;
    }
  }
  return { pages: cut(), more: () => more };
}

function usage(message: string, hint?: string): BtError {
  return new BtError("usage", message, { hint, changed: "nothing" });
}
