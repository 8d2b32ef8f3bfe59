import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import type { Comment } from "../../wire/resources.ts";
import { getRequest, pathSegment, type SendRequest } from "../operations/operation.ts";
import { isObject, readBugComments, readTags, unexpectedShape } from "../response/response-objects.ts";
import {
  dayBeforeWrite,
  earliestWrite,
  type FindMatchesBefore,
  isOlderThanWrite,
  isRequester,
  ownMatches,
  requestBody,
  type SentWrite,
  secondsBeforeWrite,
  since,
  type Verification,
  type VerifyContext,
  type VerifyWrite,
  writeTargets,
} from "./write.ts";
import { writeState } from "./write-state.ts";

/** Looks for a comment by who wrote it, its text and its privacy, among those made since it was sent. */
export const verifyCommentCreate: VerifyWrite = async (sent, eyes) => {
  return judgeComments(await likelyComments(wantedBy(sent), sent, eyes), sent);
};

/** The comments of the day before that say the same. */
export const matchingCommentsBefore: FindMatchesBefore = (sent, ask) => sameComments(wantedBy(sent), sent, ask);

function wantedBy({ request }: SentWrite): WantedComment {
  const { comment, is_private } = requestBody(request);
  return { bug: writeTargets(request)[0] ?? "", text: String(comment), isPrivate: is_private === true };
}

/** The numbers of the comments of the day before a write that say the same as a wanted one. */
export async function sameComments(
  wanted: WantedComment,
  sent: SentWrite,
  ask: SendRequest,
): Promise<readonly number[]> {
  return (await commentsSince(wanted.bug, dayBeforeWrite(sent), ask)).filter(saying(wanted)).map(({ id }) => id);
}

/** A comment that should be on a bug; `isBegun` when the tracker adds words of its own behind it. */
export type WantedComment = {
  readonly bug: string;
  readonly text: string;
  readonly isPrivate: boolean;
  readonly isBegun?: boolean;
  readonly isOld?: (comment: Comment) => boolean; // was there when the bug was read
};

/** The comments on a bug that may be the wanted one: not there before it was sent, and not by another write that is known. */
export async function likelyComments(
  wanted: WantedComment,
  sent: SentWrite,
  eyes: VerifyContext,
): Promise<readonly Comment[]> {
  const rivals = eyes.rivals().filter(({ request }) => saysTheSame(request, wanted));
  const first = earliestWrite(sent, rivals);
  const recent = await commentsSince(wanted.bug, since({ ...sent, at: first.at }), eyes.ask);
  const others = eyes.settled().filter((other) => saysTheSame(other.request, wanted));
  const claimed = new Set(others.map(({ answer }) => (isObject(answer) ? answer["id"] : undefined)));
  const mine = recent
    .filter(saying(wanted))
    .filter(({ id, creator }) => isRequester(eyes, creator) !== false && !claimed.has(id));
  const alike = mine.filter((one) => !sent.alike?.includes(one.id) && !wanted.isOld?.(one));
  const unnamed = others.filter(({ at, answer }) => at >= first.at - 3000 && isObject(answer) && !("id" in answer));
  const elder = [...unnamed.map((other) => ({ ...other, isOlder: true })), ...rivals.filter(({ isOlder }) => isOlder)];
  const younger = rivals.filter(({ isOlder }) => !isOlder);
  // what was there before is the work of others, which look for no more then
  const gone = mine.filter((one) => !alike.includes(one) && one.time >= secondsBeforeWrite(first, 2));
  return ownMatches(alike, [...elder.slice(gone.length), ...younger]);
}

function saying({ text, isPrivate, isBegun = false }: WantedComment): (comment: Comment) => boolean {
  return (one) =>
    one.is_private === isPrivate && (isStoredAs(text, one.text) || (isBegun && one.text.startsWith(text.trimEnd())));
}

async function commentsSince(bug: string, moment: string, ask: SendRequest): Promise<readonly Comment[]> {
  const answer = await ask(getRequest(`/rest/bug/${pathSegment(bug)}/comment`, [["new_since", moment]]));
  const bugs = readBugComments(answer);
  const own = /^\d+$/.test(bug) ? bugs.get(bug) : [...bugs.values()].flat();
  if (!own) throw unexpectedShape(`comments of bug ${bug}`);
  return own.filter(isComment);
}

/** A comment as it is now, by its number; undefined when the tracker does not show it. */
export async function currentComment(id: string, { ask }: Pick<VerifyContext, "ask">): Promise<JsonObject | undefined> {
  const answer = await ask(getRequest(`/rest/bug/comment/${pathSegment(id)}`));
  const comments = isObject(answer) ? answer["comments"] : undefined;
  const comment = isObject(comments) ? comments[id] : undefined;
  return isObject(comment) ? comment : undefined;
}

function isComment(value: unknown): boolean {
  const { id, text, creator } = Object(value) as Record<string, unknown>;
  return Number.isSafeInteger(id) && typeof text === "string" && typeof creator === "string";
}

function saysTheSame(request: SentWrite["request"], { bug, text }: WantedComment): boolean {
  const { comment } = requestBody(request);
  const said = isObject(comment) ? (comment as JsonObject)["body"] : comment;
  return writeTargets(request).includes(bug) && typeof said === "string" && isStoredAs(said, text);
}

/** What is older than the write proves neither that it was made nor that it was not. */
export function judgeComments(found: readonly Comment[], sent: SentWrite): Verification {
  const since = found.filter(({ time }) => !isOlderThanWrite(sent, time));
  const [only, ...more] = since.length > 0 ? since : found;
  if (!only) return { sight: "absent" };
  if (more.length === 0 && since.length > 0) return { sight: "present", answer: { id: only.id } };
  return {
    sight: "contradiction",
    details: [only, ...more].map(({ id, count, time }) => `comment ${id} (#${count} of ${time}) has this very text`),
  };
}

/** Whether a stored comment or description is the text that was sent: trackers keep one kind of line end and cut blanks at the end. */
export function isStoredAs(sent: string, stored: string): boolean {
  return normalised(sent) === normalised(stored);
}

/** A summary as trackers store it: control characters become blanks. */
export function storedSummary(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").trim();
}

function normalised(text: string): string {
  return text.replace(/\r\n?/g, "\n").trimEnd();
}

/** Looks whether a comment has the tags that it should have; tags can be put there again without harm. */
export const verifyTags: VerifyWrite = async ({ request }, eyes) => {
  const [id = ""] = /\d+(?=\/tags$)/.exec(request.path) ?? [];
  const comment = await currentComment(id, eyes);
  if (comment === undefined) return { sight: "absent" };
  const tags = readTags(comment["tags"] ?? null);
  return isAsWished(tags, request) ? { sight: "present", answer: tags } : { sight: "absent" };
};

/** Whether an answer tells the tags that a comment has after a change of them; none are told of one that does not exist. */
export function isTagsResponse(answer: Json, request: Request): boolean {
  if (!Array.isArray(answer)) return false;
  const tags = (answer as readonly Json[]).filter((tag) => tag !== null);
  return tags.every((tag) => typeof tag === "string") && (tags.length === 0 || isAsWished(tags, request));
}

/** A tag that is added and removed is removed; null adds and removes nothing. */
function isAsWished(tags: readonly string[], request: Request): boolean {
  const { add, remove } = requestBody(request);
  const [wanted, unwanted] = [namesIn(add), namesIn(remove)];
  const wish = { add: wanted.filter((tag) => !unwanted.includes(tag)), remove: unwanted };
  return writeState({ tags }, { tags: wish }) === "as wished";
}

function namesIn(tags: Json | undefined): readonly Json[] {
  return Array.isArray(tags) ? tags.filter((tag) => tag !== null) : [];
}
