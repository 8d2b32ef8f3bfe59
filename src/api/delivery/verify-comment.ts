import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Comment } from "../../wire/resources.ts";
import { GET_COMMENTS, GET_COMMENTS_BY_ID } from "../operations/comments.ts";
import { pathValues } from "../operations/known-operations.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { readBugComments, readTags, unexpectedShape } from "../response/response-objects.ts";
import { requestBody, writeTargets } from "../write/update-request.ts";
import {
  type FindMatchesBefore,
  isRequester,
  judgeMatches,
  type SentWrite,
  type Verification,
  type VerifyContext,
  type VerifyWrite,
} from "./write.ts";
import { writeState } from "./write-state.ts";

/** Verifies a new comment by author, text and privacy among the comments made since it was sent. */
export const verifyCommentCreate: VerifyWrite = async (sent, context) => {
  return judgeComments(await matchingComments(wantedComment(sent), sent, context), sent);
};

/** Ids of recent comments with the same text and privacy. */
export const matchingCommentsBefore: FindMatchesBefore = (sent, send) => sameComments(wantedComment(sent), sent, send);

function wantedComment({ request }: SentWrite): WantedComment {
  const { comment, is_private } = requestBody(request);
  return { bug: writeTargets(request)[0] ?? "", text: String(comment), isPrivate: is_private === true };
}

/** Ids of recent comments that match the wanted one. */
export async function sameComments(wanted: WantedComment, { since }: SentWrite, send: SendRequest): Promise<number[]> {
  return (await commentsSince(wanted.bug, since, send)).filter(matchesText(wanted)).map(({ id }) => id);
}

/** Expected comment on a bug. `isPrefix`: the tracker appends text of its own. */
export type WantedComment = {
  readonly bug: string;
  readonly text: string;
  readonly isPrivate: boolean;
  readonly isPrefix?: boolean;
};

/** Comments that may be the wanted one: made since the write was sent, and by no other write. */
export async function matchingComments(
  wanted: WantedComment,
  sent: SentWrite,
  context: VerifyContext,
): Promise<Comment[]> {
  const recent = await commentsSince(wanted.bug, sent.since, context.send);
  const alike = recent.filter(matchesText(wanted)).filter(({ creator }) => isRequester(context, creator) !== false);
  if (alike.length === 0) return [];
  const claimed = new Set<Json | undefined>();
  let unnumbered = 0;
  for (const other of context.confirmed().filter(({ request }) => isSameComment(request, wanted))) {
    const id = isObject(other.response) ? other.response["id"] : undefined;
    if (id !== undefined) claimed.add(id);
    else if (other.at >= sent.at - CONCURRENT_MS) unnumbered += 1;
  }
  return alike.filter(({ id }) => !claimed.has(id) && !sent.alike?.includes(id)).slice(unnumbered);
}

/** An update that was sent so long before a write may have added its comment, of unknown number, after it. */
const CONCURRENT_MS = 60 * 1000;

function matchesText({ text, isPrivate, isPrefix = false }: WantedComment): (comment: Comment) => boolean {
  return (one) =>
    one.is_private === isPrivate && (isStoredAs(text, one.text) || (isPrefix && one.text.startsWith(text.trimEnd())));
}

export async function commentsSince(bug: string, moment: string, send: SendRequest): Promise<Comment[]> {
  const response = await send(requestFor(GET_COMMENTS, { id_or_alias: bug, new_since: moment }));
  const bugs = readBugComments(response);
  const own = /^\d+$/.test(bug) ? bugs.get(bug) : [...bugs.values()].flat();
  if (!own) throw unexpectedShape(`comments of bug ${bug}`);
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

function isSameComment(request: SentWrite["request"], { bug, text }: WantedComment): boolean {
  const { comment } = requestBody(request);
  const sentText = isObject(comment) ? (comment as JsonObject)["body"] : comment;
  return writeTargets(request).includes(bug) && typeof sentText === "string" && isStoredAs(sentText, text);
}

/** Verification from matching comments. */
export function judgeComments(found: Comment[], sent: SentWrite): Verification {
  return judgeMatches(found, sent, {
    toResponse: ({ id }) => ({ id }),
    describe: ({ id, count, time }) => `comment ${id} (#${count} of ${time}) has the same text`,
  });
}

/**
 * True if a stored comment or description equals the text that was sent. Trackers normalize line ends and trim trailing
 * whitespace.
 */
export function isStoredAs(sent: string, stored: string): boolean {
  return normalizeText(sent) === normalizeText(stored);
}

/**
 * The summary as trackers store it, with control characters replaced by spaces.
 * @see Bugzilla/Util.pm of Bugzilla, `clean_text`
 */
export function storedSummary(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").trim();
}

function normalizeText(text: string): string {
  return text.replace(/\r\n?/g, "\n").trimEnd();
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
  const [wanted, unwanted] = [tagNames(add), tagNames(remove)];
  const edit = { add: wanted.filter((tag) => !unwanted.includes(tag)), remove: unwanted };
  return writeState({ tags }, { tags: edit }) === "requested";
}

function tagNames(tags: Json | undefined): Json[] {
  return Array.isArray(tags) ? tags.filter((tag) => tag !== null) : [];
}
