import type { Comment } from "../../wire/comment.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { get, segment } from "../operation.ts";
import { isObject, listIn, unexpectedShape } from "../read.ts";
import { isStoredAs } from "./stored-text.ts";
import { bodyOf, type Eyes, type Finding, isMine, type Look, type Sent, since, targetsOf } from "./write.ts";

/** Looks for a comment by who wrote it, its text and its privacy, among those made since it was sent. */
export const lookForComment: Look = async (sent, eyes) => {
  const { comment, is_private } = bodyOf(sent.request);
  const [bug = ""] = targetsOf(sent.request);
  const found = await commentsLike({ bug, text: String(comment), isPrivate: is_private === true }, sent, eyes);
  return findingOf(found);
};

/** A comment that should be on a bug; `isBegun` when the tracker adds words of its own behind it. */
export type WantedComment = {
  readonly bug: string;
  readonly text: string;
  readonly isPrivate: boolean;
  readonly isBegun?: boolean;
};

/** The comments on a bug that may be the wanted one: made since it was sent, and not by another write that is known. */
export async function commentsLike(wanted: WantedComment, sent: Sent, eyes: Eyes): Promise<readonly Comment[]> {
  const recent = await commentsSince(wanted.bug, since(sent), eyes);
  const alike = recent.filter(
    (one) =>
      isMine(eyes, one.creator) !== false &&
      one.is_private === wanted.isPrivate &&
      (isStoredAs(wanted.text, one.text) || (wanted.isBegun === true && one.text.startsWith(wanted.text.trimEnd()))),
  );
  const others = eyes.settled().filter((other) => saysTheSame(other.request, wanted) && other.at >= sent.at - 3000);
  const claimed = new Set(others.map(({ answer }) => (isObject(answer) ? answer["id"] : undefined)));
  const unnamed = others.filter(({ answer }) => isObject(answer) && answer["id"] === undefined).length;
  return alike.filter(({ id }) => !claimed.has(id)).slice(unnamed);
}

async function commentsSince(bug: string, moment: string, { ask }: Eyes): Promise<readonly Comment[]> {
  const answer = await ask(get(`/rest/bug/${segment(bug)}/comment`, [["new_since", moment]]));
  const bugs = isObject(answer) ? answer["bugs"] : undefined;
  if (!isObject(bugs)) throw unexpectedShape('an object named "bugs"');
  return Object.values(bugs).flatMap((one) => listIn(one, "comments").filter(isComment)) as unknown as Comment[];
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

function findingOf(found: readonly Comment[]): Finding {
  const [only, ...more] = found;
  if (!only) return { sight: "absent" };
  if (more.length === 0) return { sight: "present", answer: { id: only.id } };
  return {
    sight: "contradiction",
    details: found.map(({ id, count, time }) => `comment ${id} (#${count} of ${time}) has this very text`),
  };
}
