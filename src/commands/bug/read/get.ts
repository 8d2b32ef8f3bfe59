import { requestEach } from "../../../api/batch.ts";
import { type BugWithThread, bugPlan, fetchComments, withThreads } from "../../../api/bugs.ts";
import { collectPages } from "../../../api/lists.ts";
import { readVisibleBugs } from "../../../api/search/searches.ts";
import { BtError, usageError } from "../../../errors.ts";
import { addReadMarks, rememberingBugs } from "../../../session/memory.ts";
import { note } from "../../../session/note.ts";
import { neededFields } from "../../../view/bug-columns.ts";
import { jsonListing } from "../../../view/listing.ts";
import type { View } from "../../../view/view.ts";
import { type Bug, SHOWN_BUG_FIELDS } from "../../../wire/bug-fields.ts";
import { bugPage } from "../../../wire/exchange.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import {
  chooseBugColumns,
  isForCards,
  isJson,
  showCards,
  showList,
  showPages,
  wholeJsonFormat,
  wireColumns,
} from "../../shared/output/print.ts";
import { printFound, readTargetsToShow } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { GetInput } from "../flags.ts";

/**
 * `bt bug get`: prints the given bugs in their order, and reports bugs that are not found. Cards on a terminal and for
 * comments or history, whole bugs as JSON, else lines; all but cards are printed as the bugs arrive.
 */
export async function getBugs(input: GetInput, context: Context): Promise<void> {
  const refs = await readTargetsToShow(input, context);
  if (input.web) return openBugs(refs, context);
  const { session, output, io } = context;
  const parts = { comments: input.comments || input.timeline, history: input.history || input.timeline };
  const thread = (["comments", "history"] as const).filter((name) => parts[name]);
  const hasCards = isForCards(context) || (thread.length > 0 && !output.isChosen);
  if (thread.length > 0 && !hasCards && !isJson(context))
    throw usageError("comments and changes require a card or JSON", "bt comment list and bt bug history print lines");
  const whole = wholeJsonFormat(context);
  const fields = output.fields?.filter((name) => !thread.some((part) => part === name));
  const columns = hasCards || whole ? undefined : await chooseBugColumns(context, fields);
  const outcomes = requestEach(refs, bugPlan(columns ? neededFields(columns) : ["_default"]), session.send);
  const show = async (bugs: AsyncIterable<Bug[]>) => {
    const readMarks = new Map<number, string>();
    const shown = io.terminal.stdout ? rememberingBugs(collectReadMarks(bugs, readMarks), session.memory) : bugs;
    const pages = thread.length > 0 ? withThreads(shown, parts, session.send) : shown;
    if (columns) await showList(context, { columns: [...columns, ...wireColumns<BugWithThread>(thread)], pages });
    else if (whole) await showPages(context, pages, jsonListing<Bug>(whole, output.view, SHOWN_BUG_FIELDS));
    else await showBugCards(await collectPages(pages), context);
    if (readMarks.size > 0) await addReadMarks(readMarks, session.memory);
  };
  await printFound(outcomes, show);
}

async function openBugs(refs: readonly string[], context: Context): Promise<void> {
  const web = await readWebAddress(context);
  for (const ref of refs) await openInBrowser(bugPage(web, encodeURIComponent(ref)), context);
}

/** Passes bugs on, and adds the times of their last changes to `readMarks`, by which they become read. */
async function* collectReadMarks(pages: AsyncIterable<Bug[]>, readMarks: Map<number, string>) {
  for await (const page of pages) {
    for (const { id, last_change_time } of page) if (id && last_change_time) readMarks.set(id, last_change_time);
    yield page;
  }
}

/** Prints bugs as cards, each with its comments and history if they were read, else a single bug with its description. */
async function showBugCards(bugs: BugWithThread[], context: Context): Promise<void> {
  const [{ received: fields }, related, { bugCard }, { threadText }] = await Promise.all([
    context.session.catalog(),
    readRelatedBugs(bugs, context),
    import("../../../view/bug-card.ts"), // takes 5 ms
    import("../../../view/comments.ts"),
  ]);
  const view = { ...context.output.view, terminal: true };
  const cards: string[] = [];
  for (const bug of bugs) {
    const card = bugCard({ bug, fields, related }, view);
    const { id, comments, history } = bug;
    const thread = { comments, history: history && { id, alias: [], history }, fields };
    if (comments || history) cards.push(`${card}\n${threadText(thread, view)}`);
    else cards.push(bugs.length === 1 ? `${card}${await readDescriptionText(id, view, context)}` : card);
  }
  await showCards(context, cards);
}

/** Visible bugs that the given bugs depend on, block or duplicate; cards show their status. */
async function readRelatedBugs(bugs: Bug[], { session }: Context): Promise<ReadonlyMap<number, Bug>> {
  const ids = bugs.flatMap(({ depends_on, blocks, dupe_of }) => [depends_on ?? [], blocks ?? [], dupe_of ?? []].flat());
  const include = ["id", "status", "resolution", "is_open", "summary"];
  const related = await readVisibleBugs(ids, include, session.searches);
  return new Map(related.map((bug) => [bug.id, bug]));
}

/** Description and number of comments, below the card; empty with a note if the comments cannot be read. */
async function readDescriptionText(id: number, view: View, context: Context): Promise<string> {
  const { descriptionText } = await import("../../../view/comments.ts");
  try {
    const comments = await fetchComments(id, context.session.send);
    return `\n${descriptionText(comments, view)}`;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await note(context.io, `no description, since the comments cannot be read: ${error.message}`);
    return "";
  }
}
