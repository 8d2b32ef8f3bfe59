import { type BatchOutcome, requestAll } from "../../../api/batch.ts";
import { bugPlan, readBug } from "../../../api/bugs.ts";
import { mayPass, type OpenJob, responseOf, type Write } from "../../../api/delivery/outcome.ts";
import { type Sent, sendAll } from "../../../api/delivery/send-write.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { readChangedItems, unexpectedShapeError } from "../../../api/response/response-objects.ts";
import { fieldsSentWhole, withInitialValues, withWholeValues } from "../../../api/write/body.ts";
import {
  createRequest,
  fieldsToReadBack,
  ignoredByCreate,
  isAsRequested,
  isCustomTime,
  overwrittenLines,
  requestBody,
  stateBefore,
  stateFields,
  unreportedFields,
  updateRequest,
  writeTargets,
} from "../../../api/write/changes.ts";
import { BtError, withDetails, withFacts } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import type { ChangedBug, Changes } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import {
  type Able,
  ableIn,
  type ChangeOptions,
  type ChangeResult,
  guard,
  type New,
  type Plan,
  recordedIn,
  untried,
} from "./plan.ts";

/** A write of a plan: a new bug, an update, or the second update of the bug before it. */
export type PlannedWrite = { readonly write: Write; readonly item?: New; readonly isSecond?: true };

/** The job of a plan, and what a later command has to know of it. */
export function jobOf(plan: Plan, writes: readonly PlannedWrite[], { command = "bug update", key }: ChangeOptions) {
  const able = ableIn(plan);
  return {
    ...{ command, key, writes: writes.map(({ write }) => write) },
    ...(hasGuards(plan) && { guarded: true as const }),
    ...(able.some(({ isExposed }) => isExposed) && { exposes: true as const }),
  };
}

/** True if a bug that was modified is not to be changed. */
export function hasGuards(plan: Plan): boolean {
  return ableIn(plan).some(({ since }) => since !== undefined);
}

/** The writes of a plan in order: each new bug, and updates of lists of bugs, or of one with its second update. */
export async function readWrites(plan: Plan, { session }: Context): Promise<readonly PlannedWrite[]> {
  const { name: dialect } = await session.dialect();
  const most = dialect === "bugzilla" ? MAX_ATOMIC_BUGS : 1;
  const lists: (New | [Able, ...Able[]])[] = [];
  for (const item of plan) {
    const last = lists.at(-1);
    if (item.st === "new" && item.id === undefined) lists.push(item);
    if (item.st !== "able") continue;
    if (Array.isArray(last) && last.length < most && isAlike(last[0], item)) last.push(item);
    else lists.push([item]);
  }
  return lists.flatMap((list): PlannedWrite[] => {
    if (!Array.isArray(list)) {
      const request = createRequest(withInitialValues({ ...list.create, ...list.times }), dialect);
      return [{ write: { request, key: list.key }, item: list }];
    }
    const [{ bug, next, ...first }] = list;
    const body = { ...first.body, ...first.times };
    const bugs = list.map((item) => item.bug);
    const second = next && updateOf([{ ...bug, ...body } as Bug], next);
    return [{ write: updateOf(bugs, body) }, ...(second ? [{ write: second, isSecond: true as const }] : [])];
  });
}

/** True if both get one body without another bug, a unique name, or a value made for each bug. */
function isAlike(one: Able, { body, next }: Able): boolean {
  if (next || one.next || JSON.stringify(one.body) !== JSON.stringify(body)) return false;
  return fieldsSentWhole(body).length === 0 && !ONE_BUG_ONLY.some((name) => name in body);
}

const ONE_BUG_ONLY = ["depends_on", "blocks", "dupe_of", "alias"];

/** An update of bugs as they are now. */
export function updateOf(bugs: readonly Bug[], body: JsonObject): Write {
  const whole = withWholeValues(body, (bugs[0] ?? {}) as JsonObject);
  const ids = bugs.map(({ id }) => id);
  return { request: updateRequest(ids, whole), before: stateBefore(bugs, body) };
}

/**
 * Sends the edits of a plan, and yields a result for each bug in order. After Ctrl-C, a refused
 * login, an overloaded or unreachable tracker, or three unknown outcomes in a row, the rest is not
 * tried.
 */
export async function* sendPlan(
  plan: Plan,
  writes: readonly PlannedWrite[],
  open: OpenJob | undefined, // undefined if there are no writes
  context: Context,
): AsyncGenerator<ChangeResult> {
  const able = new Map(ableIn(plan).map((item) => [item.ref, item]));
  const itemsOf = ({ request }: Write) => writeTargets(request).flatMap((target) => able.get(target) ?? []);
  const read = new Map<Able, Bug>(); // right before their update
  const settled = plan.filter((item) => item.st !== "able" && item.st !== "new");
  const results = new Map<string, ChangeResult>(settled.map((item) => [item.ref, item]));
  let at = 0;
  async function* ready() {
    for (let item = plan[at]; item !== undefined; item = plan[at]) {
      let result = results.get(item.ref);
      if (item.st === "new" && item.id !== undefined && open) result = await completeBug(item, item.id, open, context);
      if (result === undefined) return;
      yield result;
      at += 1;
    }
  }
  yield* ready();
  if (!open) return;
  const fresh = async (write: Write) => {
    const items = itemsOf(write);
    const bugs = await readAgain(items, context);
    const [first] = items;
    if (bugs === undefined || first === undefined) return write;
    for (const [index, item] of items.entries()) read.set(item, bugs[index] ?? item.bug);
    return updateOf(bugs, { ...first.body, ...first.times });
  };
  const firsts = writes.flatMap(({ write, isSecond }, n) => (isSecond ? [] : { n, write }));
  for await (const sent of sendAll(firsts, open, fresh)) {
    const filed = writes[sent.n]?.item;
    if (filed) results.set(filed.ref, await filedResult(filed, sent, open, context));
    for (const item of itemsOf(sent.write))
      results.set(item.ref, await changedResult(item, read.get(item) ?? item.bug, sent, open, context));
    yield* ready();
  }
}

/** The result of a new bug that was sent, completed by the updates that it gets then. */
async function filedResult(item: New, sent: Sent, open: OpenJob, context: Context): Promise<ChangeResult> {
  const { ref, line, oldId, create: body } = item;
  const { outcome } = sent;
  if (outcome?.st !== "applied") return sentResult({ ref, line, oldId, body }, sent);
  return completeBug(item, Number(Object(outcome.response).id), open, context);
}

/** Sends the updates of a filed bug, all planned first, so that a continued job completes it. */
async function completeBug(item: New, id: number, open: OpenJob, context: Context): Promise<ChangeResult> {
  const { line, oldId, create: body, key, complete } = item;
  const facts = { ref: String(id), line, oldId, body };
  try {
    const bodies = complete?.(id) ?? [];
    const first = open.add(bodies.map((sent) => ({ request: updateRequest([id], sent), key })));
    const notApplied = item.id === undefined ? await readNotApplied(id, body, context) : undefined;
    for (const [at, sent] of bodies.entries()) {
      const bug = await readBug(String(id), ["_default"], context.session.send);
      responseOf(await open.send(first + at, updateOf([bug], sent)));
    }
    return { ...facts, st: "created", notApplied };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    const message = `filed as bug ${id}, but not complete: ${error.message}`;
    const partial = new BtError(error.kind, message, { ...error.facts, changed: "some" });
    return { ...facts, st: error.kind === "unknown" ? "unknown" : "refused", error: partial };
  }
}

/** The bugs as they are now; undefined if nothing is to be read. @throws BtError if one must not be changed */
async function readAgain(items: readonly Able[], { session }: Context): Promise<Bug[] | undefined> {
  const isGuarded = items.some(({ since }) => since !== undefined);
  const names = [...new Set(items.flatMap(({ body }) => (isGuarded ? stateFields(body) : fieldsSentWhole(body))))];
  if (!isGuarded && names.length === 0) return undefined;
  const refs = items.map(({ ref }) => ref);
  const outcomes = await requestAll(refs, bugPlan(["id", "last_change_time", ...names]), session.send);
  return items.map((item, at) => bugNow(item, outcomes[at]));
}

/** @throws BtError for a bug that cannot be read, or that others modified */
function bugNow(item: Able, outcome: BatchOutcome<Bug> | undefined): Bug {
  if (outcome === undefined) throw unexpectedShapeError(`bug ${item.ref}`);
  if ("error" in outcome) throw outcome.error;
  const error = item.since === undefined ? undefined : guard(outcome.thing, item.since, item);
  if (error) throw error;
  return { ...item.bug, ...outcome.thing };
}

/** The result of a bug of an update; of both updates, the second of which is sent once the first was applied. */
async function changedResult(
  { ref, body, next }: Able,
  bug: Bug,
  sent: Sent,
  open: OpenJob,
  context: Context,
): Promise<ChangeResult> {
  const first = await updateResult({ ref, bug, body }, sent, context);
  if (!next) return first;
  const n = sent.n + 1;
  if (first.st !== "applied") {
    const { outcome } = sent;
    const isOver = outcome?.st === "applied" || (outcome?.st === "refused" && !mayPass(outcome.error));
    if (isOver) open.record(n, { st: "skipped" }); // else the job is continued with both
    return first;
  }
  const changes = { ...first.changed?.changes };
  const made = Object.keys(next).map((name) => [name, changes[name]?.added] as const);
  const between = { ...bug, ...Object.fromEntries(made) };
  const write = updateOf([between], next);
  const sentNext = { n, write, outcome: await open.send(n, write) };
  const second = await updateResult({ ref, bug: between, body: next }, sentNext, context);
  for (const [name, { removed, added }] of Object.entries(second.changed?.changes ?? {}))
    changes[name] = { removed: changes[name]?.removed ?? removed, added };
  const half = `the first of two updates was applied: the status is ${body["status"]}`;
  const error = second.error && withDetails(withFacts(second.error, { changed: "some" }), [half]);
  const changed = second.changed ?? first.changed;
  return { ...first, ...second, bug, body, error, changed: changed && { ...changed, changes } };
}

/** The result of an update, with what it overwrote, and what was not applied. */
export async function updateResult(
  updated: { readonly ref: string; readonly bug: Bug; readonly body: JsonObject },
  sent: Sent,
  context: Context,
): Promise<ChangeResult> {
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
    notApplied: await notAppliedOf(bug, values, changed.changes, context),
  };
}

/** The result of a bug by the outcome of its request; one that never reached the tracker was not tried. */
export function sentResult(
  facts: Pick<ChangeResult, "ref" | "line" | "oldId" | "bug" | "body">,
  { outcome, error }: Sent,
): ChangeResult {
  if (outcome === undefined) return untried(facts, error);
  if (outcome.st !== "applied") {
    const isUntried = outcome.st === "refused" && ["local", "network"].includes(outcome.error.kind);
    return { ...facts, st: isUntried ? "not tried" : outcome.st, error: outcome.error };
  }
  const changed = readChangedItems<ChangedBug>(outcome.response, "bugs").find(({ id }) => String(id) === facts.ref);
  const isApplied = Object.keys(changed?.changes ?? {}).length > 0 || recordedIn(facts.body ?? {}).length > 0;
  return { ...facts, changed, st: isApplied ? "applied" : "unchanged" };
}

/** Fields that the response of an update does not report, and the bug, read again, does not have. */
function notAppliedOf(
  read: Bug,
  sent: JsonObject,
  changes: Changes,
  context: Context,
): Promise<readonly string[] | undefined> {
  const before = read as JsonObject;
  const names = unreportedFields(before, sent, changes);
  const isIgnored = (name: string, now: JsonObject) => !isAsRequested(name, sent[name] ?? null, now, before);
  return readBack(read.id, names, context, sent, (bug) => names.filter((name) => isIgnored(name, bug as JsonObject)));
}

/** Fields of a new bug that were not applied; notes groups that its product gave it. */
export function readNotApplied(id: number, body: JsonObject, context: Context): Promise<readonly string[] | undefined> {
  const names = fieldsToReadBack(body);
  return readBack(id, names, context, body, async (bug) => {
    if (!isSameLine(bug.summary, body["summary"])) throw otherBugError(bug);
    const { groups: given, product } = body;
    if (Array.isArray(given) && given.length === 0 && bug.groups?.length)
      await note(context.io, `created bug ${id}; ${product} restricted it to the group ${bug.groups.join(", ")}`);
    return ignoredByCreate(names, body, bug);
  });
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

/** What is found in a bug that is read back; undefined if nothing is to be read, or, with a note, if it cannot be read. */
async function readBack(
  id: number,
  names: string[],
  { io, session }: Context,
  sent: JsonObject,
  find: (bug: Bug) => string[] | Promise<string[]>,
): Promise<readonly string[] | undefined> {
  if (names.length === 0) return undefined;
  try {
    const bug = await readBug(String(id), [...names, "summary"], session.send);
    const ignored = await find(bug);
    for (const name of ignored.filter((one) => isCustomTime(one, sent[one])))
      await note(
        io,
        `${name} is ${(bug as JsonObject)[name]}, not ${sent[name]}: bt config set server_zone ZONE sets the tracker's time zone`,
      );
    return ignored;
  } catch (error) {
    if (!(error instanceof BtError) || error.kind === "unknown") throw error;
    await note(io, `could not verify what was applied to bug ${id}: ${error.message}`);
    return undefined;
  }
}
