import { type BatchOutcome, requestAll } from "../../../api/batch.ts";
import { bugPlan, readBug } from "../../../api/bugs.ts";
import { mayPass, type OpenJob, responseOf, type Write } from "../../../api/delivery/outcome.ts";
import { type Sending, type Sent, sendNext, sendOrSplit } from "../../../api/delivery/send-write.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { unexpectedShapeError } from "../../../api/response/response-objects.ts";
import type { Dialect } from "../../../api/search/dialect.ts";
import { fieldsSentWhole, withInitialValues } from "../../../api/write/body.ts";
import { createRequest, updatedFields, updateOf, updateRequest, writeTargets } from "../../../api/write/changes.ts";
import { BtError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Changes } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { type Able, ableIn, isSettled, type New, type Plan, type Planned, staleError } from "./plan.ts";
import { type ChangeResult, INTERRUPTED, readNotApplied, sentResult, updateResult } from "./result.ts";

/** A part of a plan with its writes: of a new bug, or of bugs that get the same values and those between them that get none. */
type Batch = {
  readonly items: readonly Planned[];
  readonly first: number; // the number of its first write in the job
  readonly writes: readonly Write[]; // one; two if a bug gets a second update; none if nothing is to be sent
};

/** A plan in batches, of up to twenty bugs updated alike in Bugzilla's dialect, else of one. */
export async function batchesOf({ items }: Plan, { session }: Context): Promise<Batch[]> {
  const { name: dialect } = await session.dialect();
  const lists: Planned[][] = [];
  for (const item of items) {
    const last = lists.at(-1);
    if (last && isOfBatch(item, last, dialect)) last.push(item);
    else lists.push([item]);
  }
  let first = 0;
  return lists.map((list) => {
    const batch = { items: list, first, writes: writesOf(list, dialect) };
    first += batch.writes.length;
    return batch;
  });
}

/** True if the request of a batch can be about a further item, or the item needs no request. */
function isOfBatch(item: Planned, batch: readonly Planned[], dialect: Dialect): boolean {
  if (item.st === "new" || batch[0]?.st === "new") return false;
  const able = ableIn(batch);
  const [other] = able;
  if (item.st !== "able" || !other) return true;
  return dialect === "bugzilla" && able.length < MAX_ATOMIC_BUGS && isAlike(item, other);
}

/** True if both bugs get one body, without another bug, a unique name, or a value made for each bug. */
function isAlike(one: Able, { body, next }: Able): boolean {
  if (next || one.next || JSON.stringify(one.body) !== JSON.stringify(body)) return false;
  return fieldsSentWhole(body).length === 0 && !ONE_BUG_ONLY.some((name) => name in body);
}

const ONE_BUG_ONLY = ["depends_on", "blocks", "dupe_of", "alias"];

function writesOf(batch: readonly Planned[], dialect: Dialect): Write[] {
  const [item] = batch;
  if (item?.st === "new") {
    const request = createRequest(withInitialValues({ ...item.create, ...item.times }), dialect);
    return item.id === undefined ? [{ request, key: item.key }] : [];
  }
  const able = ableIn(batch);
  const [one] = able;
  if (!one) return [];
  const { bug, body, times, next } = one;
  const values = { ...body, ...times };
  const update = updateOf(
    able.map((other) => other.bug),
    values,
  );
  return next ? [update, updateOf([{ ...bug, ...values } as Bug], next)] : [update];
}

/** Sends batches one after the other, and yields a result for each bug in order. */
export async function* sendBatches(
  batches: readonly Batch[],
  job: OpenJob,
  context: Context,
): AsyncGenerator<ChangeResult> {
  const sending = { job, unknowns: 0 };
  for (const batch of batches) {
    const [item] = batch.items;
    if (item?.st === "new") yield await sendNewBug(item, batch, sending, context);
    else yield* await sendUpdate(batch, sending, context);
  }
}

/** Files a bug, unless an earlier run did, and sends the updates that complete it. */
async function sendNewBug(
  item: New,
  { first, writes: [write] }: Batch,
  sending: Sending,
  context: Context,
): Promise<ChangeResult> {
  if (write === undefined) return completeBug(item, Number(item.id), sending, context); // an earlier run filed it
  const { ref, line, oldId, create: body } = item;
  const sent = await sendNext(first, write, sending);
  if (sent.outcome?.st !== "applied") return sentResult({ ref, line, oldId, body }, sent);
  return completeBug(item, Number(Object(sent.outcome.response).id), sending, context);
}

/** Sends the updates of a filed bug, all planned first, so that a continued job completes it. */
async function completeBug(item: New, id: number, sending: Sending, context: Context): Promise<ChangeResult> {
  const { line, oldId, create: body, key, complete } = item;
  const { send } = context.session;
  const facts = { ref: String(id), line, oldId, body };
  try {
    const updates = (complete?.(id) ?? []).map((values) => ({ values, request: updateRequest([id], values), key }));
    const first = sending.job.add(updates);
    const notApplied = item.id === undefined ? await readNotApplied(id, body, context) : undefined;
    for (const [at, update] of updates.entries()) {
      const fresh = async () => updateOf([await readBug(String(id), ["_default"], send)], update.values);
      const { outcome, error = INTERRUPTED } = await sendNext(first + at, update, sending, fresh);
      responseOf(outcome ?? { st: "refused", error });
    }
    return { ...facts, st: "created", notApplied };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    const message = `filed as bug ${id}, but not complete: ${error.message}`;
    const partial = new BtError(error.kind, message, { ...error.facts, changed: "some" });
    return { ...facts, st: error.kind === "unknown" ? "unknown" : "refused", error: partial };
  }
}

/** Sends the update of a batch; the results of its bugs. */
async function sendUpdate(
  { items, first, writes: [write] }: Batch,
  sending: Sending,
  context: Context,
): Promise<ChangeResult[]> {
  const able = new Map(ableIn(items).map((item) => [item.ref, item]));
  const itemsOf = ({ request }: Write) => writeTargets(request).flatMap((ref) => able.get(ref) ?? []);
  const fresh = (one: Write) => freshUpdate(one, itemsOf(one), context);
  const results = new Map<string, ChangeResult>();
  const sentWrites = write ? await sendOrSplit(first, write, sending, fresh) : [];
  for (const sent of sentWrites)
    for (const item of itemsOf(sent.write)) results.set(item.ref, await finishUpdate(item, sent, sending, context));
  return items.flatMap((item) => (isSettled(item) ? item : (results.get(item.ref) ?? [])));
}

/** The update of bugs as they are now, if their values count. @throws BtError if a bug must not be changed */
async function freshUpdate(write: Write, items: readonly Able[], { session }: Context): Promise<Write> {
  const [one] = items;
  const isGuarded = items.some(({ since }) => since !== undefined);
  const names = [...new Set(items.flatMap(({ body }) => (isGuarded ? updatedFields(body) : fieldsSentWhole(body))))];
  if (!one || (!isGuarded && names.length === 0)) return write;
  const refs = items.map(({ ref }) => ref);
  const outcomes = await requestAll(refs, bugPlan(["id", "last_change_time", ...names]), session.send);
  const bugs = items.map((item, at) => bugNow(item, outcomes[at]));
  return updateOf(bugs, { ...one.body, ...one.times });
}

/** @throws BtError for a bug that cannot be read, or that others modified */
function bugNow(item: Able, outcome: BatchOutcome<Bug> | undefined): Bug {
  if (outcome === undefined) throw unexpectedShapeError(`bug ${item.ref}`);
  if ("error" in outcome) throw outcome.error;
  const error = item.since === undefined ? undefined : staleError(outcome.thing, item.since, item);
  if (error) throw error;
  return { ...item.bug, ...outcome.thing };
}

/** The result of a bug of an update; its second update, if it has one, is sent once the first was applied. */
async function finishUpdate(item: Able, sent: Sent, sending: Sending, context: Context): Promise<ChangeResult> {
  const first = await updateResult(item, sent, context);
  const { ref, body, next } = item;
  if (!next) return first;
  const n = sent.n + 1;
  if (first.st !== "applied") {
    const { outcome } = sent;
    const isOver = outcome?.st === "applied" || (outcome?.st === "refused" && !mayPass(outcome.error));
    if (isOver) sending.job.record(n, { st: "skipped" }); // else the job is continued with both
    return first;
  }
  const firstChanges = first.changed?.changes ?? {};
  const made = Object.keys(next).map((name) => [name, firstChanges[name]?.added] as const);
  const between = { ...first.bug, ...Object.fromEntries(made) } as Bug;
  const sentSecond = await sendNext(n, updateOf([between], next), sending);
  const second = await updateResult({ ref, bug: between, body: next }, sentSecond, context);
  const changed = second.changed ?? first.changed;
  const changes = joinChanges(firstChanges, second.changed?.changes ?? {});
  const error = second.error && secondUpdateError(second.error, body);
  return { ...first, ...second, bug: first.bug, body, error, changed: changed && { ...changed, changes } };
}

/** The changes of a bug by two updates, one after the other. */
function joinChanges(first: Changes, second: Changes): Changes {
  const joined = Object.entries(second).map(([name, { removed, added }]) => {
    return [name, { removed: first[name]?.removed ?? removed, added }] as const;
  });
  return { ...first, ...Object.fromEntries(joined) };
}

/** The error of a second update, with the status that the bug has by the first one. */
function secondUpdateError(error: BtError, { status }: JsonObject): BtError {
  const message = `${error.message}; the first of two updates was applied: the status is ${status}`;
  return new BtError(error.kind, message, { ...error.facts, reason: undefined, changed: "some" });
}
