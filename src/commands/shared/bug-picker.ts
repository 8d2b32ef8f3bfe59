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
 * Completes a command line that lacks bugs with the bugs that the user picks.
 * @throws the error of the command line where no prompt may be shown
 */
export async function pickMissingBugs(
  { args = [] }: Verb,
  input: ParsedInput,
  refusal: BtError,
  context: Context,
): Promise<ParsedInput> {
  const missing = args.slice(input.args.length).filter(({ optional }) => !optional);
  if (!context.io.terminal.stdout || !mayPrompt(context.io, context.session.settings)) throw refusal;
  const picked = [...input.args];
  for (const { name } of missing) {
    const { address, send } = context.session;
    const isOriginal = name === "original";
    picked.push(
      isOriginal
        ? await promptForOriginal(await readBug(bugRef(picked[0] ?? "", address), ["_default"], send), context)
        : await promptForBug("bug", await likelyBugs(context), context),
    );
  }
  return { ...input, args: picked };
}

/** Bugs that the name of the branch mentions, then bugs that were shown before. */
async function likelyBugs({ io, session }: Context): Promise<PromptChoice[]> {
  const recent = (await readRecentBugs(session.memory)).map(bugChoice);
  const named = mentionedBugs(readBranchName(io.cwd()), session.address);
  const ofBranch = named.map((id) => {
    const choice = recent.find(({ value }) => value === id) ?? bugChoice({ id });
    return { ...choice, about: "of the branch" };
  });
  return [...ofBranch, ...recent.filter(({ value }) => !named.includes(value))];
}

/** Name of the branch that is checked out where the process works; "" outside of a Git repository. */
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

/** Prompts for the original of a duplicate, with similar bugs; Enter alone chooses none. @throws PromptCancelled for none */
export async function promptForOriginal(bug: Bug, context: Context): Promise<string> {
  const products = [bug.product ?? []].flat();
  const found = await findSimilar({ ...bug, products }, context.session.searches).catch((error) => {
    if (error instanceof BtError) return []; // a bug can be named without them
    throw error;
  });
  const similar = found.slice(0, MAX_SIMILAR).map(({ bug: { resolution, status, ...like }, score }) => {
    return { ...bugChoice(like), about: plain(`${resolution || status}, ${Math.round(score * 100)} % match`) };
  });
  const ref = await promptForBug("duplicate of bug", [{ value: "", name: "(none of these)" }, ...similar], context);
  if (ref === "") throw new PromptCancelled();
  return ref;
}

const MAX_SIMILAR = 8;

/** Prompts for one of the bugs, or another by its number, alias or URL. */
function promptForBug(message: string, bugs: readonly PromptChoice[], { io, session }: Context): Promise<string> {
  const find = (term: string) => {
    const typed = namedBug(term, session.address);
    if (typed && isBugId(typed.value)) return [typed]; // no bug whose number begins like it
    const matching = matchingChoices(bugs, term);
    return typed && matching.length === 0 ? [typed] : matching;
  };
  return io.prompt({ kind: "search", message, find, isOfNumbers: true, hasBack: true });
}

/** The bug that a text names; undefined for any other text. */
function namedBug(text: string, address: string): PromptChoice | undefined {
  try {
    const value = bugRef(text.trim(), address);
    return { value, name: plain(`bug ${value}`) };
  } catch {
    return undefined;
  }
}
