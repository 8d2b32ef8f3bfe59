import { BtError, isTooBig, usageError } from "../errors.ts";
import { errorCodes } from "../wire/error-codes.ts";
import type { Json, Request } from "../wire/exchange.ts";
import { type BugRef, isBugId } from "./bug-ref.ts";
import { collectPages, inChunks, partition } from "./lists.ts";
import type { SendRequest } from "./operations/operation.ts";
import { unexpectedShapeError } from "./response/response-objects.ts";

/** Request for several objects at once, and the reader that takes its response apart. */
export type BatchPlan<Thing> = {
  readonly name?: string; // noun for messages; "bug" if absent
  readonly isListed?: true; // plain servers take a list of them, too
  readonly maximum?: number; // objects in a request
  readonly codes?: ReadonlySet<number>; // error codes that concern a single object; those of bugs if absent
  readonly request: (refs: readonly BugRef[]) => Request;
  /** Objects in the response by their names, in any letter case. */
  readonly read: (response: Json) => Iterable<readonly [names: string | readonly string[], thing: Thing]>;
};

/** Result for one requested bug: exactly one of `thing` and `error`. */
export type BatchOutcome<Thing> =
  | { readonly ref: BugRef; readonly thing: Thing }
  | { readonly ref: BugRef; readonly error: BtError };

/** The objects that were found. */
export function foundThings<Thing>(outcomes: readonly BatchOutcome<Thing>[]): Thing[] {
  return outcomes.flatMap((outcome) => ("thing" in outcome ? [outcome.thing] : []));
}

/** The outcomes of `requestEach`, once all are known. */
export function requestAll<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  send: SendRequest,
): Promise<BatchOutcome<Thing>[]> {
  return collectPages(requestEach(refs, plan, send));
}

/**
 * Requests several objects, each once, and yields their outcomes in the given order: from a Bugzilla as many as fit into a
 * request, from a plain server one at a time, as bugs that are named by an alias. A Bugzilla fails a whole request for one bad
 * name.
 */
export async function* requestEach<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  send: SendRequest,
): AsyncGenerator<readonly BatchOutcome<Thing>[]> {
  const distinct = [...new Set(refs)];
  if (distinct.some((ref) => ref.trim() === "")) throw usageError(`empty ${plan.name ?? "bug"} name`);
  const isSingly = distinct.length > 1 && !plan.isListed && (await send.lists?.areSupported()) === false;
  const batches = isSingly ? inChunks(distinct, 1) : splitIntoBatches(distinct, plan);
  const reading = { plan, send, reasons: MAX_REASONS };
  yield* mapAhead(batches, (batch) => readBatch(batch, reading));
}

const MAX_OBJECTS = 300; // in a request, since a response is held in memory
const MAX_BYTES = 7500; // of a query; servers accept request lines of about 8,190 bytes

/** Batches in order; an alias is alone in one. */
function splitIntoBatches(refs: readonly BugRef[], plan: BatchPlan<unknown>): BugRef[][] {
  const { maximum = MAX_OBJECTS } = plan;
  const batches: BugRef[][] = [];
  let batch: BugRef[] = [];
  let bytes = 0; // of the batch
  for (const ref of refs) {
    const length = encodeURIComponent(ref).length + "&ids=".length;
    const isFull = batch.length >= maximum || bytes + length > MAX_BYTES || isAlias(batch[0], plan);
    if (batch.length === 0 || isFull || isAlias(ref, plan)) {
      batch = [];
      batches.push(batch);
      bytes = 0;
    }
    batch.push(ref);
    bytes += length;
  }
  return batches;
}

function isAlias(ref: BugRef | undefined, { name }: BatchPlan<unknown>): boolean {
  return name === undefined && ref !== undefined && !isBugId(ref);
}

/** How objects are read, and how many missing ones may still be requested alone. */
type Reading<Thing> = { plan: BatchPlan<Thing>; send: SendRequest; reasons: number };

const MAX_REASONS = 20;

/** The outcomes of objects that fit into a request, which one of them may fail. */
async function readBatch<Thing>(refs: readonly BugRef[], reading: Reading<Thing>): Promise<BatchOutcome<Thing>[]> {
  const { plan, send } = reading;
  try {
    return outcomesIn(await send(plan.request(refs)), refs, plan);
  } catch (error) {
    const isAboutOne = isAboutOneObject(error, plan.codes);
    if (isAboutOne && refs.length === 1) return refs.map((ref) => ({ ref, error }));
    if (refs.length === 1 || !(isAboutOne || isTooBig(error))) throw error;
    const visible = isAboutOne && plan.name === undefined ? await send.lists?.visible(refs) : undefined;
    return readInParts(refs, visible ?? new Set(refs), reading);
  }
}

/** Reads the visible objects again, in halves if all are visible, and the first others alone, for the reason. */
async function readInParts<Thing>(
  refs: readonly BugRef[],
  visible: ReadonlySet<BugRef>,
  reading: Reading<Thing>,
): Promise<BatchOutcome<Thing>[]> {
  const [found, missing] = partition(refs, (ref) => visible.has(ref));
  const alone = missing.slice(0, reading.reasons);
  reading.reasons -= alone.length;
  const outcomes: BatchOutcome<Thing>[] = missing
    .slice(alone.length)
    .map((ref) => ({ ref, error: notFoundError(ref, "bug") }));
  const lists = inChunks(found, missing.length > 0 ? found.length : Math.ceil(found.length / 2));
  for (const part of [...lists, ...inChunks(alone, 1)]) outcomes.push(...(await readBatch(part, reading)));
  const byRef = new Map(outcomes.map((outcome) => [outcome.ref, outcome]));
  return refs.flatMap((ref) => byRef.get(ref) ?? []);
}

/**
 * The outcome of each object in a response. An alias is alone in its request, and names the only bug of the response.
 * @throws BtError of kind reply if the response is about other objects only
 */
function outcomesIn<Thing>(response: Json, refs: readonly BugRef[], plan: BatchPlan<Thing>): BatchOutcome<Thing>[] {
  const { name = "bug" } = plan;
  const found = [...plan.read(response)];
  const [[, only] = []] = found;
  const [first] = refs;
  if (first !== undefined && only && found.length === 1 && isAlias(first, plan)) return [{ ref: first, thing: only }];
  const named = new Map<string, { thing: Thing }>();
  for (const [names, thing] of found) for (const one of [names].flat()) named.set(one.toLowerCase(), { thing });
  const outcomes = refs.map((ref) => {
    const item = named.get(ref.toLowerCase());
    return item ? { ref, ...item } : { ref, error: notFoundError(ref, name) };
  });
  if (found.length > 0 && foundThings(outcomes).length === 0)
    throw unexpectedShapeError(`${name} ${refs.slice(0, MAX_NAMED).join(" or ")}`);
  return outcomes;
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
    const current = coming;
    coming = act(item);
    coming.catch(() => undefined); // rejected when awaited, after the results before it
    if (current !== undefined) yield await current;
  }
  if (coming !== undefined) yield await coming;
}
