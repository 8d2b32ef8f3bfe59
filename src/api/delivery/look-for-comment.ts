import type { Comment } from "../../wire/comment.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { type Ask, get, segment } from "../operation.ts";
import { isObject, readBugComments, unexpectedShape } from "../read.ts";
import { isStoredAs } from "./stored-text.ts";
import {
  bodyOf,
  dayBefore,
  type Eyes,
  type Finding,
  firstOf,
  isMine,
  type Look,
  type LookBefore,
  precedes,
  type Sent,
  secondsBefore,
  shareOf,
  since,
  targetsOf,
} from "./write.ts";

/** Looks for a comment by who wrote it, its text and its privacy, among those made since it was sent. */
export const lookForComment: Look = async (sent, eyes) => {
  return findingOf(await commentsLike(wantedBy(sent), sent, eyes), sent);
};

/** The comments of the day before that say the same. */
export const commentsBefore: LookBefore = (sent, ask) => alikeOn(wantedBy(sent), sent, ask);

function wantedBy({ request }: Sent): WantedComment {
  const { comment, is_private } = bodyOf(request);
  return { bug: targetsOf(request)[0] ?? "", text: String(comment), isPrivate: is_private === true };
}

/** The numbers of the comments of the day before a write that say the same as a wanted one. */
export async function alikeOn(wanted: WantedComment, sent: Sent, ask: Ask): Promise<readonly number[]> {
  return (await commentsSince(wanted.bug, dayBefore(sent), ask)).filter(saying(wanted)).map(({ id }) => id);
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
export async function commentsLike(wanted: WantedComment, sent: Sent, eyes: Eyes): Promise<readonly Comment[]> {
  const rivals = eyes.rivals().filter(({ request }) => saysTheSame(request, wanted));
  const first = firstOf(sent, rivals);
  const recent = await commentsSince(wanted.bug, since({ ...sent, at: first.at }), eyes.ask);
  const others = eyes.settled().filter((other) => saysTheSame(other.request, wanted));
  const claimed = new Set(others.map(({ answer }) => (isObject(answer) ? answer["id"] : undefined)));
  const mine = recent
    .filter(saying(wanted))
    .filter(({ id, creator }) => isMine(eyes, creator) !== false && !claimed.has(id));
  const alike = mine.filter((one) => !sent.alike?.includes(one.id) && !wanted.isOld?.(one));
  const unnamed = others.filter(({ at, answer }) => at >= first.at - 3000 && isObject(answer) && !("id" in answer));
  const elder = [...unnamed.map((other) => ({ ...other, isOlder: true })), ...rivals.filter(({ isOlder }) => isOlder)];
  const younger = rivals.filter(({ isOlder }) => !isOlder);
  // what was there before is the work of others, which look for no more then
  const gone = mine.filter((one) => !alike.includes(one) && one.time >= secondsBefore(first, 2));
  return shareOf(alike, [...elder.slice(gone.length), ...younger]);
}

function saying({ text, isPrivate, isBegun = false }: WantedComment): (comment: Comment) => boolean {
  return (one) =>
    one.is_private === isPrivate && (isStoredAs(text, one.text) || (isBegun && one.text.startsWith(text.trimEnd())));
}

async function commentsSince(bug: string, moment: string, ask: Ask): Promise<readonly Comment[]> {
  const answer = await ask(get(`/rest/bug/${segment(bug)}/comment`, [["new_since", moment]]));
  const bugs = readBugComments(answer);
  const own = /^\d+$/.test(bug) ? bugs.get(bug) : [...bugs.values()].flat();
  if (!own) throw unexpectedShape(`comments of bug ${bug}`);
  return own.filter(isComment);
}

/** A comment as it is now, by its number; undefined when the tracker does not show it. */
export async function commentNow(id: string, { ask }: Pick<Eyes, "ask">): Promise<JsonObject | undefined> {
  const answer = await ask(get(`/rest/bug/comment/${segment(id)}`));
  const comments = isObject(answer) ? answer["comments"] : undefined;
  const comment = isObject(comments) ? comments[id] : undefined;
  return isObject(comment) ? comment : undefined;
}

function isComment(value: unknown): boolean {
  const { id, text, creator } = Object(value) as Record<string, unknown>;
  return Number.isSafeInteger(id) && typeof text === "string" && typeof creator === "string";
}

function saysTheSame(request: Sent["request"], { bug, text }: WantedComment): boolean {
  const { comment } = bodyOf(request);
  const said = isObject(comment) ? (comment as JsonObject)["body"] : comment;
  return targetsOf(request).includes(bug) && typeof said === "string" && isStoredAs(said, text);
}

/** What is older than the write proves neither that it was made nor that it was not. */
export function findingOf(found: readonly Comment[], sent: Sent): Finding {
  const since = found.filter(({ time }) => !precedes(sent, time));
  const [only, ...more] = since.length > 0 ? since : found;
  if (!only) return { sight: "absent" };
  if (more.length === 0 && since.length > 0) return { sight: "present", answer: { id: only.id } };
  return {
    sight: "contradiction",
    details: [only, ...more].map(({ id, count, time }) => `comment ${id} (#${count} of ${time}) has this very text`),
  };
}
