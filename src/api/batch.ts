import { BtError, isTooBig } from "../errors.ts";
import type { Json, Request } from "../wire/exchange.ts";
import { type BugRef, isBugId } from "./bug-ref.ts";
import { type Ask, get } from "./operation.ts";
import { readBugs, unexpectedShape } from "./read.ts";
import { twoAtOnce } from "./two-at-once.ts";

/** How a thing is asked for several bugs at once, and how the answer is told apart again. */
export type BatchPlan<Thing> = {
  readonly name?: string; // what the things are called; without a name they belong to bugs
  readonly codes?: ReadonlySet<number>; // the errors that are about one of the things; those about a bug unless told
  readonly request: (refs: readonly BugRef[]) => Request;
  /** What the answer holds, each thing with the names that it goes by, in any letter case. */
  readonly read: (answer: Json) => readonly Named<Thing>[];
};

/** One thing of an answer and its names. */
export type Named<Thing> = { readonly thing: Thing; readonly names: readonly string[] };

/** What became of one bug that was asked for: exactly one of `thing` and `error`. */
export type Outcome<Thing> =
  | { readonly ref: BugRef; readonly thing: Thing }
  | { readonly ref: BugRef; readonly error: BtError };

/** Room for the query of a request: a server reads request lines of about 8,190 bytes, so 7,500 leaves some for the rest. */
export const QUERY_BYTES = 7500;

/**
 * Asks for many bugs in few requests, two at once, and accounts for every one of them, in the order asked. A server fails
 * a whole request for one bad name; that name is then left out, and a batch with several of them is sifted by a search.
 */
export async function* askEach<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  ask: Ask,
): AsyncGenerator<readonly Outcome<Thing>[]> {
  yield* twoAtOnce(batches(refs), async (batch) => {
    const found = new Map((await askBatch(batch, { plan, ask, failures: 0 })).map((one) => [one.ref, one] as const));
    return batch.flatMap((ref) => found.get(ref) ?? []);
  });
}

/** How a batch is asked for, and how often a part of it has failed already. */
type Asking<Thing> = { readonly plan: BatchPlan<Thing>; readonly ask: Ask; readonly failures: number };

type Outcomes<Thing> = readonly Outcome<Thing>[];

async function askBatch<Thing>(refs: readonly BugRef[], asking: Asking<Thing>): Promise<Outcomes<Thing>> {
  if (refs.length === 0) return [];
  const { plan, ask } = asking;
  try {
    return told(refs, plan.read(await ask(plan.request(refs))), plan.name);
  } catch (error) {
    if (isTooBig(error) && refs.length > 1) return halved(refs, asking);
    if (!isAboutOne(error, plan.codes)) throw error;
    return refs.length === 1 ? refs.map((ref) => ({ ref, error })) : askAgain(refs, error, asking);
  }
}

/** After a failure: the one that it names is left out; where more fail, a search sifts them; or else halves tell. */
async function askAgain<Thing>(
  refs: readonly BugRef[],
  error: BtError,
  asking: Asking<Thing>,
): Promise<Outcomes<Thing>> {
  const again = { ...asking, failures: asking.failures + 1 };
  if (asking.plan.name === undefined && asking.failures > 0 && refs.some(isBugId)) return sifted(refs, again);
  const named = theOneNamed(refs, error);
  if (named === undefined) return halved(refs, again);
  const others = refs.filter((ref) => ref !== named);
  return [{ ref: named, error }, ...(await askBatch(others, again))];
}

function told<Thing>(refs: readonly BugRef[], answered: readonly Named<Thing>[], name = "bug"): Outcomes<Thing> {
  const things = new Map(answered.flatMap((one) => one.names.map((word) => [word.toLowerCase(), one] as const)));
  const isAboutOthers = answered.length > 0 && !refs.some((ref) => things.has(ref.toLowerCase()));
  if (isAboutOthers) throw unexpectedShape(`${name} ${refs.slice(0, MOST_NAMED).join(" or ")}`);
  return refs.map((ref) => {
    const found = things.get(ref.toLowerCase());
    if (found) return { ref, thing: found.thing };
    const sentence = `${name} ${ref} was not found, or is not visible to you`;
    return { ref, error: new BtError("missing", sentence, { changed: "nothing" }) };
  });
}

const MOST_NAMED = 3;

/** Whether an error says something about one of the things and not about the request or the way to the tracker. */
function isAboutOne(error: unknown, codes = BUG_CODES): error is BtError {
  return error instanceof BtError && codes.has(error.facts.bugzillaCode ?? 0);
}

/** No such alias or a bad id, no such bug, no access to the bug. */
const BUG_CODES: ReadonlySet<number> = new Set([100, 101, 102]);

/** The bug that the message of an error names, when it names exactly one of these. */
export function theOneNamed(refs: readonly BugRef[], error: BtError): BugRef | undefined {
  const words = error.message.toLowerCase().match(/[\p{L}\p{N}_.:+@~-]+/gu) ?? [];
  const said = new Set(words.map((word) => word.replace(/[.:]+$/, "")));
  const [named, second] = refs.filter((ref) => said.has(ref.toLowerCase()));
  return second === undefined ? named : undefined;
}

async function halved<Thing>(refs: readonly BugRef[], asking: Asking<Thing>): Promise<Outcomes<Thing>> {
  const middle = Math.ceil(refs.length / 2);
  return [...(await askBatch(refs.slice(0, middle), asking)), ...(await askBatch(refs.slice(middle), asking))];
}

/**
 * A search leaves out what is not there without failing, and so tells the good numbers of a batch; the bad ones are asked
 * for one by one, since only that tells whether a bug is missing or closed to the requester.
 */
async function sifted<Thing>(refs: readonly BugRef[], asking: Asking<Thing>): Promise<Outcomes<Thing>> {
  const there = await visible(refs.filter(isBugId), asking.ask);
  const bad = refs.filter((ref) => isBugId(ref) && !there.has(ref));
  if (bad.length === 0) return halved(refs, asking);
  const fresh = { ...asking, failures: 0 };
  return [
    ...(await askBatch(
      refs.filter((ref) => there.has(ref)),
      fresh,
    )),
    ...(await oneByOne(bad, asking)),
    ...(await askBatch(
      refs.filter((ref) => !isBugId(ref)),
      fresh,
    )),
  ];
}

/** The numbers that a search finds. Its answers may be cut, so it is repeated for the others until it finds none of them. */
async function visible(ids: readonly BugRef[], ask: Ask): Promise<ReadonlySet<BugRef>> {
  const there = new Set<BugRef>();
  for (let rest = ids, before = -1; rest.length > 0 && there.size > before; ) {
    before = there.size;
    const answer = await ask(
      get("/rest/bug", [
        ["id", rest.join(",")],
        ["include_fields", "id"],
        ["limit", String(rest.length)],
      ]),
    );
    for (const { id } of readBugs(answer)) there.add(String(id));
    rest = ids.filter((id) => !there.has(id));
  }
  return there;
}

async function oneByOne<Thing>(refs: readonly BugRef[], asking: Asking<Thing>): Promise<Outcomes<Thing>> {
  const outcomes: Outcome<Thing>[] = [];
  for await (const one of twoAtOnce(refs, (ref) => askBatch([ref], asking))) outcomes.push(...one);
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
