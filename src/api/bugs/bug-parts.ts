import { isNotFound } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Attachment, BugHistory, Comment } from "../../wire/resources.ts";
import { timestamp } from "../../wire/time.ts";
import { type BatchPlan, requestAll } from "../batch.ts";
import { bugNames } from "../bug-ref.ts";
import { GET_BUG_ATTACHMENTS } from "../operations/attachments.ts";
import { BUG_HISTORY } from "../operations/bugs.ts";
import { GET_COMMENTS } from "../operations/comments.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { readBugAttachments, readBugComments, readHistories, receivedMs } from "../response/response-objects.ts";

/** All visible comments of a bug. */
export async function fetchComments(bug: number | string, send: SendRequest): Promise<Comment[]> {
  const response = await send(requestFor(GET_COMMENTS, { id_or_alias: bug }));
  return [...readBugComments(response).values()].flat();
}

/** Plan for reading the histories of bugs by id, whole or after a time. */
export function historyPlan(new_since: string | undefined): BatchPlan<BugHistory> {
  return {
    request: (ids) => requestFor(BUG_HISTORY, { ids, new_since }),
    read: (response) => readHistories(response).map((thing) => ({ thing, names: bugNames(thing) })),
  };
}

/** Plan for reading the comments of bugs. */
export function commentsPlan(new_since?: string): BatchPlan<Comment[]> {
  return {
    request: (ids) => requestFor(GET_COMMENTS, { ids, new_since }),
    read: (response) => [...readBugComments(response)].map(([id, thing]) => ({ thing, names: [id] })),
  };
}

/** Plan for reading all attachments of bugs by id, without their data. */
export const ATTACHMENTS_OF_BUGS: BatchPlan<readonly Attachment[]> = {
  request: (ids) => requestFor(GET_BUG_ATTACHMENTS, { ids, exclude_fields: "data" }),
  read: (response) => [...readBugAttachments(response)].map(([id, thing]) => ({ thing, names: [id] })),
};

/** Data to read in addition to bugs. */
export type ThreadOptions = { comments: boolean; history: boolean };

/** A bug with its comments and history, as far as requested. */
export type BugWithThread = Bug & {
  readonly comments?: readonly Comment[];
  readonly history?: BugHistory["history"];
};

/** The bugs of each page with their comments and histories, read in few requests. */
export async function* withThreads(
  pages: AsyncIterable<readonly Bug[]>,
  options: ThreadOptions,
  send: SendRequest,
): AsyncGenerator<BugWithThread[]> {
  for await (const page of pages) {
    const ids = page.map(({ id }) => String(id));
    const [comments, histories] = await Promise.all([
      options.comments ? readPartsOfBugs(ids, commentsPlan(), send) : undefined,
      options.history ? readPartsOfBugs(ids, historyPlan(undefined), send) : undefined,
    ]);
    yield page.map((bug) => {
      const id = String(bug.id);
      return {
        ...bug,
        ...(comments && { comments: comments.get(id) ?? [] }),
        ...(histories && { history: histories.get(id)?.history ?? [] }),
      };
    });
  }
}

/** Comments, histories or the like by the ids of bugs, without those of bugs that were deleted or are hidden from the user. */
export function readPartsOfVisibleBugs<Thing>(ids: string[], plan: BatchPlan<Thing>, send: SendRequest) {
  return readPartsOfBugs(ids, plan, send, isNotFound);
}

/**
 * Comments, histories or the like of bugs, by the ids of their bugs.
 * @throws BtError if those of a bug cannot be read, unless such bugs are left out
 */
export async function readPartsOfBugs<Thing>(
  ids: string[],
  plan: BatchPlan<Thing>,
  send: SendRequest,
  isLeftOut: (error: unknown) => boolean = () => false,
): Promise<ReadonlyMap<string, Thing>> {
  const found = new Map<string, Thing>();
  for (const outcome of await requestAll(ids, plan, send)) {
    if ("thing" in outcome) found.set(outcome.ref, outcome.thing);
    else if (!isLeftOut(outcome.error)) throw outcome.error;
  }
  return found;
}

/** A bulk update appears minutes after its stamps, and in autumn the clock of a server goes back by an hour. */
export const REACH_MS = 70 * 60_000;
const WIDE_REACH_MS = 25 * 3_600_000;

/** The start of the day before a mark. */
export function dayBefore(mark: string): string {
  return momentBefore(mark, WIDE_REACH_MS);
}

/**
 * A time some milliseconds before one that a tracker returned, not before 1970.
 * @throws BtError of kind reply if it is no time
 */
export function momentBefore(mark: string, ms: number): string {
  return timestamp(Math.max(0, receivedMs(mark) - ms));
}
