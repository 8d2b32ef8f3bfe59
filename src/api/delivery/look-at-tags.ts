import type { Json, Request } from "../../wire/exchange.ts";
import { readTags } from "../read.ts";
import { commentNow } from "./look-for-comment.ts";
import { standing } from "./standing.ts";
import { bodyOf, type Look } from "./write.ts";

/** Looks whether a comment has the tags that it should have; tags can be put there again without harm. */
export const lookAtTags: Look = async ({ request }, eyes) => {
  const [id = ""] = /\d+(?=\/tags$)/.exec(request.path) ?? [];
  const comment = await commentNow(id, eyes);
  if (comment === undefined) return { sight: "absent" };
  const tags = readTags(comment["tags"] ?? null);
  return isAsWished(tags, request) ? { sight: "present", answer: tags } : { sight: "absent" };
};

/** Whether an answer tells the tags that a comment has after a change of them; none are told of one that does not exist. */
export function isTagsAnswer(answer: Json, request: Request): boolean {
  if (!Array.isArray(answer)) return false;
  const tags = (answer as readonly Json[]).filter((tag) => tag !== null);
  return tags.every((tag) => typeof tag === "string") && (tags.length === 0 || isAsWished(tags, request));
}

/** A tag that is added and removed is removed; null adds and removes nothing. */
function isAsWished(tags: readonly string[], request: Request): boolean {
  const { add, remove } = bodyOf(request);
  const [wanted, unwanted] = [namesIn(add), namesIn(remove)];
  const wish = { add: wanted.filter((tag) => !unwanted.includes(tag)), remove: unwanted };
  return standing({ tags }, { tags: wish }) === "as wished";
}

function namesIn(tags: Json | undefined): readonly Json[] {
  return Array.isArray(tags) ? tags.filter((tag) => tag !== null) : [];
}
