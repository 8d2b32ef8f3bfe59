import { type BtError, isKind } from "../errors.ts";
import { type Bug, DEPENDENCY_FIELDS } from "../wire/bug-fields.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import type { Attachment, BugHistory, Comment } from "../wire/resources.ts";
import { timestamp } from "../wire/time.ts";
import { type BatchOutcome, type BatchPlan, requestAll, requestEach } from "./batch.ts";
import { type BugRef, bugNames, isBugId } from "./bug-ref.ts";
import { partition } from "./lists.ts";
import { GET_BUG_ATTACHMENTS } from "./operations/attachments.ts";
import { BUG_HISTORY, GET_BUG } from "./operations/bugs.ts";
import { GET_COMMENTS } from "./operations/comments.ts";
import { fitsInPath, requestFor, type SendRequest } from "./operations/operation.ts";
import {
  readBugAttachments,
  readBugComments,
  readBugs,
  readHistories,
  receivedTime,
  unexpectedShapeError,
} from "./response/response-objects.ts";

/** Plan for reading bugs by id or alias: these fields, the id and the alias. */
export function bugPlan(include: readonly string[]): BatchPlan<Bug> {
  return {
    request: (refs) => {
      const names = refs.every(isBugId) ? ["id"] : ["id", "alias"];
      const flags = include.includes("_default") ? ["flags"] : []; // which not every tracker's default fields have
      const include_fields = [...new Set([...include, ...flags, ...names])].join(",");
      return requestFor(GET_BUG, { ids: refs, include_fields });
    },
    read: (response) => readBugs(response).map((bug) => [bugNames(bug), bug]),
  };
}

/**
 * Id of a bug; an alias is looked up, so that the write does not follow the alias to another bug.
 * @throws BtError of kind missing if the alias does not exist
 */
export async function readBugNumber(ref: BugRef, send: SendRequest): Promise<number> {
  return isBugId(ref) ? Number(ref) : (await readBug(ref, [], send)).id;
}

/** One bug by id or alias with these fields. @throws BtError of kind missing if it does not exist or is hidden */
export function readBug(ref: BugRef, include: string[], send: SendRequest): Promise<Bug> {
  return readOne(ref, bugPlan(include), send);
}

/** All visible comments of a bug. */
export function fetchComments(bug: number, send: SendRequest): Promise<Comment[]> {
  return readOne(String(bug), commentsPlan(), send);
}

async function readOne<Thing>(ref: BugRef, plan: BatchPlan<Thing>, send: SendRequest): Promise<Thing> {
  const [outcome] = await requestAll([ref], plan, send);
  if (outcome && "thing" in outcome) return outcome.thing;
  throw outcome?.error ?? unexpectedShapeError(`bug ${ref}`);
}

/**
 * Body of a write with all bugs it refers to (dependencies, duplicates) by id. This is what is
 * journaled: an alias may name another bug by the time the write is resumed.
 */
export async function resolveBugNumbers(body: JsonObject, send: SendRequest): Promise<JsonObject> {
  const resolved: Record<string, Json> = { ...body };
  for (const name of BUG_PARAMETERS) {
    const value = body[name];
    if (value !== undefined) resolved[name] = await replaceAliases(value, send);
  }
  return resolved;
}

/** Parameters of writes whose values name bugs. */
const BUG_PARAMETERS = [...DEPENDENCY_FIELDS, "dupe_of"];

/** The value with the id of the bug for each text in it, a number or an alias. */
async function replaceAliases(value: Json, send: SendRequest): Promise<Json> {
  if (typeof value === "string") return readBugNumber(value, send);
  if (Array.isArray(value)) return Promise.all(value.map((item) => replaceAliases(item as Json, send)));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(async ([name, part]) => [name, await replaceAliases(part, send)] as const);
  return Object.fromEntries(await Promise.all(parts));
}

/** The error of each body that refers by id to a missing bug; each bug is requested once. */
export async function findMissingBugs(bodies: JsonObject[], send: SendRequest): Promise<(BtError | undefined)[]> {
  const referred = bodies.map(referredBugs);
  const outcomes = await requestAll(referred.flat(), bugPlan([]), send);
  const errors = new Map(outcomes.map((outcome) => [outcome.ref, "error" in outcome ? outcome.error : undefined]));
  return referred.map((refs) => refs.map((ref) => errors.get(ref)).find((error) => error !== undefined));
}

/** Bugs that a body of a write adds or sets by id. */
function referredBugs(body: JsonObject): BugRef[] {
  const named = BUG_PARAMETERS.map((name) => body[name]);
  const ids = named.flatMap((value) => (isObject(value) ? [value["add"], value["set"]] : [value])).flat();
  return ids.filter((id) => typeof id === "number").map(String);
}

const MAX_THREADS = 100; // in a request: a bug may have hundreds of comments, changes and attachments

/** Plan for reading the histories of bugs by id, whole or after a time. */
export function historyPlan(new_since?: string): BatchPlan<BugHistory> {
  return {
    maximum: MAX_THREADS,
    request: (ids) => requestFor(BUG_HISTORY, { ids, new_since }),
    read: (response) => readHistories(response).map((bug) => [bugNames(bug), bug]),
  };
}

/** Plan for reading the comments of bugs. */
export function commentsPlan(new_since?: string): BatchPlan<Comment[]> {
  const request = (ids: readonly BugRef[]) => requestFor(GET_COMMENTS, { ids, new_since });
  return { maximum: MAX_THREADS, request, read: readBugComments };
}

/** Plan for reading all attachments of bugs by id, without their data. */
export const ATTACHMENTS_OF_BUGS: BatchPlan<readonly Attachment[]> = {
  maximum: MAX_THREADS,
  request: (ids) => requestFor(GET_BUG_ATTACHMENTS, { ids, exclude_fields: "data" }),
  read: readBugAttachments,
};

/** Like `requestEach` for parts of bugs: an alias that no path can hold is resolved first. */
export async function* requestParts<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  send: SendRequest,
): AsyncGenerator<readonly BatchOutcome<Thing>[]> {
  const [names, aliases] = partition(refs, fitsInPath);
  for (const outcome of await requestAll(aliases, bugPlan([]), send)) {
    if ("error" in outcome) yield [outcome];
    else names.push(String(outcome.thing.id));
  }
  yield* requestEach(names, plan, send);
}

/** A bug with its comments and history, as far as requested. */
export type BugWithThread = Bug & {
  readonly comments?: readonly Comment[];
  readonly history?: BugHistory["history"];
};

/** The bugs of each page with their comments and histories, read in few requests. */
export async function* withThreads(
  pages: AsyncIterable<readonly Bug[]>,
  parts: { comments: boolean; history: boolean },
  send: SendRequest,
): AsyncGenerator<BugWithThread[]> {
  for await (const page of pages) {
    const ids = page.map(({ id }) => String(id));
    const [comments, histories] = await Promise.all([
      parts.comments && readPartsOfBugs(ids, commentsPlan(), send),
      parts.history && readPartsOfBugs(ids, historyPlan(), send),
    ]);
    yield page.map((bug) => ({
      ...bug,
      ...(comments && { comments: comments.get(String(bug.id)) ?? [] }),
      ...(histories && { history: histories.get(String(bug.id))?.history ?? [] }),
    }));
  }
}

/**
 * Comments, histories or the like by the ids of bugs.
 * @throws BtError for a bug that cannot be read; of the `visible` ones, bugs that are deleted or hidden by then are left out
 */
export async function readPartsOfBugs<Thing>(
  ids: string[],
  plan: BatchPlan<Thing>,
  send: SendRequest,
  which: "all" | "visible" = "all",
): Promise<ReadonlyMap<string, Thing>> {
  const found = new Map<string, Thing>();
  for (const outcome of await requestAll(ids, plan, send)) {
    if ("thing" in outcome) found.set(outcome.ref, outcome.thing);
    else if (which === "all" || !isKind(outcome.error, "missing", "auth")) throw outcome.error;
  }
  return found;
}

/** The time so many milliseconds before a received one, not before 1970. @throws BtError of kind reply if it is no time */
export function momentBefore(mark: string, ms: number): string {
  return timestamp(Math.max(0, Date.parse(receivedTime(mark)) - ms));
}
