import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import type { MirrorFacts, MirrorStore, ReceivedBug } from "../../wire/mirror.ts";
import { parted } from "../lists.ts";
import { GET_ATTACHMENTS, GET_BUG_ATTACHMENTS } from "../operations/attachments.ts";
import { BUG_HISTORY } from "../operations/bugs.ts";
import { GET_COMMENTS } from "../operations/comments.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import {
  isObject,
  readAttachments,
  readBugAttachments,
  readBugComments,
  readHistories,
} from "../response/response-objects.ts";
import type { Pace } from "../search/pace.ts";
import { idOf } from "./search.ts";
import { type FailedBug, readTolerantly, type TolerantResult } from "./tolerant.ts";

/** Number of bugs whose comments, histories and attachments are read by one request each. */
export const BUGS_PER_REQUEST = 100;

/** Bugs that were read in full, and those that fail. */
export type FullBugs = { readonly bugs: readonly ReceivedBug[]; readonly failed: readonly FailedBug[] };

/** Options of reading bugs in full. With a pace, two requests are in flight where that is faster. */
export type FullReading = {
  readonly ask: SendRequest;
  readonly pace?: Pace | undefined;
  readonly mirror: Pick<MirrorStore, "withoutData">;
  readonly facts: Pick<MirrorFacts, "attachments" | "publicOnly">;
};

/**
 * Complete comments, histories and attachments of bugs that were just read. They are not older than the bugs, so a
 * change in between gives the bug a different time at the next sync.
 */
export async function readFull(bugs: readonly JsonObject[], reading: FullReading): Promise<FullBugs> {
  const read = await readParts(bugs.map(idOf), reading);
  const [comments, histories, attachments] = read.map(({ things }) => new Map(things));
  const reasons = new Map(read.flatMap(({ failed }) => failed.map((one) => [one.id, one] as const)));
  const complete: ReceivedBug[] = [];
  for (const bug of bugs.filter((one) => !reasons.has(idOf(one)))) {
    const received = {
      bug,
      comments: comments?.get(idOf(bug)) ?? [],
      history: histories?.get(idOf(bug)) ?? [],
      attachments: attachments?.get(idOf(bug)) ?? [],
    };
    complete.push(await withContent(reading.facts.publicOnly ? publicParts(received) : received, reading));
  }
  return { bugs: complete, failed: [...reasons.values()] };
}

/** Comments, histories and attachments. */
async function readParts(ids: readonly number[], { ask, pace }: FullReading): Promise<readonly PartsRead[]> {
  if (pace && !pace.isUndecided()) {
    return Promise.all([COMMENTS, HISTORIES, ATTACHMENTS].map((part) => readPart(ids, part, pacedBy(pace, ask))));
  }
  const comments = pace && ids.length >= MIN_TO_COMPARE ? comparing(ids, ask, pace) : readPart(ids, COMMENTS, ask);
  return [await comments, await readPart(ids, HISTORIES, ask), await readPart(ids, ATTACHMENTS, ask)];
}

/** Number of bugs whose comments take long enough for times to be compared. */
const MIN_TO_COMPARE = 60;

/** Reads the comments of a third of the bugs alone, and of two thirds at once, which decides the pace. */
async function comparing(ids: readonly number[], ask: SendRequest, pace: Pace): Promise<PartsRead> {
  const read = (some: readonly number[]) => readPart(some, COMMENTS, pacedBy(pace, ask));
  const [alone = [], ...together] = parted(ids, Math.ceil(ids.length / 3));
  const parts = [await read(alone), ...(await Promise.all(together.map(read)))];
  return { things: parts.flatMap(({ things }) => things), failed: parts.flatMap(({ failed }) => failed) };
}

/** Sends requests when the pace allows them. */
export function pacedBy(pace: Pace, ask: SendRequest): SendRequest {
  return async (request) => pace.send(async () => ask(request));
}

type PartsRead = TolerantResult<Entry>;

/** A part of many bugs: its request, and its lists by bug. */
type Part = {
  readonly request: (ids: readonly number[]) => Request;
  readonly read: (answer: Json) => readonly Entry[];
};

type Entry = readonly [id: number, list: readonly JsonObject[]];

const COMMENTS: Part = {
  request: (ids) => requestFor(GET_COMMENTS, { ids }),
  read: (answer) => [...readBugComments(answer)].map(([id, list]) => [Number(id), list as readonly JsonObject[]]),
};

const HISTORIES: Part = {
  request: (ids) => requestFor(BUG_HISTORY, { ids }),
  read: (answer) => readHistories(answer).map(({ id, history }) => [id, history as unknown as readonly JsonObject[]]),
};

const ATTACHMENTS: Part = {
  request: (ids) => requestFor(GET_BUG_ATTACHMENTS, { ids, exclude_fields: "data" }),
  read: (answer) =>
    [...readBugAttachments(answer)].map(([id, list]) => [Number(id), list as unknown as readonly JsonObject[]]),
};

function readPart(ids: readonly number[], { request, read }: Part, ask: SendRequest) {
  return readTolerantly(ids, async (some) => {
    const entries = read(await ask(request(some)));
    return entries.filter(([id]) => some.includes(id));
  });
}

/** The bug with the content of attachments that are new, if the mirror keeps it; each is a request of its own. */
async function withContent(received: ReceivedBug, { ask, mirror, facts }: FullReading): Promise<ReceivedBug> {
  if (facts.attachments === "none" || received.attachments.length === 0) return received;
  const lacking = new Set(mirror.withoutData(received.attachments.map(idOf)));
  const attachments: JsonObject[] = [];
  for (const one of received.attachments) {
    if (!lacking.has(idOf(one))) attachments.push(one);
    else attachments.push({ ...one, data: await contentOf(idOf(one), ask) });
  }
  return { ...received, attachments };
}

async function contentOf(id: number, ask: SendRequest): Promise<string> {
  const request = requestFor(GET_ATTACHMENTS, { attachment_ids: [id], include_fields: "id,data" });
  const [attachment] = readAttachments(await ask(request)) as readonly JsonObject[];
  return String(attachment?.["data"] ?? "");
}

/** The bug without private comments and attachments, and without their changes. */
function publicParts({ bug, comments, history, attachments }: ReceivedBug): ReceivedBug {
  const isPublic = ({ is_private }: JsonObject) => is_private !== true && is_private !== 1;
  const hidden = new Set(attachments.filter((one) => !isPublic(one)).map(idOf));
  const isShown = (change: JsonObject) =>
    change["comment"] === undefined && !hidden.has(Number(change["attachment_id"]));
  const entries = history
    .map((entry) => ({
      ...entry,
      changes: [entry["changes"] ?? []].flat().filter((one) => isObject(one) && isShown(one)),
    }))
    .filter(({ changes }) => changes.length > 0);
  return { bug, comments: comments.filter(isPublic), history: entries, attachments: attachments.filter(isPublic) };
}
