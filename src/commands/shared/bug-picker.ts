import { dirname, join } from "node:path";
import { bugRef, isBugId, mentionedBugs } from "../../api/bug-ref.ts";
import { readBug } from "../../api/bugs.ts";
import { findSimilar } from "../../api/search/similar.ts";
import { readSmallFile } from "../../config/files.ts";
import { BtError } from "../../errors.ts";
import { matchingChoices, PromptCancelled, type PromptChoice } from "../../prompt/question.ts";
import { readRecentBugs } from "../../session/memory.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { ParsedInput } from "../input.ts";
import type { Context, Verb } from "../verb.ts";
import { mayPrompt } from "./prompts.ts";

/**
 * The input with the bugs that the user picks for its missing arguments.
 * @throws `error`, of the command line, where no prompt may be shown
 */
export async function pickMissingBugs(
  { args = [] }: Verb,
  input: ParsedInput,
  error: BtError,
  context: Context,
): Promise<ParsedInput> {
  const { io, session } = context;
  if (!io.terminal.stdout || !mayPrompt(io, session.settings)) throw error;
  const missing = args.slice(input.args.length).filter(({ optional }) => !optional);
  const picked = [...input.args];
  for (const { name } of missing) {
    if (name === "original") {
      const duplicate = await readBug(bugRef(picked[0] ?? "", session.address), ["_default"], session.send);
      picked.push(await promptForOriginal(duplicate, context));
    } else picked.push(await promptForBug("bug", await readBugChoices(context), context));
  }
  return { ...input, args: picked };
}

/** Bugs that the name of the Git branch mentions, then bugs that were shown before. */
async function readBugChoices({ io, session }: Context): Promise<PromptChoice[]> {
  const recent = (await readRecentBugs(session.memory)).map(bugChoice);
  const mentioned = mentionedBugs(readBranchName(io.cwd()), session.address);
  const ofBranch = mentioned.map((id) => {
    const choice = recent.find(({ value }) => value === id) ?? bugChoice({ id });
    return { ...choice, about: "of the branch" };
  });
  return [...ofBranch, ...recent.filter(({ value }) => !mentioned.includes(value))];
}

/** Name of the Git branch that is checked out in a folder or above it; "" outside of a repository. */
function readBranchName(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const head = readSmallFile(join(folder, ".git/HEAD"))?.text;
    if (head !== undefined) return head.replace("ref: refs/heads/", "");
    if (folder === dirname(folder)) return "";
  }
}

function bugChoice({ id, summary }: { id: number | string; summary?: string | null | undefined }): PromptChoice {
  return { value: String(id), name: plain(`#${id} ${summary ?? ""}`.trimEnd()) };
}

/** Prompts for the original of a duplicate among similar bugs. @throws PromptCancelled for Enter alone */
export async function promptForOriginal(bug: Bug, context: Context): Promise<string> {
  const products = [bug.product ?? []].flat();
  const found = await findSimilar({ ...bug, products }, context.session.searches).catch((error) => {
    if (error instanceof BtError) return []; // the user can type a bug
    throw error;
  });
  const similar = found.slice(0, MAX_SIMILAR).map(({ bug: { id, summary, resolution, status }, score }) => {
    return {
      ...bugChoice({ id, summary }),
      about: plain(`${resolution || status}, ${Math.round(score * 100)} % match`),
    };
  });
  const ref = await promptForBug("duplicate of bug", [{ value: "", name: "(none of these)" }, ...similar], context);
  if (ref === "") throw new PromptCancelled();
  return ref;
}

const MAX_SIMILAR = 8;

/** Prompts for one of the bugs, or for any bug by its number, alias or URL. */
function promptForBug(message: string, bugs: readonly PromptChoice[], { io, session }: Context): Promise<string> {
  const find = (term: string) => {
    const typed = typedBug(term, session.address);
    if (typed && isBugId(typed.value)) return [typed]; // not bugs whose numbers begin with it
    const matching = matchingChoices(bugs, term);
    return typed && matching.length === 0 ? [typed] : matching;
  };
  return io.prompt({ kind: "search", message, find, isOfNumbers: true, hasBack: true });
}

/** The bug that a text names, as a choice; undefined for any other text. */
function typedBug(text: string, address: string): PromptChoice | undefined {
  try {
    const value = bugRef(text.trim(), address);
    return { value, name: plain(`bug ${value}`) };
  } catch {
    return undefined;
  }
}
