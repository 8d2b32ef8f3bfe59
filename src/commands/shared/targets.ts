import { type BatchOutcome, foundThings, requestAll } from "../../api/batch.ts";
import { bugRef, isBugId, mentionedBugs, splitNames } from "../../api/bug-ref.ts";
import { bugPlan } from "../../api/bugs.ts";
import { firstNames } from "../../api/lists.ts";
import type { FlagMembers } from "../../command-flag.ts";
import { BtError, usageError } from "../../errors.ts";
import { note } from "../../session/note.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Context } from "../verb.ts";
import { bugMessage } from "./bug-messages.ts";
import type { FROM_TEXT } from "./flags.ts";
import { decodeUtf8 } from "./text.ts";

/**
 * Distinct ids or aliases of bugs on the command line, separated by blanks or commas; `-` reads them from stdin, which is
 * empty if a search found nothing.
 */
export async function readTargets(args: string[], context: Context): Promise<string[]> {
  const { address } = context.session;
  const refs = new Set<string>();
  for (const arg of args) {
    const parts = arg.split(",").filter((word) => word !== "");
    const typed = parts.length > 0 ? parts : [arg]; // bugRef refuses a word without any name
    const words = arg === "-" ? namesIn(decodeUtf8(await context.io.input())) : typed;
    for (const word of words) refs.add(bugRef(word, address));
  }
  return [...refs];
}

/**
 * Bugs on stdin.
 * @throws BtError of kind usage for JSON, and for the columns of a list or its headings, whose numbers and words would count as bugs
 */
function namesIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const names = splitNames(line);
    const isJsonOrColumns = /^\s*[[{]|\S\t/.test(line) && !names.every(isBugId);
    if (isJsonOrColumns || names.includes("id"))
      throw usageError("expected bugs, got a list with other columns", "add --format ids to the search");
    return names;
  });
}

const NO_BUGS = "no bugs on stdin";

/** Reason why a text is about nothing. */
export const NO_MENTIONS = "the text mentions no bugs";

/** Reports that there is nothing to change. */
export async function reportNoTargets(context: Context, reason = NO_BUGS): Promise<undefined> {
  if (context.output.format === "json") await context.io.out("[]\n");
  await note(context.io, `${reason}: nothing to do`);
}

/**
 * The bug given as a word, where there can be only one; `ofSeveral` is the hint for several.
 * @throws BtError of kind usage for several or none, also on stdin
 */
export async function readOneTarget(word: string, context: Context, ofSeveral?: string): Promise<string> {
  const refs = await readTargets([word], context);
  const [ref, ...others] = refs;
  if (ref === undefined) throw usageError(NO_BUGS, "for example: echo 44 | bt bug similar -");
  if (others.length === 0) return ref;
  throw usageError(`expected one bug, got ${refs.length}: ${firstNames(refs)}`, ofSeveral);
}

type ReadingInput = { args: string[] } & Partial<FlagMembers<typeof FROM_TEXT>>;

/**
 * Ids or aliases of the bugs of a verb that reads them; notes that there are none.
 * @throws BtError of kind no if a text mentions no bugs
 */
export async function readTargetsToShow(input: ReadingInput, context: Context): Promise<readonly string[]> {
  const refs = await readTargetsOrText(input, context);
  if (refs.length > 0) return refs;
  if (input.fromText)
    throw new BtError("no", NO_MENTIONS, { hint: 'bugs are found as "bug 12", "bug-12-fix", "Fixes #12", and URLs' });
  await note(context.io, NO_BUGS);
  return refs;
}

/** Ids or aliases of the bugs of a verb; with `--from-text`, of bugs that its words and stdin mention. */
export async function readTargetsOrText({ args, fromText }: ReadingInput, context: Context): Promise<string[]> {
  if (!fromText) return readTargets(args, context);
  const { io, session } = context;
  const texts = await Promise.all(args.map(async (word) => (word === "-" ? decodeUtf8(await io.input()) : word)));
  return mentionedBugs(texts.join("\n"), session.address);
}

/**
 * Prints objects as their batches arrive, and reports missing objects. Prints nothing if none was found, and an empty
 * list if none was wanted.
 * @throws BtError if any was not found
 */
export async function printFound<Thing>(
  batches: AsyncIterable<readonly BatchOutcome<Thing>[]>,
  show: (pages: AsyncIterable<Thing[]>) => Promise<void>,
  noun?: string,
): Promise<void> {
  const outcomes: BatchOutcome<true>[] = [];
  const shown = new Set<unknown>();
  const isNew = (thing: Thing) => {
    const wasShown = shown.has(identityOf(thing));
    shown.add(identityOf(thing));
    return !wasShown;
  };
  async function* foundPages() {
    for await (const batch of batches) {
      for (const one of batch) outcomes.push("thing" in one ? { ref: one.ref, thing: true } : one);
      const fresh = foundThings(batch).filter(isNew);
      if (fresh.length > 0) yield fresh;
    }
  }
  const pages = foundPages();
  const first = await pages.next();
  async function* allPages() {
    if (!first.done) yield first.value;
    yield* pages;
  }
  if (!first.done || outcomes.length === 0) await show(allPages());
  reportOutcomes(outcomes, "shown", noun);
}

/** The id of an object, or the bug of a list. */
function identityOf(thing: unknown): unknown {
  return (Array.isArray(thing) ? Object(thing[0]).bug_id : Object(thing).id) ?? thing;
}

/**
 * Ends a command about several objects: no error if all were found; the error itself if it is the only request or all
 * failed; else the partial kind with a line per failure. A command that writes requires all of them, so it fails with
 * the first error's kind.
 */
export function reportOutcomes(
  outcomes: BatchOutcome<unknown>[],
  done: "shown" | "downloaded" | "changed",
  noun = "bugs",
): void {
  const failed = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome] : []));
  const [first] = failed;
  if (!first) return;
  if (outcomes.length === 1) throw first.error;
  const some = `${failed.length} of ${outcomes.length} ${noun} could not be`;
  const sentence = done === "changed" ? `no changes made: ${some} read` : `${some} ${done}`;
  const isPartial = failed.length < outcomes.length && done !== "changed";
  throw new BtError(isPartial ? "partial" : first.error.kind, sentence, {
    details: failed.map(({ ref, error }) => `${ref}: ${bugMessage(ref, error).message}`),
    hint: first.error.facts.hint,
  });
}

/** Reads bugs with their default fields. @throws BtError if none can be read */
export async function readBugsToChange(refs: readonly string[], { session }: Context): Promise<BugsRead> {
  const outcomes = await requestAll(refs, bugPlan(["_default"]), session.send);
  const bugs = new Map(foundThings(outcomes).map((bug) => [bug.id, bug]));
  if (bugs.size === 0) reportOutcomes(outcomes, "changed");
  return { outcomes, bugs: [...bugs.values()] };
}

/** Distinct bugs, and the outcome for each name, in order. */
export type BugsRead = { readonly bugs: readonly Bug[]; readonly outcomes: readonly BatchOutcome<Bug>[] };
