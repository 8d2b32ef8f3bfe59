import { requestEach } from "../../../api/batch.ts";
import { bugPlan } from "../../../api/bugs/bug-numbers.ts";
import { type BugWithThread, withThreads } from "../../../api/bugs/bug-parts.ts";
import { collectPages } from "../../../api/lists.ts";
import { addReadMarks } from "../../../session/memory/read-marks.ts";
import { rememberingBugs } from "../../../session/memory/recent-bugs.ts";
import { defaultBugColumns, findBugColumn, neededFields } from "../../../view/bug-columns.ts";
import type { Column } from "../../../view/column.ts";
import { bugPage } from "../../../view/links.ts";
import { jsonListing } from "../../../view/listing.ts";
import { type Bug, DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import {
  chooseSelection,
  knownFields,
  noteHiddenHours,
  showList,
  showPages,
  wireColumns,
} from "../../shared/output/print.ts";
import { printFound, readTargetsOrText } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { BugGetInput } from "./flags.ts";

/** `bt bug get`: reads all given bugs in few requests, prints them in the given order, and reports those not found. */
export async function getBugs(input: BugGetInput, given: Context): Promise<void> {
  const { refs, lines } = await readTargetsOrText(input, given);
  if (input.web) return openBugs(refs, given);
  const { comments, history, timeline } = input;
  const hasThread = comments || history || timeline;
  const { output } = given;
  const cards: Context["output"] = {
    ...output,
    format: "table",
    get view() {
      return { ...output.view, terminal: true }; // not before a response tells whether there are pages to link
    },
  };
  const isForLines = hasThread && !output.isChosen; // which have no room for a thread
  const context: Context = isForLines ? { ...given, output: cards } : given;
  const thread = hasThread ? (await THREADS.options())(input, context) : undefined;
  const threadKeys = THREAD_KEYS.filter((name) => thread?.[name]);
  const chosen = await readWantedFields(context, threadKeys);
  const keys = chosen.keys && [...chosen.keys, ...threadKeys];
  const batches = requestEach(refs, bugPlan(chosen.include, { isSearchable: true }), context.session.send);
  const show = async (bugs: Pages) => {
    const marks = new Map<number, string>();
    const { memory } = context.session.facts;
    const noted = given.io.terminal.stdout ? rememberingBugs(collectReadMarks(bugs, marks), memory) : bugs;
    const pages = thread ? withThreads(noted, thread, context.session.send) : noted;
    await showBugs(keys ? noteHiddenHours(pages, keys, context) : pages, context, keys);
    if (marks.size > 0) await addReadMarks(marks, memory);
  };
  await printFound(batches, show, { identity: ({ id }) => id, lines });
}

/** The flags of threads and the cards that have them, which take 5 ms to load. */
const THREADS = {
  options: async () => (await import("./thread.ts")).threadOptions,
  cards: async () => (await import("./thread.ts")).showBugCards,
};

/** Passes bugs on, and collects their times of change. */
async function* collectReadMarks(pages: Pages, marks: Map<number, string>) {
  for await (const page of pages) {
    for (const { id, last_change_time } of page) if (id && last_change_time) marks.set(id, last_change_time);
    yield page;
  }
}

/** Chosen keys, and the names for `include_fields`. */
type Wanted = { keys?: readonly string[]; include: readonly string[] };

async function readWantedFields(context: Context, threadKeys: string[]): Promise<Wanted> {
  const { fields, format, view } = context.output;
  const ofBugs = fields?.filter((name) => !threadKeys.includes(name));
  if (ofBugs) return chooseSelection(ofBugs, context);
  if (["table", "json", "ndjson"].includes(format)) return { include: ["_default"] };
  if (format === "ids") return { include: ["id"] };
  return { include: neededFields(defaultBugColumns(format, view)) };
}

const THREAD_KEYS = ["comments", "history"] as const;

function isThreadKey(key: string): key is (typeof THREAD_KEYS)[number] {
  return THREAD_KEYS.some((name) => name === key);
}

type Pages = AsyncIterable<BugWithThread[]>;

/** Cards on a terminal, whole bugs as JSON, else lines; all but cards are printed as the bugs arrive. */
async function showBugs(pages: Pages, context: Context, keys: readonly string[] | undefined): Promise<void> {
  const { format, view } = context.output;
  if (!keys && format === "table") {
    return (await THREADS.cards())(await collectPages(pages), context);
  }
  if (!keys && (format === "json" || format === "ndjson")) {
    await showPages(context, pages, jsonListing<Bug>(format, view, STANDARD));
    return;
  }
  const hasAdded = keys?.some((key) => !STANDARD.includes(key) && !isThreadKey(key));
  const known = await (hasAdded ? context.session.metadata.fields() : knownFields(context));
  const columns: Column<BugWithThread>[] = [];
  for (const key of keys ?? []) {
    const column = isThreadKey(key)
      ? wireColumns<BugWithThread>([key])[0]
      : findBugColumn(key, known, context.output.view);
    if (column) columns.push(column);
  }
  if (!keys) columns.push(...defaultBugColumns(format, view, known));
  await showList(context, { columns, pages });
}

/** Standard keys, in the specification's order. */
const STANDARD = [...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS];

async function openBugs(refs: readonly string[], context: Context): Promise<void> {
  const web = await readWebAddress(context);
  for (const ref of refs) await openInBrowser(bugPage(web, encodeURIComponent(ref)), context);
}
