import { BtError } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { ChangedBug } from "../../wire/history.ts";
import { theOneNamed } from "../named-in-error.ts";
import { readChanged } from "../read.ts";
import type { Outcome } from "./deliver.ts";

/** What became of one bug of a change of many. */
export type Result = {
  readonly bug: string; // its number, or the alias that nothing goes by
  readonly st: "done" | "unchanged" | "failed" | "collision" | "unknown" | "not applied" | "not tried";
  readonly changed?: ChangedBug;
  readonly note?: string | undefined; // the state in more words: "unchanged, comment not added"
  readonly error?: BtError;
};

/** How a change of many bugs is sent. */
export type Many = {
  readonly body: JsonObject;
  readonly attempt: (ids: readonly number[]) => Promise<Outcome>;
  /** The bugs that may share a request, where not all of them may. */
  readonly groups?: ((ids: readonly number[]) => readonly (readonly number[])[]) | undefined;
  /** What is to be left out of a request that is about to go, with the reason. */
  readonly refuse: (ids: readonly number[]) => Promise<readonly Result[]>;
  readonly isStopped: () => boolean;
};

/**
 * Sends one change to many bugs, a few in each request, and tells of every one what became of it. A request that the
 * tracker refuses is split until the guilty bugs are alone; a tracker that cannot be reached any more ends it all.
 */
export async function* deliverMany(ids: readonly number[], many: Many): AsyncGenerator<readonly Result[]> {
  const queue = queueOf(ids, many);
  const told: Result[] = [];
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

function queueOf(ids: readonly number[], { body, groups = (all) => [all] }: Many): (readonly number[])[] {
  return groups(ids).flatMap((group) => chunks(group, sizeFor(body)));
}

/** One transaction on the tracker; what is said or logged goes to one bug at a time. */
const MOST_IN_ONE = 25;

function sizeFor(body: JsonObject): number {
  return addsEachTime(body) ? 1 : MOST_IN_ONE;
}

function addsEachTime(body: JsonObject): boolean {
  return body["comment"] !== undefined || body["work_time"] !== undefined;
}

/** The results of bugs that an answer tells of. What was said or logged does not stand among its changes, but was done. */
export function resultsOf(ids: readonly number[], answer: Json, body: JsonObject): readonly Result[] {
  const bugs = readChanged<ChangedBug>(answer, "bugs");
  const says = addsEachTime(body);
  return ids.map((id) => {
    const changed = bugs.find((bug) => Number(bug.id) === id);
    const isSame = !says && Object.keys(changed?.changes ?? {}).length === 0;
    return { bug: String(id), st: isSame ? "unchanged" : "done", ...(changed && { changed }) };
  });
}

/** The results of bugs whose request came to a bad end. */
export function troubleOf(ids: readonly (number | string)[], { st, error }: Trouble): readonly Result[] {
  return ids.map((id) => ({ bug: String(id), st: error.kind === "collision" ? "collision" : WORDS[st], error }));
}

type Trouble = Exclude<Outcome, { readonly st: "DONE" }>;

const WORDS = { FAILED: "failed", ABSENT: "not applied", COLLISION: "collision", UNKNOWN: "unknown" } as const;

const STOPPED = new BtError("partial", "stopped before its turn", { changed: "nothing" });

type Sent = {
  readonly results: readonly Result[];
  readonly parts: readonly (readonly number[])[]; // to be sent instead
  readonly end?: BtError; // nothing more is to be sent
};

async function sendChunk(chunk: readonly number[], many: Many): Promise<Sent> {
  const refused = await many.refuse(chunk);
  const ids = chunk.filter((id) => !refused.some(({ bug }) => bug === String(id)));
  if (ids.length === 0) return { results: refused, parts: [] };
  const outcome = await many.attempt(ids);
  if (outcome.st === "DONE") return { results: [...refused, ...resultsOf(ids, outcome.answer, many.body)], parts: [] };
  if (outcome.st !== "FAILED" || !isAboutBugs(outcome.error)) {
    const ends = outcome.st === "UNKNOWN" || (outcome.st === "FAILED" && !outcome.error.facts.isRolledBack);
    return { results: [...refused, ...endOf(ids, outcome)], parts: [], ...(ends ? { end: outcome.error } : {}) };
  }
  if (ids.length === 1) return { results: [...refused, ...troubleOf(ids, outcome)], parts: [] };
  return { results: refused, parts: split(ids, outcome.error) };
}

/** What could not be written down in the journal was not sent. */
function endOf(ids: readonly number[], outcome: Trouble): readonly Result[] {
  const isUnsent = outcome.st === "FAILED" && outcome.error.kind === "local";
  return isUnsent ? notTried(ids, outcome.error) : troubleOf(ids, outcome);
}

/** The bug that the refusal names apart from the others, or else halves. */
function split(ids: readonly number[], error: BtError): readonly (readonly number[])[] {
  const named = Number(theOneNamed(ids.map(String), error));
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
function hopeless(told: readonly Result[]): BtError | undefined {
  const [first] = told;
  const isSame = ({ st, error }: Result) => st === "failed" && codeOf(error) === codeOf(first?.error);
  return told.length >= MOST_REFUSED && told.every(isSame) ? first?.error : undefined;
}

const MOST_REFUSED = 25;

function codeOf(error: BtError | undefined): number | undefined {
  return error?.facts.bugzillaCode;
}

function notTried(ids: readonly number[], error: BtError): readonly Result[] {
  return ids.map((id) => ({ bug: String(id), st: "not tried", error }));
}

function chunks(ids: readonly number[], size: number): (readonly number[])[] {
  return [...Array(Math.ceil(ids.length / size)).keys()].map((at) => ids.slice(at * size, (at + 1) * size));
}
