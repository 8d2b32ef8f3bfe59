import {
  type BugWithThread,
  commentsPlan,
  readPartsOfBugs,
  readVisibleBugs,
  type ThreadOptions,
} from "../../../api/bugs/bug-parts.ts";
import { BtError, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { bugCard } from "../../../view/bug-card.ts";
import { noticeText } from "../../../view/messages.ts";
import { descriptionText, threadText } from "../../../view/thread.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { historyInUtc } from "../../shared/changes/date-times.ts";
import { isForCards, isJson, showCards } from "../../shared/output/print.ts";
import { shellWord } from "../../shared/shell-word.ts";
import type { Context } from "../../verb.ts";
import type { BugGetInput } from "./flags.ts";

/**
 * Comments and history as requested by the flags; undefined for none.
 * @throws BtError of kind usage for a format that has no room for them
 */
export function threadOptions(input: BugGetInput, context: Context): ThreadOptions | undefined {
  const { timeline } = input;
  const comments = input.comments || timeline;
  const history = input.history || timeline;
  if (!comments && !history) return undefined;
  checkFormat(input, context);
  return { comments, history };
}

function checkFormat(input: BugGetInput, context: Context): void {
  if (isForCards(context) || isJson(context)) return;
  const name = (["timeline", "comments"] as const).find((flag) => input[flag]) ?? "history";
  const other = name === "history" ? "bt bug history" : "bt comment list";
  const bugs = input.args.map((arg) => ` ${shellWord(arg)}`).join("");
  throw usageError(`--${name} requires a card or JSON`, `for a line each: ${other}${bugs}; else --json`);
}

/** Prints bugs as cards, each with its comments and history as far as requested. */
export async function showBugCards(bugs: BugWithThread[], context: Context): Promise<void> {
  const [fields, related] = await Promise.all([context.session.metadata.fields(), readRelatedBugs(bugs, context)]);
  const cards: string[] = [];
  for (const bug of bugs)
    cards.push(
      bugCard({ bug, fields, related }, context.output.view) + (await readThreadText(bug, bugs.length === 1, context)),
    );
  await showCards(context, cards);
  const isBrief = bugs.length > 1 && bugs.every(({ comments, history }) => !comments && !history);
  if (isBrief)
    await context.io.err(
      noticeText("cards of several bugs lack the descriptions; --comments shows them", context.output.view),
    );
}

/** Visible bugs that the given ones depend on, block or duplicate; cards show their status. */
async function readRelatedBugs(bugs: Bug[], { session }: Context): Promise<ReadonlyMap<number, Bug>> {
  const ids = bugs.flatMap(({ depends_on, blocks, dupe_of }) => [depends_on ?? [], blocks ?? [], dupe_of ?? []].flat());
  const related = await readVisibleBugs(ids, ["id", "status", "resolution", "is_open", "summary"], session.send);
  return new Map(related.map((bug) => [bug.id, bug]));
}

/** Text below the card of a bug: the requested data; without a request, description and comment count of a single bug. */
async function readThreadText(bug: BugWithThread, isAlone: boolean, context: Context): Promise<string> {
  const { comments, history } = bug;
  if (!comments && !history) return isAlone ? readDescription(bug, context) : "";
  const inUtc = history && (await historyInUtc({ id: bug.id, alias: [], history }, context));
  const fields = await context.session.metadata.fields();
  const { view } = context.output;
  return `\n${threadText({ comments, history: inUtc, fields }, view)}`;
}

async function readDescription({ id }: Bug, context: Context): Promise<string> {
  try {
    const all = await readPartsOfBugs([String(id)], commentsPlan(), context.session.send);
    return `\n${descriptionText(all.get(String(id)) ?? [], context.output.view)}`;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await note(context.io, `no description, since the comments cannot be read: ${error.message}`);
    return "";
  }
}
