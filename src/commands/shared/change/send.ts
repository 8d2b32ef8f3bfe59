import { type BatchOutcome, requestAll } from "../../../api/batch.ts";
import { bugPlan, readBug } from "../../../api/bugs.ts";
import { type OpenJob, responseOf, type Write } from "../../../api/delivery/outcome.ts";
import { type Sent, sendAll } from "../../../api/delivery/send-write.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { readChangedItems, unexpectedShapeError } from "../../../api/response/response-objects.ts";
import { fieldsSentWhole, withInitialValues, withWholeValues } from "../../../api/write/body.ts";
import {
  fieldsToReadBack,
  ignoredByCreate,
  isCustomTime,
  overwrittenLines,
  unreportedFields,
} from "../../../api/write/changes.ts";
import {
  createRequest,
  isAsRequested,
  requestBody,
  stateBefore,
  stateFields,
  updateRequest,
  writeTargets,
} from "../../../api/write/write-state.ts";
import { BtError, withDetails, withFacts } from "../../../errors.ts";
import type { Io } from "../../../io.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import type { ChangedBug, Changes } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import {
  type Able,
  ableIn,
  bodyKey,
  type ChangeOptions,
  type ChangeResult,
  failure,
  guard,
  type New,
  newIn,
  type Plan,
  type Planned,
  recordedIn,
  refOf,
  untried,
} from "./plan.ts";

/** What is known of a plan while it is sent. */
type Sending = {
  readonly able: ReadonlyMap<string, Able>; // by id
  readonly read: Map<Able, Bug>; // right before their first update
  readonly firsts: Map<Able, ChangeResult>; // of bugs that get a second update
  readonly results: Map<Planned, ChangeResult>;
};

/**
 * Sends the edits of a plan, and yields a result for each bug in order. After Ctrl-C, a refused
 * login, an overloaded or unreachable tracker, or three unknown outcomes in a row, the rest is not
 * tried.
 */
export async function* sendPlan(plan: Plan, job: ChangeJob, context: Context): AsyncGenerator<ChangeResult> {
  const { open } = job;
  const able = new Map(ableIn(plan).map((item) => [String(item.bug.id), item]));
  const sending: Sending = { able, read: new Map(), firsts: new Map(), results: new Map() };
  let at = 0;
  async function* ready() {
    for (let item = plan[at]; item !== undefined; item = plan[at]) {
      const result = sending.results.get(item) ?? (await settled(item, open, context));
      if (result === undefined) return;
      yield result;
      at += 1;
    }
  }
  yield* ready();
  if (!open) return;
  const writes = job.writes.map(({ write }, n) => ({ n, write }));
  const fresh = (write: Write) => freshUpdate(write, sending, context);
  for await (const sent of sendAll(writes, open, fresh, context.io.signal)) {
    const item = job.writes[sent.n]?.item;
    if (item) sending.results.set(item, await filedResult(item, sent, open, context));
    else await noteUpdate(sent, sending, context);
    yield* ready();
  }
}

/** The result of a bug that is not sent, and of one that an earlier run filed. */
async function settled(item: Planned, open: OpenJob | undefined, context: Context): Promise<ChangeResult | undefined> {
  if (item.st === "able") return undefined;
  if (item.st !== "new") return { ref: refOf(item), ...item };
  return item.id !== undefined && open ? completeBug(item, item.id, open, context) : undefined;
}

/** The result of a new bug that was sent, completed by the updates that it gets then. */
async function filedResult(item: New, sent: Sent, open: OpenJob, context: Context): Promise<ChangeResult> {
  const { ref, line, oldId, create: body } = item;
  const { outcome } = sent;
  const facts = { ref, line, oldId, body };
  if (outcome?.st !== "applied") return sentResult(facts, sent);
  const id = Number(Object(outcome.response).id);
  return completeBug(item, id, open, context, () => readNotApplied(id, body, context));
}

/** Sends the updates of a filed bug, all planned first, so that a continued job completes it. */
async function completeBug(
  { line, oldId, create: body, key, complete }: New,
  id: number,
  open: OpenJob,
  { session }: Context,
  readBack: () => Promise<readonly string[] | undefined> = async () => undefined,
): Promise<ChangeResult> {
  const facts = { ref: String(id), line, oldId, body };
  try {
    const bodies = complete?.(id) ?? [];
    const updates = bodies.map((sent) => ({ sent, n: open.add({ request: updateRequest([id], sent), key }) }));
    const ignored = await readBack();
    for (const { n, sent } of updates) {
      const bug = await readBug(String(id), ["_default"], session.send);
      responseOf(await open.send(n, updateOf([bug], sent)));
    }
    return { ...facts, st: "created", ignored };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    const message = `filed as bug ${id}, but not complete: ${error.message}`;
    const partial = new BtError(error.kind, message, { ...error.facts, changed: "some" });
    return { ...facts, st: error.kind === "unknown" ? "unknown" : "refused", error: partial };
  }
}

function itemsOf({ request }: Write, { able }: Sending): Able[] {
  return writeTargets(request).flatMap((target) => able.get(target) ?? []);
}

/**
 * An update by the values right before it: read again for guarded bugs and values that are sent
 * whole; a second update is for the bugs whose first one was applied.
 */
async function freshUpdate(write: Write, sending: Sending, context: Context): Promise<Write | BtError | undefined> {
  const items = itemsOf(write, sending);
  const [first] = items;
  if (first === undefined) return write;
  const { read, firsts, results } = sending;
  if (first.next && items.some((item) => firsts.has(item) || results.has(item))) {
    const bugs = items.filter((item) => firsts.has(item)).map((item) => afterFirst(item, sending));
    return bugs.length === 0 ? undefined : updateOf(bugs, first.next);
  }
  const bugs = await readAgain(items, context);
  if (bugs === undefined) return write;
  if (bugs instanceof BtError) return bugs;
  for (const [at, bug] of bugs.entries()) if (items[at]) read.set(items[at], bug);
  return updateOf(bugs, { ...first.body, ...first.times });
}

function afterFirst(item: Able, { read, firsts }: Sending): Bug {
  const changes = firsts.get(item)?.changed?.changes;
  const made = Object.keys(item.next ?? {}).map((name) => [name, changes?.[name]?.added] as const);
  return { ...(read.get(item) ?? item.bug), ...Object.fromEntries(made) };
}

/** The bugs as they are now, or why one must not be changed; undefined if nothing is to be read. */
async function readAgain(items: readonly Able[], { session }: Context): Promise<Bug[] | BtError | undefined> {
  const isGuarded = items.some(({ since }) => since !== undefined);
  const names = [...new Set(items.flatMap(({ body }) => (isGuarded ? stateFields(body) : fieldsSentWhole(body))))];
  if (!isGuarded && names.length === 0) return undefined;
  const ids = items.map(({ bug }) => String(bug.id));
  try {
    const outcomes = await requestAll(ids, bugPlan(["id", "last_change_time", ...names]), session.send);
    return items.map((item, at) => bugNow(item, outcomes[at]));
  } catch (error) {
    if (error instanceof BtError) return error;
    throw error;
  }
}

/** @throws BtError for a bug that cannot be read, or that others modified */
function bugNow(item: Able, outcome: BatchOutcome<Bug> | undefined): Bug {
  if (outcome === undefined) throw unexpectedShapeError(`bug ${item.bug.id}`);
  if ("error" in outcome) throw outcome.error;
  const error = item.since === undefined ? undefined : guard(outcome.thing, item.since, item);
  if (error) throw error;
  return { ...item.bug, ...outcome.thing };
}

/** Notes the results of an update; with a second update they have the changes of both. */
async function noteUpdate(sent: Sent, sending: Sending, context: Context): Promise<void> {
  const { firsts, results } = sending;
  for (const item of itemsOf(sent.write, sending)) {
    if (results.has(item)) continue; // its first update was refused or is unknown
    const first = firsts.get(item);
    const result = await resultOf(item, sent, sending, context);
    if (first) results.set(item, bothOf(first, result));
    else if (item.next && result.st === "applied") firsts.set(item, result);
    else results.set(item, result);
  }
}

/** The result of a bug of an update. */
async function resultOf(item: Able, sent: Sent, sending: Sending, context: Context): Promise<ChangeResult> {
  const isSecond = sending.firsts.has(item);
  const body = (isSecond ? item.next : undefined) ?? item.body;
  const bug = isSecond ? afterFirst(item, sending) : (sending.read.get(item) ?? item.bug);
  return updateResult({ ref: String(bug.id), bug, body }, sent, context);
}

type Updated = { readonly ref: string; readonly bug: Bug; readonly body: JsonObject };

/** The result of an update, with what it overwrote, and what was not applied. */
export async function updateResult(updated: Updated, sent: Sent, context: Context): Promise<ChangeResult> {
  const { bug, body } = updated;
  const result = sentResult(updated, sent);
  const { changed } = result;
  if (changed === undefined) return result;
  const { ids: _, ...whole } = requestBody(sent.write.request);
  const times = Object.entries(body).filter(([name, value]) => isCustomTime(name, value)); // sent in another zone
  const values = { ...whole, ...Object.fromEntries(times) };
  const lines = overwrittenLines(bug as JsonObject, values, changed.changes);
  return {
    ...result,
    overwritten: lines.map((line) => `bug ${bug.id}: ${line}`),
    ignored: await notAppliedOf(bug, values, changed.changes, context),
  };
}

/** The result of a bug by the outcome of its update. */
export function sentResult(facts: Pick<ChangeResult, "ref" | "bug" | "body">, { outcome, error }: Sent): ChangeResult {
  if (outcome === undefined) return untried(facts, error);
  if (outcome.st !== "applied") return { ...facts, ...failure(outcome) };
  const changed = readChangedItems<ChangedBug>(outcome.response, "bugs").find(({ id }) => String(id) === facts.ref);
  const isApplied = Object.keys(changed?.changes ?? {}).length > 0 || recordedIn(facts.body ?? {}).length > 0;
  return { ...facts, changed, st: isApplied ? "applied" : "unchanged" };
}

function bothOf(first: ChangeResult, second: ChangeResult): ChangeResult {
  const changed = second.changed ?? first.changed;
  const changes = { ...first.changed?.changes };
  for (const [name, { removed, added }] of Object.entries(second.changed?.changes ?? {}))
    changes[name] = { removed: changes[name]?.removed ?? removed, added };
  const { status } = first.body ?? {};
  const half = `the first of two updates was applied: the status is ${status}`;
  const error = second.error && withDetails(withFacts(second.error, { changed: "some" }), [half]);
  return { ...first, ...second, bug: first.bug, body: first.body, error, changed: changed && { ...changed, changes } };
}

/** The job of a plan, and its writes in their order. */
export type ChangeJob = {
  readonly name: string | undefined; // undefined if nothing is to be sent, or nothing is stored
  readonly isBulk: boolean;
  readonly isGuarded: boolean; // a bug that was modified is not to be changed
  readonly writes: readonly PlannedWrite[];
  readonly open: OpenJob | undefined; // no writes
};

/** A write of a plan; of a new bug, with its item. */
type PlannedWrite = { readonly write: Write; readonly item?: New };

/** Begins the job of a plan before the first request, and runs `use` while it is held. */
export async function withJob<Result>(
  plan: Plan,
  { command = "bug update", key }: ChangeOptions,
  context: Context,
  use: (job: ChangeJob) => Promise<Result>,
): Promise<Result> {
  const [able, created] = [ableIn(plan), newIn(plan)];
  const count = able.length + created.length;
  const isGuarded = able.some(({ since }) => since !== undefined);
  if (count === 0) return use({ name: undefined, isBulk: false, isGuarded, writes: [], open: undefined });
  const writes = await readWrites(plan, context);
  const journal = await context.session.journal();
  const plans = {
    ...{ command, key, writes: writes.map(({ write }) => write) },
    edits: [...new Set(able.flatMap(({ body }) => fieldsSentWhole(body)))],
    ...(isGuarded && { guarded: true as const }),
    ...(able.some(({ isExposed }) => isExposed) && { exposes: true as const }),
  };
  return journal.begin(plans, (open) =>
    use({ name: open.isStored ? open.name : undefined, isBulk: count > 1, isGuarded, writes, open }),
  );
}

/** The writes of a plan in order: each new bug, and updates of lists of bugs with second ones. */
export async function readWrites(plan: Plan, { session }: Context): Promise<readonly PlannedWrite[]> {
  const dialect = await session.dialect.name();
  const most = dialect === "bugzilla" ? MAX_ATOMIC_BUGS : 1;
  const lists: (readonly [New] | Able[])[] = [];
  for (const item of plan) {
    const last = lists.at(-1);
    const first = last?.[0];
    if (item.st === "new" && item.id === undefined) lists.push([item]);
    if (item.st !== "able") continue;
    const fits = first?.st === "able" && (last?.length ?? 0) < most && isAlike(first, item);
    if (fits) (last as Able[]).push(item);
    else lists.push([item]);
  }
  return lists.flatMap((list) => {
    const [first] = list;
    if (first?.st !== "new") return updatesOf(list as Able[]);
    const request = createRequest(withInitialValues({ ...first.create, ...first.times }), dialect);
    return [{ write: { request, key: first.key }, item: first }];
  });
}

/** True if both get one body without another bug, a unique name, or a value made for each bug. */
function isAlike(one: Able, { body, next }: Able): boolean {
  if (bodyKey({ ...one.body, next: one.next ?? null }) !== bodyKey({ ...body, next: next ?? null })) return false;
  return fieldsSentWhole(body).length === 0 && !ONE_BUG_ONLY.some((name) => name in body);
}

const ONE_BUG_ONLY = ["depends_on", "blocks", "dupe_of", "alias"];

/** The update of bugs that get the same, and their second one, if they have any. */
function updatesOf(able: readonly Able[]): PlannedWrite[] {
  const [first] = able;
  if (first === undefined) return [];
  const { next } = first;
  const body = { ...first.body, ...first.times };
  const bugs = able.map(({ bug }) => bug);
  const between = bugs.map((bug) => ({ ...bug, ...body }) as Bug);
  return [{ write: updateOf(bugs, body) }, ...(next ? [{ write: updateOf(between, next) }] : [])];
}

/** An update of bugs as they are now. */
function updateOf(bugs: readonly Bug[], body: JsonObject): Write {
  const whole = withWholeValues(body, (bugs[0] ?? {}) as JsonObject);
  const ids = bugs.map(({ id }) => id);
  return { request: updateRequest(ids, whole), before: stateBefore(bugs, body) };
}

/** Fields that the response of an update does not report, and the bug, read again, does not have. */
async function notAppliedOf(
  read: Bug,
  sent: JsonObject,
  changes: Changes,
  { session, io }: Context,
): Promise<string[]> {
  const before = read as JsonObject;
  const names = unreportedFields(before, sent, changes);
  if (names.length === 0) return [];
  try {
    const now = (await readBug(String(read.id), names, session.send)) as JsonObject;
    const ignored = names.filter((name) => !isAsRequested(name, sent[name] ?? null, { before, now }));
    await noteOtherTimes(ignored, sent, now, io);
    return ignored;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await note(io, `could not verify what was applied to bug ${read.id}: ${error.message}`);
    return [];
  }
}

/** Notes custom date-times that the tracker read in another zone. */
async function noteOtherTimes(names: readonly string[], sent: JsonObject, now: JsonObject, io: Io): Promise<void> {
  for (const name of names.filter((one) => isCustomTime(one, sent[one])))
    await note(
      io,
      `${name} is ${now[name]}, not ${sent[name]}: bt config set server_zone ZONE sets the tracker's time zone`,
    );
}

/**
 * Fields of a new bug that were not applied, read back in one request; undefined if nothing had to be read, or reading
 * failed, which is only noted, since the bug exists.
 */
export async function readNotApplied(id: number, body: JsonObject, context: Context): Promise<string[] | undefined> {
  const names = fieldsToReadBack(body);
  if (names.length === 0) return undefined;
  try {
    const bug = await readBug(String(id), [...names, "summary"], context.session.send);
    if (!isSameLine(bug.summary, body["summary"])) throw otherBugError(bug);
    await reportGroups(body, bug, context);
    const ignored = ignoredByCreate(names, body, bug);
    await noteOtherTimes(ignored, body, bug as JsonObject, context.io);
    return ignored;
  } catch (error) {
    if (!(error instanceof BtError) || error.kind === "unknown") throw error;
    await note(context.io, `created bug ${id}; could not verify what was applied: ${error.message}`);
    return undefined;
  }
}

/** True for a summary as it is stored, by MySQL with `????` for an emoji. */
function isSameLine(stored: Bug["summary"], sent: Json | undefined): boolean {
  const [one, other] = [stored, sent].map((text) => String(text ?? "").replace(/[\p{Cc}\s?]|[^\0-\uffff]/gu, ""));
  return one === other;
}

function otherBugError({ id, summary }: Bug): BtError {
  const message = `unknown outcome: the tracker's response names bug ${id}, which is another one: ${summary}`;
  return new BtError("unknown", message, { hint: "check the tracker before you retry", changed: "unknown" });
}

/** A product may add groups to a bug filed without any. */
async function reportGroups(body: JsonObject, { id, groups }: Bug, { io }: Context): Promise<void> {
  const { groups: given, product } = body;
  if (!Array.isArray(given) || given.length > 0 || !groups?.length) return;
  await note(io, `created bug ${id}; ${product} restricted it to the group ${groups.join(", ")}`);
}
