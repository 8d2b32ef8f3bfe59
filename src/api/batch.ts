import { BtError, isTooBig } from "../errors.ts";
import type { Json, Request } from "../wire/exchange.ts";
import { type BugRef, byName, type Named as HasNames } from "./bug-ref.ts";
import { theOneNamed } from "./named-in-error.ts";
import type { Ask } from "./operation.ts";
import { unexpectedShape } from "./read.ts";
import { twoAtOnce } from "./two-at-once.ts";
import { type Allowance, MOST_SPARE, visible } from "./visible-bugs.ts";

/** How a thing is asked for several bugs at once, and how the answer is told apart again. */
export type BatchPlan<Thing> = {
  readonly name?: string; // what the things are called; without a name they belong to bugs
  readonly codes?: ReadonlySet<number>; // the errors that are about one of the things; those about a bug unless told
  readonly request: (refs: readonly BugRef[]) => Request;
  /** What the answer holds, each thing with the names that it goes by, in any letter case. */
  readonly read: (answer: Json) => readonly Named<Thing>[];
};

/** One thing of an answer and its names. */
export type Named<Thing> = HasNames & { readonly thing: Thing };

/** What became of one bug that was asked for: exactly one of `thing` and `error`. */
export type Outcome<Thing> =
  | { readonly ref: BugRef; readonly thing: Thing }
  | { readonly ref: BugRef; readonly error: BtError };

/** Room for the query of a request: a server reads request lines of about 8,190 bytes, so 7,500 leaves some for the rest. */
export const QUERY_BYTES = 7500;

/**
 * Asks for many bugs in few requests, two at once, and accounts for every one of them, in the order asked. A server fails
 * a whole request for one bad name. The first that it names is left out; from the second on, one search for each batch
 * finds those that are there, and a few of the others are asked for one by one, since only that tells why: for n batches
 * at most 2n + 20 requests.
 */
export async function* askEach<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  ask: Ask,
): AsyncGenerator<readonly Outcome<Thing>[]> {
  const asking = { plan, ask, failures: 0, allowance: { spare: MOST_SPARE, searchesFirst: false, uncut: 0 } };
  yield* twoAtOnce(batches(refs), async (batch) => {
    const found = new Map((await askBatch(batch, asking)).map((one) => [one.ref, one] as const));
    return batch.flatMap((ref) => found.get(ref) ?? []);
  });
}

/** How a batch is asked for: how often it has failed already, and whether a search has found all that is in it. */
type Asking<Thing> = {
  readonly plan: BatchPlan<Thing>;
  readonly ask: Ask;
  readonly failures: number;
  readonly isSifted?: boolean;
  readonly allowance: Allowance;
};

type Outcomes<Thing> = readonly Outcome<Thing>[];

async function askBatch<Thing>(refs: readonly BugRef[], asking: Asking<Thing>): Promise<Outcomes<Thing>> {
  if (refs.length === 0) return [];
  const { plan, ask, allowance } = asking;
  if (refs.length > 1 && allowance.searchesFirst && !asking.isSifted) return sifted(refs, asking);
  try {
    return told(refs, plan.read(await ask(plan.request(refs))), plan.name);
  } catch (error) {
    if (isTooBig(error) && refs.length > 1) return halved(refs, asking);
    if (!isAboutOne(error, plan.codes)) throw error;
    return askAgain(refs, error, asking);
  }
}

/** After a failure: the one that it names is left out; where more fail, a search sifts them; or else halves tell. */
async function askAgain<Thing>(
  refs: readonly BugRef[],
  error: BtError,
  asking: Asking<Thing>,
): Promise<Outcomes<Thing>> {
  if (refs.length === 1) return refs.map((ref) => ({ ref, error: asMissing(ref, error) }));
  asking.allowance.spare -= 1;
  const again = { ...asking, failures: asking.failures + 1 };
  const named = theOneNamed(refs, error);
  const maySift = asking.plan.name === undefined && !asking.isSifted;
  if (maySift && (asking.failures > 0 || named === undefined)) return sifted(refs, again, error);
  if (named === undefined) return halved(refs, again);
  const others = refs.filter((ref) => ref !== named);
  return [{ ref: named, error: asMissing(named, error) }, ...(await askBatch(others, again))];
}

function told<Thing>(refs: readonly BugRef[], answered: readonly Named<Thing>[], name = "bug"): Outcomes<Thing> {
  const find = byName(answered);
  const isAboutOthers = answered.length > 0 && !refs.some(find);
  if (isAboutOthers) throw unexpectedShape(`${name} ${refs.slice(0, MOST_NAMED).join(" or ")}`);
  return refs.map((ref) => {
    const found = find(ref);
    return found ? { ref, thing: found.thing } : { ref, error: notFound(ref, name) };
  });
}

const MOST_NAMED = 3;

function notFound(ref: BugRef, name: string): BtError {
  return new BtError("missing", `${name} ${ref} was not found, or is not visible to you`, { changed: "nothing" });
}

/** Whether an error says something about one of the things and not about the request or the way to the tracker. */
function isAboutOne(error: unknown, codes = BUG_CODES): error is BtError {
  return error instanceof BtError && codes.has(error.facts.bugzillaCode ?? 0);
}

/** A name that a server takes for a number, since it consists of digits of another script. */
const NOT_NUMERIC = 52;

/** No such alias or a bad id, no such bug, no access to the bug. */
const BUG_CODES: ReadonlySet<number> = new Set([NOT_NUMERIC, 100, 101, 102]);

function asMissing(ref: BugRef, error: BtError): BtError {
  return error.facts.bugzillaCode === NOT_NUMERIC ? notFound(ref, "bug") : error;
}

async function halved<Thing>(refs: readonly BugRef[], asking: Asking<Thing>): Promise<Outcomes<Thing>> {
  const middle = Math.ceil(refs.length / 2);
  return [...(await askBatch(refs.slice(0, middle), asking)), ...(await askBatch(refs.slice(middle), asking))];
}

/** Asks for the bugs that a search finds, and why the others are not there, of which one may be known from a failure. */
async function sifted<Thing>(
  refs: readonly BugRef[],
  asking: Asking<Thing>,
  failure?: BtError,
): Promise<Outcomes<Thing>> {
  asking.allowance.searchesFirst = true;
  const there = await visible(refs, asking.ask, asking.allowance);
  const after = { ...asking, isSifted: true };
  const found = await askBatch(
    refs.filter((ref) => there.has(ref)),
    after,
  );
  const bad = refs.filter((ref) => !there.has(ref));
  return [...found, ...(await reasons(bad, after, failure))];
}

/** Why bugs are not there: from a failure that names one, from a request for each of the next few, or as far as a search tells. */
async function reasons<Thing>(
  refs: readonly BugRef[],
  asking: Asking<Thing>,
  failure: BtError | undefined,
): Promise<Outcomes<Thing>> {
  const named = failure && theOneNamed(refs, failure);
  const others = refs.filter((ref) => ref !== named);
  const asked = others.slice(0, Math.max(0, asking.allowance.spare));
  asking.allowance.spare -= asked.length;
  const outcomes: Outcome<Thing>[] = others.slice(asked.length).map((ref) => ({ ref, error: notFound(ref, "bug") }));
  if (failure && named !== undefined) outcomes.push({ ref: named, error: asMissing(named, failure) });
  for await (const one of twoAtOnce(asked, (ref) => askBatch([ref], asking))) outcomes.push(...one);
  return outcomes;
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
