import { inChunks } from "../api/lists.ts";
import { GET_ATTACHMENTS, GET_BUG_ATTACHMENTS } from "../api/operations/attachments.ts";
import { BUG_HISTORY } from "../api/operations/bugs.ts";
import { GET_COMMENTS } from "../api/operations/comments.ts";
import { requestFor, type SendRequest } from "../api/operations/operation.ts";
import type { Chart } from "../api/query/chart.ts";
import { allOf, anyOf } from "../api/query/tree.ts";
import {
  readAttachments,
  readBugAttachments,
  readBugComments,
  readHistories,
} from "../api/response/response-objects.ts";
import type { Pace } from "../api/search/pace.ts";
import type { Json, JsonObject, Request } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import type { MirrorFacts, MirrorStore, ReceivedBug } from "../wire/mirror.ts";
import { timestamp } from "../wire/time.ts";
import {
  chartRow,
  type FailedBug,
  lastChangeTime,
  readBugsById,
  readTolerantly,
  receivedId,
  type TolerantResult,
} from "./search.ts";

/** Number of bugs whose comments, histories and attachments are read by one request each. */
export const BUGS_PER_REQUEST = 100;

/** Bugs that were read in full, and those that fail. */
type FullBugs = { bugs: ReceivedBug[]; failed: FailedBug[] };

/** Options of reading bugs in full. With a pace, two requests are in flight where that is faster. */
type FullReading = SyncContext & { pace?: Pace | undefined };

/**
 * Complete comments, histories and attachments of bugs that were just read. They are not older than the bugs, so a
 * change in between gives the bug a different time at the next sync.
 */
async function readFull(bugs: JsonObject[], reading: FullReading): Promise<FullBugs> {
  const read = await readParts(bugs.map(receivedId), reading);
  const [comments, histories, attachments] = read.map(({ things }) => new Map(things));
  const reasons = new Map(read.flatMap(({ failed }) => failed.map((one) => [one.id, one] as const)));
  const complete: ReceivedBug[] = [];
  for (const bug of bugs) {
    if (reasons.has(receivedId(bug))) continue;
    const received = {
      bug,
      comments: comments?.get(receivedId(bug)) ?? [],
      history: histories?.get(receivedId(bug)) ?? [],
      attachments: attachments?.get(receivedId(bug)) ?? [],
    };
    complete.push(await readNewContent(reading.facts.publicOnly ? publicParts(received) : received, reading));
  }
  return { bugs: complete, failed: [...reasons.values()] };
}

/** Comments, histories and attachments. */
async function readParts(ids: number[], { send, pace }: FullReading): Promise<PartsRead[]> {
  if (pace && !pace.isUndecided()) {
    return Promise.all([COMMENTS, HISTORIES, ATTACHMENTS].map((part) => readPart(ids, part, pacedBy(pace, send))));
  }
  const comments =
    pace && ids.length >= MIN_TO_COMPARE ? readComparingPace(ids, send, pace) : readPart(ids, COMMENTS, send);
  return [await comments, await readPart(ids, HISTORIES, send), await readPart(ids, ATTACHMENTS, send)];
}

/** Number of bugs whose comments take long enough for times to be compared. */
const MIN_TO_COMPARE = 60;

/** Reads the comments of a third of the bugs alone, and of two thirds at once, which decides the pace. */
async function readComparingPace(ids: number[], send: SendRequest, pace: Pace): Promise<PartsRead> {
  const read = (some: number[]) => readPart(some, COMMENTS, pacedBy(pace, send));
  const [alone = [], ...together] = inChunks(ids, Math.ceil(ids.length / 3));
  const parts = [await read(alone), ...(await Promise.all(together.map(read)))];
  return { things: parts.flatMap(({ things }) => things), failed: parts.flatMap(({ failed }) => failed) };
}

/** Sends requests when the pace allows them. */
export function pacedBy(pace: Pace, send: SendRequest): SendRequest {
  return async (request) => pace.send(async () => send(request));
}

type PartsRead = TolerantResult<Entry>;

/** A part of many bugs: its request, and its lists by bug. */
type Part = {
  request: (ids: number[]) => Request;
  read: (response: Json) => Entry[];
};

type Entry = [id: number, list: JsonObject[]];

const COMMENTS: Part = {
  request: (ids) => requestFor(GET_COMMENTS, { ids }),
  read: (response) => [...readBugComments(response)].map(([id, list]) => [Number(id), list as JsonObject[]]),
};

const HISTORIES: Part = {
  request: (ids) => requestFor(BUG_HISTORY, { ids }),
  read: (response) => readHistories(response).map(({ id, history }) => [id, history as unknown as JsonObject[]]),
};

const ATTACHMENTS: Part = {
  request: (ids) => requestFor(GET_BUG_ATTACHMENTS, { ids, exclude_fields: "data" }),
  read: (response) =>
    [...readBugAttachments(response)].map(([id, list]) => [Number(id), list as unknown as JsonObject[]]),
};

function readPart(ids: number[], { request, read }: Part, send: SendRequest) {
  return readTolerantly(ids, async (some) => {
    const entries = read(await send(request(some)));
    return entries.filter(([id]) => some.includes(id));
  });
}

/** The bug with the content of attachments that are new, if the mirror keeps it; each is a request of its own. */
async function readNewContent(received: ReceivedBug, { send, mirror, facts }: FullReading): Promise<ReceivedBug> {
  if (facts.attachments === "none" || received.attachments.length === 0) return received;
  const attachments: JsonObject[] = [];
  for (const attachment of received.attachments) {
    if (!mirror.lacksData(attachment)) attachments.push(attachment);
    else attachments.push({ ...attachment, data: await fetchContent(receivedId(attachment), send) });
  }
  return { ...received, attachments };
}

async function fetchContent(id: number, send: SendRequest): Promise<string> {
  const request = requestFor(GET_ATTACHMENTS, { attachment_ids: [id], include_fields: "id,data" });
  const [attachment] = readAttachments(await send(request)) as JsonObject[];
  return String(attachment?.["data"] ?? "");
}

/** The bug without private comments and attachments, and without their changes. */
function publicParts({ bug, comments, history, attachments }: ReceivedBug): ReceivedBug {
  const isPublic = ({ is_private }: JsonObject) => is_private !== true && is_private !== 1;
  const hidden = new Set(attachments.filter((attachment) => !isPublic(attachment)).map(receivedId));
  const isShown = (change: JsonObject) =>
    change["comment"] === undefined && !hidden.has(Number(change["attachment_id"]));
  const entries = history
    .map((entry) => ({
      ...entry,
      changes: [entry["changes"] ?? []].flat().filter((item) => isObject(item) && isShown(item)),
    }))
    .filter(({ changes }) => changes.length > 0);
  return { bug, comments: comments.filter(isPublic), history: entries, attachments: attachments.filter(isPublic) };
}

/** Context of the parts of a sync. `now` is the clock of this machine. */
export type SyncContext = {
  send: SendRequest;
  mirror: MirrorStore;
  facts: MirrorFacts; // as at the start
  now: () => Date;
};

/** Numbers of bugs for the report of a sync; those that are read again without a change are not counted. */
export type SyncCount = { changed: number; added: number; removed: number; failed: number };

/** Fields of bugs that are read: all, also those of the requester alone, such as personal tags. */
const WHOLE_BUG = "_all";

/** Reads bugs in full by id and stores them; removes those that are not visible, or not for the mirror. */
export async function refreshBugs(ids: number[], count: SyncCount, context: SyncContext): Promise<void> {
  await dropBugs(await fetchBugs(ids, count, context), count, context);
}

/** Reads bugs in full by id and stores them; returns the ids of the others. */
async function fetchBugs(ids: number[], count: SyncCount, context: SyncContext): Promise<number[]> {
  const missing: number[] = [];
  const byIds = { include: WHOLE_BUG, longest: context.facts.longestPage };
  for (const some of requestChunks(ids)) {
    const read = await readTolerantly(some, (part) => readBugsById(part, byIds, context.send));
    const bugs = read.things.filter((bug) => isInPart(bug, context.facts));
    await storeRead(await readInFull(bugs, context), { count, failed: read.failed }, context);
    const seen = new Set([...bugs.map(receivedId), ...read.failed.map(({ id }) => id)]);
    missing.push(...some.filter((id) => !seen.has(id)));
  }
  return missing;
}

/** Additions to bugs that were just read: facts that are stored with the last of them, and bugs that failed already. */
type KeepOptions = {
  count: SyncCount;
  failed?: FailedBug[];
  facts?: Partial<MirrorFacts>;
};

/** Bugs with comments, history and attachments, ready to be stored, and bugs that cannot be read. */
export type FullRead = {
  readTime: string;
  bugs: ReceivedBug[];
  failed: FailedBug[];
};

/** Reads comments, history and attachments of bugs that were just read. */
export async function readInFull(bugs: JsonObject[], reading: FullReading): Promise<FullRead> {
  const readTime = timestamp(reading.now().getTime());
  return { readTime, ...(await readFull(bugs, reading)) };
}

/** Stores bugs, and the facts with them. */
export async function storeRead(
  { readTime, bugs, failed: failing }: FullRead,
  { count, failed = [], facts = {} }: KeepOptions,
  { mirror }: SyncContext,
): Promise<void> {
  const all = [...failed, ...failing];
  if (all.length > 0) mirror.markFailed(all, readTime);
  const before = new Map(mirror.bugs({ ids: bugs.map(({ bug }) => receivedId(bug)) }).map((one) => [one.id, one]));
  await mirror.keepBugs(bugs, readTime, facts);
  for (const { bug } of bugs) {
    const known = before.get(receivedId(bug));
    if (known === undefined) count.added += 1;
    else if (known.lastChangeTime !== lastChangeTime(bug)) count.changed += 1;
  }
  count.failed += all.length;
}

/** Removes bugs that are no longer visible, and refreshes the bugs that refer to them. */
async function dropBugs(ids: number[], count: SyncCount, context: SyncContext): Promise<void> {
  const held = context.mirror.bugs({ ids }).map(({ id }) => id);
  if (held.length === 0) return;
  context.mirror.removeBugs(held);
  count.removed += held.length;
  await refreshStale(count, context);
}

/** Reads bugs again that may have changed although their time did not. */
export async function refreshStale(count: SyncCount, context: SyncContext): Promise<void> {
  const ids = context.mirror.staleBugs().map(({ id }) => id);
  await refreshBugs(ids, count, context);
}

/** Ids in chunks of about the size of a request; a remainder is spread over the chunks. */
function requestChunks(ids: number[]): number[][] {
  const count = Math.max(1, Math.round(ids.length / BUGS_PER_REQUEST));
  return inChunks(ids, Math.ceil(ids.length / count));
}

/** The part of a tracker that a mirror has. */
export type MirrorPart = { readonly products: readonly string[]; readonly publicOnly: boolean };

/** Condition for the bugs of a part. */
export function partChart({ products, publicOnly }: MirrorPart): Chart {
  const parts: Chart[] = [];
  if (products.length > 0) parts.push(anyOf(products.map((name) => chartRow(["product", "equals", name]))));
  if (publicOnly) parts.push(chartRow(["bug_group", "isempty", ""]));
  return allOf(parts);
}

/** Fields that tell whether a bug is in a part. */
export function partFields({ products, publicOnly }: MirrorPart): string[] {
  return [products.length > 0 ? "product" : "", publicOnly ? "groups" : ""].filter(Boolean);
}

/** True for a bug of a part, received with its fields. */
export function isInPart({ product, groups }: JsonObject, { products, publicOnly }: MirrorPart): boolean {
  if (products.length > 0 && !products.includes(String(product))) return false;
  return !publicOnly || [groups ?? []].flat().length === 0;
}
