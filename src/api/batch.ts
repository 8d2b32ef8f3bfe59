import { BtError, isTooBig } from "../errors.ts";
import { errorCodes } from "../wire/error-codes.ts";
import type { Json, Request } from "../wire/exchange.ts";
import { type BugRef, isBugId } from "./bug-ref.ts";
import { inChunks, partition } from "./lists.ts";
import type { SendRequest } from "./operations/operation.ts";
import { unexpectedShapeError } from "./response/response-objects.ts";

/** Request for several objects at once, and the reader that takes its response apart. */
export type BatchPlan<Thing> = {
  readonly name?: string; // noun for messages; "bug" if absent
  readonly isListed?: true; // plain servers take a list of them, too
  readonly codes?: ReadonlySet<number>; // error codes that concern a single object; those of bugs if absent
  readonly request: (refs: readonly BugRef[]) => Request;
  /** Objects in the response, each with its names in any letter case. */
  readonly read: (response: Json) => readonly { readonly thing: Thing; readonly names: readonly string[] }[];
};

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

/**
 * Requests several objects, each once, and yields their outcomes in the given order: from a Bugzilla as
 * many as fit into a request, from a plain server and of bugs named by an alias one. A Bugzilla fails a
 * whole request for one bad name: then a search finds the visible bugs, and the first of the missing ones
 * are requested one by one to learn the reason.
 */
export async function* requestEach<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  send: SendRequest,
): AsyncGenerator<readonly BatchOutcome<Thing>[]> {
  const distinct = [...new Set(refs)];
  const isSingly = distinct.length > 1 && !plan.isListed && (await send.lists?.areSupported()) === false;
  const batches = isSingly ? distinct.map((ref) => [ref]) : splitIntoBatches(distinct, plan);
  const reading = { plan, send, reasons: MAX_REASONS };
  yield* mapAhead(batches, (batch) => readBatch(batch, reading));
}

/** Maximum number of requests per command for the reasons why bugs are missing. */
const MAX_REASONS = 20;

/**
 * Length of a query (bytes). Servers accept request lines of about 8,190 bytes; this leaves room for the rest, and for a name
 * that is longer than all others.
 */
export const QUERY_BYTES = 7500;

function splitIntoBatches(refs: readonly BugRef[], { name }: BatchPlan<unknown>): BugRef[][] {
  const batches: BugRef[][] = [];
  let left = 0;
  for (const ref of refs) {
    const length = encodeURIComponent(ref).length + "&ids=".length;
    const isAlias = name === undefined && !isBugId(ref);
    if (isAlias || length > left) {
      batches.push([]);
      left = isAlias ? 0 : QUERY_BYTES;
    }
    batches.at(-1)?.push(ref);
    left -= length;
  }
  return batches;
}

type Reading<Thing> = { readonly plan: BatchPlan<Thing>; readonly send: SendRequest; reasons: number };

/** The outcomes of objects that fit into a request. */
async function readBatch<Thing>(
  refs: readonly BugRef[],
  reading: Reading<Thing>,
): Promise<readonly BatchOutcome<Thing>[]> {
  const { plan, send } = reading;
  try {
    return outcomesIn(await send(plan.request(refs)), refs, plan);
  } catch (error) {
    const isAboutOne = isAboutOneObject(error, plan.codes);
    if (isAboutOne && refs.length === 1) return refs.map((ref) => ({ ref, error }));
    if (refs.length === 1 || !(isAboutOne || isTooBig(error))) throw error;
    const visible = isAboutOne && plan.name === undefined ? await send.lists?.visible(refs) : undefined;
    return readInParts(refs, (ref) => visible?.has(ref) ?? true, reading);
  }
}

/** Outcomes of the visible objects, requested in halves if all are visible, and reasons for the others. */
async function readInParts<Thing>(
  refs: readonly BugRef[],
  isVisible: (ref: BugRef) => boolean,
  reading: Reading<Thing>,
): Promise<readonly BatchOutcome<Thing>[]> {
  const [found, missing] = partition(refs, isVisible);
  const outcomes = new Map<BugRef, BatchOutcome<Thing>>();
  const length = missing.length > 0 ? found.length : Math.ceil(found.length / 2);
  for (const part of inChunks(found, length))
    for (const outcome of await readBatch(part, reading)) outcomes.set(outcome.ref, outcome);
  for (const ref of missing) for (const outcome of await readMissing(ref, reading)) outcomes.set(ref, outcome);
  return refs.flatMap((ref) => outcomes.get(ref) ?? []);
}

/** The outcome of a missing bug, requested alone for the reason; without a reason after `MAX_REASONS` requests. */
async function readMissing<Thing>(ref: BugRef, reading: Reading<Thing>): Promise<readonly BatchOutcome<Thing>[]> {
  reading.reasons -= 1;
  return reading.reasons < 0 ? [{ ref, error: notFoundError(ref, "bug") }] : readBatch([ref], reading);
}

function outcomesIn<Thing>(response: Json, refs: readonly BugRef[], plan: BatchPlan<Thing>): BatchOutcome<Thing>[] {
  const { name = "bug" } = plan;
  const found = plan.read(response);
  const [only, ...others] = found;
  const isOneAlias = plan.name === undefined && refs.length === 1 && !isBugId(refs[0] ?? "");
  if (isOneAlias && only && others.length === 0) return refs.map((ref) => ({ ref, thing: only.thing }));
  const named = new Map(found.flatMap((item) => item.names.map((one) => [one.toLowerCase(), item])));
  const find = (ref: BugRef) => named.get(ref.toLowerCase());
  if (found.length > 0 && !refs.some(find))
    throw unexpectedShapeError(`${name} ${refs.slice(0, MAX_NAMED).join(" or ")}`);
  return refs.map((ref) => {
    const item = find(ref);
    return item ? { ref, thing: item.thing } : { ref, error: notFoundError(ref, name) };
  });
}

const MAX_NAMED = 3;

function notFoundError(ref: BugRef, name: string): BtError {
  const reason = "not found, or not visible to you";
  return new BtError("missing", `${name} ${ref} was not found, or is not visible to you`, { reason });
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

/** Yields the result of `act` for each item, in order; the next call runs meanwhile. */
export async function* mapAhead<Item, Made>(
  items: readonly Item[],
  act: (item: Item) => Promise<Made>,
): AsyncGenerator<Made> {
  let coming: Promise<Made> | undefined;
  for (const item of items) {
    const before = coming;
    coming = act(item);
    coming.catch(() => undefined); // rejected when awaited, after the results before it
    if (before !== undefined) yield await before;
  }
  if (coming !== undefined) yield await coming;
}
