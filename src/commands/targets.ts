import type { Outcome } from "../api/batch.ts";
import { bugRefs, wordsOf } from "../api/bug-ref.ts";
import { BtError, usage } from "../errors.ts";
import type { Context } from "./context.ts";

/** The bugs that a command line names; `-` stands for the names on standard input. */
export async function bugTargets(args: readonly string[], context: Context): Promise<readonly string[]> {
  const words = args.includes("-") ? await inputWords(context) : [];
  const texts = args.flatMap((arg) => (arg === "-" ? words : [arg]));
  return bugRefs(texts, context.tracker.address);
}

/**
 * Shows things as their batches arrive and accounts for every one of them. Of things none of which is there, nothing is
 * printed.
 */
export async function showEach<Thing>(
  batches: AsyncIterable<readonly Outcome<Thing>[]>,
  show: (pages: AsyncIterable<readonly Thing[]>) => Promise<void>,
  told: Told = {},
): Promise<void> {
  const outcomes: Outcome<true>[] = [];
  const pages = thingsIn(batches, outcomes);
  const first = await pages.next();
  if (!first.done) await show(startedWith(first.value, pages));
  account(outcomes, told);
}

/** The things of batches, those with none left out; what became of each one is noted without it. */
async function* thingsIn<Thing>(batches: AsyncIterable<readonly Outcome<Thing>[]>, noted: Outcome<true>[]) {
  for await (const batch of batches) {
    for (const one of batch) noted.push("thing" in one ? { ref: one.ref, thing: true } : one);
    const things = batch.flatMap((one) => ("thing" in one ? [one.thing] : []));
    if (things.length > 0) yield things;
  }
}

async function* startedWith<Page>(first: Page, rest: AsyncIterable<Page>) {
  yield first;
  yield* rest;
}

/** All that pages hold, for texts that people read as a whole. */
export async function gathered<Row>(pages: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

/**
 * Ends a command that asked for several things: fine when all were found, that error when it is the only thing asked for
 * or all of them failed, else the partial kind with a line for each that failed. A command that changes things goes on
 * only when all were found, so there it is the first error's kind.
 */
export function account(outcomes: readonly Outcome<unknown>[], told: Told = {}): void {
  const failed = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome] : []));
  const [first] = failed;
  if (!first) return;
  if (outcomes.length === 1) throw first.error;
  const { done = "shown", thing = "bugs" } = told;
  const none = failed.length === outcomes.length;
  const some = `${failed.length} of ${outcomes.length} ${thing} could not be`;
  const sentence = none ? `none of the ${outcomes.length} ${thing} could be ${done}` : SENTENCES[done](some);
  throw new BtError(none || done === "changed" ? first.error.kind : "partial", sentence, {
    details: failed.map(({ ref, error }) => `${ref}: ${error.message}`),
    hint: first.error.facts.hint,
    changed: "nothing",
  });
}

/** A change of several things is made of all or of none, so it says that those that were found are untouched too. */
const SENTENCES = {
  shown: (some: string) => `${some} shown`,
  changed: (some: string) => `nothing was changed, since ${some} read`,
} as const;

/** How the accounting names what was asked for and what was to be done with it. */
type Told = { readonly done?: keyof typeof SENTENCES; readonly thing?: string };

async function inputWords(context: Context): Promise<readonly string[]> {
  const words = wordsOf(utf8(await context.io.input()));
  if (words.length > 0) return words;
  throw usage("standard input names no bugs", "numbers go in: bt bug search is:open --format ids | bt bug get -");
}

/** Text of bytes; what is not UTF-8 is refused with the place, since a replaced character may name something else. */
export function utf8(bytes: Uint8Array, source = "standard input"): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw usage(`${source} is not UTF-8 at byte ${firstBadByte(bytes)}`);
  }
}

function firstBadByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length];
  while (good < bad) {
    const middle = (good + bad + 1) >> 1;
    if (decodes(bytes.subarray(0, middle))) good = middle;
    else bad = middle - 1;
  }
  return good;
}

function decodes(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
