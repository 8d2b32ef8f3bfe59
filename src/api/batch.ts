import { BtError, isTooBig, withFacts } from "../errors.ts";
import type { Bug } from "../wire/bug-fields.ts";
import { ERROR_CODES, errorCodes } from "../wire/error-codes.ts";
import type { Json, Request } from "../wire/exchange.ts";
import { type BugRef, bugNamedInError, bugNames, finderByName, type Named as HasNames, isBugId } from "./bug-ref.ts";
import { mapConcurrently } from "./concurrency.ts";
import { faultErrors } from "./list-reads.ts";
import { partition } from "./lists.ts";
import { nearestNames } from "./nearest.ts";
import { SEARCH_BUGS } from "./operations/bugs.ts";
import { requestFor, type SendRequest } from "./operations/operation.ts";
import { readBugs, unexpectedShapeError } from "./response/response-objects.ts";

/** Request for several objects at once, and the reader that takes its response apart. */
export type BatchPlan<Thing> = {
  readonly name?: string; // noun for messages; "bug" if absent
  readonly codes?: ReadonlySet<number>; // error codes that concern a single object; those of bugs if absent
  readonly request: (refs: readonly BugRef[]) => Request;
  /** Objects in the response, each with its names in any letter case. */
  readonly read: (response: Json) => readonly BatchItem<Thing>[];
  similar?: (send: SendRequest) => Promise<string[]>; // names of all, of which a missing one may be a misspelling
};

/** An object of a response with its names. */
export type BatchItem<Thing> = HasNames & { readonly thing: Thing };

/** Result for one requested bug: exactly one of `thing` and `error`. */
export type BatchOutcome<Thing> =
  | { readonly ref: BugRef; readonly thing: Thing }
  | { readonly ref: BugRef; readonly error: BtError };

/** The objects that were found. */
export function foundThings<Thing>(outcomes: readonly BatchOutcome<Thing>[]): Thing[] {
  const things: Thing[] = [];
  for (const outcome of outcomes) if ("thing" in outcome) things.push(outcome.thing);
  return things;
}

/**
 * Length of a query (bytes), which one more name may exceed. Servers accept request lines of about 8,190 bytes; this leaves
 * room for the rest.
 */
export const QUERY_BYTES = 7500;

/**
 * Requests many bugs in few requests, two at a time, and yields one outcome per bug in the given order. A server fails
 * a whole request for one bad name. The first bad name is left out; from the second on, one search per batch finds the
 * visible bugs, and a few of the missing ones are requested one by one to learn the reason: at most 2n + 20 requests
 * for n batches.
 */
export async function* requestEach<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  send: SendRequest,
): AsyncGenerator<readonly BatchOutcome<Thing>[]> {
  const state = { plan, send, failures: 0, allowance: { spare: MAX_SPARE_REQUESTS, searchesFirst: false, uncut: 0 } };
  yield* mapConcurrently(splitIntoBatches(refs), async (batch) => {
    const read = await requestBatch(batch, state);
    const outcomes = plan.similar ? await withNearestNames(read, plan.similar, send) : read;
    const found = new Map(outcomes.map((outcome) => [outcome.ref, outcome] as const));
    return batch.flatMap((ref) => found.get(ref) ?? []);
  });
}

/** Outcomes in which the error of a name that nothing has comes with the nearest, where there is one. */
async function withNearestNames<Thing>(
  outcomes: Outcomes<Thing>,
  similar: (send: SendRequest) => Promise<string[]>,
  send: SendRequest,
): Promise<Outcomes<Thing>> {
  const isMissing = (one: BatchOutcome<Thing>) => "error" in one && one.error.kind === "missing";
  if (!outcomes.some(isMissing)) return outcomes;
  const names = await similar(send);
  return outcomes.map((one) => {
    const [near] = nearestNames(one.ref, names);
    if (!("error" in one) || !isMissing(one) || near === undefined) return one;
    return { ref: one.ref, error: withFacts(one.error, { hint: `did you mean ${near}?` }) };
  });
}

/** The outcomes of `requestEach`, once all are known. */
export async function requestAll<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  send: SendRequest,
): Promise<BatchOutcome<Thing>[]> {
  const outcomes: BatchOutcome<Thing>[] = [];
  for await (const batch of requestEach(refs, plan, send)) outcomes.push(...batch);
  return outcomes;
}

/** State of a batch: failures so far, and whether a search has found everything in it. */
type BatchState<Thing> = {
  plan: BatchPlan<Thing>;
  send: SendRequest;
  failures: number;
  isSearched?: boolean;
  allowance: RequestAllowance;
};

type Outcomes<Thing> = BatchOutcome<Thing>[];

async function requestBatch<Thing>(refs: BugRef[], state: BatchState<Thing>): Promise<Outcomes<Thing>> {
  if (refs.length === 0) return [];
  const { plan, send, allowance } = state;
  if (refs.length > 1 && allowance.searchesFirst && !state.isSearched) return requestVisible(refs, state);
  try {
    return matchOutcomes(refs, await send(plan.request(refs)), plan);
  } catch (error) {
    if (isTooBig(error) && refs.length > 1) return requestHalves(refs, state);
    if (!isAboutOneObject(error, plan.codes)) throw error;
    return retryBatch(refs, error, state);
  }
}

/** Retries a failed batch: without the bug named in the error, else after a search, else in halves. */
async function retryBatch<Thing>(refs: BugRef[], error: BtError, state: BatchState<Thing>): Promise<Outcomes<Thing>> {
  if (refs.length === 1) return refs.map((ref) => ({ ref, error: asMissingError(ref, error) }));
  state.allowance.spare -= 1;
  const again = { ...state, failures: state.failures + 1 };
  const named = bugNamedInError(refs, error);
  const areBugs = state.plan.name === undefined;
  if (areBugs && !state.isSearched && (state.failures > 0 || named === undefined))
    return requestVisible(refs, again, error);
  if (named === undefined) return requestHalves(refs, again);
  const others = refs.filter((ref) => ref !== named);
  return [{ ref: named, error: asErrorAmong(named, error) }, ...(await requestBatch(others, again))];
}

function matchOutcomes<Thing>(refs: BugRef[], response: Json, plan: BatchPlan<Thing>): Outcomes<Thing> {
  const { name = "bug" } = plan;
  const found = plan.read(response);
  const [only] = found;
  const [alias = ""] = refs;
  const isOneAlias = plan.name === undefined && refs.length === 1 && !isBugId(alias);
  if (isOneAlias && only && found.length === 1) return [{ ref: alias, thing: only.thing }];
  const find = finderByName(found);
  const lost = refs.filter((ref) => !find(ref));
  const faults = lost.length > 0 ? faultErrors(response) : undefined;
  const isAboutOthers =
    found.length > 0 && lost.length === refs.length && !lost.some((ref) => faults?.has(ref.toLowerCase()));
  if (isAboutOthers) throw unexpectedShapeError(`${name} ${refs.slice(0, MAX_NAMED_REASONS).join(" or ")}`);
  return refs.map((ref): BatchOutcome<Thing> => {
    const item = find(ref);
    return item
      ? { ref, thing: item.thing }
      : { ref, error: faults?.get(ref.toLowerCase()) ?? notFoundError(ref, name) };
  });
}

const MAX_NAMED_REASONS = 3;

function notFoundError(ref: BugRef, name: string): BtError {
  const hint = name === "product" ? "bt product list lists those visible to you" : undefined;
  return new BtError("missing", `${name} ${ref} was not found, or is not visible to you`, { hint, changed: "nothing" });
}

/** True if an error concerns one of the objects, not the request or the connection. */
function isAboutOneObject(error: unknown, codes = BUG_CODES): error is BtError {
  if (!(error instanceof BtError)) return false;
  const { bugzillaCode } = error.facts;
  const isNotFound = bugzillaCode === undefined && error.kind === "missing"; // as other servers of the interface say it
  return isNotFound || codes.has(bugzillaCode ?? 0);
}

const BUG_CODES = errorCodes(
  "param_must_be_numeric",
  "improper_bug_id_field_value", // also for an unknown alias
  "bug_id_does_not_exist",
  "bug_access_denied",
);

/** A name of digits of another script, which servers take for a number, is missing like any other. */
function asMissingError(ref: BugRef, error: BtError): BtError {
  return error.facts.bugzillaCode === ERROR_CODES.param_must_be_numeric ? notFoundError(ref, "bug") : error;
}

/** The error of one of several bugs, whose request bears the name of another. */
function asErrorAmong(ref: BugRef, error: BtError): BtError {
  return withFacts(asMissingError(ref, error), { request: undefined });
}

async function requestHalves<Thing>(refs: BugRef[], state: BatchState<Thing>): Promise<Outcomes<Thing>> {
  const middle = Math.ceil(refs.length / 2);
  return [...(await requestBatch(refs.slice(0, middle), state)), ...(await requestBatch(refs.slice(middle), state))];
}

/** Asks for the bugs that a search finds, and why the others are not there, of which one may be known from a failure. */
async function requestVisible<Thing>(
  refs: BugRef[],
  state: BatchState<Thing>,
  failure?: BtError,
): Promise<Outcomes<Thing>> {
  state.allowance.searchesFirst = true;
  const there = await findVisibleBugs(refs, state.send, state.allowance);
  const after = { ...state, isSearched: true };
  const found = await requestBatch(
    refs.filter((ref) => there.has(ref)),
    after,
  );
  const bad = refs.filter((ref) => !there.has(ref));
  return [...found, ...(await findMissingReasons(bad, after, failure))];
}

/** Why each bug is missing; asks the server for the first few only. */
async function findMissingReasons<Thing>(
  refs: BugRef[],
  state: BatchState<Thing>,
  failure: BtError | undefined,
): Promise<Outcomes<Thing>> {
  const named = failure && bugNamedInError(refs, failure);
  const others = refs.filter((ref) => ref !== named);
  const tried = others.slice(0, Math.max(0, state.allowance.spare));
  state.allowance.spare -= tried.length;
  const outcomes: BatchOutcome<Thing>[] = [];
  if (failure && named !== undefined) outcomes.push({ ref: named, error: asErrorAmong(named, failure) });
  for await (const one of mapConcurrently(tried, (ref) => requestBatch([ref], state))) outcomes.push(...one);
  return [...outcomes, ...others.slice(tried.length).map((ref) => ({ ref, error: notFoundError(ref, "bug") }))];
}

/** Names in as few batches as their queries need, of about the same length, since two are on the way at once. */
function splitIntoBatches(refs: readonly BugRef[]): BugRef[][] {
  let total = 0;
  const starts = refs.map((ref) => {
    const start = total;
    total += encodeURIComponent(ref).length + "&ids=".length;
    return start;
  });
  const count = Math.ceil(total / QUERY_BYTES);
  const batchAt = starts.map((start) => Math.floor((start * count) / total));
  const all = Array.from({ length: count }, (_, batch) => refs.filter((_ref, at) => batchAt[at] === batch));
  return all.filter(({ length }) => length > 0); // a long name may cover more than one
}

/** Request budget shared by the batches of one command, so that many missing bugs cost few requests. */
export type RequestAllowance = {
  spare: number; // requests left beyond one search and one read per batch
  searchesFirst: boolean; // several bugs were missing, so search before reading
  uncut: number; // number of bugs that one search is known to return completely
};

/** Maximum number of requests per command spent on the reasons for missing bugs. */
const MAX_SPARE_REQUESTS = 20;

/**
 * The bugs that a search finds; missing and hidden ones are left out without an error. A server may truncate the
 * result, sorted by id; bugs beyond the last id are searched for again.
 */
async function findVisibleBugs(
  refs: BugRef[],
  send: SendRequest,
  allowance: RequestAllowance,
): Promise<ReadonlySet<BugRef>> {
  const there = new Set<BugRef>();
  for (const group of partition(refs, isBugId)) await addVisibleBugs(there, group, send, allowance);
  return there;
}

/** Adds bugs that are all named by id, or all by alias. */
async function addVisibleBugs(
  there: Set<BugRef>,
  refs: BugRef[],
  send: SendRequest,
  allowance: RequestAllowance,
): Promise<void> {
  for (let [rest, before] = [refs, 0]; rest.length > 0; allowance.spare -= 1) {
    const bugs = readBugs(await send(visibleBugsRequest(rest)));
    const find = finderByName(bugs.map((bug) => ({ names: bugNames(bug) })));
    for (const ref of rest.filter(find)) there.add(ref);
    if (bugs.length === 0) allowance.uncut = Math.max(allowance.uncut, before);
    if (bugs.length <= allowance.uncut || allowance.spare <= 0) break;
    before = bugs.length;
    rest = possiblyTruncated(
      rest.filter((ref) => !there.has(ref)),
      bugs,
    );
  }
}

/** The bugs that a cut response may have left out; any alias may be of a bug behind its last one. */
function possiblyTruncated(refs: BugRef[], bugs: Bug[]): BugRef[] {
  const last = Math.max(...bugs.map(({ id }) => id));
  return refs.filter((ref) => !isBugId(ref) || Number(ref) > last);
}

function visibleBugsRequest(refs: readonly BugRef[]): Request {
  const areIds = refs.every(isBugId);
  return requestFor(SEARCH_BUGS, [
    ...(areIds ? [["id", refs.join(",")] as const] : refs.map((ref) => ["alias", ref] as const)),
    ["include_fields", "id,alias"],
    ["order", "bug_id"],
    ["limit", String(refs.length)],
  ]);
}
