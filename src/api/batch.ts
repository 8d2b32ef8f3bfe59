import { BtError } from "../errors.ts";
import type { Json, Request } from "../wire/exchange.ts";
import type { BugRef } from "./bug-ref.ts";
import type { Ask } from "./operation.ts";

/** How a thing is asked for several bugs at once, and how the answer is told apart again. */
export type BatchPlan<Thing> = {
  readonly name?: string; // what the things are called; "bug" unless told otherwise
  readonly codes?: ReadonlySet<number>; // the errors that are about one of the things; those about a bug unless told
  readonly request: (refs: readonly BugRef[]) => Request;
  /** What the answer holds, each thing with the test whether it is the one that a name means. */
  readonly read: (answer: Json) => readonly Answered<Thing>[];
};

/** One thing of an answer and the names it goes by. */
export type Answered<Thing> = { readonly thing: Thing; readonly isOf: (ref: BugRef) => boolean };

/** What became of one bug that was asked for: exactly one of `thing` and `error`. */
export type Outcome<Thing> =
  | { readonly ref: BugRef; readonly thing: Thing }
  | { readonly ref: BugRef; readonly error: BtError };

/** Room for the query of a request: a server reads request lines of about 8,190 bytes, so 7,500 leaves some for the rest. */
export const QUERY_BYTES = 7500;

/**
 * Asks for many bugs in few requests and accounts for every one of them, in the order asked. A server fails a whole
 * request for one bad name; that name is then left out, or the batch halved, until only the guilty ones are missing.
 */
export async function* askEach<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  ask: Ask,
): AsyncGenerator<readonly Outcome<Thing>[]> {
  for (const batch of batches(refs)) yield await askBatch(batch, plan, ask);
}

async function askBatch<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  ask: Ask,
): Promise<readonly Outcome<Thing>[]> {
  if (refs.length === 0) return [];
  try {
    const answered = plan.read(await ask(plan.request(refs)));
    return refs.map((ref) => outcomeOf(ref, answered, plan.name));
  } catch (error) {
    if (!(error instanceof BtError) || !isAboutOne(error, plan.codes)) throw error;
    const { guilty, parts } = narrowed(refs, error);
    const outcomes: Outcome<Thing>[] = guilty.map((ref) => ({ ref, error }));
    for (const part of parts) outcomes.push(...(await askBatch(part, plan, ask)));
    return refs.map((ref) => outcomes.find((outcome) => outcome.ref === ref) as Outcome<Thing>);
  }
}

function outcomeOf<Thing>(ref: BugRef, answered: readonly Answered<Thing>[], name = "bug"): Outcome<Thing> {
  const found = answered.find(({ isOf }) => isOf(ref));
  if (found) return { ref, thing: found.thing };
  const error = new BtError("missing", `${name} ${ref} was not found, or is not visible to you`, {
    changed: "nothing",
  });
  return { ref, error };
}

/** Whether an error says something about one of the things and not about the request or the way to the tracker. */
function isAboutOne(error: BtError, codes = BUG_CODES): boolean {
  return codes.has(error.facts.bugzillaCode ?? 0);
}

/** No such alias or a bad id, no such bug, no access to the bug. */
const BUG_CODES: ReadonlySet<number> = new Set([100, 101, 102]);

/** Which bug an error is about, and the batches that are still to be asked: the others, or halves when it names none. */
function narrowed(refs: readonly BugRef[], error: BtError) {
  const named = refs.length === 1 ? refs : theOneNamed(refs, error);
  if (named.length > 0) return { guilty: named, parts: [refs.filter((ref) => ref !== named[0])] };
  const middle = Math.ceil(refs.length / 2);
  return { guilty: [], parts: [refs.slice(0, middle), refs.slice(middle)] };
}

/** The bug that the error's message names, when it names exactly one of these. */
function theOneNamed(refs: readonly BugRef[], error: BtError): readonly BugRef[] {
  const words = error.message.toLowerCase().match(/[\p{L}\p{N}_.:+@~-]+/gu) ?? [];
  const said = new Set(words.map((word) => word.replace(/[.:]+$/, "")));
  const named = refs.filter((ref) => said.has(ref.toLowerCase()));
  return named.length === 1 ? named : [];
}

function batches(refs: readonly BugRef[]): readonly (readonly BugRef[])[] {
  const all: BugRef[][] = [];
  let room = 0;
  for (const ref of refs) {
    const bytes = encodeURIComponent(ref).length + "&ids=".length;
    if (bytes > room || all.length === 0) {
      all.push([]);
      room = QUERY_BYTES;
    }
    all.at(-1)?.push(ref);
    room -= bytes;
  }
  return all;
}
