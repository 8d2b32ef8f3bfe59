import { BtError, type ErrorKind } from "../../errors.ts";
import { errorCodes } from "../../wire/error-codes.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { ChangedBug } from "../../wire/resources.ts";
import { type BugName, bugMessage, bugsByMessage, joinedNames } from "../bug-messages.ts";
import { bugNamedInError } from "../bug-ref.ts";
import { firstNames, inChunks, partition } from "../lists.ts";
import { readChangedItems } from "../response/response-objects.ts";
import { isCumulative } from "../write/update-request.ts";
import type { FailedOutcome, Outcome } from "./outcome.ts";

/** Result of one bug in a bulk update. */
export type BugResult = {
  readonly bug: BugName;
  readonly line?: number; // of the row of a file
  readonly title?: string | undefined; // of a bug that was filed
  readonly oldId?: number | undefined; // of a bug that was filed from a file, in that file
  readonly st: "done" | "unchanged" | "failed" | "unknown" | "not tried" | "would change" | "would fail";
  readonly changed?: ChangedBug;
  readonly note?: string | undefined; // details of the state, such as "unchanged, comment not added"
  readonly ignored?: readonly string[]; // parameters that were sent and that the tracker ignored
  readonly error?: BtError;
};

/** Result without the name of its bug, as of a row that may be no bug yet. */
export type ItemResult = Omit<BugResult, "bug">;

/** Bugs of one request, which get the same body. */
export type BulkRequest = { readonly ids: readonly number[]; readonly body: JsonObject };

/** Callbacks that send the requests of a bulk update. */
export type BulkUpdate = {
  readonly attempt: (request: BulkRequest) => Promise<Outcome>;
  /** Results of bugs that must be left out of the next request, each with its error. */
  readonly findRefused: (ids: readonly number[]) => Promise<readonly BugResult[]>;
  readonly isStopped: () => boolean;
};

/**
 * Sends one update to many bugs, some per request, and yields the results of each request. A request that the tracker refuses is
 * split until the offending bugs are alone; an unreachable tracker ends the update, and the rest is "not tried".
 */
export async function* deliverBulk(
  requests: readonly BulkRequest[],
  update: BulkUpdate,
): AsyncGenerator<readonly BugResult[]> {
  const queue = requests.flatMap((request) => splitRequest(request, inChunks(request.ids, batchSize(request.body))));
  const sent: BugResult[] = [];
  for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
    const { ids } = request;
    const refused = await readUnlessEnded(() => update.findRefused(ids), update.isStopped);
    if (refused instanceof BtError) return yield notTriedResults(idsIn([request, ...queue]), refused);
    const { results, retries, failure } = await sendRequest(request, refused, update.attempt);
    sent.push(...results);
    queue.unshift(...retries);
    if (results.length > 0) yield results;
    if (queue.length === 0) return;
    const ending = endingError(sent, failure);
    if (ending) return yield notTriedResults(idsIn(queue), ending);
  }
}

/** Data that is read before a request, or the error that ends an update: it was stopped, or the tracker does not respond. */
export async function readUnlessEnded<Found>(
  read: () => Promise<Found>,
  isStopped: () => boolean,
): Promise<Found | BtError> {
  try {
    const found = isStopped() ? STOPPED : await read();
    return isStopped() ? STOPPED : found;
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return isStopped() ? STOPPED : error;
  }
}

function splitRequest({ body }: BulkRequest, lists: readonly (readonly number[])[]): BulkRequest[] {
  return lists.map((ids) => ({ ids, body }));
}

function idsIn(requests: BulkRequest[]): number[] {
  return requests.flatMap(({ ids }) => ids);
}

/** Number of bugs per request, which is one transaction; comments and work time are sent for one bug at a time. */
function batchSize(body: JsonObject): number {
  return isCumulative(body) ? 1 : MAX_BUGS_PER_REQUEST;
}

export const MAX_BUGS_PER_REQUEST = 25;

/**
 * Results of the bugs in a successful response. A comment or work time does not appear among the reported changes, but
 * counts as one.
 */
export function confirmedResults(ids: readonly number[], response: Json, body: JsonObject): BugResult[] {
  const bugs = readChangedItems<ChangedBug>(response, "bugs");
  const cumulative = isCumulative(body);
  return ids.map((id) => {
    const changed = bugs.find((bug) => Number(bug.id) === id);
    const isEqual = !cumulative && Object.keys(changed?.changes ?? {}).length === 0;
    return { bug: String(id), st: isEqual ? "unchanged" : "done", ...(changed && { changed }) };
  });
}

/**
 * Results of the bugs whose request failed, was refused, or has an unknown outcome; one that could not be journaled was
 * never sent.
 */
export function failedResults(ids: readonly number[], outcome: FailedOutcome): BugResult[] {
  const result = failedResult(outcome);
  return ids.map((id) => ({ bug: String(id), ...result }));
}

/** Result of each bug of a failed request; one that never reached the tracker was not tried, as after Ctrl-C. */
export function failedResult({ st, error }: FailedOutcome): ItemResult {
  if (st === "refused" && ["local", "network"].includes(error.kind)) return { st: "not tried", error };
  return { st: RESULT_STATES[st], error };
}

const RESULT_STATES = { refused: "failed", unknown: "unknown" } as const;

/** Hint where every bug that is left was refused, or modified since: sent again as it is, the update would end like this. */
export function refusedHint(jobs: string[], left: { bug: BugName; kind: ErrorKind | undefined }[]): string {
  const drop = `bt job drop ${jobs.join(" ")} gives up what failed`;
  const sent = left.filter(({ kind }) => kind !== "missing");
  if (sent.length === 0) return drop;
  if (sent.every(({ kind }) => kind === "collision"))
    return `the same command for ${firstNames(sent.map(({ bug }) => String(bug)))} alone sets the values anyway; ${drop}`;
  return `${drop}; once they can be changed, ${sendLines(jobs)} retries them`;
}

/** The commands that continue jobs, as one line. */
export function sendLines(jobs: string[]): string {
  return jobs.map((job) => `bt job send ${job}`).join(" && ");
}

/** True for a bug that was left out, since somebody else had modified it. */
export function isCollision({ error }: ItemResult): boolean {
  return error?.kind === "collision";
}

/** Error of a bug whose request was not sent because of a signal. */
const STOPPED = new BtError("partial", "interrupted before it was sent", { changed: "nothing" });

type RequestResult = {
  results: readonly BugResult[];
  retries: readonly BulkRequest[]; // in place of a refused request
  failure?: FailedOutcome;
};

/** Sends a request, without the bugs for which the update is refused beforehand. */
async function sendRequest(
  { ids: all, body }: BulkRequest,
  refused: RequestResult["results"],
  attempt: BulkUpdate["attempt"],
): Promise<RequestResult> {
  const ids = all.filter((id) => !refused.some(({ bug }) => bug === String(id)));
  if (ids.length === 0) return { results: refused, retries: [] };
  const request = { ids, body };
  const outcome = await attempt(request);
  if (outcome.st === "applied")
    return { results: [...refused, ...confirmedResults(ids, outcome.response, body)], retries: [] };
  if (ids.length > 1 && isRefusal(outcome))
    return { results: refused, retries: splitRequest(request, splitIds(ids, outcome.error)) };
  return { results: [...refused, ...failedResults(ids, outcome)], retries: [], failure: outcome };
}

/** Splits off the bug that the error names, or else halves the list. */
function splitIds(ids: number[], error: BtError): number[][] {
  const named = Number(bugNamedInError(ids.map(String), error));
  if (ids.includes(named)) return [[named], ids.filter((id) => id !== named)];
  return inChunks(ids, Math.ceil(ids.length / 2));
}

/** True if a request was refused for some of its bugs, so that the same update may succeed on others. */
function isRefusal({ st, error }: FailedOutcome): boolean {
  return st === "refused" && isAboutBugs(error.kind, error.facts.bugzillaCode);
}

/** True for an error about the bugs of a request, rather than about the connection or the account. */
export function isAboutBugs(kind: ErrorKind, code: number | undefined): boolean {
  return REFUSALS.has(kind) && code !== undefined && !ABOUT_THE_REQUESTER.has(code);
}

const REFUSALS: ReadonlySet<ErrorKind> = new Set(["refused", "missing", "collision", "auth"]);

const ABOUT_THE_REQUESTER = errorCodes(
  "invalid_login_or_password",
  "account_disabled",
  "api_key_not_valid",
  "login_required",
);

/** The error that ends an update, by its results so far and the failure of the last request; undefined if it continues. */
export function endingError(results: ItemResult[], failure: FailedOutcome | undefined): BtError | undefined {
  if (failure && (endsUpdate(failure) || isUnknownThrice(results))) return failure.error;
  return isRefusedThroughout(results) ? results[0]?.error : undefined;
}

/** True after three unknown outcomes in a row. */
function isUnknownThrice(results: ItemResult[]): boolean {
  return results.length >= 3 && results.slice(-3).every(({ st }) => st === "unknown");
}

/** True if nothing more of an update may be sent after a request: the next one would fail, too. */
function endsUpdate(outcome: FailedOutcome): boolean {
  if (outcome.st === "unknown") return false;
  return !isRefusal(outcome);
}

/** True if the tracker has refused every bug so far for the same reason, and enough of them to expect no other answer. */
function isRefusedThroughout(results: ItemResult[]): boolean {
  const [first] = results;
  return (
    results.length >= ENDING_REFUSALS &&
    results.every(({ st, error }) => st === "failed" && codeOf(error) === codeOf(first?.error)) &&
    codeOf(first?.error) !== undefined
  );
}

const ENDING_REFUSALS = 25;

function codeOf(error: BtError | undefined): number | undefined {
  return error?.facts.bugzillaCode;
}

/** Results of bugs that are left when an error ends an update. */
export function notTriedResults(ids: readonly number[], error: BtError | undefined): BugResult[] {
  return ids.map((id) => ({ bug: String(id), st: "not tried", ...(error && { error }) }));
}

/** Totals of a bulk update so far. */
export type BulkTally = {
  readonly total: number;
  readonly succeeded: number;
  unchanged: number; // of those that succeeded
  readonly failed: readonly BugResult[];
  readonly isTouched?: boolean; // a bug was changed
  readonly word?: string; // for success; "done" if absent
};

/** Returns the tally with more results counted. */
export function addResults(
  { total, succeeded, unchanged, failed, isTouched = false }: BulkTally,
  results: readonly BugResult[],
): BulkTally {
  const worse = results.filter(({ st }) => st !== "done" && st !== "unchanged");
  return {
    total,
    succeeded: succeeded + results.length - worse.length,
    unchanged: unchanged + results.filter(({ st }) => st === "unchanged").length,
    failed: [...failed, ...worse],
    isTouched: isTouched || results.some(({ st }) => st === "done"),
  };
}

/** Error that a bulk update ends with, with a hint; undefined if every bug succeeded or was unchanged. */
export function bulkError(tally: BulkTally, hint: string | undefined): BtError | undefined {
  const { total, succeeded, unchanged, failed, word = "done" } = tally;
  if (failed.length === 0) return undefined;
  const results: string[] = [];
  for (const state of STATES) {
    const count = failed.filter(({ st }) => st === state).length;
    if (count > 0) results.push(`${count} ${state}`);
  }
  const mayBeTouched =
    tally.isTouched || failed.some(({ st, error }) => st === "unknown" || error?.facts.changed === "some");
  const done = `${succeeded - unchanged} of ${total} bugs ${word}`;
  const others = unchanged > 0 ? `, ${unchanged} unchanged` : "";
  const hints = new Set(failed.map(({ error }) => error?.facts.hint));
  const isOneHint = hint === undefined && hints.size === 1;
  return new BtError(bulkErrorKind(tally), `${done}${others}: ${results.join(", ")}`, {
    details: errorDetails(failed, !isOneHint),
    hint: isOneHint ? failed[0]?.error?.facts.hint : hint,
    changed: mayBeTouched ? "some" : "nothing",
  });
}

const STATES: readonly BugResult["st"][] = ["failed", "would fail", "unknown", "not tried"];
const MAX_DETAILS = 20;

/** The bugs of each error with its details, those first that a login would mend, and one line for all that were not tried. */
function errorDetails(bad: readonly BugResult[], isHinted: boolean): string[] {
  const tried = bad.filter(({ st }) => st !== "not tried");
  const [denied, others] = partition(tried, ({ error }) => error?.kind === "auth");
  const named = [...denied, ...others].slice(0, MAX_DETAILS);
  const reasons = named.flatMap(({ error }) => error?.facts.details ?? []);
  const untried = bad.filter(({ st }) => st === "not tried");
  const stop = untried[0]?.error;
  const lines = bugsByMessage(
    named.map(({ bug, error }) => ({
      ...(error ? bugMessage(bug, error) : { bug, message: "unknown" }),
      ...(isHinted ? {} : { hint: undefined }),
    })),
  );
  lines.push(...new Set(reasons));
  if (tried.length > MAX_DETAILS) lines.push(`and ${tried.length - MAX_DETAILS} more bugs`);
  if (stop) lines.push(`stopped before ${joinedNames(untried.map(({ bug }) => bug))}: ${stop.message}`);
  return lines;
}

/**
 * Kind of the cause that ended the update early; else "unknown" if any outcome is; else the common kind, or "partial"; "auth"
 * if nothing was done and a login is required.
 */
function bulkErrorKind({ succeeded, failed }: BulkTally): ErrorKind {
  const ending = failed.find(({ st }) => st === "not tried")?.error;
  if (ending) return endingKind(ending, succeeded);
  if (failed.some(({ st }) => st === "unknown")) return "unknown";
  const kinds = new Set(failed.map(({ error }) => error?.kind ?? "partial"));
  if (succeeded === 0 && kinds.has("auth")) return "auth";
  const [only = "partial"] = kinds;
  return kinds.size === 1 && (succeeded === 0 || only === "collision") ? only : "partial";
}

/**
 * Kind of the error that ended the update. A connection that fails after some bugs had succeeded counts as "busy": the
 * tracker was reached, so that waiting and resuming helps, unlike a check of the address.
 */
function endingKind({ kind, facts }: BtError, succeeded: number): ErrorKind {
  const cause = facts.cause;
  const root = kind === "unknown" && cause instanceof BtError ? cause.kind : kind;
  return root === "network" && succeeded > 0 ? "busy" : root;
}
