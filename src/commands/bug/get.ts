import { requestEach } from "../../api/batch.ts";
import { bugPlan } from "../../api/bug-numbers.ts";
import { selectFields } from "../../api/field-selection.ts";
import { SEARCH_BUGS } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import { flagValue } from "../../session/flags.ts";
import { addReadMarks } from "../../session/memory/read-marks.ts";
import { withLazyCatalog } from "../../session/session.ts";
import { type Bug, DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../wire/bug-fields.ts";
import {
  headingFields,
  isForTerminal,
  outputFormat,
  showCards,
  showList,
  showPages,
  wholeFormat,
  wireColumns,
} from "../output.ts";
import { bugsToRead, collectPages, showFound } from "../targets.ts";
import type { Context, Input } from "../verb.ts";
import type { BugWithThread, ThreadWish } from "./thread.ts";

/** `bt bug get`: reads all given bugs in few requests, prints them in the given order, and reports those not found. */
export async function getBugs(input: Input, context: Context): Promise<void> {
  const refs = await bugsToRead(input, context);
  if (input.flags["web"]) return openBugs(refs, context);
  const threads = THREAD_FLAGS.some((name) => input.flags[name] !== undefined)
    ? await import("./thread.ts")
    : undefined;
  const thread = threads?.threadWish(input, context);
  const wanted = await wantedFields(context);
  await checkJq(input, [...(wanted.keys ?? []), ...threadKeys(thread)], wanted);
  const include = thread && wanted.keys ? [...new Set([...wanted.include, "id"])] : wanted.include;
  const isMarked = input.flags["keep-unread"] !== true;
  const batches = requestEach(refs, bugPlan(include, "to print"), context.session.ask);
  const show = async (bugs: Pages) => {
    const read = new Map<number, string>();
    const noted = isMarked ? noteRead(bugs, read) : bugs;
    const pages = threads && thread ? threads.withThreads(noted, thread, context) : noted;
    await showBugs(pages, context, wanted.keys && [...wanted.keys, ...threadKeys(thread)]);
    if (read.size > 0) await addReadMarks(read, context.session.memory);
  };
  await showFound(batches, show, {
    identity: ({ id }) => id,
    lines: refs.lines,
  });
}

async function checkJq({ flags }: Input, keys: readonly string[], { keys: chosen }: Wanted): Promise<void> {
  const expression = flagValue(flags["jq"]);
  if (expression === undefined) return;
  const { checkJqFields, checkJqThread } = await import("./jq-fields.ts");
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
  const { neededFields, defaultBugColumns } = await import("../../view/bug-columns.ts");
  return { include: neededFields(defaultBugColumns(format, context.output.view)) };
}

/** Flags that show comments or changes, whose code is loaded only then. */
const THREAD_FLAGS = ["comments", "last", "history", "timeline", "since"];

const THREAD_KEYS = ["comments", "history"] as const;

function threadKeys(thread: ThreadWish | undefined): readonly string[] {
  return THREAD_KEYS.filter((name) => thread?.[name]);
}

function isThreadKey(key: string): key is (typeof THREAD_KEYS)[number] {
  return THREAD_KEYS.some((name) => name === key);
}

type Pages = AsyncIterable<readonly BugWithThread[]>;

/** Cards on a terminal, whole bugs as JSON, else lines; all but cards are printed as the bugs arrive. */
async function showBugs(pages: Pages, context: Context, keys: readonly string[] | undefined): Promise<void> {
  if (isForTerminal(context) && !keys) return showBugCards(await collectPages(pages), context);
  const format = wholeFormat(context);
  if (format) {
    const { completeRows } = await import("../../view/listing.ts");
    await showPages(context, pages, completeRows<Bug>(format, STANDARD, context.output.view));
    return;
  }
  const { findBugColumn, defaultBugColumns } = await import("../../view/bug-columns.ts");
  const hasCustom = keys?.some((key) => key.startsWith("cf_")) && isForTerminal(context);
  const known = await (hasCustom ? context.session.fields() : headingFields(context));
  const usual = () => defaultBugColumns(outputFormat(context), context.output.view, known);
  const columnsOf = (key: string) =>
    isThreadKey(key) ? wireColumns<BugWithThread>([key]) : (findBugColumn(key, known) ?? []);
  await showList<BugWithThread>(context, { columns: keys?.flatMap(columnsOf) ?? usual(), pages });
}

/** Standard keys, in the specification's order. */
const STANDARD = [...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS];

async function showBugCards(bugs: readonly BugWithThread[], context: Context): Promise<void> {
  const [{ bugCard }, { threadBelow }, fields, related] = await Promise.all([
    import("../../view/bug-card.ts"),
    import("./thread.ts"),
    context.session.fields(),
    relatedBugs(bugs, context),
  ]);
  const cards: string[] = [];
  for (const bug of bugs)
    cards.push(
      bugCard({ bug, fields, related }, context.output.view) + (await threadBelow(bug, bugs.length === 1, context)),
    );
  await showCards(context, cards);
}

/** Visible bugs that the given ones depend on, block or duplicate; cards show their status. */
async function relatedBugs(bugs: readonly Bug[], context: Context): Promise<ReadonlyMap<number, Bug>> {
  const ids = new Set(
    bugs.flatMap((bug) => [...(bug.depends_on ?? []), ...(bug.blocks ?? []), ...(bug.dupe_of ? [bug.dupe_of] : [])]),
  );
  if (ids.size === 0) return new Map();
  const answer = await context.session.ask(
    requestFor(SEARCH_BUGS, {
      id: [...ids].slice(0, MOST_RELATED).join(","),
      include_fields: "id,status,resolution,is_open,summary",
      limit: MOST_RELATED,
    }),
  );
  return new Map(readBugs(answer).map((bug) => [bug.id, bug]));
}

const MOST_RELATED = 500;

async function openBugs(refs: readonly string[], context: Context): Promise<void> {
  const [{ openInBrowser, webAddress }, { bugPage }] = await Promise.all([
    import("../browser.ts"),
    import("../../view/links.ts"),
  ]);
  const web = await webAddress(context);
  for (const ref of refs) await openInBrowser(bugPage(web, encodeURIComponent(ref)), context);
}
