import { dirname, join, resolve } from "node:path";
import { foundThings, requestAll } from "../../api/batch.ts";
import { bugRef, isBugId, mentionedBugs } from "../../api/bug-ref.ts";
import { bugPlan, readBug } from "../../api/bugs/bug-numbers.ts";
import { fieldTest } from "../../api/query/families.ts";
import { allOf, anyOf, type Leaf, type Query } from "../../api/query/tree.ts";
import { findSimilar, PROBABLE_SCORE, type SimilarBug } from "../../api/search/similar.ts";
import { LAST_CHANGED_FIRST } from "../../api/search/sort.ts";
import { readSmallFile } from "../../config/files.ts";
import { BtError } from "../../errors.ts";
import { matchingChoices, PromptCancelled, type PromptChoice, type QuestionOf } from "../../prompt/question.ts";
import { readRecentBugs } from "../../session/memory.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { ParsedInput } from "../input.ts";
import type { Context, Verb } from "../verb.ts";
import { mayPrompt } from "./prompts.ts";

/**
 * Input of a command line that lacks bugs, with those that the user picks.
 * @throws the error of the command line where no prompt may be shown
 */
export async function pickMissingBugs(
  { args = [] }: Verb,
  input: ParsedInput,
  refusal: BtError,
  context: Context,
): Promise<ParsedInput> {
  const picked = [...input.args];
  for (const { name, optional } of args.slice(picked.length)) {
    const isOriginal = name === "original";
    if (!optional)
      picked.push(isOriginal ? await pickOriginal(picked[0] ?? "", refusal, context) : await pickBug(context, refusal));
  }
  return { ...input, args: picked };
}

/** @throws BtError as given without prompts, or if another command reads the output */
function checkPrompts({ io, session }: Context, refusal: BtError): void {
  if (!io.terminal.stdout || !mayPrompt(io, session.settings)) throw refusal;
}

/**
 * A bug of the user's choice: that of the branch first, then bugs that were shown; or one of other choices.
 * @throws BtError as given where no prompt may be shown
 */
export async function pickBug(context: Context, refusal: BtError, others: PromptChoice[] = []): Promise<string> {
  checkPrompts(context, refusal);
  const isOther = others.length > 0;
  const find = bugFinder(isOther ? Promise.resolve(others) : usualChoices(context), context);
  return context.io.prompt({
    kind: "search",
    message: isOther ? "change or bug" : "bug",
    find,
    isOfNumbers: true,
    hasBack: true,
  });
}

async function usualChoices({ io, session }: Context): Promise<PromptChoice[]> {
  const refs = mentionedBugs(readBranchName(io) ?? "", session.address);
  const branch = foundThings(await requestAll(refs, bugPlan(["summary"]), session.send).catch(() => []));
  const recent = await readRecentBugs(session.facts.memory);
  const others = recent.filter(({ id }) => !branch.some((bug) => bug.id === id));
  return [...branch.map((bug) => bugChoice(bug, "of the branch")), ...others.map((bug) => bugChoice(bug))];
}

type PickedBug = { id: number; summary?: string | null | undefined };

function bugChoice({ id, summary }: PickedBug, about?: string): PromptChoice {
  return {
    value: String(id),
    name: plain(`#${id} ${summary ?? ""}`.trimEnd()),
    ...(about ? { about: plain(about) } : {}),
  };
}

async function pickOriginal(ref: string, refusal: BtError, context: Context): Promise<string> {
  checkPrompts(context, refusal);
  const { address, send } = context.session;
  return promptForOriginal(await readBug(bugRef(ref, address), ["_default"], send), context);
}

/** Prompts for the original of a duplicate. @throws BtError of a cancelled prompt also if none of the similar bugs is it */
export async function promptForOriginal(bug: Bug, context: Context): Promise<string> {
  const ref = await context.io.prompt(originalQuestion(bug, context));
  if (ref === NONE.value) throw new PromptCancelled();
  return ref;
}

/** Prompt for the original of a duplicate, with similar bugs; Enter alone takes the first only if it is a probable one. */
export function originalQuestion(bug: Bug, context: Context): QuestionOf<"search"> {
  const similar = findSimilar({ ...bug, products: [bug.product ?? []].flat() }, context.session.searches).then(
    (found) => {
      const choices = found.slice(0, MAX_SIMILAR).map(similarChoice);
      return found[0] && found[0].score < PROBABLE_SCORE ? [NONE, ...choices] : choices;
    },
    () => [], // a bug can be named without them
  );
  const find = bugFinder(similar, context, bug.id);
  return { kind: "search", message: "duplicate of bug", find, isOfNumbers: true, hasBack: true };
}

const MAX_SIMILAR = 8;
const NONE: PromptChoice = { value: "", name: "(none of these)" };

function similarChoice({ bug, score }: SimilarBug): PromptChoice {
  return bugChoice(bug, `${bug.resolution || bug.status}, ${Math.round(score * 100)} % match`);
}

/**
 * Finds the bug typed as number or URL; for words those listed, and those with all of them in the summary or with that alias. `except` is the
 * number of a bug that is not offered.
 */
function bugFinder(
  list: Promise<PromptChoice[]>,
  { io, session }: Context,
  except?: number,
): QuestionOf<"search">["find"] {
  return async (term, signal) => {
    const typed = namedBug(term, session.address);
    if (typed && isBugId(typed.value)) return [typed]; // none whose number begins like it
    const words = term.split(/\s+/).filter((word) => word !== "");
    const matching = words.reduce(matchingChoices, await list);
    if (term.trim().length < MIN_TERM) return matching;
    await io.sleep(PAUSE_MS);
    if (signal.aborted) return [];
    const found = await bugsWithWords(words, session.searches).catch(() => undefined);
    if (found === undefined) return typed ? [...matching, typed] : matching; // an alias can be sent without
    const others = found
      .filter(({ id }) => id !== except)
      .map((bug) => bugChoice(bug, bug.resolution || bug.status || ""));
    const choices = [...matching, ...others];
    return choices.filter(({ value }, at) => choices.findIndex((one) => one.value === value) === at);
  };
}

const MIN_TERM = 2;
const PAUSE_MS = 150; // after a key, before a request
const MAX_LISTED = 30;

function bugsWithWords(words: string[], { first }: Context["session"]["searches"]): Promise<readonly Bug[]> {
  const inSummary: Query = allOf<Leaf>(words.map((word) => fieldTest("summary", "~", word)));
  const query = words.length > 1 ? inSummary : anyOf([inSummary, fieldTest("alias", "=", ...words)]);
  const include = ["id", "summary", "status", "resolution"];
  return first({ query, order: LAST_CHANGED_FIRST }, { include, limit: MAX_LISTED });
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

/** Name of the branch that is checked out where the process works; undefined outside of a Git repository. */
function readBranchName({ cwd }: { cwd: () => string }): string | undefined {
  try {
    for (let folder = cwd(); ; folder = dirname(folder)) {
      const head = readHead(join(folder, ".git"));
      if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
      if (folder === dirname(folder)) return undefined;
    }
  } catch {
    return undefined; // the folder was deleted, or cannot be read
  }
}

/** The file HEAD of a repository; in a further worktree, `.git` is a file that names its folder. */
function readHead(git: string): string | undefined {
  const link = readIfFile(git);
  const [, folder] = /^gitdir: (.+)$/m.exec(link ?? "") ?? [];
  return readIfFile(folder === undefined ? join(git, "HEAD") : resolve(dirname(git), folder, "HEAD"));
}

function readIfFile(file: string): string | undefined {
  try {
    return readSmallFile(file)?.text;
  } catch (error) {
    if (error instanceof BtError) return undefined; // a folder
    throw error;
  }
}
