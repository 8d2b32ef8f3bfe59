import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import type { Comment } from "../../wire/resources.ts";
import { GET_COMMENTS, GET_COMMENTS_BY_ID } from "../operations/comments.ts";
import { pathValues } from "../operations/known-operations.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { readBugComments, readTags, unexpectedShapeError } from "../response/response-objects.ts";
import { likeness } from "../write/likeness.ts";
import { requestBody, writeTargets } from "../write/update-request.ts";
import { writeState } from "../write/write-state.ts";
import {
  bestMatches,
  earliestSent,
  type FindMatchesBefore,
  isRequester,
  judgeMatches,
  MAX_CANDIDATES,
  notFoundVerification,
  type SentWrite,
  type Verification,
  type VerifyContext,
  type VerifyWrite,
} from "./write.ts";

/** Verifies a new comment by author, text and privacy among the comments made since it was sent. */
export const verifyCommentCreate: VerifyWrite = async (sent, context) => {
  return verifyWantedComment(wantedComment(sent), sent, context);
};

/** Ids of recent comments with the same text and privacy. */
export const matchingCommentsBefore: FindMatchesBefore = (sent, send) =>
  findSimilarComments(wantedComment(sent), sent, send);

function wantedComment({ request }: SentWrite): WantedComment {
  const { comment, is_private } = requestBody(request);
  return { bug: writeTargets(request)[0] ?? "", text: String(comment), isPrivate: is_private === true };
}

/** Ids of recent comments that are like the wanted one. */
export async function findSimilarComments(
  wanted: WantedComment,
  { since }: SentWrite,
  send: SendRequest,
): Promise<number[]> {
  return (await readCommentsSince(wanted.bug, since, send))
    .filter((one) => isLikeWanted(wanted, one))
    .map(({ id }) => id);
}

/** Expected comment on a bug. `isPrefix`: the tracker appends text of its own. */
export type WantedComment = {
  readonly bug: string;
  readonly text: string;
  readonly isPrivate: boolean;
  readonly isPrefix?: boolean;
};

/** Verifies the comment of a write among those made since it was sent, and by no other write. */
export async function verifyWantedComment(
  wanted: WantedComment,
  sent: SentWrite,
  context: VerifyContext,
): Promise<Verification> {
  const recent = await readCommentsSince(wanted.bug, sent.since, context.send);
  const own = recent.filter(({ id, creator }) => isRequester(context, creator) !== false && !sent.alike?.includes(id));
  if (own.length === 0) return { status: "not-found" };
  const claimed = new Set<Json | undefined>();
  let unnumbered = 0; // comments
  for (const other of context.confirmed().filter(({ request }) => isSimilarComment(request, wanted))) {
    const id = isObject(other.response) ? other.response["id"] : undefined;
    if (id !== undefined) claimed.add(id);
    else if (other.at >= sent.at - CONCURRENT_MS) unnumbered += 1;
  }
  const free = own.filter(({ id }) => !claimed.has(id));
  const differences = (comment: Comment) => commentDifferences(wanted, comment);
  const found = bestMatches(
    free.filter((one) => isLikeWanted(wanted, one)),
    differences,
  );
  if (found.length === 0) return notFoundVerification(candidateLines(free, sent));
  return judgeMatches(found.slice(unnumbered), sent, {
    toResponse: ({ id }) => ({ id }),
    describe: (one) => `${commentName(one)} has ${differences(one).length === 0 ? "the same" : "a similar"} text`,
    differences,
  });
}

/** An update that was sent so long before a write may have added its comment, of unknown number, after it. */
const CONCURRENT_MS = 60 * 1000;

/** True if a comment may be the wanted one, as it was stored, or hidden or completed since. */
function isLikeWanted({ text, isPrefix = false }: WantedComment, { text: stored }: Comment): boolean {
  return likeness(text, stored) !== "other" || (isPrefix && stored.startsWith(text.trimEnd()));
}

/** Values of a comment that the tracker stored differently, as sentences. */
function commentDifferences({ text, isPrivate, isPrefix = false }: WantedComment, comment: Comment): string[] {
  const { id, text: stored, is_private } = comment;
  const differences: string[] = [];
  const isSame = likeness(text, stored) === "same" || (isPrefix && stored.startsWith(text.trimEnd()));
  if (!isSame) differences.push(`comment ${id} is stored as ${JSON.stringify(stored)}`);
  if (is_private !== isPrivate) differences.push(`comment ${id} is ${is_private ? "private" : "public"}`);
  return differences;
}

/** Lines on the requester's comments since one was sent, which may be it and edited since. */
function candidateLines(own: Comment[], sent: SentWrite): string[] {
  const later = own.filter(({ time }) => Date.parse(time) >= earliestSent(sent));
  return later
    .slice(0, MAX_CANDIDATES)
    .map((one) => `${commentName(one)} by ${one.creator}: ${JSON.stringify(one.text.slice(0, 80))}`);
}

function commentName({ id, count, time }: Comment): string {
  return `comment ${id} (#${count} of ${time})`;
}

export async function readCommentsSince(bug: string, moment: string, send: SendRequest): Promise<Comment[]> {
  const response = await send(requestFor(GET_COMMENTS, { id_or_alias: bug, new_since: moment }));
  const bugs = readBugComments(response);
  const own = /^\d+$/.test(bug) ? bugs.get(bug) : [...bugs.values()].flat();
  if (!own) throw unexpectedShapeError(`comments of bug ${bug}`);
  return own.filter(isComment);
}

/** Current state of a comment by id; undefined if it is not visible. */
export async function fetchComment(id: string, { send }: VerifyContext): Promise<JsonObject | undefined> {
  const response = await send(requestFor(GET_COMMENTS_BY_ID, { comment_id: id }));
  const comments = isObject(response) ? response["comments"] : undefined;
  const comment = isObject(comments) ? comments[id] : undefined;
  return isObject(comment) ? comment : undefined;
}

function isComment(value: unknown): boolean {
  const { id, text, creator } = Object(value) as Record<string, unknown>;
  return Number.isSafeInteger(id) && typeof text === "string" && typeof creator === "string";
}

function isSimilarComment(request: SentWrite["request"], { bug, text }: WantedComment): boolean {
  const { comment } = requestBody(request);
  const sentText = isObject(comment) ? (comment as JsonObject)["body"] : comment;
  return writeTargets(request).includes(bug) && typeof sentText === "string" && likeness(sentText, text) !== "other";
}

/**
 * The summary as trackers store it, with control characters replaced by spaces.
 * @see Bugzilla/Util.pm of Bugzilla, `clean_text`
 */
export function storedSummary(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").trim();
}

/** Verifies a tag update by the current tags of the comment. Resending a tag update is harmless. */
export const verifyTags: VerifyWrite = async ({ request }, context) => {
  const { comment_id: id = "" } = pathValues(request);
  const comment = await fetchComment(id, context);
  if (comment === undefined) return { status: "not-found" };
  const tags = readTags(comment["tags"] ?? null);
  return hasRequestedTags(tags, request) ? { status: "applied", response: tags } : { status: "not-found" };
};

/** True if a response lists the tags expected after the update; empty for a comment that does not exist. */
export function isTagsResponse(response: Json, request: Request): boolean {
  if (!Array.isArray(response)) return false;
  const tags = (response as Json[]).filter((tag) => tag !== null);
  return tags.every((tag) => typeof tag === "string") && (tags.length === 0 || hasRequestedTags(tags, request));
}

/** True if the tags are as requested. A tag both added and removed is removed; null is ignored. */
function hasRequestedTags(tags: string[], request: Request): boolean {
  const { add, remove } = requestBody(request);
  const wanted = tagNames(add);
  const unwanted = tagNames(remove);
  const edit = { add: wanted.filter((tag) => !unwanted.includes(tag)), remove: unwanted };
  return writeState({ tags: edit }, { before: undefined, now: { tags } }) === "requested";
}

function tagNames(tags: Json | undefined): Json[] {
  return itemsIn(tags).filter((tag) => tag !== null);
}
