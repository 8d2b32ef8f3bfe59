import { requestAll } from "../../../api/batch.ts";
import { bugPlan } from "../../../api/bugs/bug-numbers.ts";
import { readChangedItems, unexpectedShapeError } from "../../../api/response/response-objects.ts";
import { fieldsSentWhole, withWholeValues } from "../../../api/write/body.ts";
import { stateFields } from "../../../api/write/write-state.ts";
import { BtError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { errorCodes } from "../../../wire/error-codes.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { changesInUtc } from "../changes/date-times.ts";
import type { ChangeResult } from "./edit.ts";
import { fileBug } from "./file-bug.ts";
import { guard, overwrittenBy } from "./guard.ts";
import { type FailedOutcome, type Jobs, planUpdate, resultOf, sendUpdate } from "./jobs.ts";
import { readLists } from "./lists.ts";
import { type Able, type Plan, type Planned, recordedIn } from "./plan.ts";
import { notAppliedOf } from "./read-back.ts";

/**
 * Sends the edits of a plan, one request after the other, and yields a result for each bug, in the order of the plan. After
 * Ctrl-C, a refused login, an overloaded or unreachable tracker, and three unknown outcomes in a row, the rest is not tried.
 */
export async function* sendAll(plan: Plan, jobs: Jobs, context: Context): AsyncGenerator<ChangeResult> {
  const ending = endOfChange(context);
  for (const list of await readLists(plan, context)) {
    const { error } = ending;
    const [first] = list;
    if (first?.st === "new" && !error) {
      const result = await fileBug(first, jobs, context);
      ending.note([result]);
      yield result;
      continue;
    }
    const results = error ? list.map((item) => untried(item, error)) : await sendList(list, jobs, ending, context);
    ending.note(results.filter(({ body }) => body === undefined));
    yield* results;
  }
}

/** The error that ends a change, by the results of its requests so far. */
function endOfChange({ io }: Context) {
  let unknown = 0; // requests in a row
  let end: BtError | undefined;
  return {
    get error(): BtError | undefined {
      if (io.signal.aborted) end ??= INTERRUPTED;
      return end;
    },
    /** Notes the results of one request, or of bugs for which none was sent. */
    note(results: readonly ChangeResult[]): void {
      const sent = results.filter(({ body }) => body !== undefined);
      if (sent.length > 0) unknown = sent.every(({ st }) => st === "unknown") ? unknown + 1 : 0;
      end ??= results.find(({ st, error }) => (st === "unknown" ? unknown === MAX_UNKNOWN : isEnd(error)))?.error;
    },
  };
}

type Ending = ReturnType<typeof endOfChange>;

const INTERRUPTED = new BtError("partial", "interrupted before it was sent", { changed: "nothing" });
const MAX_UNKNOWN = 3;

/** The results of a list, in its order; those of which a value was changed meanwhile are not sent. */
async function sendList(list: readonly Planned[], jobs: Jobs, ending: Ending, context: Context) {
  const able = list.filter((item) => item.st === "able");
  const ready = await readAgain(able, context);
  const due = ready.filter((one): one is Ready => "read" in one);
  const results = new Map<Planned, ChangeResult>();
  for (const one of ready) if ("error" in one) results.set(one.item, refusal(one.item, one.error, jobs));
  const sent = due.length > 0 ? await sendDue(due, jobs, ending, context) : [];
  for (const [at, result] of sent.entries()) if (due[at]) results.set(due[at].item, result);
  return list.map((item) => results.get(item) ?? settled(item));
}

/** Sends one request for bugs; if it is refused as a whole, one for each of them, which are planned before the first is sent. */
async function sendDue(due: readonly Ready[], jobs: Jobs, ending: Ending, context: Context): Promise<ChangeResult[]> {
  const whole = await sendReady(due, jobs, context);
  if (due.length === 1 || whole.some(({ st, error }) => st !== "refused" || isEnd(error))) {
    ending.note(whole);
    return whole;
  }
  for (const one of due) planUpdate(asRead(one), sentOf(one), jobs);
  const results: ChangeResult[] = [];
  for (const one of due) {
    const own = ending.error ? [untried(one.item, ending.error)] : await sendReady([one], jobs, context);
    ending.note(own);
    results.push(...own);
  }
  return results;
}

type Ready = { readonly item: Able; readonly read: Bug };
type Unready = { readonly item: Able; readonly error: BtError };

/** The bugs right before they are written: read again if they are guarded, or if values are edited in part and sent whole. */
async function readAgain(able: readonly Able[], { session }: Context): Promise<(Ready | Unready)[]> {
  const isGuarded = able.some(({ since }) => since !== undefined);
  const names = [...new Set(able.flatMap(({ body }) => (isGuarded ? stateFields(body) : fieldsSentWhole(body))))];
  if (!isGuarded && names.length === 0) return able.map((item) => ({ item, read: item.bug }));
  const ids = able.map(({ bug }) => String(bug.id));
  const outcomes = await requestAll(ids, bugPlan(["id", "last_change_time", ...names]), session.send).catch(
    (error: unknown) => {
      if (error instanceof BtError) return ids.map((ref) => ({ ref, error }));
      throw error;
    },
  );
  return able.map((item, at) => {
    const outcome = outcomes[at];
    if (!outcome || "error" in outcome)
      return { item, error: outcome?.error ?? unexpectedShapeError(`bug ${ids[at]}`) };
    const error = item.since === undefined ? undefined : guard(outcome.thing, item.since, item);
    return error ? { item, error } : { item, read: { ...item.bug, ...outcome.thing } };
  });
}

/** Sends one request for bugs, and tells what became of each. */
async function sendReady(ready: readonly Ready[], jobs: Jobs, context: Context): Promise<ChangeResult[]> {
  const [first] = ready;
  if (!first) return [];
  const sent = sentOf(first);
  const outcome = await sendUpdate(ready.map(asRead), sent, jobs);
  if (outcome.st !== "applied") return ready.map((one) => failed(one, outcome));
  const changed = readChangedItems<ChangedBug>(outcome.response, "bugs");
  return Promise.all(ready.map((one) => applied(one, sent, changed, context)));
}

function sentOf({ item, read }: Ready): JsonObject {
  return withWholeValues(item.body, read as JsonObject);
}

function asRead({ item, read }: Ready): Able {
  return { ...item, bug: read };
}

async function applied({ item, read }: Ready, sent: JsonObject, all: readonly ChangedBug[], context: Context) {
  const { body, moments } = item;
  const reported = all.find(({ id }) => id === read.id);
  const changed = reported && { ...reported, changes: changesInUtc(reported.changes, read, moments) };
  const isApplied = Object.keys(changed?.changes ?? {}).length > 0 || recordedIn(body).length > 0;
  return {
    ...({ ref: String(read.id), bug: read, body, changed, st: isApplied ? "applied" : "unchanged" } as const),
    overwritten: reported && overwrittenBy(reported, read, body, sent),
    ignored: reported && (await notAppliedOf(reported, read, { sent, moments }, context)),
  };
}

function failed({ item, read }: Ready, outcome: FailedOutcome): ChangeResult {
  return { ref: String(read.id), bug: read, body: item.body, ...resultOf(outcome) };
}

function refusal(item: Able, error: BtError, jobs: Jobs): ChangeResult {
  if (!isEnd(error)) jobs.drop(item);
  return { ref: String(item.bug.id), bug: item.bug, st: isEnd(error) ? "not tried" : "refused", error };
}

function untried(item: Planned, error: BtError | undefined): ChangeResult {
  if (item.st === "new") return { ref: item.ref, line: item.line, oldId: item.oldId, st: "not tried", error };
  return item.st === "able" ? { ref: String(item.bug.id), bug: item.bug, st: "not tried", error } : settled(item);
}

/** The result of a bug that is not sent. */
function settled(item: Planned): ChangeResult {
  return {
    ref: "ref" in item ? item.ref : String(item.bug.id),
    ...item,
    st: item.st === "able" || item.st === "new" ? "not tried" : item.st,
  };
}

/** True for an error that the next request would end with, too. */
function isEnd(error: BtError | undefined): boolean {
  if (!error) return false;
  return ["busy", "network", "local"].includes(error.kind) || LOGIN_REFUSED.has(error.facts.bugzillaCode ?? 0);
}

const LOGIN_REFUSED = errorCodes(
  "invalid_login_or_password",
  "account_disabled",
  "api_key_not_valid",
  "login_required",
);
