import { readTags } from "../read.ts";
import { commentNow } from "./look-for-comment.ts";
import { standing } from "./standing.ts";
import { bodyOf, type Look } from "./write.ts";

/** Looks whether a comment has the tags that it should have; tags can be put there again without harm. */
export const lookAtTags: Look = async ({ request }, eyes) => {
  const { add = [], remove = [] } = bodyOf(request);
  const [id = ""] = /\d+(?=\/tags$)/.exec(request.path) ?? [];
  const comment = await commentNow(id, eyes);
  if (comment === undefined) return { sight: "absent" };
  const tags = readTags(comment["tags"] ?? null);
  return standing({ tags }, { tags: { add, remove } }) === "as wished"
    ? { sight: "present", answer: tags }
    : { sight: "absent" };
};
