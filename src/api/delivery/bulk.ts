import { BtError, type ErrorKind } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { ChangedBug } from "../../wire/resources.ts";
import { bugNamedInError } from "../bug-ref.ts";
import { readChangedItems } from "../response/response-objects.ts";
import type { Outcome } from "./deliver.ts";

/** What became of one bug of a change of many. */
export type BugResult = {
  readonly bug: string; // its number, or the alias that nothing goes by
  readonly st: "done" | "unchanged" | "failed" | "collision" | "unknown" | "not applied" | "not tried";
  readonly changed?: ChangedBug;
  readonly note?: string | undefined; // the state in more words: "unchanged, comment not added"
  readonly error?: BtError;
};

/** How a change of many bugs is sent. */
export type BulkUpdate = {
  readonly body: JsonObject;
  readonly attempt: (ids: readonly number[]) => Promise<Outcome>;
  /** The bugs that may share a request, where not all of them may. */
  readonly groups?: ((ids: readonly number[]) => readonly (readonly number[])[]) | undefined;
  /** What is to be left out of a request that is about to go, with the reason. */
  readonly refuse: (ids: readonly number[]) => Promise<readonly BugResult[]>;
  readonly isStopped: () => boolean;
};

/**
 * Sends one change to many bugs, a few in each request, and tells of every one what became of it. A request that the
 * tracker refuses is split until the guilty bugs are alone; a tracker that cannot be reached any more ends it all.
 */
export async function* deliverBulk(ids: readonly number[], many: BulkUpdate): AsyncGenerator<readonly BugResult[]> {
  const queue = queueOf(ids, many);
  const told: BugResult[] = [];
  for (let chunk = queue.shift(); chunk !== undefined; chunk = queue.shift()) {
    const stop = many.isStopped() ? STOPPED : hopeless(told);
    if (stop) return yield notTried([chunk, ...queue].flat(), stop);
    const { results, parts, end } = await sendChunk(chunk, many);
    told.push(...results);
    queue.unshift(...parts);
    if (results.length > 0) yield results;
    if (end && queue.length > 0) return yield notTried(queue.flat(), end);
  }
}

function queueOf(ids: readonly number[], { body, groups = (all) => [all] }: BulkUpdate): (readonly number[])[] {
  return groups(ids).flatMap((group) => chunks(group, sizeFor(body)));
}

/** One transaction on the tracker; what is said or logged goes to one bug at a time. */
const MAX_BUGS_PER_REQUEST = 25;

function sizeFor(body: JsonObject): number {
  return addsEachTime(body) ? 1 : MAX_BUGS_PER_REQUEST;
}

function addsEachTime(body: JsonObject): boolean {
  return body["comment"] !== undefined || body["work_time"] !== undefined;
}

/** The results of bugs that an answer tells of. What was said or logged does not stand among its changes, but was done. */
export function confirmedResults(ids: readonly number[], answer: Json, body: JsonObject): readonly BugResult[] {
  const bugs = readChangedItems<ChangedBug>(answer, "bugs");
  const says = addsEachTime(body);
  return ids.map((id) => {
    const changed = bugs.find((bug) => Number(bug.id) === id);
    const isSame = !says && Object.keys(changed?.changes ?? {}).length === 0;
    return { bug: String(id), st: isSame ? "unchanged" : "done", ...(changed && { changed }) };
  });
}

/** The results of bugs whose request came to a bad end. */
export function failedResults(ids: readonly (number | string)[], { st, error }: FailedEnd): readonly BugResult[] {
  return ids.map((id) => ({ bug: String(id), st: error.kind === "collision" ? "collision" : WORDS[st], error }));
}

type FailedEnd = Exclude<Outcome, { readonly st: "DONE" }>;

const WORDS = { FAILED: "failed", ABSENT: "not applied", COLLISION: "collision", UNKNOWN: "unknown" } as const;

const STOPPED = new BtError("partial", "stopped before its turn", { changed: "nothing" });

type Sent = {
  readonly results: readonly BugResult[];
  readonly parts: readonly (readonly number[])[]; // to be sent instead
  readonly end?: BtError; // nothing more is to be sent
};

async function sendChunk(chunk: readonly number[], many: BulkUpdate): Promise<Sent> {
  const refused = await many.refuse(chunk);
  const ids = chunk.filter((id) => !refused.some(({ bug }) => bug === String(id)));
  if (ids.length === 0) return { results: refused, parts: [] };
  const outcome = await many.attempt(ids);
  if (outcome.st === "DONE")
    return { results: [...refused, ...confirmedResults(ids, outcome.answer, many.body)], parts: [] };
  if (outcome.st !== "FAILED" || !isAboutBugs(outcome.error)) {
    const ends = outcome.st === "UNKNOWN" || (outcome.st === "FAILED" && !outcome.error.facts.isRolledBack);
    return { results: [...refused, ...endOf(ids, outcome)], parts: [], ...(ends ? { end: outcome.error } : {}) };
  }
  if (ids.length === 1) return { results: [...refused, ...failedResults(ids, outcome)], parts: [] };
  return { results: refused, parts: split(ids, outcome.error) };
}

/** What could not be written down in the journal was not sent. */
function endOf(ids: readonly number[], outcome: FailedEnd): readonly BugResult[] {
  const isUnsent = outcome.st === "FAILED" && outcome.error.kind === "local";
  return isUnsent ? notTried(ids, outcome.error) : failedResults(ids, outcome);
}

/** The bug that the refusal names apart from the others, or else halves. */
function split(ids: readonly number[], error: BtError): readonly (readonly number[])[] {
  const named = Number(bugNamedInError(ids.map(String), error));
  if (ids.includes(named)) return [[named], ids.filter((id) => id !== named)];
  return chunks(ids, Math.ceil(ids.length / 2));
}

/** Whether a refusal is about the bugs and the change, so that other bugs may fare better. */
function isAboutBugs({ kind, facts }: BtError): boolean {
  const isRefusal = kind === "refused" || kind === "missing" || kind === "collision" || kind === "auth";
  return isRefusal && facts.bugzillaCode !== undefined && !ABOUT_THE_REQUESTER.includes(facts.bugzillaCode);
}

const ABOUT_THE_REQUESTER = [300, 301, 305, 306, 410];

/** The reason to give up when the tracker has refused every one of many bugs in the same words: the change itself is at fault. */
function hopeless(told: readonly BugResult[]): BtError | undefined {
  const [first] = told;
  const isSame = ({ st, error }: BugResult) => st === "failed" && codeOf(error) === codeOf(first?.error);
  return told.length >= MAX_EQUAL_REFUSALS && told.every(isSame) ? first?.error : undefined;
}

const MAX_EQUAL_REFUSALS = 25;

function codeOf(error: BtError | undefined): number | undefined {
  return error?.facts.bugzillaCode;
}

function notTried(ids: readonly number[], error: BtError): readonly BugResult[] {
  return ids.map((id) => ({ bug: String(id), st: "not tried", error }));
}

function chunks(ids: readonly number[], size: number): (readonly number[])[] {
  return [...Array(Math.ceil(ids.length / size)).keys()].map((at) => ids.slice(at * size, (at + 1) * size));
}

/** The results of a change of many bugs as they add up. */
export type BulkTally = { readonly total: number; readonly good: number; readonly bad: readonly BugResult[] };

/** Adds results to a tally. */
export function addResults({ total, good, bad }: BulkTally, results: readonly BugResult[]): BulkTally {
  const worse = results.filter(({ st }) => st !== "done" && st !== "unchanged");
  return { total, good: good + results.length - worse.length, bad: [...bad, ...worse] };
}

/** What is wrong with the end of a change of many bugs; undefined when every bug is as it should be. */
export function bulkError(tally: BulkTally, job: string | undefined): BtError | undefined {
  const { total, good, bad } = tally;
  if (bad.length === 0) return undefined;
  const counts = STATES.map((state) => [bad.filter(({ st }) => st === state).length, state] as const);
  const told = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  const isTouched = good > 0 || bad.some(({ st }) => st === "unknown");
  return new BtError(bulkErrorKind(tally), `${good} of ${total} bugs done: ${told.join(", ")}`, {
    details: detailsOf(bad),
    hint: job && `bt resume ${job} goes on with the others`,
    changed: isTouched ? "some" : "nothing",
  });
}

const STATES: readonly BugResult["st"][] = ["failed", "collision", "unknown", "not applied", "not tried"];
const MAX_DETAILS = 20;

/** Each bad one with its reason, those that were not tried under the reason that ended it all. */
function detailsOf(bad: readonly BugResult[]): readonly string[] {
  const tried = bad.filter(({ st }) => st !== "not tried");
  const told = tried.slice(0, MAX_DETAILS).map(({ bug, error }) => `bug ${bug}: ${error?.message ?? "unknown"}`);
  const [untried] = bad.filter(({ st }) => st === "not tried");
  return [
    ...told,
    ...(tried.length > MAX_DETAILS ? [`and ${tried.length - MAX_DETAILS} more`] : []),
    ...(untried?.error ? [`from bug ${untried.bug} on not tried: ${untried.error.message}`] : []),
  ];
}

/** What ended it all decides; then what is not known; one kind of failure alone keeps its own code. */
function bulkErrorKind({ good, bad }: BulkTally): ErrorKind {
  const ending = bad.find(({ st }) => st === "not tried")?.error;
  if (ending) return endingKind(ending, good);
  if (bad.some(({ st }) => st === "unknown" || st === "not applied")) return "unknown";
  const kinds = new Set(bad.map(({ error }) => error?.kind ?? "partial"));
  const [only = "partial"] = kinds;
  return kinds.size === 1 && (good === 0 || only === "collision") ? only : "partial";
}

/** A tracker that could not be asked any more is told as what it was: unreachable, or broken once it had done some. */
function endingKind({ kind, facts }: BtError, good: number): ErrorKind {
  const cause = facts.cause;
  const root = kind === "unknown" && cause instanceof BtError ? cause.kind : kind;
  return root === "network" && good > 0 ? "busy" : root;
}
