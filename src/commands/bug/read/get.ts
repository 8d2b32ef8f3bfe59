import { requestEach } from "../../../api/batch.ts";
import { type BugWithThread, bugPlan, fetchComments, withThreads } from "../../../api/bugs.ts";
import { collectPages } from "../../../api/lists.ts";
import { visibleBugs } from "../../../api/search/searches.ts";
import { BtError, usageError } from "../../../errors.ts";
import { addReadMarks, rememberingBugs } from "../../../session/memory.ts";
import { note } from "../../../session/note.ts";
import { defaultBugColumns, findBugColumn, neededFields } from "../../../view/bug-columns.ts";
import type { Column } from "../../../view/column.ts";
import { jsonListing } from "../../../view/listing.ts";
import { type Bug, DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import { bugPage } from "../../../wire/exchange.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import {
  chooseSelection,
  fieldsForColumns,
  isForCards,
  isJson,
  showCards,
  showList,
  showPages,
  wireColumns,
} from "../../shared/output/print.ts";
import { printFound, readTargetsOrText } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { GetInput } from "../flags.ts";

/** `bt bug get`: reads all given bugs in few requests, prints them in the given order, and reports those not found. */
export async function getBugs(input: GetInput, given: Context): Promise<void> {
  const refs = await readTargetsOrText(input, given);
  if (input.web) return openBugs(refs, given);
  const parts = { comments: input.comments || input.timeline, history: input.history || input.timeline };
  const threadKeys = THREAD_KEYS.filter((name) => parts[name]);
  const context = threadKeys.length > 0 && !given.output.isChosen ? withCards(given) : given;
  if (threadKeys.length > 0) checkRoomForThread(input, context);
  const { keys, include } = await readWantedFields(context, threadKeys);
  const outcomes = requestEach(refs, bugPlan(include), context.session.send);
  const show = async (bugs: Pages) => {
    const marks = new Map<number, string>();
    const { memory } = context.session;
    const noted = given.io.terminal.stdout ? rememberingBugs(collectReadMarks(bugs, marks), memory) : bugs;
    const pages = threadKeys.length > 0 ? withThreads(noted, parts, context.session.send) : noted;
    await showBugs(pages, keys, context);
    if (marks.size > 0) await addReadMarks(marks, memory);
  };
  await printFound(outcomes, show, { identity: ({ id }) => id });
}

async function openBugs(refs: readonly string[], context: Context): Promise<void> {
  const web = await readWebAddress(context);
  for (const ref of refs) await openInBrowser(bugPage(web, encodeURIComponent(ref)), context);
}

const THREAD_KEYS = ["comments", "history"] as const;

type Pages = AsyncIterable<BugWithThread[]>;

/** The context of a command that prints cards even in a pipe, since lines have no room for a thread. */
function withCards(context: Context): Context {
  const { output } = context;
  const cards: Context["output"] = {
    ...output,
    format: "table",
    get view() {
      return { ...output.view, terminal: true }; // not before a response tells whether there are pages to link
    },
  };
  return { ...context, output: cards };
}

/** @throws BtError of kind usage for a format that has no room for comments and changes */
function checkRoomForThread(input: GetInput, context: Context): void {
  if (isForCards(context) || isJson(context)) return;
  const name = (["timeline", "comments"] as const).find((flag) => input[flag]) ?? "history";
  throw usageError(`--${name} requires a card or JSON`, "bt comment list and bt bug history print lines");
}

/** The keys that were chosen, if any, and the names for `include_fields`. */
async function readWantedFields(
  context: Context,
  threadKeys: readonly string[],
): Promise<{ keys?: readonly string[]; include: readonly string[] }> {
  const { fields, format, view } = context.output;
  if (fields) {
    const ofBugs = fields.filter((name) => !threadKeys.includes(name));
    const { keys, include } = await chooseSelection(ofBugs, context);
    return { keys: [...keys, ...threadKeys], include };
  }
  if (["table", "json", "ndjson"].includes(format)) return { include: ["_default"] };
  if (format === "ids") return { include: ["id"] };
  return { include: neededFields(defaultBugColumns(format, view)) };
}

/** Passes bugs on, and collects their times of change. */
async function* collectReadMarks(pages: Pages, marks: Map<number, string>) {
  for await (const page of pages) {
    for (const { id, last_change_time } of page) if (id && last_change_time) marks.set(id, last_change_time);
    yield page;
  }
}

/** Cards on a terminal, whole bugs as JSON, else lines; all but cards are printed as the bugs arrive. */
async function showBugs(pages: Pages, keys: readonly string[] | undefined, context: Context): Promise<void> {
  const { format, view } = context.output;
  if (keys) {
    const columns = await chosenBugColumns(keys, context);
    await showList(context, { columns, pages });
  } else if (format === "table") await showBugCards(await collectPages(pages), context);
  else if (format === "json" || format === "ndjson") {
    await showPages(context, pages, jsonListing<Bug>(format, view, STANDARD));
  } else await showList(context, { columns: defaultBugColumns(format, view), pages });
}

/** Standard keys, in the specification's order. */
const STANDARD = [...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS];

async function chosenBugColumns(keys: readonly string[], context: Context): Promise<Column<BugWithThread>[]> {
  const known = await fieldsForColumns(
    keys.filter((key) => !isThreadKey(key)),
    context,
  );
  return keys.flatMap((key): Column<BugWithThread>[] => {
    if (isThreadKey(key)) return [...wireColumns<BugWithThread>([key])];
    return [findBugColumn(key, known, context.output.view) ?? []].flat();
  });
}

function isThreadKey(key: string): key is (typeof THREAD_KEYS)[number] {
  return THREAD_KEYS.some((name) => name === key);
}

/** Prints bugs as cards, each with its comments and history as far as they were read. */
async function showBugCards(bugs: BugWithThread[], context: Context): Promise<void> {
  const [{ received: fields }, related, { bugCard }] = await Promise.all([
    context.session.catalog(),
    readRelatedBugs(bugs, context),
    CARDS.load(),
  ]);
  const cards: string[] = [];
  for (const bug of bugs) {
    const card = bugCard({ bug, fields, related }, context.output.view);
    cards.push(`${card}${await readThreadText(bug, bugs.length === 1, context)}`);
  }
  await showCards(context, cards);
}

const CARDS = { load: () => import("../../../view/bug-card.ts") }; // takes 5 ms

/** Visible bugs that the given ones depend on, block or duplicate; cards show their status. */
async function readRelatedBugs(bugs: Bug[], { session }: Context): Promise<ReadonlyMap<number, Bug>> {
  const ids = bugs.flatMap(({ depends_on, blocks, dupe_of }) => [depends_on ?? [], blocks ?? [], dupe_of ?? []].flat());
  const related = await visibleBugs(ids, ["id", "status", "resolution", "is_open", "summary"], session.searches);
  return new Map(related.map((bug) => [bug.id, bug]));
}

/** Text below the card of a bug: what was requested; else description and comment count of a bug that is alone. */
async function readThreadText(bug: BugWithThread, isAlone: boolean, context: Context): Promise<string> {
  const { comments, history } = bug;
  const { view } = context.output;
  const { descriptionText, threadText } = await import("../../../view/comments.ts");
  if (comments || history) {
    const { received: fields } = await context.session.catalog();
    return `\n${threadText({ comments, history: history && { id: bug.id, alias: [], history }, fields }, view)}`;
  }
  if (!isAlone) return "";
  try {
    return `\n${descriptionText(await fetchComments(bug.id, context.session.send), view)}`;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await note(context.io, `no description, since the comments cannot be read: ${error.message}`);
    return "";
  }
}
