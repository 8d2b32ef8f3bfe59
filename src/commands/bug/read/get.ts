import { requestEach } from "../../../api/batch.ts";
import { bugPlan } from "../../../api/bug-numbers.ts";
import { selectFields } from "../../../api/field-selection.ts";
import { addReadMarks } from "../../../session/memory/read-marks.ts";
import { withLazyCatalog } from "../../../session/session.ts";
import { defaultBugColumns, findBugColumn, neededFields } from "../../../view/bug-columns.ts";
import { bugPage } from "../../../view/links.ts";
import { completeRows } from "../../../view/listing.ts";
import { type Bug, DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import { openInBrowser, webAddress } from "../../shared/browser.ts";
import { checkJqFields, checkJqThread } from "../../shared/jq-fields.ts";
import {
  headingFields,
  isForTerminal,
  outputFormat,
  showList,
  showPages,
  wholeFormat,
  wireColumns,
} from "../../shared/output.ts";
import { bugsToRead, collectPages, showFound } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { BugGetInput } from "./input.ts";
import type { BugWithThread, ThreadWish } from "./thread.ts";

/** `bt bug get`: reads all given bugs in few requests, prints them in the given order, and reports those not found. */
export async function getBugs(input: BugGetInput, context: Context): Promise<void> {
  const refs = await bugsToRead(input, context);
  if (input.web) return openBugs(refs, context);
  const threads = hasThread(input) ? await import("./thread.ts") : undefined;
  const thread = threads?.threadWish(input, context);
  const wanted = await wantedFields(context);
  await checkJq(input, [...(wanted.keys ?? []), ...threadKeys(thread)], wanted);
  const include = thread && wanted.keys ? [...new Set([...wanted.include, "id"])] : wanted.include;
  const isMarked = !input.keepUnread;
  const batches = requestEach(refs, bugPlan(include, "to print"), context.session.send);
  const show = async (bugs: Pages) => {
    const read = new Map<number, string>();
    const noted = isMarked ? noteRead(bugs, read) : bugs;
    const pages = threads && thread ? threads.withThreads(noted, thread, context) : noted;
    await showBugs(pages, context, wanted.keys && [...wanted.keys, ...threadKeys(thread)]);
    if (read.size > 0) await addReadMarks(read, context.session.facts.memory);
  };
  await showFound(batches, show, {
    identity: ({ id }) => id,
    lines: refs.lines,
  });
}

async function checkJq({ jq: expression }: BugGetInput, keys: string[], { keys: chosen }: Wanted): Promise<void> {
  if (expression === undefined) return;
  if (chosen) checkJqFields(expression, keys);
  checkJqThread(expression, keys);
}

/** Passes bugs on, and collects their times of change. */
async function* noteRead(pages: Pages, read: Map<number, string>) {
  for await (const page of pages) {
    for (const { id, last_change_time } of page) if (id && last_change_time) read.set(id, last_change_time);
    yield page;
  }
}

/** Chosen keys, and the names for `include_fields`. */
type Wanted = { readonly keys?: readonly string[]; readonly include: readonly string[] };

async function wantedFields(context: Context): Promise<Wanted> {
  const { fields } = context.output;
  if (fields) return withLazyCatalog(context.session, (catalog) => selectFields(fields, catalog));
  const format = outputFormat(context);
  if (["table", "json", "ndjson"].includes(format)) return { include: ["_default"] };
  if (format === "ids") return { include: ["id"] };
  return { include: neededFields(defaultBugColumns(format, context.output.view)) };
}

/** True if comments or changes are shown; their code is loaded only then and for cards, since it takes 5 ms. */
function hasThread({ comments, last, history, timeline, since }: BugGetInput): boolean {
  return comments || history || timeline || last !== undefined || since !== undefined;
}

const THREAD_KEYS = ["comments", "history"] as const;

function threadKeys(thread: ThreadWish | undefined): string[] {
  return THREAD_KEYS.filter((name) => thread?.[name]);
}

function isThreadKey(key: string): key is (typeof THREAD_KEYS)[number] {
  return THREAD_KEYS.some((name) => name === key);
}

type Pages = AsyncIterable<BugWithThread[]>;

/** Cards on a terminal, whole bugs as JSON, else lines; all but cards are printed as the bugs arrive. */
async function showBugs(pages: Pages, context: Context, keys: readonly string[] | undefined): Promise<void> {
  if (isForTerminal(context) && !keys) {
    const { showBugCards } = await import("./thread.ts");
    return showBugCards(await collectPages(pages), context);
  }
  const format = wholeFormat(context);
  if (format) {
    await showPages(context, pages, completeRows<Bug>(format, STANDARD, context.output.view));
    return;
  }
  const hasCustom = keys?.some((key) => key.startsWith("cf_")) && isForTerminal(context);
  const known = await (hasCustom ? context.session.metadata.fields() : headingFields(context));
  const usual = () => defaultBugColumns(outputFormat(context), context.output.view, known);
  const columnsOf = (key: string) =>
    isThreadKey(key) ? wireColumns<BugWithThread>([key]) : (findBugColumn(key, known) ?? []);
  await showList<BugWithThread>(context, { columns: keys?.flatMap(columnsOf) ?? usual(), pages });
}

/** Standard keys, in the specification's order. */
const STANDARD = [...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS];

async function openBugs(refs: readonly string[], context: Context): Promise<void> {
  const web = await webAddress(context);
  for (const ref of refs) await openInBrowser(bugPage(web, encodeURIComponent(ref)), context);
}
