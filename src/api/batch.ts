import { BtError, isTooBig } from "../errors.ts";
import type { Bug } from "../wire/bug-fields.ts";
import type { Json, Request } from "../wire/exchange.ts";
import { type BugRef, bugNamedInError, bugNames, finderByName, type Named as HasNames, isBugId } from "./bug-ref.ts";
import { mapConcurrently } from "./concurrency.ts";
import { SEARCH_BUGS } from "./operations/bugs.ts";
import { requestFor, type SendRequest } from "./operations/operation.ts";
import { readBugs, unexpectedShape } from "./response/response-objects.ts";

/** How a thing is asked for several bugs at once, and how the answer is told apart again. */
export type BatchPlan<Thing> = {
  readonly name?: string; // what the things are called; without a name they belong to bugs
  readonly codes?: ReadonlySet<number>; // the errors that are about one of the things; those about a bug unless told
  readonly request: (refs: readonly BugRef[]) => Request;
  /** What the answer holds, each thing with the names that it goes by, in any letter case. */
  readonly read: (answer: Json) => readonly BatchItem<Thing>[];
};

/** One thing of an answer and its names. */
export type BatchItem<Thing> = HasNames & { readonly thing: Thing };

/** What became of one bug that was asked for: exactly one of `thing` and `error`. */
export type BatchOutcome<Thing> =
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
export async function* requestEach<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  ask: SendRequest,
): AsyncGenerator<readonly BatchOutcome<Thing>[]> {
  const asking = { plan, ask, failures: 0, allowance: { spare: MAX_SPARE_REQUESTS, searchesFirst: false, uncut: 0 } };
  yield* mapConcurrently(batches(refs), async (batch) => {
    const found = new Map((await requestBatch(batch, asking)).map((one) => [one.ref, one] as const));
    return batch.flatMap((ref) => found.get(ref) ?? []);
  });
}

/** How a batch is asked for: how often it has failed already, and whether a search has found all that is in it. */
type Asking<Thing> = {
  readonly plan: BatchPlan<Thing>;
  readonly ask: SendRequest;
  readonly failures: number;
  readonly isSifted?: boolean;
  readonly allowance: RequestAllowance;
};

type Outcomes<Thing> = readonly BatchOutcome<Thing>[];

async function requestBatch<Thing>(refs: readonly BugRef[], asking: Asking<Thing>): Promise<Outcomes<Thing>> {
  if (refs.length === 0) return [];
  const { plan, ask, allowance } = asking;
  if (refs.length > 1 && allowance.searchesFirst && !asking.isSifted) return sifted(refs, asking);
  try {
    return told(refs, plan.read(await ask(plan.request(refs))), plan.name);
  } catch (error) {
    if (isTooBig(error) && refs.length > 1) return halved(refs, asking);
    if (!isAboutOne(error, plan.codes)) throw error;
    return retryBatch(refs, error, asking);
  }
}

/** After a failure: the one that it names is left out; where more fail, a search sifts them; or else halves tell. */
async function retryBatch<Thing>(
  refs: readonly BugRef[],
  error: BtError,
  asking: Asking<Thing>,
): Promise<Outcomes<Thing>> {
  if (refs.length === 1) return refs.map((ref) => ({ ref, error: asMissing(ref, error) }));
  asking.allowance.spare -= 1;
  const again = { ...asking, failures: asking.failures + 1 };
  const named = bugNamedInError(refs, error);
  const maySift = asking.plan.name === undefined && !asking.isSifted;
  if (maySift && (asking.failures > 0 || named === undefined)) return sifted(refs, again, error);
  if (named === undefined) return halved(refs, again);
  const others = refs.filter((ref) => ref !== named);
  return [{ ref: named, error: asMissing(named, error) }, ...(await requestBatch(others, again))];
}

function told<Thing>(refs: readonly BugRef[], answered: readonly BatchItem<Thing>[], name = "bug"): Outcomes<Thing> {
  const find = finderByName(answered);
  const isAboutOthers = answered.length > 0 && !refs.some(find);
  if (isAboutOthers) throw unexpectedShape(`${name} ${refs.slice(0, MAX_NAMED_REASONS).join(" or ")}`);
  return refs.map((ref) => {
    const found = find(ref);
    return found ? { ref, thing: found.thing } : { ref, error: notFound(ref, name) };
  });
}

const MAX_NAMED_REASONS = 3;

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
  return [...(await requestBatch(refs.slice(0, middle), asking)), ...(await requestBatch(refs.slice(middle), asking))];
}

/** Asks for the bugs that a search finds, and why the others are not there, of which one may be known from a failure. */
async function sifted<Thing>(
  refs: readonly BugRef[],
  asking: Asking<Thing>,
  failure?: BtError,
): Promise<Outcomes<Thing>> {
  asking.allowance.searchesFirst = true;
  const there = await findVisibleBugs(refs, asking.ask, asking.allowance);
  const after = { ...asking, isSifted: true };
  const found = await requestBatch(
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
  const named = failure && bugNamedInError(refs, failure);
  const others = refs.filter((ref) => ref !== named);
  const asked = others.slice(0, Math.max(0, asking.allowance.spare));
  asking.allowance.spare -= asked.length;
  const outcomes: BatchOutcome<Thing>[] = others
    .slice(asked.length)
    .map((ref) => ({ ref, error: notFound(ref, "bug") }));
  if (failure && named !== undefined) outcomes.push({ ref: named, error: asMissing(named, failure) });
  for await (const one of mapConcurrently(asked, (ref) => requestBatch([ref], asking))) outcomes.push(...one);
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

/** What the batches of one command share, so that many missing bugs cost few requests. */
export type RequestAllowance = {
  spare: number; // requests left beyond a search and an answer for each batch
  searchesFirst: boolean; // several bugs were missing, so that others will be
  uncut: number; // a search for this many bugs is known to give all of them
};

/** How many requests a command may spend on the reasons why bugs are missing. */
const MAX_SPARE_REQUESTS = 20;

/**
 * The bugs that a search finds, which leaves out without an error what is missing or hidden. A server may give fewer bugs than
 * there are, the first by number; the ones behind the last are then searched for again.
 */
async function findVisibleBugs(
  refs: readonly BugRef[],
  ask: SendRequest,
  allowance: RequestAllowance,
): Promise<ReadonlySet<BugRef>> {
  const there = new Set<BugRef>();
  for (let [rest, before] = [refs, 0]; rest.length > 0; allowance.spare -= 1) {
    const bugs = readBugs(await ask(searchFor(rest)));
    const find = finderByName(bugs.map((bug) => ({ names: bugNames(bug) })));
    for (const ref of rest.filter(find)) there.add(ref);
    if (bugs.length === 0) allowance.uncut = Math.max(allowance.uncut, before);
    if (bugs.length <= allowance.uncut || allowance.spare <= 0) break;
    before = bugs.length;
    rest = behind(
      rest.filter((ref) => !there.has(ref)),
      bugs,
    );
  }
  return there;
}

/** The bugs that a cut answer may have left out; any alias may be of a bug behind its last one. */
function behind(refs: readonly BugRef[], bugs: readonly Bug[]): readonly BugRef[] {
  const last = Math.max(...bugs.map(({ id }) => id ?? 0));
  return refs.filter((ref) => !isBugId(ref) || Number(ref) > last);
}

function searchFor(refs: readonly BugRef[]): Request {
  const [ids, aliases] = [refs.filter(isBugId), refs.filter((ref) => !isBugId(ref))];
  const rows = [["bug_id", ids] as const, ["alias", aliases] as const].filter(([, words]) => words.length > 0);
  const conditions = rows.flatMap(([field, words], at) => [
    [`f${at + 1}`, field] as const,
    [`o${at + 1}`, "anyexact"] as const,
    [`v${at + 1}`, words.join(",")] as const,
  ]);
  return requestFor(SEARCH_BUGS, [
    ["j_top", "OR"],
    ...conditions,
    ["include_fields", "id,alias"],
    ["order", "bug_id"],
    ["limit", String(refs.length)],
  ]);
}
