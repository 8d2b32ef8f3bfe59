import { readBug } from "../../api/bugs/bug-numbers.ts";
import { bugRef, isBugId, mentionedBugs } from "../../api/bugs/bug-ref.ts";
import { findSimilar, type SimilarBug } from "../../api/bugs/similar.ts";
import { requireField, STANDARD_FIELDS } from "../../api/catalog/catalog.ts";
import { wireMoment } from "../../api/query/dates.ts";
import type { Query } from "../../api/query/tree.ts";
import { PLAIN_SEARCH } from "../../api/search/bug-search.ts";
import { readFirstBugs } from "../../api/search/search.ts";
import { BtError } from "../../errors.ts";
import { matchingChoices, type PromptChoice, type SearchQuestion } from "../../prompt/question.ts";
import { readSeen } from "../../session/memory/seen.ts";
import { readBranchName } from "../../session/repository/branch.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { DAY_MS } from "../../wire/durations.ts";
import type { ParsedInput } from "../input.ts";
import { todoQuery } from "../todo/todo.ts";
import type { Context, Verb } from "../verb.ts";
import { mayPrompt } from "./prompts.ts";
import { searchTools } from "./search-tools.ts";

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
 * A bug of the user's choice: that of the branch first, then bugs that were shown, then their own; or one of `others`.
 * @throws BtError as given where no prompt may be shown
 */
export async function pickBug(context: Context, refusal: BtError, others: PromptChoice[] = []): Promise<string> {
  checkPrompts(context, refusal);
  const { session, io } = context;
  const { bugs: seen } = await readSeen(session.facts.memory);
  const branch = await bugsOrNone(readBranchBugs(mentionedBugs(readBranchName(io) ?? "", session.address), context));
  const own = await bugsOrNone(readOwnBugs(context));
  const choices = new Map<number, PromptChoice>();
  for (const bug of [...branch, ...seen, ...own]) {
    const { id, summary } = [bug, ...own].find((one) => one.id === bug.id && one.summary) ?? bug;
    if (!choices.has(id))
      choices.set(id, bugChoice({ id, summary }, branch.includes(bug) ? "of the branch" : undefined));
  }
  const listed = createBugFinder(async () => [...others, ...choices.values()], session.address);
  const find: SearchQuestion["find"] = async (term, signal) => {
    const found = await listed(term, signal);
    if (term.trim().length < MIN_TERM || found.some(({ value }) => isBugId(value))) return found;
    await io.sleep(PAUSE_MS);
    if (signal.aborted) return [];
    return [...(await bugsOrNone(findBugsWith(term.trim(), context))).map((bug) => bugChoice(bug)), ...found];
  };
  return io.prompt({ kind: "search", message: "bug", find, isOfNumbers: true });
}

const MIN_TERM = 3;
const PAUSE_MS = 150; // after a key, before a request

type PickedBug = { id: number; summary?: string | null | undefined };

function bugChoice({ id, summary }: PickedBug, about?: string): PromptChoice {
  return { value: String(id), name: plain(`#${id} ${summary ?? ""}`.trimEnd()), ...(about ? { about } : {}) };
}

/** The bugs of a request that may fail, since a number can be typed without them. */
async function bugsOrNone(bugs: Promise<Iterable<PickedBug>>): Promise<PickedBug[]> {
  try {
    return [...(await bugs)];
  } catch (error) {
    if (error instanceof BtError) return [];
    throw error;
  }
}

async function readBranchBugs(refs: string[], { session }: Context): Promise<PickedBug[]> {
  return Promise.all(refs.map((ref) => readBug(ref, ["summary"], session.send)));
}

function findBugsWith(text: string, context: Context): Promise<Iterable<Bug>> {
  const field = requireField(STANDARD_FIELDS, "summary");
  return readLastChanged({ kind: "test", field, op: "~", values: [text] }, context);
}

/** Bugs that wait for the user, or that they have to do with and that changed lately. */
async function readOwnBugs(context: Context): Promise<Iterable<Bug>> {
  const login = await context.session.login();
  if (login === undefined) return [];
  return readLastChanged(todoQuery(login, wireMoment(context.io.now().getTime() - OWN_DAYS * DAY_MS)), context);
}

/** The first bugs of a search, the last changed first. */
function readLastChanged(query: Query, context: Context): Promise<Iterable<Bug>> {
  const search = { ...PLAIN_SEARCH, query, order: "changeddate DESC,bug_id", zone: "UTC" };
  return readFirstBugs(search, { include: ["id", "summary"], limit: MAX_LISTED, offset: 0 }, searchTools(context));
}

const OWN_DAYS = 30;
const MAX_LISTED = 30;

async function pickOriginal(ref: string, refusal: BtError, context: Context): Promise<string> {
  checkPrompts(context, refusal);
  const { address, send } = context.session;
  const bug = await readBug(bugRef(ref, address), ["_default"], send);
  const find = originalSearch(bug, context);
  return context.io.prompt({ kind: "search", message: "duplicate of bug", find, isOfNumbers: true });
}

/** Search for the original of a duplicate among similar bugs. */
export function originalSearch(bug: Bug, context: Context): SearchQuestion["find"] {
  const products = [bug.product ?? []].flat();
  const similar = findSimilar({ ...bug, products }, context.io.now(), searchTools(context)).then(
    (found) => found.slice(0, MAX_SIMILAR).map(similarChoice),
    () => [], // a bug can be named without them
  );
  return createBugFinder(() => similar, context.session.address);
}

const MAX_SIMILAR = 8;

function similarChoice({ bug, score }: SimilarBug): PromptChoice {
  return bugChoice(bug, plain([bug.resolution || bug.status, `${Math.round(score * 100)} %`].join(", ")));
}

/** Finds the bug typed as number, alias or URL, and the listed bugs, which are loaded once. */
function createBugFinder(list: () => Promise<PromptChoice[]>, address: string): SearchQuestion["find"] {
  return async (term) => {
    const listed = await list();
    const typed = namedBug(term, address);
    const known = listed.find(({ value }) => value === typed?.value);
    if (typed && isBugId(typed.value)) return [known ?? typed]; // and none whose number begins like it
    return [...matchingChoices(listed, term), ...(typed ? [typed] : [])];
  };
}

/** The bug that a text names; undefined for any other text. */
function namedBug(text: string, address: string): PromptChoice | undefined {
  try {
    const value = bugRef(text.trim(), address);
    return { value, name: plain(`bug ${value}`) };
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}
